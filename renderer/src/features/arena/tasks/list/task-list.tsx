import { useCallback, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Task } from '#contracts/entities/task.ts'
import { useTasks, type TaskFilter } from '#renderer/api/tasks.ts'
import { taskHref } from '#renderer/app/links.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { TASK_STATES } from '#renderer/app/words/tasks.ts'
import { useRowPx } from '#renderer/stores/theme.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { plural } from '#renderer/ui/format.ts'
import { fitColumns } from '#renderer/ui/lists/fit-columns.ts'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { GridSkeleton } from '#renderer/ui/lists/row-grid-parts.tsx'
import type { RowGridHandle } from '#renderer/ui/lists/row-grid-types.ts'
import { RowGrid } from '#renderer/ui/lists/row-grid.tsx'
import { useRowKeys } from '#renderer/ui/lists/row-keys.ts'
import { useListSelection } from '#renderer/ui/lists/use-list-selection.ts'
import { useTitle } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { EmptyState, ErrorState, Skeleton } from '#renderer/ui/states.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { ArenaTabs } from '../../tabs.tsx'
import { NewTaskLink } from '../new-task-link.tsx'
import { COLUMNS, type TaskColumn } from './columns.tsx'
import { isStateGroup, readFilter, STATE_GROUPS } from './filter.ts'
import { FirstTask } from './first-task.tsx'
import { TaskBar } from './task-bar.tsx'

/** `/arena/tasks`: all runs of agents, newest first. */
export function TaskList() {
  useTitle('Tasks')
  const [search, change] = useSearchState()
  const filter = useMemo(() => readFilter(search), [search])
  const list = useTasks(filter)
  const { rows, total, more } = useRows(list)
  const isFiltered = Object.keys(filter).length > 0
  const none = list.data !== undefined && rows.length === 0
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 px-6 pt-5 pb-3">
        <div className="min-w-60 flex-1">
          <h1 className="text-xl font-semibold">Tasks</h1>
          <p className="text-sm text-second">Agents at work in sandboxes, on copies of your repositories. You review what they change.</p>
        </div>
        {none && !isFiltered ? null : <NewTaskLink />}
      </header>
      <div className="flex px-6 pb-3">
        <ArenaTabs current="tasks" />
      </div>
      {none && !isFiltered ? null : <Filters search={search} change={change} total={list.data ? total : null} />}
      {list.error && !list.data ? (
        <ErrorState className="m-6" title="Couldn't load the tasks" error={list.error} retry={() => void list.refetch()} />
      ) : null}
      {list.isPending ? (
        <GridSkeleton label="Loading the tasks">
          <Skeleton className="w-24" />
          <Skeleton className="flex-1" />
          <Skeleton className="w-32" />
        </GridSkeleton>
      ) : null}
      {none && isFiltered ? (
        <EmptyState
          title="No matching tasks"
          action={<Button onClick={() => change({ q: null, state: null, batch: null })}>Show all tasks</Button>}
        >
          No task matches all the filters.
        </EmptyState>
      ) : null}
      {none && !isFiltered ? <FirstTask /> : null}
      {rows.length > 0 ? <Grid rows={rows} total={total} filter={filter} stale={list.isPlaceholderData} onEnd={more} /> : null}
    </div>
  )
}

const ANY = 'any'

function Filters({
  search,
  change,
  total,
}: {
  search: URLSearchParams
  change: ReturnType<typeof useSearchState>[1]
  total: number | null
}) {
  const input = useRef<HTMLInputElement>(null)
  useKeys({ filter: () => input.current?.focus() })
  const state = search.get('state')
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-6 py-2">
      <TextInput
        ref={input}
        type="search"
        aria-label="Search tasks"
        placeholder="Title or prompt"
        className="w-72 max-w-full"
        value={search.get('q') ?? ''}
        onChange={(q) => change({ q }, { replace: true })}
      />
      <Select
        label="State"
        value={isStateGroup(state) ? state : ANY}
        options={[{ value: ANY, label: 'Any state' }, ...Object.entries(STATE_GROUPS).map(([value, { label }]) => ({ value, label }))]}
        onChange={(value) => change({ state: value === ANY ? null : value })}
      />
      <span className="flex-1" />
      <span className="text-xs text-second">{total === null ? '' : plural(total, 'task')}</span>
    </div>
  )
}

const columnsFor = (width: number) => fitColumns(COLUMNS, width)
const cellOf = (task: Task, column: TaskColumn) => column.cell(task)
const nameOf = ({ title }: Task) => title
const barOf = ({ state }: Task) => TASK_STATES[state].bar

function Grid({
  rows,
  total,
  filter,
  stale,
  onEnd,
}: {
  rows: readonly Task[]
  total: number
  filter: TaskFilter
  stale: boolean
  onEnd: () => void
}) {
  const [, go] = useLocation()
  const rowPx = useRowPx()
  const handle = useRef<RowGridHandle>(null)
  const [currentId, setCurrentId] = useState<string | null>(null)
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const { selection, select, clear, selectedIds, count, grid } = useListSelection({
    ids,
    total,
    filter: JSON.stringify(filter),
    onOpen: useCallback(({ id }: Task) => go(taskHref(id)), [go]),
  })
  const current = currentId !== null && ids.includes(currentId) ? currentId : null
  const goTo = (id: string) => {
    setCurrentId(id)
    handle.current?.show(ids.indexOf(id))
  }
  useKeys({
    ...useRowKeys({ ids, currentId: current, selection, goTo, select }),
    open: () => (current === null ? false : go(taskHref(current))),
    back: () => (count > 0 ? clear() : false),
  })
  return (
    <>
      {count > 0 ? <TaskBar tasks={rows.filter(({ id }) => selectedIds.includes(id))} onClear={clear} /> : null}
      <RowGrid
        {...grid}
        ref={handle}
        label="Tasks"
        rows={rows}
        total={total}
        currentId={current}
        openId={null}
        sort={null}
        rowPx={rowPx}
        stale={stale}
        onEnd={onEnd}
        columnsFor={columnsFor}
        cell={cellOf}
        nameOf={nameOf}
        barOf={barOf}
      />
    </>
  )
}
