import { useMemo } from 'react'
import type { Task } from '#contracts/entities/task.ts'
import { useTasks } from '#renderer/api/tasks.ts'
import { FilterBar } from '#renderer/app/filter-bar.tsx'
import { taskHref } from '#renderer/app/links.ts'
import { ListPage } from '#renderer/app/list-page.tsx'
import { SelectableGrid } from '#renderer/app/selectable-grid.tsx'
import { StateSelect } from '#renderer/app/state-filter.tsx'
import { TASK_STATES } from '#renderer/app/words/tasks.ts'
import { plural } from '#renderer/ui/format.ts'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { TabLinksRow } from '#renderer/ui/tab-links.tsx'
import { AGENT_TABS } from '../../tabs.ts'
import { NewTaskLink } from '../../new-links.tsx'
import { COLUMNS } from './columns.tsx'
import { readFilter, STATE_GROUPS } from './filter.ts'
import { FirstTask } from './first-task.tsx'
import { TaskBar } from './task-bar.tsx'

/** `/agents`: all tasks, newest first. */
export function TaskList() {
  const [search, change] = useSearchState()
  const filter = useMemo(() => readFilter(search), [search])
  const list = useTasks(filter)
  const { rows, total, more } = useRows(list)
  return (
    <ListPage
      title="Agents"
      summary="Agents work in sandboxes on copies of your repositories; you review their changes."
      noun="task"
      list={list}
      count={rows.length}
      isFiltered={Object.keys(filter).length > 0}
      onShowAll={() => change({ q: null, state: null, batch: null })}
      actions={(isEmpty) => (isEmpty ? null : <NewTaskLink />)}
      top={<TabLinksRow {...AGENT_TABS} current="tasks" />}
      filters={
        <FilterBar
          label="Search tasks"
          placeholder="Title or prompt"
          search={search}
          change={change}
          end={<span className="text-xs text-second">{list.data ? plural(total, 'task') : ''}</span>}
        >
          <StateSelect groups={STATE_GROUPS} search={search} change={change} />
        </FilterBar>
      }
      first={<FirstTask />}
    >
      <SelectableGrid
        label="Tasks"
        rows={rows}
        total={total}
        filter={filter}
        stale={list.isPlaceholderData}
        onEnd={more}
        columns={COLUMNS}
        hrefOf={taskHref}
        nameOf={nameOf}
        barOf={barOf}
        bar={({ selectedIds, clear }) => <TaskBar tasks={rows.filter(({ id }) => selectedIds.includes(id))} onClear={clear} />}
      />
    </ListPage>
  )
}

const nameOf = ({ title }: Task) => title
const barOf = ({ state }: Task) => TASK_STATES[state].bar
