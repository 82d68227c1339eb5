import path from 'node:path'
import { writeOutput, writeText } from '#server/adapters/output-files/index.ts'
import { type Command, type Context, textOf, traceArgument, UsageError } from '../command.ts'
import { formatNumber } from '../format.ts'
import { sessionsOf } from '../searchable.ts'

export const exportCommand: Command = {
  name: 'export',
  usage: 'export ID [--format atif] [--output FILE] | --layout folders --output DIR [--query FILTER]',
  summary:
    'export a session for other tools, without secrets and personal data; to stdout unless --output is given. --layout folders writes all sessions, or those of a filter, into one folder for each tier',
  options: {
    format: { type: 'string' },
    layout: { type: 'string' },
    query: { type: 'string' },
    output: { type: 'string', short: 'o' },
  },
  async run(context) {
    const format = textOf(context.values, 'format') ?? 'atif'
    if (format !== 'atif') throw new UsageError(`--format must be atif, not "${format}".`)
    const output = textOf(context.values, 'output')
    if (output === '') throw new UsageError('--output must be a file name, but it is empty.')
    const layout = textOf(context.values, 'layout')
    if (layout !== undefined) return exportFolders(context, layout, output)
    if (context.values['query'] !== undefined) throw new UsageError('--query needs --layout folders.')
    const id = traceArgument(context)
    const { client } = await context.connect({ reads: true })
    const response = await client.exportTrace({ params: { id }, query: { format } })
    if (output === undefined) {
      for await (const chunk of response.body ?? [])
        if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once('drain', resolve))
      return
    }
    const file = path.resolve(output)
    await writeOutput(file, response.body ?? [])
    context.out({ id, format, file }, () => `Written to ${file}.`)
  },
}

/** The folders that other tools expect. */
const FOLDERS = {
  gold: 'gold_traces',
  silver: 'silver_traces',
  bronze: 'bronze_traces',
  failed: 'failed_traces',
  pending: 'traces',
} as const

async function exportFolders(context: Context, layout: string, output: string | undefined): Promise<void> {
  if (layout !== 'folders') throw new UsageError(`--layout must be folders, not "${layout}".`)
  if (output === undefined) throw new UsageError('--output is missing: the folder for the sessions.')
  if (context.args.length > 0) throw new UsageError('--layout folders exports all sessions; choose some with --query.')
  const q = textOf(context.values, 'query')
  const connection = await context.connect({ reads: true })
  const { client } = connection
  const sessions = await sessionsOf(context, connection, q)
  const folder = path.resolve(output)
  const written = new Map<string, number>()
  for (const { id, tier } of sessions) {
    context.signal.throwIfAborted()
    const name = FOLDERS[tier]
    const response = await client.exportTrace({ params: { id }, query: { format: 'atif' } })
    writeText(path.join(folder, name, `${id.replaceAll(/[^\w.-]/g, '_')}.json`), await response.text())
    written.set(name, (written.get(name) ?? 0) + 1)
  }
  context.out({ folder, written: Object.fromEntries(written) }, () => {
    const counts = [...written].map(([name, count]) => `${name} ${formatNumber(count)}`)
    return `Written to ${folder}: ${counts.join(', ') || 'no session'}.`
  })
}
