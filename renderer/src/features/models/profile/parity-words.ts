import { plural } from '#renderer/ui/format.ts'
import type { Parity } from '#contracts/entities/model.ts'

/** How closely an export matches the trained model, in words. `calls` is null if no prompt was answered by a call. */
export function parityWords({ prompts, sameText, withCalls, sameCalls }: Parity): {
  answers: string
  calls: string | null
  isSame: boolean
} {
  return {
    answers: `${sameText} of ${prompts} the same`,
    calls: withCalls === 0 ? null : `${sameCalls} of ${withCalls} tool calls`,
    isSame: sameText === prompts && sameCalls === withCalls,
  }
}

/** What was compared, and the limits of the comparison. */
export function parityLimits({ maxTokens, cut = 0, tokenizedOtherwise = 0 }: Parity): string {
  if (maxTokens === undefined) return "Exported by an earlier version, which restricted tool calls with a grammar. Export again to compare the model's own text." // prettier-ignore
  const parts = [
    'Both were given the same tokens and no grammar.',
    cut === 0 ? null : `${plural(cut, 'prompt')} had an answer longer than ${maxTokens} tokens, compared up to there.`,
    tokenizedOtherwise === 0 ? null : `llama.cpp splits the text of ${plural(tokenizedOtherwise, 'prompt')} into other tokens, so the served model may answer these differently.`, // prettier-ignore
  ]
  return parts.filter(Boolean).join(' ')
}
