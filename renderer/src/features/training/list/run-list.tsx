import { GitCompare, Star } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Run } from '#contracts/entities/run.ts'
import { TrainStrategy } from '#contracts/trainer.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { runHref } from '#renderer/api/links.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { useTheme } from '#renderer/stores/theme.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { TextInput } from '#renderer/ui/field.tsx'
import { plural } from '#renderer/ui/format.ts'
import { ButtonLink } from '#renderer/ui/link.tsx'
import { useTitle } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { useWidth } from '#renderer/ui/use-width.ts'
import { VirtualList, type VirtualListHandle } from '#renderer/ui/virtual-list.tsx'
import { usePatchRun, useRuns } from '../queries.ts'
import { STATE_WORDS, STRATEGY_WORDS } from '../words.ts'
import { columnsIn, type RunColumn } from './columns.tsx'
import { FirstRun } from './first-run.tsx'
import { isStateGroup, readFilter, type StateGroup } from './filter.ts'
import { QueueStrip } from './queue-strip.tsx'

const GROUP_WORDS: Record<StateGroup, string> = {
  active: 'At work or waiting',
  paused: 'Paused',
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
}
const ANY = 'any'
const ROW_PX = { compact: 32, comfortable: 40 } as const
/** So many at once can still be told apart. */
const MOST_COMPARED = 8

/** All runs, newest first, over the queue. */
export function RunList() {
  useTitle('Training')
  const [search, change] = useSearchState()
  const filter = useMemo(() => readFilter(search), [search])
  const list = useRuns(filter)
  const runs = useMemo(() => list.data?.pages.flatMap(({ items }) => items) ?? [], [list.data])
  const total = list.data?.pages[0]?.total ?? 0
  const isFiltered = Object.keys(filter).length > 0
  const none = list.data !== undefined && runs.length === 0
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 px-6 pt-5 pb-3">
        <div className="min-w-60 flex-1">
          <h1 className="text-xl font-semibold">Training</h1>
          <p className="text-sm text-second">A model of your own, from your sessions. A run goes on when this window is closed.</p>
        </div>
        <ButtonLink href="/training/new" look="primary">
          New run
        </ButtonLink>
      </header>
      <QueueStrip />
      {none && !isFiltered ? null : <Filters search={search} change={change} total={list.data ? total : null} />}
      {list.error && !list.data ? (
        <ErrorState className="m-6" title="The runs could not be listed" error={list.error} retry={() => void list.refetch()} />
      ) : null}
      {list.isPending ? <ListSkeleton /> : null}
      {none ? (
        isFiltered ? (
          <EmptyState
            title="No run fits"
            action={
              <Button onClick={() => change({ q: null, state: null, strategy: null, starred: null, dataset: null })}>Show all runs</Button>
            }
          >
            No run has all that the filter asks for.
          </EmptyState>
        ) : (
          <FirstRun />
        )
      ) : null}
      {runs.length > 0 ? (
        <RunTable
          runs={runs}
          total={total}
          onEnd={() => {
            if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
          }}
        />
      ) : null}
    </div>
  )
}

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
  const strategy = TrainStrategy.safeParse(search.get('strategy'))
  const starred = search.get('starred') === '1'
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-6 py-2">
      <TextInput
        ref={input}
        type="search"
        aria-label="Search the runs"
        placeholder="Name, base model, data set, tag"
        className="w-72 max-w-full"
        value={search.get('q') ?? ''}
        onChange={(q) => change({ q }, { replace: true })}
      />
      <Select
        label="State"
        value={isStateGroup(state) ? state : ANY}
        options={[{ value: ANY, label: 'Any state' }, ...Object.entries(GROUP_WORDS).map(([value, label]) => ({ value, label }))]}
        onChange={(value) => change({ state: value === ANY ? null : value })}
      />
      <Select
        label="Strategy"
        value={strategy.success ? strategy.data : ANY}
        options={[
          { value: ANY, label: 'Any strategy' },
          ...TrainStrategy.options.map((value) => ({ value, label: STRATEGY_WORDS[value].label })),
        ]}
        onChange={(value) => change({ strategy: value === ANY ? null : value })}
      />
      <Button
        icon={Star}
        aria-pressed={starred}
        className={cn(starred && 'border-accent! text-accent')}
        onClick={() => change({ starred: starred ? null : '1' })}
      >
        Starred
      </Button>
      <span className="flex-1" />
      <span className="text-xs text-second">{total === null ? '' : plural(total, 'run')}</span>
    </div>
  )
}

