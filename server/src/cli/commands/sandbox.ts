import type { Readable, Writable } from 'node:stream'
import { type Command, oneArgument, UsageError } from '../command.ts'

/** Handed in by the composition root; needs neither data directory nor lock. */
export type ServeSandbox = (input: Readable, output: Writable) => Promise<void>

export const sandboxCommand = (serve: ServeSandbox): Command => ({
  name: 'sandbox',
  usage: 'sandbox worker',
  summary: 'run programs in isolation: JSON lines with requests on stdin, JSON lines with answers on stdout',
  async run(context) {
    const what = oneArgument(context, 'The action')
    if (what !== 'worker') throw new UsageError(`Unknown action "sandbox ${what}".`)
    await serve(process.stdin, process.stdout)
  },
})
