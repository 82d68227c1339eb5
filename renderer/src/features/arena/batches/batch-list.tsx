import type { Batch } from '#contracts/entities/batch.ts'
import { wilson } from '#contracts/wilson.ts'
import { useBatches } from '#renderer/api/batches.ts'
import { batchHref } from '#renderer/app/links.ts'
import { Button } from '#renderer/ui/button.tsx'
import { DASH, formatCount, formatDuration, formatUsd } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { Progress } from '#renderer/ui/meter.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { useNow } from '#renderer/ui/use-now.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { ArenaTabs } from '../tabs.tsx'
import { FirstBatch } from './first-batch.tsx'
import { NewBatchLink } from './new-batch-link.tsx'
import { BatchStateBadge } from './state-badge.tsx'
import { countsLine, endedOf, intervalWord, rateWord } from './words.ts'

/** `/arena/batches`: all batches, newest first. */
export function BatchList() {
  const list = useBatches()
  const { rows, more } = useRows(list)
  return (
    <Page
      title="Batches"
      summary="Many tasks given to agents, each in one or more attempts, with the share that passed."
      actions={rows.length > 0 ? <NewBatchLink /> : null}
      tabs={<ArenaTabs current="batches" />}
    >
      {list.isPending ? (
        <Loading label="Loading the batches" className="flex flex-col gap-3">
          <Skeleton className="h-6 w-full" />
          <Skeleton className="h-6 w-full" />
          <Skeleton className="h-6 w-2/3" />
        </Loading>
      ) : null}
      {list.error && !list.data ? (
        <ErrorState title="Couldn't load the batches" error={list.error} retry={() => void list.refetch()} />
      ) : null}
      {list.data && rows.length === 0 ? <FirstBatch /> : null}
      {rows.length > 0 ? <Table caption="Batches" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} /> : null}
      {list.hasNextPage ? (
        <div>
          <Button busy={list.isFetchingNextPage} onClick={more}>
            Show older batches
          </Button>
        </div>
      ) : null}
    </Page>
  )
}

const COLUMNS: Column<Batch>[] = [
  {
    id: 'name',
    label: 'Name',
    className: 'min-w-40 max-w-80',
    cell: ({ id, name }) => (
      <TextLink href={batchHref(id)} className="block truncate no-underline! hover:underline!">
        <Visible text={name} />
      </TextLink>
    ),
  },
  { id: 'state', label: 'State', cell: (batch) => <BatchStateBadge batch={batch} /> },
  { id: 'tasks', label: 'Tasks', numeric: true, cell: ({ tasks }) => formatCount(tasks) },
  { id: 'attempts', label: 'Attempts per task', numeric: true, cell: ({ attempts }) => formatCount(attempts) },
  { id: 'done', label: 'Ended', numeric: true, cell: (batch) => <Ended batch={batch} /> },
  { id: 'rate', label: 'Pass rate (95 % interval)', numeric: true, cell: (batch) => <Rate batch={batch} /> },
  { id: 'cost', label: 'Cost', numeric: true, cell: ({ costUsd }) => formatUsd(costUsd) },
  { id: 'time', label: 'Time', numeric: true, cell: (batch) => <Elapsed batch={batch} /> },
  { id: 'started', label: 'Started', numeric: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-second" /> },
]

function Ended({ batch: { name, counts } }: { batch: Batch }) {
  const ended = endedOf(counts)
  return (
    <span className="inline-flex w-28 flex-col gap-1" title={countsLine(counts)}>
      {formatCount(ended)} of {formatCount(counts.total)}
      <Progress label={`Attempts of ${name} that have ended`} value={ended / counts.total} className="h-1" />
    </span>
  )
}

function Rate({ batch: { counts } }: { batch: Batch }) {
  const { passed, failed } = counts
  const interval = wilson(passed, passed + failed)
  if (interval === null)
    return (
      <span className="text-second" title="No attempt has passed or failed.">
        {DASH}
      </span>
    )
  return (
    <>
      {rateWord({ rate: passed / (passed + failed) })} <span className="text-second">({intervalWord(interval)})</span>
    </>
  )
}

function Elapsed({ batch: { createdAt, endedAt } }: { batch: Batch }) {
  const now = useNow(endedAt === null)
  return <>{formatDuration((endedAt === null ? now : Date.parse(endedAt)) - Date.parse(createdAt))}</>
}
