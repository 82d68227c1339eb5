import { lazy } from 'react'
import { AnswerRunId } from '#contracts/entities/answer.ts'
import { NoSuch } from '#renderer/ui/not-read.tsx'
import { AnswerRuns } from './run-list.tsx'
import { ALL_ANSWERS } from './words.ts'

const RunPage = lazy(() => import('./run-page.tsx'))
const Rubrics = lazy(() => import('./rubrics.tsx'))

/** `/evaluator/answers`, its rubrics, and one run. */
export default function AnswersPage({ rest }: { rest: string }) {
  if (rest === '') return <AnswerRuns />
  if (rest === 'rubrics') return <Rubrics />
  return AnswerRunId.safeParse(rest).success ? <RunPage key={rest} id={rest} /> : <NoSuch what="run" all={ALL_ANSWERS} />
}
