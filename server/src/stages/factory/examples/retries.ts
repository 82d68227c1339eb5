import type { ExampleOptions } from '#contracts/entities/example.ts'
import { readCommand } from '#server/stages/scoring/index.ts'
import type { Block, Call } from './blocks.ts'

const WITHIN_STEPS = 10

export interface Place {
  block: number
  call: Call
}

export const placesOf = (blocks: readonly Block[]): Place[] =>
  blocks.flatMap(({ calls }, block) => calls.map((call): Place => ({ block, call })))

/**
 * The next call with the same tool and target that went well within 10 steps. The steps between must not have changed
 * what the call works on, so that the later call would have been right at the earlier place: no edit of that file; for a
 * command, no edit at all. `next`: the calls behind it.
 */
export function successOf(failed: Place, next: readonly Place[]): Place | null {
  const target = targetOf(failed.call)
  if (target === null) return null
  for (const place of next.slice(0, WITHIN_STEPS)) {
    const { call } = place
    if (place.block !== failed.block && call.tool === failed.call.tool && targetOf(call) === target)
      return call.success === true ? place : null
    if (call.edits && (failed.call.command !== null || call.file === failed.call.file)) return null
  }
  return null
}

/** What a call works on: its file, or the program and first word of its command. Null: unknown. */
export function targetOf({ tool, command, file }: Pick<Call, 'tool' | 'command' | 'file'>): string | null {
  if (file !== null) return `${tool}\0${file}`
  if (command === null) return null
  const words = readCommand(command).commands.at(-1)?.words
  if (!words || words.length === 0) return null
  const subcommand = words.slice(1).find((word) => !word.startsWith('-'))
  return [tool, words[0], subcommand ?? ''].join('\0')
}

/** Tells answers that should not be imitated: refused or interrupted ones, and calls that failed and were then repeated with success. */
export function mistakesOf(
  blocks: readonly Block[],
  { skipRefused, skipRetried }: Pick<ExampleOptions, 'skipRefused' | 'skipRetried'>,
): (block: Block) => boolean {
  const places = placesOf(blocks)
  const isRetried = (place: Place, at: number) => place.call.success === false && successOf(place, places.slice(at + 1)) !== null
  const mistakes = places.filter((place, at) => (place.call.rejectedBy === null ? skipRetried && isRetried(place, at) : skipRefused))
  const steps = new Set(mistakes.map(({ call }) => call.stepId))
  return ({ marks, calls }) => (skipRefused && marks.has('interrupted')) || calls.some(({ stepId }) => steps.has(stepId))
}