function RunTable({ runs, total, onEnd }: { runs: readonly Run[]; total: number; onEnd: () => void }) {
  const [, go] = useLocation()
  const density = useTheme((state) => state.density)
  const box = useRef<HTMLDivElement>(null)
  const rows = useRef<VirtualListHandle>(null)
  const width = useWidth(box)
  const columns = useMemo(() => columnsIn(width), [width])
  const [marked, setMarked] = useState<readonly string[]>([])
  const [currentId, setCurrentId] = useState<string | null>(null)
  const current = runs.findIndex(({ id }) => id === currentId)
  const mark = useCallback(
    (id: string) =>
      setMarked((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id].slice(-MOST_COMPARED))),
    [],
  )
  const compare = () => {
    if (marked.length >= 2) go(`/training/compare?runs=${marked.join(',')}`)
  }
  const step = (by: number) => {
    const next = Math.max(0, Math.min(runs.length - 1, current < 0 ? 0 : current + by))
    setCurrentId(runs[next]?.id ?? null)
    rows.current?.scrollToIndex(next)
  }
  useKeys({
    next: () => step(1),
    previous: () => step(-1),
    open: () => (currentId === null ? false : go(runHref(currentId))),
    select: () => (currentId === null ? false : mark(currentId)),
    compareMarked: compare,
  })
  return (
    <>
      <div ref={box} className="flex min-h-0 flex-1 flex-col">
        <VirtualList
          ref={rows}
          items={runs}
          total={total}
          estimate={ROW_PX[density]}
          keyOf={({ id }) => id}
          label="Runs"
          role="rowgroup"
          rowRole="none"
          grid
          onEnd={onEnd}
          header={<Header columns={columns} />}
        >
          {(run, index) => (
            <Row run={run} index={index} columns={columns} marked={marked.includes(run.id)} current={run.id === currentId} onMark={mark} />
          )}
        </VirtualList>
      </div>
      {marked.length > 0 ? (
        <div role="toolbar" aria-label="Marked runs" className="flex items-center gap-3 border-t border-line bg-panel px-6 py-2 text-sm">
          <span className="flex-1">{plural(marked.length, 'run')} marked</span>
          <Button look="quiet" onClick={() => setMarked([])}>
            Unmark
          </Button>
          <Button
            icon={GitCompare}
            keys={keyOf('compareMarked')}
            reason={marked.length < 2 ? 'Mark a second run first.' : null}
            onClick={compare}
          >
            Compare
          </Button>
        </div>
      ) : null}
    </>
  )
}

const Header = ({ columns }: { columns: readonly RunColumn[] }) => (
  <div role="rowgroup" className="sticky top-0 z-10 bg-bg">
    <div role="row" aria-rowindex={1} className="flex h-8 items-center border-b border-line pl-1 text-xs text-second">
      <span role="columnheader" aria-label="Marked" className="w-8 shrink-0" />
      <span role="columnheader" aria-label="Star" className="w-8 shrink-0" />
      {columns.map((column) => (
        <span
          key={column.id}
          role="columnheader"
          style={column.id === 'name' ? { minWidth: column.width } : { width: column.width }}
          className={cn('px-2', column.id === 'name' ? 'flex-1' : 'shrink-0', column.numeric && 'text-right')}
        >
          {column.label}
        </span>
      ))}
    </div>
  </div>
)

function Row({
  run,
  index,
  columns,
  marked,
  current,
  onMark,
}: {
  run: Run
  index: number
  columns: readonly RunColumn[]
  marked: boolean
  current: boolean
  onMark: (id: string) => void
}) {
  const patch = usePatchRun()
  const offline = useOfflineReason()
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={marked}
      className={cn(
        'relative flex h-full items-center border-b border-line pl-1 text-sm',
        marked ? 'bg-accent/12' : 'hover:bg-raised/60',
        current && 'outline-2 -outline-offset-2 outline-accent',
      )}
    >
      <span aria-hidden className={cn('absolute inset-y-0 left-0 w-1', STATE_WORDS[run.state].bar)} />
      <div role="gridcell" className="flex w-8 shrink-0 justify-center">
        <Checkbox label={`Mark ${run.name}`} checked={marked} onChange={() => onMark(run.id)} />
      </div>
      <div role="gridcell" className="flex w-8 shrink-0 justify-center">
        <IconButton
          size="small"
          icon={run.starred ? StarFull : Star}
          label={run.starred ? `Take the star from ${run.name}` : `Star ${run.name}`}
          aria-pressed={run.starred}
          reason={offline}
          className={run.starred ? 'text-accent' : 'text-second'}
          onClick={() => patch.mutate({ id: run.id, starred: !run.starred })}
        />
      </div>
      {columns.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          style={column.id === 'name' ? { minWidth: column.width } : { width: column.width }}
          className={cn(
            'min-w-0 px-2',
            column.id === 'name' ? 'flex-1' : 'shrink-0',
            column.numeric && 'text-right font-mono text-xs whitespace-nowrap',
          )}
        >
          {column.cell(run)}
        </div>
      ))}
    </div>
  )
}

export const StarFull = (props: { size?: number; className?: string; 'aria-hidden'?: boolean }) => <Star {...props} fill="currentColor" />

const ListSkeleton = () => (
  <Loading label="Loading the runs" className="min-h-0 flex-1 overflow-hidden">
    <div className="h-8 border-b border-line" />
    {Array.from({ length: 20 }, (_, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- all alike
      <div key={index} className="flex h-(--row) items-center gap-3 border-b border-line px-3">
        <Skeleton className="size-4" />
        <Skeleton className="flex-1" />
        <Skeleton className="w-24" />
        <Skeleton className="w-32" />
      </div>
    ))}
  </Loading>
)
