import type { Block } from './blocks.ts'

/** Each part of a split has at least this share of the turns allowed, where that can be. */
const LEAST_SHARE = 0.25
const A_PROMPT = 10
const NO_FILE_SHARED = 1

/**
 * Splits what has more turns than allowed, each time at its weakest inner boundary: a prompt of the user first, then
 * where other files begin, then the longest pause. Nothing is cut away.
 */
export function splitBlocks(blocks: readonly Block[], maxTurns: number): Block[][] {
  if (blocks.length <= maxTurns) return [[...blocks]]
  const least = Math.min(Math.max(1, Math.floor(maxTurns * LEAST_SHARE)), Math.floor(blocks.length / 2))
  const longest = Math.max(1, ...blocks.slice(1).map((block, index) => pause(blocks[index]!, block)))
  let best = least
  let weakest = -1
  for (let at = least; at <= blocks.length - least; at += 1) {
    const weakness = weaknessAt(blocks, at, longest)
    if (weakness > weakest) {
      weakest = weakness
      best = at
    }
  }
  return [...splitBlocks(blocks.slice(0, best), maxTurns), ...splitBlocks(blocks.slice(best), maxTurns)]
}

function weaknessAt(blocks: readonly Block[], at: number, longest: number): number {
  const before = filesOf(blocks.slice(Math.max(0, at - 3), at))
  const after = filesOf(blocks.slice(at, at + 3))
  const isOther = before.size > 0 && after.size > 0 && ![...after].some((file) => before.has(file))
  return (blocks[at]!.prompts.length > 0 ? A_PROMPT : 0) + (isOther ? NO_FILE_SHARED : 0) + pause(blocks[at - 1]!, blocks[at]!) / longest
}

const filesOf = (blocks: readonly Block[]) =>
  new Set(blocks.flatMap(({ calls }) => calls.flatMap(({ file }) => (file === null ? [] : [file]))))

function pause(before: Block, after: Block): number {
  const ended = before.calls.at(-1)?.endedAt
  const began = after.calls[0]?.at
  return ended == null || began == null ? 0 : Math.max(0, began - ended)
}
