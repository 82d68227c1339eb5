import type { Cleared, Gate } from '#server/stages/privacy/index.ts'
import type { FoundPair } from './types.ts'

const MAX_PROMPT_CHARS = 500

export type PairWords = Pick<FoundPair, 'promptText' | 'why'>

/** Clears the stored words of a pair. */
export function clearWords(gate: Gate, { repo, rejected }: FoundPair, { promptText, why }: PairWords): Cleared<PairWords> {
  const { traceId, stepId } = rejected
  return gate.clear({ promptText: promptText.slice(0, MAX_PROMPT_CHARS), why }, { traceId, stepId, project: repo })
}
