import type { Dataset, ListedDrop } from '#contracts/entities/dataset.ts'
import { traceHref } from '#renderer/app/links.ts'
import { formatCount } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { RowsSkeleton } from '../../skeletons.tsx'
import { VirtualList } from '#renderer/ui/lists/virtual-list.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { usePages } from '#renderer/ui/lists/pages.ts'
import { useDropped } from '../queries.ts'
import { dropWords, stageWords } from '../words.ts'

const ALL = '*'

/** Everything excluded from the version, with its stage and reason. */
export function DroppedRows({ dataset }: { dataset: Dataset }) {
  const [search, change] = useSearchState()
  const stage = search.get('stage')
  const reason = search.get('reason')
  const filter = { ...(stage && { stage }), ...(reason && { reason }) }
  const list = useDropped(dataset.id, filter)
  const { rows, total, more } = usePages(list)
  const stages = dataset.funnel.filter(({ dropped }) => dropped.length > 0)
  const reasons = stages.filter((one) => stage === null || one.stage === stage).flatMap(({ dropped }) => dropped)
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-6 py-2 text-sm">
        <Select
          label="Stage"
          value={stage ?? ALL}
          options={[
            { value: ALL, label: 'All stages' },
            ...stages.map((one) => ({ value: one.stage, label: stageWords(one.stage).label })),
          ]}
          onChange={(value) => change({ stage: value === ALL ? null : value, reason: null })}
        />
        <Select
          label="Reason"
          className="max-w-96"
          value={reason ?? ALL}
          options={[
            { value: ALL, label: 'All reasons' },
            ...[...new Set(reasons.map((one) => one.reason))].map((value) => ({ value, label: dropWords(value) })),
          ]}
          onChange={(value) => change({ reason: value === ALL ? null : value })}
        />
        <span role="status" className="text-second">
          {list.data ? `${formatCount(total)} excluded` : ''}
        </span>
      </div>
      {list.error && !list.data ? (
        <ErrorState title="Couldn't load the excluded items" error={list.error} retry={() => void list.refetch()} className="m-4" />
      ) : !list.data ? (
        <RowsSkeleton label="Loading excluded items" rowPx={36} />
      ) : rows.length === 0 ? (
        <EmptyState title="Nothing was excluded">
          {stage === null && reason === null
            ? 'Everything selected is in this version.'
            : 'Nothing was excluded at this stage or for this reason. Other stages and reasons may have excluded something.'}
        </EmptyState>
      ) : (
        <>
          <div
            aria-hidden
            className="grid grid-cols-[10rem_minmax(0,1fr)_15rem_minmax(0,1fr)] gap-4 border-b border-line px-6 py-1 text-xs text-second"
          >
            <span>Stage</span>
            <span>Reason</span>
            <span>Session</span>
            <span>Details, example</span>
          </div>
          <VirtualList items={rows} total={total} estimate={36} keyOf={(_, index) => String(index)} label="Excluded items" onEnd={more}>
            {(row) => <Dropped row={row} />}
          </VirtualList>
        </>
      )}
    </div>
  )
}

const Dropped = ({ row }: { row: ListedDrop }) => (
  <div className="grid h-9 grid-cols-[10rem_minmax(0,1fr)_15rem_minmax(0,1fr)] items-center gap-4 border-b border-line px-6 text-sm">
    <span className="text-second">{stageWords(row.stage).label}</span>
    <span className="truncate" title={dropWords(row.reason)}>
      {dropWords(row.reason)}
    </span>
    {row.traceId === null ? (
      <span className="text-second">Imported</span>
    ) : (
      <span className="truncate" title={row.traceId}>
        <TextLink href={traceHref(row.traceId)} className={row.title === null ? 'font-mono text-xs' : undefined}>
          <Visible text={row.title ?? row.traceId} />
        </TextLink>
      </span>
    )}
    <span className="truncate text-xs text-second" title={[row.detail, row.exampleId].filter(Boolean).join(' ')}>
      {row.detail}
      {row.detail && row.exampleId ? ' · ' : null}
      {row.exampleId ? <span className="font-mono">{row.exampleId}</span> : null}
    </span>
  </div>
)
