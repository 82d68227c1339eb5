import type { Cleared, Gate } from '#server/stages/privacy/index.ts'
import type { FoundPair } from './types.ts'

const PROMPT_SHOWN = 500

export type PairWords = Pick<FoundPair, 'promptText' | 'why'>

/** The words of a pair that are stored and shown, as the policy clears them. */
export function clearWords(gate: Gate, { repo, rejected }: FoundPair, { promptText, why }: PairWords): Cleared<PairWords> {
  const { traceId, stepId } = rejected
  return gate.clear({ promptText: promptText.slice(0, PROMPT_SHOWN), why }, { traceId, stepId, project: repo })
}
