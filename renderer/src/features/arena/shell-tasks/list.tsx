import { Download } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { ShellTaskItem } from '#contracts/entities/shell-task.ts'
import type { ShellTaskFilter } from '#contracts/routes/shell-tasks.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useExportShellTasks, useShellTasks } from '#renderer/api/shell-tasks.ts'
import { generateShellTasksHref, shellTaskHref } from '#renderer/app/links.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { useRowPx } from '#renderer/stores/theme.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { plural } from '#renderer/ui/format.ts'
import { BulkBar } from '#renderer/ui/lists/bulk-bar.tsx'
import { fitColumns } from '#renderer/ui/lists/fit-columns.ts'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { GridSkeleton } from '#renderer/ui/lists/row-grid-parts.tsx'
import type { RowGridHandle } from '#renderer/ui/lists/row-grid-types.ts'
import { RowGrid } from '#renderer/ui/lists/row-grid.tsx'
import { useRowKeys } from '#renderer/ui/lists/row-keys.ts'
import { useListSelection } from '#renderer/ui/lists/use-list-selection.ts'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import { useTitle } from '#renderer/ui/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '#renderer/ui/states.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { ArenaTabs } from '../tabs.tsx'
import { COLUMNS, type ShellTaskColumn } from './columns.tsx'
import { ShellTaskFacets } from './facets.tsx'
import { FACETS, readFilter } from './filter.ts'
import { ImportDialog } from './import-dialog.tsx'
import { ValidateAll, ValidateSelected } from './validate.tsx'

/** `/arena/shell-tasks`: what models at a shell are asked to do. */
export function ShellTaskList() {
  useTitle('Shell tasks')
  const [search, change] = useSearchState()
  const filter = useMemo(() => readFilter(search), [search])
  const [, go] = useLocation()
  const list = useShellTasks(filter)
  const { rows, total, more } = useRows(list)
  const [isImporting, setImporting] = useState(false)
  const offline = useOfflineReason()
  const save = useExportShellTasks(filter)
  const isFiltered = Object.keys(filter).length > 0
  const none = list.data !== undefined && rows.length === 0
  const importButton = (
    <Button look="primary" reason={offline} onClick={() => setImporting(true)}>
      Import tasks …
    </Button>
  )
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 px-6 pt-5 pb-3">
        <div className="min-w-60 flex-1">
          <h1 className="text-xl font-semibold">Shell tasks</h1>
          <p className="text-sm text-second">
            What a model is asked to do at a shell, each with its set-up and a check. Train and test on them, or solve one by hand.
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <Button onClick={() => go(generateShellTasksHref)}>Generate …</Button>
          {none && !isFiltered ? null : importButton}
        </div>
      </header>
      <div className="flex px-6 pb-3">
        <ArenaTabs current="shell-tasks" />
      </div>
      {none && !isFiltered ? (
        <EmptyState title="No shell tasks yet" action={importButton}>
          Import a file with a task on each line, or folders of Harbor tasks.
        </EmptyState>
      ) : (
        <>
          <Bar search={search} change={change} total={list.data ? total : null}>
            <ValidateAll filter={filter} total={list.data ? total : null} />
            <Menu
              trigger={
                <Button size="small" icon={Download} reason={offline ?? (total === 0 ? 'No task matches.' : null)} busy={save.isPending}>
                  Export
                </Button>
              }
              align="end"
            >
              {EXPORTS.map(({ format, label }) => (
                <MenuItem key={format} onSelect={() => save.mutate(format)}>
                  {label}
                </MenuItem>
              ))}
            </Menu>
          </Bar>
          <div className="flex min-h-0 flex-1">
            <section
              aria-label="Facets"
              className="flex w-52 shrink-0 flex-col gap-4 overflow-y-auto border-r border-line p-3 max-[900px]:hidden"
            >
              <ShellTaskFacets filter={filter} counts={list.data?.pages[0]?.counts} change={change} />
            </section>
            <div className="flex min-h-0 min-w-0 flex-1 flex-col">
              {list.error && !list.data ? (
                <ErrorState className="m-6" title="Couldn't load the shell tasks" error={list.error} retry={() => void list.refetch()} />
              ) : null}
              {list.isPending ? (
                <GridSkeleton label="Loading the shell tasks">
                  <Skeleton className="w-24" />
                  <Skeleton className="flex-1" />
                  <Skeleton className="w-32" />
                </GridSkeleton>
              ) : null}
              {none ? (
                <EmptyState
                  title="No matching shell tasks"
                  action={
                    <Button onClick={() => change(Object.fromEntries([...FACETS, 'q'].map((name) => [name, null])))}>
                      Show all shell tasks
                    </Button>
                  }
                >
                  No task matches all the filters.
                </EmptyState>
              ) : null}
              {rows.length > 0 ? <Grid rows={rows} total={total} filter={filter} stale={list.isPlaceholderData} onEnd={more} /> : null}
            </div>
          </div>
        </>
      )}
      {isImporting ? <ImportDialog onClose={() => setImporting(false)} /> : null}
    </div>
  )
}

