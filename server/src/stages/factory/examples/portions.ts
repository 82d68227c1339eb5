import type { TranscriptItem } from '#contracts/entities/step.ts'
import type { Cut } from '../segments/cut.ts'
import { BlockReader, type Block } from './blocks.ts'

/**
 * Deals the items of a session out to its segments, in order; at most one segment is held at a time. What stands
 * between two segments belongs to the second from its own prompt on; without one, words belong to the call they led to.
 */
export function* blocksOfSegments(
  pages: Iterable<readonly TranscriptItem[]>,
  cuts: readonly Pick<Cut, 'steps' | 'promptId' | 'ownPrompt'>[],
  outputChars: number,
): Generator<{ index: number; blocks: Block[] }> {
  const starts = new Map(cuts.map((cut, index) => [cut.steps[0]!.id, index]))
  const reader = new BlockReader(outputChars)
  let current = 0
  let waiting: TranscriptItem[] = []
  for (const page of pages) {
    for (const item of page) {
      waiting.push(item)
      if (item.kind !== 'step') continue
      const index = starts.get(item.step.id)
      if (index !== undefined && index > 0) {
        const { ownPrompt, promptId } = cuts[index]!
        const from = ownPrompt ? waiting.findIndex(({ id }) => id === promptId) : 0
        for (const earlier of waiting.splice(0, Math.max(0, from))) reader.add(earlier)
        yield { index: current, blocks: reader.take() }
        current = index
      }
      for (const one of waiting) reader.add(one)
      waiting = []
    }
  }
  for (const one of waiting) reader.add(one)
  if (cuts.length > 0) yield { index: current, blocks: reader.take() }
}
