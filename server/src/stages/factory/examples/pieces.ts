import { isAsk, type Block } from './blocks.ts'

/**
 * The parts of a segment that are one conversation for the model. A piece ends before the summary of a compaction, which replaced
 * all before it, and before an answer that nothing recorded asked for. After such an answer, the next piece begins with the next
 * text that asked for something; `unasked` counts the answers in between.
 */
export function piecesOf(blocks: readonly Block[], agent: string): { pieces: Block[][]; unasked: number } {
  const pieces: Block[][] = []
  let unasked = 0
  let isSkipping = false
  let isNew = true
  for (const block of blocks) {
    // Other agents write an answer as several messages, each with an id.
    if (block.unasked && agent === 'claude-code') [isSkipping, isNew] = [true, true]
    else if (block.prompts.some(isAsk)) isSkipping = false
    if (isSkipping) unasked += 1
    else if (isNew || block.startsAnew) pieces.push([block])
    else pieces.at(-1)!.push(block)
    isNew &&= isSkipping
  }
  return { pieces, unasked }
}
