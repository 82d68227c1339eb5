import type { Model } from '#contracts/entities/model.ts'
import { countingVerdict, NOT_EXAMINED, signed, VERDICT_WORDS, verdictLines } from '#contracts/exam-words.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { examRunHref, isItBetterHref } from './links.ts'
import { VERDICT_TONES } from './words/exams.ts'

/** The verdict on a model that counts, as a link to it; otherwise that there is none, as a link to the exams. */
export function ModelVerdict({ model: { id, evaluations } }: { model: Pick<Model, 'id' | 'evaluations'> }) {
  const verdict = countingVerdict(evaluations)
  if (verdict === null)
    return (
      <TextLink href={isItBetterHref(id)} title={NOT_EXAMINED} className="text-xs">
        not examined
      </TextLink>
    )
  return (
    <TextLink href={examRunHref(verdict.examId, verdict.run)} title={verdictLines(evaluations).join('\n')} className="no-underline!">
      <Badge tone={VERDICT_TONES[verdict.verdict]}>
        {VERDICT_WORDS[verdict.verdict]}
        {verdict.value === null ? null : <span className="font-mono">{signed(verdict.value)}</span>}
      </Badge>
    </TextLink>
  )
}