function Bar({
  search,
  change,
  total,
  children,
}: {
  search: URLSearchParams
  change: ReturnType<typeof useSearchState>[1]
  total: number | null
  children: React.ReactNode
}) {
  const input = useRef<HTMLInputElement>(null)
  useKeys({ filter: () => input.current?.focus() })
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-6 py-2">
      <TextInput
        ref={input}
        type="search"
        aria-label="Search shell tasks"
        placeholder="Words of the task or its commands"
        className="w-72 max-w-full"
        value={search.get('q') ?? ''}
        onChange={(q) => change({ q }, { replace: true })}
      />
      <span className="flex-1" />
      {children}
      <span className="text-xs text-second">{total === null ? '' : plural(total, 'task')}</span>
    </div>
  )
}

const EXPORTS = [
  { format: 'jsonl', label: 'JSON lines' },
  { format: 'harbor', label: 'Harbor tasks (tar)' },
  { format: 'verifiers', label: 'verifiers rows' },
] as const

const columnsFor = (width: number) => fitColumns(COLUMNS, width)
const cellOf = (task: ShellTaskItem, column: ShellTaskColumn) => column.cell(task)
const nameOf = ({ task }: ShellTaskItem) => task.slice(0, 100)
const BARS = { valid: 'bg-ok', invalid: 'bg-bad', unknown: 'bg-warn' } as const
const barOf = ({ validation }: ShellTaskItem) => (validation ? BARS[validation.status] : 'bg-transparent')

function Grid({
  rows,
  total,
  filter,
  stale,
  onEnd,
}: {
  rows: readonly ShellTaskItem[]
  total: number
  filter: ShellTaskFilter
  stale: boolean
  onEnd: () => void
}) {
  const [, go] = useLocation()
  const rowPx = useRowPx()
  const handle = useRef<RowGridHandle>(null)
  const [currentId, setCurrentId] = useState<string | null>(null)
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const { selection, select, clear, isAll, count, selectedIds, all, grid } = useListSelection({
    ids,
    total,
    filter: JSON.stringify(filter),
    onOpen: useCallback(({ id }: ShellTaskItem) => go(shellTaskHref(id)), [go]),
  })
  const current = currentId !== null && ids.includes(currentId) ? currentId : null
  const goTo = (id: string) => {
    setCurrentId(id)
    handle.current?.show(ids.indexOf(id))
  }
  useKeys({
    ...useRowKeys({ ids, currentId: current, selection, goTo, select }),
    open: () => (current === null ? false : go(shellTaskHref(current))),
    back: () => (count > 0 ? clear() : false),
  })
  return (
    <>
      {count > 0 ? (
        <BulkBar noun="shell tasks" count={count} all={all} clearKeys={keyOf('back')} onClear={clear}>
          <ValidateSelected filter={filter} ids={isAll ? null : selectedIds} count={count} />
        </BulkBar>
      ) : null}
      <RowGrid
        {...grid}
        ref={handle}
        label="Shell tasks"
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
