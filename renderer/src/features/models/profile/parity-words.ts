import type { Parity } from '#contracts/entities/model.ts'

/** How true an export is, in words. `calls` is null where no prompt was answered by a call. */
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
