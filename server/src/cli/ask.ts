import readline from 'node:readline/promises'
import { UsageError } from './command.ts'

/** Asks a yes/no question at the terminal. Throws if there is no terminal. */
export async function ask(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError("Can't ask for confirmation without a terminal. Add --yes.")
  const terminal = readline.createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `, { signal })).trim())
  } finally {
    terminal.close()
  }
}
