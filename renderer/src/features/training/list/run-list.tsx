import { Star } from 'lucide-react'
import { useMemo, useRef } from 'react'
import type { Run } from '#contracts/entities/run.ts'
import { TrainStrategy } from '#contracts/trainer.ts'
import { runHref } from '#renderer/app/links.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { useMarks } from '#renderer/app/use-marks.ts'
import { useRowPx } from '#renderer/stores/theme.ts'
import { Button } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { TextInput } from '#renderer/ui/field.tsx'
import { plural } from '#renderer/ui/format.ts'
import { ButtonLink } from '#renderer/ui/link.tsx'
import { GridSkeleton } from '#renderer/ui/lists/row-grid-parts.tsx'
import { MarkedBar, MarkedTable } from '#renderer/ui/lists/marked-table.tsx'
import { useTitle } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { EmptyState, ErrorState, Skeleton } from '#renderer/ui/states.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { useRuns } from '../queries.ts'
import { STATE_WORDS, STRATEGY_WORDS } from '../words.ts'
import { COLUMNS } from './columns.tsx'
import { FirstRun } from './first-run.tsx'
import { isStateGroup, readFilter, type StateGroup } from './filter.ts'
import { QueueStrip } from './queue-strip.tsx'

const GROUP_WORDS: Record<StateGroup, string> = {
  active: 'Running or waiting',
  paused: 'Paused',
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
}
const ANY = 'any'
/** So many at once can still be told apart. */
const MOST_COMPARED = 8

/** All runs, newest first, over the queue. */
export function RunList() {
  useTitle('Training')
  const [search, change] = useSearchState()
  const filter = useMemo(() => readFilter(search), [search])
  const list = useRuns(filter)
  const { rows: runs, total, more } = useRows(list)
  const isFiltered = Object.keys(filter).length > 0
  const none = list.data !== undefined && runs.length === 0
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 px-6 pt-5 pb-3">
        <div className="min-w-60 flex-1">
          <h1 className="text-xl font-semibold">Training</h1>
          <p className="text-sm text-second">Train your own model on your sessions. Runs continue when this window is closed.</p>
        </div>
        <ButtonLink href="/training/new" look="primary">
          New run
        </ButtonLink>
      </header>
      <QueueStrip />
      {none && !isFiltered ? null : <Filters search={search} change={change} total={list.data ? total : null} />}
      {list.error && !list.data ? (
        <ErrorState className="m-6" title="Couldn't load the runs" error={list.error} retry={() => void list.refetch()} />
      ) : null}
      {list.isPending ? <ListSkeleton /> : null}
      {none ? (
        isFiltered ? (
          <EmptyState
            title="No matching runs"
            action={
              <Button onClick={() => change({ q: null, state: null, strategy: null, starred: null, dataset: null })}>Show all runs</Button>
            }
          >
            No run matches all the filters.
          </EmptyState>
        ) : (
          <FirstRun />
        )
      ) : null}
      {runs.length > 0 ? <RunTable runs={runs} total={total} onEnd={more} /> : null}
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
        aria-label="Search runs"
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

const barOf = ({ state }: Run) => STATE_WORDS[state].bar

function RunTable({ runs, total, onEnd }: { runs: readonly Run[]; total: number; onEnd: () => void }) {
  const rowPx = useRowPx()
  const marks = useMarks(runs, {
    most: MOST_COMPARED,
    hrefOf: runHref,
    compareHref: (ids) => `/training/compare?runs=${ids.join(',')}`,
  })
  return (
    <>
      <MarkedTable label="Runs" rows={runs} total={total} columns={COLUMNS} marks={marks} rowPx={rowPx} barOf={barOf} onEnd={onEnd} />
      <MarkedBar
        noun="run"
        count={marks.ids.length}
        most={MOST_COMPARED}
        keys={keyOf('compareMarked')}
        onClear={marks.clear}
        onCompare={marks.compare}
      />
    </>
  )
}

const ListSkeleton = () => (
  <GridSkeleton label="Loading the runs">
    <Skeleton className="flex-1" />
    <Skeleton className="w-24" />
    <Skeleton className="w-32" />
  </GridSkeleton>
)
