import readline from 'node:readline/promises'
import { UsageError } from './command.ts'

/** Yes or no, at a terminal; without one the answer has to be given as an option. */
export async function ask(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError("Can't ask for confirmation without a terminal. Add --yes.")
  const terminal = readline.createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `, { signal })).trim())
  } finally {
    terminal.close()
  }
}
