import { lazy } from 'react'
import { BenchmarkRunId } from '#contracts/entities/benchmark.ts'
import { NoSuch } from '#renderer/ui/not-read.tsx'
import { BenchmarkList } from './list.tsx'
import { ALL_BENCHMARKS } from './words.ts'

const RunPage = lazy(() => import('./run-page.tsx'))
const Compare = lazy(() => import('./compare.tsx'))

/** `/evaluator/benchmarks`, `/evaluator/benchmarks/compare?runs=` and `/evaluator/benchmarks/RUN`. */
export default function BenchmarksPage({ rest }: { rest: string }) {
  if (rest === '') return <BenchmarkList />
  if (rest === 'compare') return <Compare />
  return BenchmarkRunId.safeParse(rest).success ? (
    <RunPage key={rest} id={rest} />
  ) : (
    <NoSuch what="run of a benchmark" all={ALL_BENCHMARKS} />
  )
}
