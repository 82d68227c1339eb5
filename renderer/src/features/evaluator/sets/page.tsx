import { lazy } from 'react'
import { AnswerSetId } from '#contracts/entities/answer.ts'
import { NoSuch } from '#renderer/ui/not-read.tsx'
import { ALL_SETS } from '../answers/words.ts'
import { SetList } from './set-list.tsx'

const SetPage = lazy(() => import('./set-page.tsx'))

/** `/evaluator/sets` and one set. */
export default function SetsPage({ rest }: { rest: string }) {
  if (rest === '') return <SetList />
  return AnswerSetId.safeParse(rest).success ? <SetPage key={rest} id={rest} /> : <NoSuch what="own set" all={ALL_SETS} />
}
