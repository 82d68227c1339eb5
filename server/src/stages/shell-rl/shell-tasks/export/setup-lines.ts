import { parse } from 'unbash'

/** Commands that affect the next command only if both run in the same shell. */
const KEEPS_STATE = /^\s*(?:cd|pushd|export|set|shopt|umask|alias|source|\.|declare|[A-Za-z_]\w*\+?=\S*\s*(?:;|$))(?:\s|;|$)?/

/**
 * Converts a set-up to commands that each run in their own shell, like the steps of an image. Null if the set-up leaves a
 * program running, which an image cannot contain.
 */
export function setupLines(setup: readonly string[]): string[] | null {
  if (setup.some(leavesProgramRunning)) return null
  return setup.length > 1 && setup.some((command) => KEEPS_STATE.test(command)) ? [`set -e\n${setup.join('\n')}`] : [...setup]
}

function leavesProgramRunning(command: string): boolean {
  if (!command.includes('&')) return false
  try {
    return parse(command).commands.some(({ background }) => background === true)
  } catch (error) {
    if (error instanceof RangeError) return false // nested too deeply to parse
    throw error
  }
}
