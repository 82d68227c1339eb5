import { lazy, Suspense } from 'react'
import { RunId } from '#contracts/entities/run.ts'
import { NoSuch } from '#renderer/ui/not-read.tsx'
import { Loading, Skeleton } from '#renderer/ui/states.tsx'
import { RunList } from './list/run-list.tsx'
import { ALL_RUNS } from './words.ts'

const NewRun = lazy(() => import('./new/new-run.tsx'))
const CompareRuns = lazy(() => import('./compare/compare.tsx'))
const RunPage = lazy(() => import('./run/run.tsx'))

/** `/training`, and beneath it `new`, `compare` and one address a run. */
export default function TrainingPage({ rest }: { rest: string }) {
  if (rest === '') return <RunList />
  return (
    <Suspense fallback={<PartSkeleton />}>
      <Part rest={rest} />
    </Suspense>
  )
}

function Part({ rest }: { rest: string }) {
  if (rest === 'new') return <NewRun />
  if (rest === 'compare') return <CompareRuns />
  return RunId.safeParse(rest).success ? <RunPage key={rest} id={rest} /> : <NoSuch what="run" all={ALL_RUNS} />
}

const PartSkeleton = () => (
  <Loading label="Loading the page" className="flex flex-col gap-4 p-6">
    <Skeleton className="h-6 w-48" />
    <Skeleton className="h-40 w-full" />
  </Loading>
)
