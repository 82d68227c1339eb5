import type { ChatMessage } from '#contracts/entities/example.ts'
import { jaccard } from '#server/likeness/shingles.ts'
import { textOfMessage, tokensOf } from '../curate/text.ts'
import { hash32 } from '#server/likeness/word-hashes.ts'

const WORDS = 3
/** Sides that are more alike than this teach nothing. */
const MAX_ALIKE = 0.95
const MAX_TIMES_LONGER = 10

export interface SideText {
  chars: number
  shingles: Uint32Array
}

/** What a continuation says, to decide whether two are worth comparing. */
export function sideText(messages: readonly ChatMessage[]): SideText {
  const text = messages.map(textOfMessage).join('\n')
  const tokens = tokensOf(text)
  const shingles = new Set<number>()
  for (let at = 0; at + WORDS <= Math.max(tokens.length, WORDS); at += 1) shingles.add(hash32(tokens.slice(at, at + WORDS).join(' ')))
  return { chars: text.length, shingles: Uint32Array.from(shingles).toSorted() }
}

/** Why two continuations make no pair; null when they do. */
export function reasonAgainst(chosen: SideText, rejected: SideText): string | null {
  const [less, more] = [Math.min(chosen.chars, rejected.chars), Math.max(chosen.chars, rejected.chars)]
  if (jaccard(chosen.shingles, rejected.shingles) > MAX_ALIKE) return 'sides nearly equal'
  return more > MAX_TIMES_LONGER * Math.max(1, less) ? 'one side over ten times longer' : null
}
