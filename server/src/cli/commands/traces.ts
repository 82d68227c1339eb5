import type { Step } from '#contracts/entities/step.ts'
import type { Trace, TraceDetail } from '#contracts/entities/trace.ts'
import type { KeptCheck } from '#contracts/entities/check.ts'
import { Tier } from '#contracts/entities/common.ts'
import { FILTER_EXAMPLES } from '#contracts/filter.ts'
import { formatScore } from '#contracts/score-figure.ts'
import { plural } from '#contracts/plural.ts'
import { allPages, type Command, type Connection, enumOf, numberOf, textOf, traceArgument, traceIdOf, UsageError } from '../command.ts'
import { formatNumber, formatUsd, orDash, shorten, table } from '../format.ts'
import { whenSearchable } from '../searchable.ts'

const TIERS = Tier.options

export const traces: Command = {
  name: 'traces',
  usage: 'traces [--query Q] [--tier T] [--sort S] [--limit N] [--cursor C]',
  takesNoArguments: true,
  summary: `list sessions; Q is the same filter as in the app (${FILTER_EXAMPLES.command})`,
  options: {
    query: { type: 'string' },
    tier: { type: 'string' },
    sort: { type: 'string' },
    limit: { type: 'string' },
    cursor: { type: 'string' },
  },
  async run(context) {
    const limit = numberOf(context.values, 'limit', { min: 1, max: 100_000, isWhole: true }) ?? 50
    const tier = textOf(context.values, 'tier')
    for (const one of tier?.split(',') ?? [])
      if (!(TIERS as readonly string[]).includes(one)) throw new UsageError(`--tier must be one of ${TIERS.join(', ')}, not "${one}".`)
    const connection = await context.connect({ reads: true })
    const { client } = connection
    const q = textOf(context.values, 'query')
    await whenSearchable(context, connection, q)
    const sort = textOf(context.values, 'sort')
    const items: Trace[] = []
    let total = 0
    let cursor: string | null | undefined = textOf(context.values, 'cursor')
    do {
      const query = { q, tier: tier as never, sort: sort as never, cursor, limit: Math.min(limit - items.length, 100) } // the route checks tier and sort
      const page: Awaited<ReturnType<typeof client.listTraces>> = await client.listTraces({ query })
      items.push(...page.items)
      ;({ total, nextCursor: cursor } = page)
    } while (items.length < limit && cursor !== null)
    context.out({ items, nextCursor: cursor, total }, () =>
      [
        table([['id', 'tier', 'quality', 'checked', 'calls', 'cost', 'repo', 'title'], ...items.map(rowOf)]),
        `${items.length} of ${plural(total, 'session')}`,
      ].join('\n'),
    )
  },
}

const rowOf = (trace: Trace) => [
  trace.id,
  `${trace.tier}${trace.tierSource === 'user' ? '*' : trace.unverified ? ', unverified' : ''}`,
  orDash(trace.quality, formatScore),
  trace.verification,
  formatNumber(trace.counts.toolCalls),
  orDash(trace.costUsd, formatUsd),
  shorten(trace.repo ?? '–', 20),
  shorten(trace.title ?? (trace.hooksOnly ? 'hooks only, no transcript' : '–'), 60),
]

export const show: Command = {
  name: 'show',
  usage: 'show ID [--raw [--source NAME | --all]]',
  summary: 'show a session with its turns and steps; --raw prints the archived bytes unchanged',
  options: { raw: { type: 'boolean' }, source: { type: 'string' }, all: { type: 'boolean' } },
  async run(context) {
    const id = traceArgument(context)
    const connection = await context.connect({ reads: true })
    if (context.values['raw']) return printRaw(connection, id, textOf(context.values, 'source'), context.values['all'] === true)
    if (context.values['source'] !== undefined || context.values['all']) throw new UsageError('--source and --all need --raw.')
    const [detail, steps] = [
      await connection.client.getTrace({ params: { id } }),
      await allPages((page) => connection.client.listSteps({ params: { id }, query: page })),
    ]
    const { result: checks } = await connection.client.getTraceChecks({ params: { id } })
    context.out({ ...detail, checks, steps }, () => describe(detail, checks, steps))
    return 0
  },
}

async function printRaw(connection: Connection, id: string, source: string | undefined, all: boolean): Promise<number> {
  if (source !== undefined && all) throw new UsageError('Use either --source or --all.')
  const response = await connection.client.getRaw({ params: { id }, query: { source, all: all ? 'true' : undefined } })
  for await (const chunk of response.body ?? []) {
    if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once('drain', resolve))
  }
  return 0
}

