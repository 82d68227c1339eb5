import { type Block, isAsk } from './blocks.ts'

/** The least size of a part, as a share of the maximum. */
const MIN_SHARE = 0.25
const PROMPT_WEAKNESS = 10
const OTHER_FILES_WEAKNESS = 1

/**
 * Splits blocks recursively at the weakest point until no part has too many turns: best before a user prompt, then where other
 * files begin, then at the longest pause. Keeps all blocks.
 */
export function splitBlocks(blocks: readonly Block[], maxTurns: number): Block[][] {
  if (blocks.length <= maxTurns) return [[...blocks]]
  const minTurns = Math.min(Math.max(1, Math.floor(maxTurns * MIN_SHARE)), Math.floor(blocks.length / 2))
  const longestPause = Math.max(1, ...blocks.slice(1).map((block, index) => pause(blocks[index]!, block)))
  let weakestAt = minTurns
  let weakest = -1
  for (let at = minTurns; at <= blocks.length - minTurns; at += 1) {
    const weakness = weaknessAt(blocks, at, longestPause)
    if (weakness > weakest) {
      weakest = weakness
      weakestAt = at
    }
  }
  return [...splitBlocks(blocks.slice(0, weakestAt), maxTurns), ...splitBlocks(blocks.slice(weakestAt), maxTurns)]
}

function weaknessAt(blocks: readonly Block[], at: number, longestPause: number): number {
  const before = filesOf(blocks.slice(Math.max(0, at - 3), at))
  const after = filesOf(blocks.slice(at, at + 3))
  const hasOtherFiles = before.size > 0 && after.size > 0 && ![...after].some((file) => before.has(file))
  return (
    (blocks[at]!.prompts.some(isAsk) ? PROMPT_WEAKNESS : 0) +
    (hasOtherFiles ? OTHER_FILES_WEAKNESS : 0) +
    pause(blocks[at - 1]!, blocks[at]!) / longestPause
  )
}

const filesOf = (blocks: readonly Block[]) =>
  new Set(blocks.flatMap(({ calls }) => calls.flatMap(({ file }) => (file === null ? [] : [file]))))

function pause(before: Block, after: Block): number {
  const endedAt = before.calls.at(-1)?.endedAt
  const startedAt = after.calls[0]?.at
  return endedAt == null || startedAt == null ? 0 : Math.max(0, startedAt - endedAt)
}
