import type { Batch } from '#contracts/entities/batch.ts'
import type { TaskState } from '#contracts/entities/task.ts'
import { useBatch, useBatchReport } from '#renderer/api/batches.ts'
import { useTasks } from '#renderer/api/tasks.ts'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { NotRead } from '#renderer/ui/not-read.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { BatchActs } from './acts.tsx'
import { ALL_BATCHES } from './all-batches.ts'
import { ByTask } from './by-task.tsx'
import { Failures } from './failures.tsx'
import { Facts, BatchProgress } from './head.tsx'
import { LeftOut } from './left-out.tsx'
import { Rates } from './rates.tsx'
import { endedOf } from './words.ts'

/** One batch: how far it is, and what came of its attempts. */
export default function BatchPage({ id }: { id: string }) {
  const batch = useBatch(id)
  if (batch.data) return <Shown batch={batch.data} />
  if (batch.error) return <NotRead what="batch" error={batch.error} retry={() => void batch.refetch()} all={ALL_BATCHES} />
  return (
    <Loading label="Loading the batch" className="flex flex-col gap-4 p-6">
      <Skeleton className="h-7 w-72" />
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-64 w-full" />
    </Loading>
  )
}

const AT_WORK: TaskState[] = ['queued', 'preparing', 'working', 'needs_you', 'waiting', 'verifying']

function Shown({ batch }: { batch: Batch }) {
  const report = useBatchReport(batch.id, endedOf(batch.counts))
  const atWork = useRows(useTasks({ batchId: batch.id, state: AT_WORK })).rows
  return (
    <Page title={batch.name} summary={<Facts batch={batch} />} actions={<BatchActs batch={batch} />}>
      <BatchProgress batch={batch} medianMs={report.data?.total.medianMs ?? null} />
      {report.isPending ? (
        <Loading label="Loading the report" className="flex flex-col gap-3">
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-40 w-full" />
        </Loading>
      ) : null}
      {report.error && !report.data ? (
        <ErrorState title="Couldn't load the report" error={report.error} retry={() => void report.refetch()} />
      ) : null}
      {report.data ? (
        <>
          <Rates report={report.data} />
          <ByTask batch={batch} report={report.data} atWork={atWork} />
          <Failures byBoundary={report.data.byBoundary} />
          <LeftOut sessions={report.data.leftOut} />
        </>
      ) : null}
    </Page>
  )
}
