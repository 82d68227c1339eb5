import { type Profile, type ProfiledSession, RecordedId, type Span } from '#contracts/entities/profile.ts'
import { plural } from '#contracts/plural.ts'
import { type Command, type Connection, enumOf, numberOf, textOf, traceIdOf, UsageError } from '../command.ts'
import { formatDuration, formatNumber, formatUsd, orDash, shorten, table } from '../format.ts'
import { whenSearchable } from '../searchable.ts'

const FORMATS = ['json', 'perfetto', 'otlp'] as const
/** Spans in the summary for people. */
const SLOWEST = 15

export const profileCommand: Command = {
  name: 'profile',
  usage: 'profile [TRACE] [--format json|perfetto|otlp] | profile [--query Q | --recorded] [--limit N]',
  summary:
    'where the time, tokens and money of a session went; without TRACE, the slowest sessions, or what was recorded of runs and other programs',
  help: () =>
    'perfetto: Chrome trace events for ui.perfetto.dev; otlp: JSON for a collector. Both are without secrets and personal data, and go to stdout.',
  options: { format: { type: 'string' }, query: { type: 'string' }, limit: { type: 'string' }, recorded: { type: 'boolean' } },
  async run(context) {
    const format = enumOf(context.values, 'format', FORMATS)
    const [idText, ...more] = context.args
    if (more.length > 0) throw new UsageError(`profile takes one session, not ${context.args.length}.`)
    const q = textOf(context.values, 'query')
    const limit = numberOf(context.values, 'limit', { min: 1, max: 200, isWhole: true })
    if (idText === undefined) {
      if (format !== undefined) throw new UsageError('--format needs a session: profile TRACE --format FORMAT.')
      const connection = await context.connect({ reads: true })
      if (context.values['recorded'] === true) {
        if (q !== undefined) throw new UsageError('--recorded lists everything that was recorded, so it cannot be used with --query.')
        const recorded = await connection.client.listProfiles({ query: { of: 'recorded', limit: limit ?? 20 } })
        return context.out(
          recorded,
          () => `${describeRecorded(recorded.items)}\n${recorded.items.length} of ${plural(recorded.total, 'trace')}`,
        )
      }
      await whenSearchable(context, connection, q)
      const page = await connection.client.listProfiles({ query: { q, limit: limit ?? 20 } })
      return context.out(page, () => `${describeList(page.items)}\n${page.items.length} of ${plural(page.total, 'session')}, slowest first`)
    }
    if (q !== undefined || limit !== undefined) throw new UsageError('--query and --limit list sessions, so they cannot be used with one.')
    const id = RecordedId.safeParse(idText).success ? idText : traceIdOf(idText)
    const connection = await context.connect({ reads: true })
    if (format === 'perfetto' || format === 'otlp') return printExport(connection, id, format)
    const profile = await connection.client.getProfile({ params: { id } })
    if (format === 'json') return void process.stdout.write(`${JSON.stringify(profile)}\n`)
    return context.out(profile, () => describe(profile))
  },
}

async function printExport(connection: Connection, id: string, format: 'perfetto' | 'otlp'): Promise<void> {
  const response = await connection.client.exportProfile({ params: { id }, query: { format } })
  for await (const chunk of response.body ?? []) {
    if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once('drain', resolve))
  }
}

const timeOf = (ms: number | null): string => (ms === null ? 'not measured' : formatDuration(ms, { fine: true }))

function describeList(items: readonly ProfiledSession[]): string {
  const rows = items.map(({ id, repo, title, summary }) => [
    id,
    timeOf(summary.workingMs),
    timeOf(summary.waitingMs),
    formatNumber(summary.llmCalls.count),
    formatNumber(summary.toolCalls),
    orDash(summary.llmCalls.totalTokens, formatNumber),
    orDash(summary.costUsd, formatUsd),
    shorten(repo ?? '–', 20),
    shorten(title ?? '–', 50),
  ])
  return table([['id', 'working', 'waiting', 'requests', 'calls', 'tokens', 'cost', 'repo', 'title'], ...rows])
}

function describeRecorded(items: readonly ProfiledSession[]): string {
  const rows = items.map(({ id, source, title, summary }) => [
    id,
    source,
    timeOf(summary.durationMs),
    formatNumber(summary.llmCalls.count),
    formatNumber(summary.toolCalls),
    orDash(summary.llmCalls.totalTokens, formatNumber),
    shorten(title ?? '–', 50),
  ])
  return table([['id', 'from', 'duration', 'requests', 'calls', 'tokens', 'title'], ...rows])
}

function describe({ title, spans, summary }: Profile): string {
  const { llmCalls, tokens } = summary
  const count = (value: number | null) => orDash(value, formatNumber)
  const slowest = spans
    .filter(({ kind, durationMs }) => kind !== 'agent' && durationMs !== null)
    .toSorted((a, b) => (b.durationMs ?? 0) - (a.durationMs ?? 0))
    .slice(0, SLOWEST)
  return [
    title ?? '(no title)',
    `${timeOf(summary.durationMs)}: ${timeOf(summary.workingMs)} working, ${timeOf(summary.waitingMs)} waiting for you`,
    `${plural(llmCalls.count, 'request')}, ${plural(summary.toolCalls, 'call')} (${summary.failedToolCalls} failed), cost ${orDash(summary.costUsd, formatUsd)}`,
    `tokens: ${count(tokens.input)} input, ${count(tokens.output)} output, ${count(tokens.cacheRead)} cache read, ${count(tokens.cacheWrite)} cache write`,
    ...(summary.reported === null ? [] : [reportedLine(summary.reported)]),
    ...(summary.unmeasured > 0 ? [`${plural(summary.unmeasured, 'span')} without a duration: not measured`] : []),
    ...summary.bottlenecks.map(({ text }) => `! ${text}`),
    '',
    table([['kind', 'duration', 'name', 'what'], ...slowest.map(rowOf)]),
  ].join('\n')
}

const reportedLine = ({ requests, missing, costUsd, ownUsd }: NonNullable<Profile['summary']['reported']>): string =>
  `Claude Code reported ${formatUsd(costUsd)} for ${plural(requests, 'request')}; ours for them: ${orDash(ownUsd, formatUsd)}${missing > 0 ? `; ${plural(missing, 'more request')} not in this session` : ''}`

const rowOf = ({ kind, durationMs, name, label, error }: Span): string[] => [
  kind,
  timeOf(durationMs),
  name,
  shorten([error, label].filter((text) => text != null).join(' · '), 80),
]
