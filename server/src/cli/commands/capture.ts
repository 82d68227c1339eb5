import path from 'node:path'
import { Agent } from '#contracts/entities/common.ts'
import { ImportResult } from '#contracts/entities/capture.ts'
import { plural } from '#contracts/plural.ts'
import { type Command, type Connection, type Context, enumOf, UsageError } from '../command.ts'
import { atLine, formatBytes } from '../format.ts'
import { waitFor } from '../wait.ts'

export const importCommand: Command = {
  name: 'import',
  usage: 'import [PATH…] [--agent A] [--watch]',
  summary: 'import sessions from paths, or from every known location',
  options: { agent: { type: 'string' }, watch: { type: 'boolean' } },
  async run(context) {
    const agent = enumOf(context.values, 'agent', Agent.options)
    if (context.args.includes('')) throw new UsageError('One of the paths is empty.')
    const connection = await context.connect()
    const paths = context.args.map((place) => path.resolve(place))
    const job = await connection.client.startImport({ body: { ...(paths.length ? { paths } : {}), ...(agent ? { agent } : {}) } })
    const ended = await waitFor(context, connection, job)
    const result = ImportResult.parse(ended.result)
    for (const error of result.errors) context.note(atLine(error))
    if (!context.values['watch']) context.out(result, () => describe(result))
    else {
      if (context.json) context.line(result)
      else context.note(describe(result))
      await watch(context, connection)
    }
    return 0
  },
}

const describe = ({ sessions, records, steps, bytes, ms }: ImportResult) =>
  `${sessions.new} new, ${sessions.grown} updated, ${sessions.unchanged} unchanged, ${sessions.failed} failed sessions · ${plural(records, 'record')}, ${plural(steps, 'step')} · ${formatBytes(bytes)} in ${(ms / 1000).toFixed(1)} s`

async function watch(context: Context, connection: Connection): Promise<void> {
  context.note('Watching. Press Ctrl+C to stop.')
  await connection.follow((message) => {
    if (!message.type.startsWith('trace:')) return
    if (context.json) context.line(message)
    else context.note(`${message.type} ${'trace' in message.payload ? message.payload.trace.id : ''}`)
  }, context.signal)
}
