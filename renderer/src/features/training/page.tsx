import { lazy, Suspense } from 'react'
import { MatrixId } from '#contracts/entities/matrix-values.ts'
import { RunId } from '#contracts/entities/run.ts'
import { NoSuch } from '#renderer/ui/not-read.tsx'
import { PageSkeleton } from '#renderer/app/page-skeleton.tsx'
import { RunList } from './list/run-list.tsx'
import { ALL_RUNS } from './words.ts'

const NewRun = lazy(() => import('./new/new-run.tsx'))
// one part of the bundle: both draw the curves of several runs
const CompareRuns = lazy(async () => ({ default: (await import('./compare/pages.ts')).CompareRuns }))
const MatrixPage = lazy(async () => ({ default: (await import('./compare/pages.ts')).MatrixPage }))
const RunPage = lazy(() => import('./run/run.tsx'))

/** `/training`, and beneath it `new`, `compare`, `matrix/ID` and one address a run. */
export default function TrainingPage({ rest }: { rest: string }) {
  if (rest === '') return <RunList />
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Part rest={rest} />
    </Suspense>
  )
}

function Part({ rest }: { rest: string }) {
  if (rest === 'new') return <NewRun />
  if (rest === 'compare') return <CompareRuns />
  const matrix = MatrixId.safeParse(rest.startsWith(MATRIX) ? rest.slice(MATRIX.length) : null)
  if (matrix.success) return <MatrixPage key={matrix.data} id={matrix.data} />
  return RunId.safeParse(rest).success ? <RunPage key={rest} id={rest} /> : <NoSuch what="run" all={ALL_RUNS} />
}

const MATRIX = 'matrix/'
