import type { ExampleOptions } from '#contracts/entities/example.ts'
import { readCommand } from '#server/stages/scoring/index.ts'
import { type Block, type Call, isAsk } from './blocks.ts'

const MAX_STEPS_BETWEEN = 10

export interface LocatedCall {
  block: number
  call: Call
}

/** The calls of the model, not those of mods. */
export const locateCalls = (blocks: readonly Block[]): LocatedCall[] =>
  blocks.flatMap(({ calls, byMod }, block) => (byMod ? [] : calls.map((call): LocatedCall => ({ block, call }))))

/**
 * A later call with the same tool and target that succeeded within 10 steps. The steps between must not edit that file (for a
 * command: any file), so that the later call would have been right in place of the failed one. `next`: the calls after it.
 */
export function findSuccess(failed: LocatedCall, next: readonly LocatedCall[]): LocatedCall | null {
  const target = targetOf(failed.call)
  if (target === null) return null
  for (const later of next.slice(0, MAX_STEPS_BETWEEN)) {
    const { call } = later
    if (later.block !== failed.block && call.tool === failed.call.tool && targetOf(call) === target)
      return call.success === true ? later : null
    if (call.edits && (failed.call.command !== null || call.file === failed.call.file)) return null
  }
  return null
}

/** The file of a call, or the program and subcommand of its command. Null if unknown. */
export function targetOf({ tool, command, file }: Pick<Call, 'tool' | 'command' | 'file'>): string | null {
  if (file !== null) return `${tool}\0${file}`
  if (command === null) return null
  const words = readCommand(command).commands.at(-1)?.words
  if (!words || words.length === 0) return null
  const subcommand = words.slice(1).find((word) => !word.startsWith('-'))
  return [tool, words[0], subcommand ?? ''].join('\0')
}

/**
 * Finds answers that should not be imitated: refused or interrupted ones, what follows a refused call before anybody asked again, and
 * failed calls that were successfully retried.
 */
export function mistakesOf(
  blocks: readonly Block[],
  { skipRefused, skipRetried }: Pick<ExampleOptions, 'skipRefused' | 'skipRetried'>,
): (block: Block) => boolean {
  const calls = locateCalls(blocks)
  const isRetried = (located: LocatedCall, at: number) =>
    located.call.success === false && findSuccess(located, calls.slice(at + 1)) !== null
  const mistakes = calls.filter((located, at) => (located.call.rejectedBy === null ? skipRetried && isRetried(located, at) : skipRefused))
  const steps = new Set(mistakes.map(({ call }) => call.stepId))
  const afterRefusal = new Set(blocks.filter((block, at) => skipRefused && followsRefusal(block, blocks[at - 1])))
  return (block) =>
    (skipRefused && block.marks.has('interrupted')) || afterRefusal.has(block) || block.calls.some(({ stepId }) => steps.has(stepId))
}

/** Whether a response only reacts to a call that was refused in the response before it. */
function followsRefusal({ prompts }: Block, before: Block | undefined): boolean {
  return before !== undefined && !prompts.some(isAsk) && before.calls.some(({ rejectedBy }) => rejectedBy !== null)
}
