import { lazy } from 'react'
import { BatchId } from '#contracts/entities/batch.ts'
import { NoSuch } from '#renderer/ui/not-read.tsx'
import { ALL_BATCHES } from './all-batches.ts'
import { BatchList } from './batch-list.tsx'

const NewBatch = lazy(() => import('./new/new-batch.tsx'))
const BatchPage = lazy(() => import('./batch-page.tsx'))

/** `/agents/batches`, `/agents/batches/new`, and one address per batch. */
export default function BatchesPage({ rest }: { rest: string }) {
  if (rest === '') return <BatchList />
  if (rest === 'new') return <NewBatch />
  return BatchId.safeParse(rest).success ? <BatchPage key={rest} id={rest} /> : <NoSuch what="batch" all={ALL_BATCHES} />
}
