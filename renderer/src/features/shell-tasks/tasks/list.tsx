import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { ShellTaskItem } from '#contracts/entities/shell-task.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useExportShellTasks, useShellTasks } from '#renderer/api/shell-tasks.ts'
import { FilterBar } from '#renderer/app/filter-bar.tsx'
import { keyOf } from '#renderer/app/keymap.ts'
import { generateShellTasksHref, shellTaskHref } from '#renderer/app/links.ts'
import { ListPage } from '#renderer/app/list-page.tsx'
import { SelectableGrid } from '#renderer/app/selectable-grid.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { plural } from '#renderer/ui/format.ts'
import { BulkBar } from '#renderer/ui/lists/bulk-bar.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { EmptyState } from '#renderer/ui/states.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { DownloadMenu } from '#renderer/ui/download-menu.tsx'
import { TabLinksRow } from '#renderer/ui/tab-links.tsx'
import { SHELL_TASK_TABS } from '../tabs.ts'
import { COLUMNS } from './columns.tsx'
import { ShellTaskFacets } from './facets.tsx'
import { FACETS, readFilter } from './filter.ts'
import { ImportDialog } from './import-dialog.tsx'
import { ValidateAll, ValidateSelected } from './validate.tsx'

/** `/shell-tasks`: tasks for models that work in a shell. */
export function ShellTaskList() {
  const [search, change] = useSearchState()
  const filter = useMemo(() => readFilter(search), [search])
  const [, go] = useLocation()
  const list = useShellTasks(filter)
  const { rows, total, more } = useRows(list)
  const [isImporting, setImporting] = useState(false)
  const offline = useOfflineReason()
  const exportTasks = useExportShellTasks(filter)
  const loadedTotal = list.data ? total : null
  const importButton = (
    <Button look="primary" reason={offline} onClick={() => setImporting(true)}>
      Import tasks …
    </Button>
  )
  return (
    <>
      <ListPage
        title="Shell tasks"
        summary="Tasks for a model in a shell, each with a set-up and a check. Train and test on them, or solve one yourself."
        noun="shell task"
        list={list}
        count={rows.length}
        isFiltered={Object.keys(filter).length > 0}
        onShowAll={() => change(Object.fromEntries([...FACETS, 'q'].map((name) => [name, null])))}
        actions={(isEmpty) => (
          <div className="flex flex-wrap items-center gap-3">
            <Button onClick={() => go(generateShellTasksHref)}>Generate …</Button>
            {isEmpty ? null : importButton}
          </div>
        )}
        top={<TabLinksRow {...SHELL_TASK_TABS} current="tasks" />}
        filters={
          <FilterBar
            label="Search shell tasks"
            placeholder="Words of the task or its commands"
            search={search}
            change={change}
            end={
              <>
                <ValidateAll filter={filter} total={loadedTotal} />
                <DownloadMenu
                  label="Export"
                  size="small"
                  reason={offline ?? (total === 0 ? 'No task matches.' : null)}
                  busy={exportTasks.isPending}
                  formats={EXPORTS}
                  onSelect={exportTasks.mutate}
                />
                <span className="text-xs text-second">{loadedTotal === null ? '' : plural(loadedTotal, 'task')}</span>
              </>
            }
          />
        }
        aside={
          <section
            aria-label="Facets"
            className="flex w-52 shrink-0 flex-col gap-4 overflow-y-auto border-r border-line p-3 max-[900px]:hidden"
          >
            <ShellTaskFacets filter={filter} counts={list.data?.pages[0]?.counts} change={change} />
          </section>
        }
        first={
          <EmptyState title="No shell tasks yet" action={importButton}>
            Import a file with a task on each line, or folders of Harbor tasks.
          </EmptyState>
        }
      >
        <SelectableGrid
          label="Shell tasks"
          rows={rows}
          total={total}
          filter={filter}
          stale={list.isPlaceholderData}
          onEnd={more}
          columns={COLUMNS}
          hrefOf={shellTaskHref}
          nameOf={nameOf}
          barOf={barOf}
          bar={({ count, all, isAll, selectedIds, clear }) => (
            <BulkBar noun="shell tasks" count={count} all={all} clearKeys={keyOf('back')} onClear={clear}>
              <ValidateSelected filter={filter} ids={isAll ? null : selectedIds} count={count} />
            </BulkBar>
          )}
        />
      </ListPage>
      {isImporting ? <ImportDialog onClose={() => setImporting(false)} /> : null}
    </>
  )
}

const EXPORTS = [
  { format: 'jsonl', label: 'JSON lines' },
  { format: 'harbor', label: 'Harbor tasks (tar)' },
  { format: 'verifiers', label: 'verifiers rows' },
] as const

const nameOf = ({ task }: ShellTaskItem) => task.slice(0, 100)
const BARS = { valid: 'bg-ok', invalid: 'bg-bad', unknown: 'bg-warn' } as const
const barOf = ({ validation }: ShellTaskItem) => (validation ? BARS[validation.status] : 'bg-transparent')
