import { parse } from 'unbash'

/** Commands whose effect reaches the next one only in the same shell. */
const KEEPS_STATE = /^\s*(?:cd|pushd|export|set|shopt|umask|alias|source|\.|declare|[A-Za-z_]\w*\+?=\S*\s*(?:;|$))(?:\s|;|$)?/

/**
 * A set-up as commands that each run in their own shell, as the steps of an image do. Null: it leaves a program running,
 * which no image can hold.
 */
export function setupLines(setup: readonly string[]): string[] | null {
  if (setup.some(leavesOneRunning)) return null
  return setup.length > 1 && setup.some((command) => KEEPS_STATE.test(command)) ? [`set -e\n${setup.join('\n')}`] : [...setup]
}

function leavesOneRunning(command: string): boolean {
  if (!command.includes('&')) return false
  try {
    return parse(command).commands.some(({ background }) => background === true)
  } catch (error) {
    if (error instanceof RangeError) return false // nested beyond the stack: nothing is known of it
    throw error
  }
}