const abandonedWords = ({ counts: { abandonedTurns: count } }: TraceDetail): string =>
  count === 0 ? '' : ` · ${count} abandoned ${count === 1 ? 'turn' : 'turns'}`

function describe(trace: TraceDetail, checks: KeptCheck | null, steps: Step[]): string {
  const summary = [
    trace.title ?? '(no title)',
    `${trace.agent} ${trace.clientVersion ?? ''} · ${trace.repo ?? '–'} · ${trace.gitBranch ?? '–'} · ${trace.startedAt ?? '–'}`,
    `${trace.tier}${trace.unverified ? ', unverified' : ''} (${trace.tierSource === 'user' ? 'by you' : (trace.tierReason ?? 'by policy')}) · quality ${orDash(trace.quality, formatScore)} · verification: ${trace.verification}`,
    `${plural(trace.counts.toolCalls, 'call')}, ${trace.counts.failedToolCalls} failed, ${trace.counts.rejectedToolCalls} rejected${abandonedWords(trace)} · ${plural(trace.counts.subagents, 'sub-agent')} · ${plural(trace.counts.commits, 'commit')}`,
    ...(checks === null ? [] : [checksLine(checks, trace)]),
    '',
  ]
  const rows = steps.map((step) => [
    String(step.seq),
    outcomeOf(step),
    step.tool,
    shorten(step.command ?? step.file ?? JSON.stringify(step.input), 100),
  ])
  return [...summary, table([['step', 'result', 'tool', 'what'], ...rows])].join('\n')
}

function checksLine({ report, counts }: KeptCheck, { score }: TraceDetail): string {
  const { status, runner, passed, total } = report
  const isUsed = counts && score?.verifiedBy != null
  return `checks ${status}${runner === null ? '' : ` (${runner})`}${total === null ? '' : `, ${passed} of ${total} passed`}, ${isUsed ? 'used by its score' : 'not used by its score'}`
}

const outcomeOf = (step: Step) =>
  step.rejected
    ? 'rejected'
    : step.success === null
      ? 'unknown'
      : step.success
        ? 'ok'
        : `failed${step.exitCode === null ? '' : `, exit ${step.exitCode}`}`

const tierCommand = (name: 'promote' | 'demote', fallback: Tier): Command => ({
  name,
  usage: `${name} ID [--tier T] [--reason WHY]`,
  summary: `set the tier yourself (default ${fallback})`,
  options: { tier: { type: 'string' }, reason: { type: 'string' } },
  async run(context) {
    const tier = enumOf(context.values, 'tier', TIERS) ?? fallback
    const id = traceArgument(context)
    const { client } = await context.connect()
    const call = name === 'promote' ? client.promoteTrace : client.demoteTrace
    const trace = await call({ params: { id }, body: { tier, reason: textOf(context.values, 'reason') } })
    context.out(trace, () => `${trace.id} is ${trace.tier} (by you).`)
  },
})

export const promote = tierCommand('promote', 'gold')
export const demote = tierCommand('demote', 'failed')

export const undo: Command = {
  name: 'undo',
  usage: 'undo ID',
  summary: 'undo the latest tier decision',
  async run(context) {
    const id = traceArgument(context)
    const trace = await (await context.connect()).client.undoTier({ params: { id }, body: {} })
    context.out(trace, () => `${trace.id} is ${trace.tier} (by ${trace.tierSource}).`)
  },
}

export const tag: Command = {
  name: 'tag',
  usage: 'tag ID [TAG…] [--remove TAG]',
  summary: 'add tags to a session, or remove one',
  options: { remove: { type: 'string', multiple: true } },
  async run(context) {
    const [idText, ...addTags] = context.args
    const removeTags = (context.values['remove'] ?? []) as string[] // by the option's type
    if (idText && addTags.length + removeTags.length === 0) throw new UsageError('The tag is missing.')
    const id = traceIdOf(idText)
    const trace = await (await context.connect()).client.changeTags({ params: { id }, body: { addTags, removeTags } })
    context.out(trace, () => `${trace.id}: ${trace.tags.join(', ') || 'no tags'}`)
  },
}

export const note: Command = {
  name: 'note',
  usage: 'note ID TEXT | note ID --remove',
  summary: 'set or remove the note of a session',
  options: { remove: { type: 'boolean' } },
  async run(context) {
    const [idText, ...words] = context.args
    const remove = context.values['remove'] === true
    if (idText && remove === words.length > 0) throw new UsageError('The note text is missing. Enter it, or use --remove.')
    const id = traceIdOf(idText)
    const trace = await (await context.connect()).client.setNote({ params: { id }, body: { note: remove ? null : words.join(' ') } })
    context.out(trace, () => `${trace.id}: ${trace.note ?? 'no note'}`)
  },
}
