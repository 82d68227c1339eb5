import { lazy } from 'react'
import { ExamId, ExamRunId } from '#contracts/entities/exam.ts'
import { NoSuch } from '#renderer/ui/not-read.tsx'
import { ExamList } from './exam-list.tsx'
import { ALL_EXAMS } from './words.ts'

const ExamPage = lazy(() => import('./exam-page.tsx'))
const RunPage = lazy(() => import('./run-page.tsx'))

/** `/evaluator`, `/evaluator/EXAM` and `/evaluator/EXAM/RUN`. */
export default function ExamsPage({ rest }: { rest: string }) {
  if (rest === '') return <ExamList />
  const [id = '', run, ...more] = rest.split('/')
  if (!ExamId.safeParse(id).success || more.length > 0) return <NoSuch what="exam" all={ALL_EXAMS} />
  if (run === undefined) return <ExamPage key={id} id={id} />
  return ExamRunId.safeParse(run).success ? <RunPage key={rest} id={id} run={run} /> : <NoSuch what="run of an exam" all={ALL_EXAMS} />
}
