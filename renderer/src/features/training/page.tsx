import { lazy, Suspense } from 'react'
import { MatrixId } from '#contracts/entities/matrix-values.ts'
import { RunId } from '#contracts/entities/run.ts'
import { NoSuch } from '#renderer/ui/not-read.tsx'
import { PageSkeleton } from '#renderer/app/page-skeleton.tsx'
import { RunList } from './list/run-list.tsx'
import { ALL_RUNS } from './words.ts'

const NewRun = lazy(() => import('./new/new-run.tsx'))
// these two share a chunk, because both draw the curves of several runs
const CompareRuns = lazy(async () => ({ default: (await import('./compare/pages.ts')).CompareRuns }))
const MatrixPage = lazy(async () => ({ default: (await import('./compare/pages.ts')).MatrixPage }))
const RunPage = lazy(() => import('./run/run.tsx'))

/** `/training`, `/training/new`, `/training/compare`, `/training/matrix/ID` and `/training/ID` of a run. */
export default function TrainingPage({ rest }: { rest: string }) {
  if (rest === '') return <RunList />
  return (
    <Suspense fallback={<PageSkeleton />}>
      <TrainingRoute rest={rest} />
    </Suspense>
  )
}

function TrainingRoute({ rest }: { rest: string }) {
  if (rest === 'new') return <NewRun />
  if (rest === 'compare') return <CompareRuns />
  const matrix = MatrixId.safeParse(rest.startsWith(MATRIX) ? rest.slice(MATRIX.length) : null)
  if (matrix.success) return <MatrixPage key={matrix.data} id={matrix.data} />
  return RunId.safeParse(rest).success ? <RunPage key={rest} id={rest} /> : <NoSuch what="run" all={ALL_RUNS} />
}

const MATRIX = 'matrix/'
