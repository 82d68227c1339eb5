import type { Readable, Writable } from 'node:stream'
import { type Command, oneArgument, UsageError } from '../command.ts'

/** Handed in by the composition root; needs neither data directory nor lock. */
export type ServeSandbox = (input: Readable, output: Writable) => Promise<void>

export const sandboxCommand = (serve: ServeSandbox): Command => ({
  name: 'sandbox',
  usage: 'sandbox worker',
  summary: 'run programs in isolation: a request as a JSON line on standard input, an answer as a JSON line on standard output',
  async run(context) {
    const what = oneArgument(context, 'What to do')
    if (what !== 'worker') throw new UsageError(`There is no "sandbox ${what}".`)
    await serve(process.stdin, process.stdout)
  },
})
