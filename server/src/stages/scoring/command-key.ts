import { readCommand } from './shell/read-command.ts'
import { unwrap } from './wrappers.ts'

const MAX_WRAPPERS = 20

/**
 * The keys of the simple commands in a shell text: their words after wrappers came off, joined by blanks. What the user
 * says of a command ("not a test run") is kept under its key.
 */
export function commandKey(command: string): string[] {
  return readCommand(command).commands.flatMap(({ words }) => {
    let inner: readonly string[] = words
    for (let left = MAX_WRAPPERS; left > 0; left--) {
      const next = unwrap(inner)
      if (next === null || next.length === 0) break
      inner = next
    }
    return [inner.join(' ')]
  })
}
