import type { Batch } from '#contracts/entities/batch.ts'
import { useBatches } from '#renderer/api/batches.ts'
import { batchHref } from '#renderer/app/links.ts'
import { formatCount, formatUsd } from '#renderer/ui/format.ts'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { TabLinks } from '#renderer/ui/tab-links.tsx'
import type { Column } from '#renderer/ui/table.tsx'
import { RateCell, rateOf } from '#renderer/app/rates.tsx'
import { EndedCell, NameLink, CollectionListPage, CollectionStateBadge } from '#renderer/app/collections.tsx'
import { Elapsed } from './elapsed.tsx'
import { FirstBatch } from './first-batch.tsx'
import { NewBatchLink } from '../new-links.tsx'
import { AGENT_TABS } from '../tabs.ts'
import { BATCH_STATES, countsLine, endedOf } from './words.ts'

/** `/agents/batches` */
export const BatchList = () => (
  <CollectionListPage
    title="Batches"
    summary="Many tasks given to agents, each in one or more attempts, with the share that passed."
    tabs={<TabLinks {...AGENT_TABS} current="batches" />}
    list={useBatches()}
    columns={COLUMNS}
    newLink={<NewBatchLink />}
    empty={<FirstBatch />}
  />
)

const COLUMNS: Column<Batch>[] = [
  { id: 'name', label: 'Name', className: 'min-w-40 max-w-80', cell: ({ id, name }) => <NameLink href={batchHref(id)} name={name} /> },
  { id: 'state', label: 'State', cell: ({ state, detail }) => <CollectionStateBadge state={BATCH_STATES[state]} detail={detail} /> },
  { id: 'tasks', label: 'Tasks', numeric: true, cell: ({ tasks }) => formatCount(tasks) },
  { id: 'attempts', label: 'Attempts per task', numeric: true, cell: ({ attempts }) => formatCount(attempts) },
  {
    id: 'done',
    label: 'Ended',
    numeric: true,
    cell: ({ name, counts }) => (
      <EndedCell label={`Attempts of ${name} that have ended`} counts={countsLine(counts)} ended={endedOf(counts)} total={counts.total} />
    ),
  },
  {
    id: 'rate',
    label: 'Pass rate (95 % interval)',
    numeric: true,
    cell: ({ counts: { passed, failed }, attempts }) => (
      <RateCell rate={rateOf(passed, passed + failed, Math.ceil((passed + failed) / attempts))} />
    ),
  },
  { id: 'cost', label: 'Cost', numeric: true, cell: ({ costUsd }) => formatUsd(costUsd) },
  { id: 'time', label: 'Time', numeric: true, cell: (batch) => <Elapsed batch={batch} /> },
  { id: 'started', label: 'Started', numeric: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-second" /> },
]
