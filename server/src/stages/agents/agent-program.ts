import type { Readable } from 'node:stream'
import type { Channel } from '#server/adapters/sandbox/index.ts'
import { jsonOf } from '#server/adapters/tools/json.ts'
import { type AgentEnd, AgentFailed } from './driver.ts'

const MAX_LINE_BYTES = 64 * 1024 * 1024
const MAX_ERROR_CHARS = 4000
/** How long the program may take to end before it is killed. */
const GRACE_MS = 2000

export interface ProgramEnd {
  exit: Awaited<Channel['exit']>
  /** The end of its stderr. */
  errors: string
}

/** The program of an agent while it runs. */
export function agentProgram(channel: Channel) {
  let errors = ''
  let grace: NodeJS.Timeout | undefined
  channel.errors?.on('data', (bytes: Buffer) => (errors = (errors + bytes.toString('utf8')).slice(-MAX_ERROR_CHARS)))
  return {
    lines: () => jsonLines(channel.output, MAX_LINE_BYTES),
    /** Sends TERM so that it can save its work, and kills it after the grace time. */
    stop: (): void => {
      void channel.signal('TERM', 'all').catch(() => undefined) // it has already ended
      grace ??= setTimeout(() => void channel.end(), GRACE_MS)
    },
    ended: async (): Promise<ProgramEnd> => ({ exit: await channel.exit, errors: errors.trim() }),
    async close(): Promise<void> {
      clearTimeout(grace)
      await channel.end()
    },
  }
}

/** Throws if something other than the agent itself ended its program. */
export function requireNormalEnd(name: string, { exit }: ProgramEnd, transcript: AgentEnd['transcript']): void {
  if (exit.code === null && exit.signal === null)
    throw new AgentFailed('sandbox', `The sandbox was lost while ${name} was running.`, null, transcript)
  if (exit.outOfMemory)
    throw new AgentFailed('sandbox', `${name} was killed because its sandbox ran out of memory.`, 'Allow the run more memory.', transcript)
}

export function noResultError(name: string, { exit, errors }: ProgramEnd, transcript: AgentEnd['transcript']): AgentFailed {
  const how = exit.code === null ? `by ${exit.signal}` : `with exit code ${exit.code}`
  return new AgentFailed('harness', `${name} ended ${how} without a result. ${errors}`.trim(), null, transcript)
}

/** JSON values, one per line. Other lines are skipped. Throws if a line is longer than `maxBytes`. */
async function* jsonLines(stream: Readable, maxBytes: number): AsyncGenerator<unknown, void> {
  let buffered: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const value = jsonOf(Buffer.concat([...buffered, chunk.subarray(from, end)]).toString('utf8'))
      if (value !== undefined) yield value
      buffered = []
      bytes = 0
      from = end + 1
    }
    buffered.push(chunk.subarray(from))
    bytes += chunk.length - from
    if (bytes > maxBytes) throw new Error(`The agent wrote a line of more than ${maxBytes} bytes.`)
  }
}
