import type { ChatMessage, PreferenceRow, ToolSchema } from '#contracts/entities/example.ts'
import { callsOf, type RowSource } from '../curate/candidate.ts'
import { reasonToReject, sideText } from './sides.ts'

/** Claude's answer to a step, and what the model of the user's own would have answered, with the verdict on it. */
export interface ShadowPair {
  id: string
  traceId: string
  verdict: 'better' | 'worse' | 'same'
  /** The model that judged; null: the user. */
  verdictBy: string | null
  pair: ShadowTexts
}
export interface ShadowTexts {
  prompt: ChatMessage[]
  tools: ToolSchema[]
  teacher: ChatMessage[]
  student: ChatMessage[]
}

export interface ShadowPiece {
  review: 'accepted' | 'not_rejected'
  pairs: ShadowPair[]
}

const PAIRS_PER_PIECE = 50

/** Why the two answers are no pair to learn from, whatever the verdict is; null if they are one. */
export function unfitReason({ tools, teacher, student }: ShadowTexts): string | null {
  const offered = new Set(tools.map(({ function: { name } }) => name))
  const isOffered = [...teacher, ...student].flatMap(callsOf).every(({ function: { name } }) => offered.has(name))
  return isOffered ? reasonToReject(sideText(teacher), sideText(student)) : 'calls a tool that your model is not offered'
}

/** The better answer is chosen, the other rejected. */
export const shadowRow = ({ verdict, pair: { prompt, tools, teacher, student } }: ShadowPair): PreferenceRow =>
  verdict === 'better' ? { prompt, tools, chosen: student, rejected: teacher } : { prompt, tools, chosen: teacher, rejected: student }

/** Preference rows from judged answers in the shadow, of the chosen sessions only. */
export const shadowSource = (pairsOf: (traceIds: readonly string[]) => ShadowPair[]): RowSource => ({
  kinds: ['dpo'],
  module: new URL('./shadow-reader.ts', import.meta.url).href,
  plan(chosen, { review, pairSources }): ShadowPiece[] {
    if (pairSources && !pairSources.includes('shadow')) return []
    const pairs = pairsOf(chosen)
    return Array.from({ length: Math.ceil(pairs.length / PAIRS_PER_PIECE) }, (_, at) => ({
      review,
      pairs: pairs.slice(at * PAIRS_PER_PIECE, (at + 1) * PAIRS_PER_PIECE),
    }))
  },
})
