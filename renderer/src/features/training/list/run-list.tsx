import { Star } from 'lucide-react'
import { useMemo } from 'react'
import type { Run } from '#contracts/entities/run.ts'
import { TrainStrategy } from '#contracts/trainer.ts'
import { FilterBar, FilterToggle } from '#renderer/app/filter-bar.tsx'
import { keyOf } from '#renderer/app/keymap.ts'
import { runHref } from '#renderer/app/links.ts'
import { ListPage } from '#renderer/app/list-page.tsx'
import { StateSelect } from '#renderer/app/state-filter.tsx'
import { useMarks } from '#renderer/app/use-marks.ts'
import { useRowPx } from '#renderer/stores/theme.ts'
import { plural } from '#renderer/ui/format.ts'
import { ButtonLink } from '#renderer/ui/link.tsx'
import { MarkedBar, MarkedTable } from '#renderer/ui/lists/marked-table.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { FilterSelect } from '#renderer/ui/select.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { useRuns } from '../queries.ts'
import { STATE_WORDS, STRATEGY_WORDS } from '../words.ts'
import { COLUMNS } from './columns.tsx'
import { readFilter, STATE_GROUPS } from './filter.ts'
import { FirstRun } from './first-run.tsx'
import { QueueStrip } from './queue-strip.tsx'

const STRATEGY_OPTIONS = TrainStrategy.options.map((value) => ({ value, label: STRATEGY_WORDS[value].label }))
/** More curves than this could not be told apart in a chart. */
const MAX_COMPARED = 8

export function RunList() {
  const [search, change] = useSearchState()
  const filter = useMemo(() => readFilter(search), [search])
  const list = useRuns(filter)
  const { rows: runs, total, more } = useRows(list)
  return (
    <ListPage
      title="Training"
      summary="Train your own model on your sessions. Runs continue when this window is closed."
      noun="run"
      list={list}
      count={runs.length}
      isFiltered={Object.keys(filter).length > 0}
      onShowAll={() => change({ q: null, state: null, strategy: null, starred: null, dataset: null })}
      actions={() => (
        <ButtonLink href="/training/new" look="primary">
          New run
        </ButtonLink>
      )}
      top={<QueueStrip />}
      filters={
        <FilterBar
          label="Search runs"
          placeholder="Name, base model, data set, tag"
          search={search}
          change={change}
          end={<span className="text-xs text-second">{list.data ? plural(total, 'run') : ''}</span>}
        >
          <StateSelect groups={STATE_GROUPS} search={search} change={change} />
          <FilterSelect
            label="Strategy"
            any="Any strategy"
            value={filter.strategy ?? null}
            options={STRATEGY_OPTIONS}
            onChange={(strategy) => change({ strategy })}
          />
          <FilterToggle name="starred" label="Starred" icon={Star} search={search} change={change} />
        </FilterBar>
      }
      first={<FirstRun />}
    >
      <RunTable runs={runs} total={total} onEnd={more} />
    </ListPage>
  )
}

const barOf = ({ state }: Run) => STATE_WORDS[state].bar

function RunTable({ runs, total, onEnd }: { runs: readonly Run[]; total: number; onEnd: () => void }) {
  const rowPx = useRowPx()
  const marks = useMarks(runs, {
    most: MAX_COMPARED,
    hrefOf: runHref,
    compareHref: (ids) => `/training/compare?runs=${ids.join(',')}`,
  })
  return (
    <>
      <MarkedTable label="Runs" rows={runs} total={total} columns={COLUMNS} marks={marks} rowPx={rowPx} barOf={barOf} onEnd={onEnd} />
      <MarkedBar noun="run" most={MAX_COMPARED} keys={keyOf('compareMarked')} marks={marks} />
    </>
  )
}
