import type { Batch } from '#contracts/entities/batch.ts'
import type { TaskState } from '#contracts/entities/task.ts'
import { useBatch, useBatchReport } from '#renderer/api/batches.ts'
import { useTasks } from '#renderer/api/tasks.ts'
import { RestoredWaits } from '#renderer/app/restored-items.tsx'
import { Fetched, FetchedPage } from '#renderer/ui/fetched.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { Page } from '#renderer/ui/page.tsx'
import { BatchActions } from './batch-actions.tsx'
import { ALL_BATCHES } from './all-batches.ts'
import { ByTask } from './by-task.tsx'
import { Failures } from './failures.tsx'
import { Facts, BatchProgress } from './head.tsx'
import { LeftOut } from './left-out.tsx'
import { Rates } from './rates.tsx'
import { endedOf } from './words.ts'

export default function BatchPage({ id }: { id: string }) {
  return (
    <FetchedPage query={useBatch(id)} what="batch" all={ALL_BATCHES}>
      {(batch) => <LoadedBatch batch={batch} />}
    </FetchedPage>
  )
}

const UNFINISHED_STATES: TaskState[] = ['queued', 'preparing', 'working', 'needs_you', 'waiting', 'verifying', 'paused']

function LoadedBatch({ batch }: { batch: Batch }) {
  const report = useBatchReport(batch.id, endedOf(batch.counts))
  const unfinishedTasks = useRows(useTasks({ batchId: batch.id, state: UNFINISHED_STATES })).rows
  return (
    <Page title={batch.name} summary={<Facts batch={batch} />} actions={<BatchActions batch={batch} />}>
      <RestoredWaits id={batch.id} />
      <BatchProgress batch={batch} medianMs={report.data?.total.medianMs ?? null} />
      <Fetched query={report} what="report" bars={['h-10 w-full', 'h-40 w-full']}>
        {(loadedReport) => (
          <>
            <Rates report={loadedReport} />
            <ByTask batch={batch} report={loadedReport} unfinishedTasks={unfinishedTasks} />
            <Failures byBoundary={loadedReport.byBoundary} />
            <LeftOut sessions={loadedReport.leftOut} />
          </>
        )}
      </Fetched>
    </Page>
  )
}
