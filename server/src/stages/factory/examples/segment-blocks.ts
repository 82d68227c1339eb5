import type { TranscriptItem } from '#contracts/entities/step.ts'
import type { Cut } from '../segments/cut.ts'
import { BlockReader, type Block } from './blocks.ts'

/**
 * The blocks of each segment, in order and without abandoned turns, with at most one segment in memory. Items between two segments belong to the second
 * from its own prompt on; without an own prompt all of them do, as they lead to its first call.
 */
export function* blocksOfSegments(
  pages: Iterable<readonly TranscriptItem[]>,
  cuts: readonly Pick<Cut, 'steps' | 'promptFrom' | 'ownPrompt'>[],
  outputChars: number,
): Generator<{ index: number; blocks: Block[] }> {
  const starts = new Map(cuts.map((cut, index) => [cut.steps[0]!.id, index]))
  const reader = new BlockReader(outputChars)
  let current = 0
  let pendingItems: TranscriptItem[] = []
  for (const page of pages) {
    for (const item of page) {
      if (item.kind === 'step' ? item.step.abandoned : item.abandoned) continue
      pendingItems.push(item)
      if (item.kind !== 'step') continue
      const index = starts.get(item.step.id)
      if (index !== undefined && index > 0) {
        const { ownPrompt, promptFrom } = cuts[index]!
        const from = ownPrompt ? pendingItems.findIndex(({ id }) => id === promptFrom) : 0
        for (const earlier of pendingItems.splice(0, Math.max(0, from))) reader.add(earlier)
        yield { index: current, blocks: reader.takeBlocks() }
        current = index
      }
      for (const one of pendingItems) reader.add(one)
      pendingItems = []
    }
  }
  for (const one of pendingItems) reader.add(one)
  if (cuts.length > 0) yield { index: current, blocks: reader.takeBlocks() }
}
