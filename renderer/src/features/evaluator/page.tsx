import { lazy } from 'react'
import { ExamId, ExamRunId } from '#contracts/entities/exam.ts'
import { NoSuch } from '#renderer/ui/not-read.tsx'
import { ExamList } from './exam-list.tsx'
import { ALL_EXAMS } from './words.ts'

const ExamPage = lazy(() => import('./exam-page.tsx'))
const RunPage = lazy(() => import('./run-page.tsx'))
const Benchmarks = lazy(() => import('./benchmarks/page.tsx'))

/** `/evaluator`: exams, and one part of the address for each other tab. */
export default function EvaluatorPage({ rest }: { rest: string }) {
  const [first = '', ...others] = rest.split('/')
  if (first === '') return <ExamList />
  if (first === 'benchmarks') return <Benchmarks rest={others.join('/')} />
  return <Exams id={first} rest={others} />
}

/** `/evaluator/EXAM` and `/evaluator/EXAM/RUN`. */
function Exams({ id, rest: [run, ...more] }: { id: string; rest: string[] }) {
  if (!ExamId.safeParse(id).success || more.length > 0) return <NoSuch what="exam" all={ALL_EXAMS} />
  if (run === undefined) return <ExamPage key={id} id={id} />
  return ExamRunId.safeParse(run).success ? <RunPage key={run} id={id} run={run} /> : <NoSuch what="run of an exam" all={ALL_EXAMS} />
}
