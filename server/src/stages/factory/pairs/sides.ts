import type { ChatMessage } from '#contracts/entities/example.ts'
import { jaccard } from '#server/likeness/shingles.ts'
import { textOfMessage, tokensOf } from '../curate/text.ts'
import { hash32 } from '#server/likeness/word-hashes.ts'

const SHINGLE_WORDS = 3
/** More similar sides teach nothing. */
const MAX_SIMILARITY = 0.95
const MAX_TIMES_LONGER = 10

export interface SideText {
  chars: number
  shingles: Uint32Array
}

export function sideText(messages: readonly ChatMessage[]): SideText {
  const text = messages.map(textOfMessage).join('\n')
  const tokens = tokensOf(text)
  const shingles = new Set<number>()
  for (let at = 0; at + SHINGLE_WORDS <= Math.max(tokens.length, SHINGLE_WORDS); at += 1)
    shingles.add(hash32(tokens.slice(at, at + SHINGLE_WORDS).join(' ')))
  return { chars: text.length, shingles: Uint32Array.from(shingles).toSorted() }
}

/** Why two answers are not a useful pair; null if they are. */
export function reasonToReject(chosen: SideText, rejected: SideText): string | null {
  const [shorter, longer] = [Math.min(chosen.chars, rejected.chars), Math.max(chosen.chars, rejected.chars)]
  if (jaccard(chosen.shingles, rejected.shingles) > MAX_SIMILARITY) return 'sides nearly equal'
  return longer > MAX_TIMES_LONGER * Math.max(1, shorter) ? 'one side over ten times longer' : null
}
