import path from 'node:path'
import fs from 'node:fs'
import type { z } from 'zod'
import { EpisodeForm, RolloutExportFormat, type RolloutPlan, type RolloutSelection, type RolloutSet } from '#contracts/entities/rollout.ts'
import { ProviderId } from '#contracts/entities/provider.ts'
import { AppError } from '#contracts/errors.ts'
import { hasRedactions, redactedText } from '#contracts/redacted-text.ts'
import { given } from '#server/given.ts'
import type { createRollouts } from '#contracts/routes/rollouts.ts'
import { plural } from '#contracts/plural.ts'
import { writeOutput } from '#server/adapters/output-files/index.ts'
import { actionOf, type Command, type Connection, type Context, enumOf, numberOf, textOf, UsageError } from '../command.ts'
import { formatNumber, formatUsd, table } from '../format.ts'
import { whileFollowing } from '../wait.ts'
import { REDACT_HELP, REDACT_OPTIONS, redactOf } from './redact-option.ts'
import { readShellTasks } from './rollout-tasks.ts'

const ACTIONS = ['run', 'list', 'show', 'cancel', 'resume', 'export'] as const

export const rolloutsCommand: Command = {
  name: 'rollouts',
  usage:
    'rollouts run --tasks SPLIT|FILE|ID,ID (--model ID | --endpoint URL [--dialect openai|anthropic] --model NAME | --provider P [--model NAME]) [--per-task N] [--concurrency N] [--max-turns N] [--max-new-tokens N] [--temperature T] [--logprobs] [--policy NAME] [--seed N] [--form command|terminal] [--max-cost USD] [--redact | --no-redact] [--plan] | list | show ID | cancel ID | resume ID | export ID --format F [--episode ID] [--output FILE]',
  summary: 'let a model try shell tasks in sandboxes, each one or more times, and compute the reward of every attempt',
  help: () =>
    'run waits for the end; Ctrl+C cancels the set. If the server was killed, the set continues when it starts again.\n' +
    'Each line of FILE (JSON Lines): {"task", "setup": ["…"], "check", "difficulty", "id"}.\n' +
    `Export formats: ${RolloutExportFormat.options.join(', ')}. Without --output the file is named after the set.\n` +
    `${REDACT_HELP}\n` +
    'run --plan shows how many episodes there would be, who pays and who gets what, and starts nothing.\n' +
    'Exit code of run: 0 if every episode ended, 1 if the set was stopped or cancelled.',
  options: {
    tasks: { type: 'string' },
    model: { type: 'string' },
    endpoint: { type: 'string' },
    dialect: { type: 'string' },
    provider: { type: 'string' },
    'per-task': { type: 'string' },
    concurrency: { type: 'string' },
    'max-turns': { type: 'string' },
    'max-new-tokens': { type: 'string' },
    temperature: { type: 'string' },
    logprobs: { type: 'boolean' },
    policy: { type: 'string' },
    seed: { type: 'string' },
    form: { type: 'string' },
    name: { type: 'string' },
    'max-cost': { type: 'string' },
    ...REDACT_OPTIONS,
    plan: { type: 'boolean' },
    format: { type: 'string' },
    episode: { type: 'string' },
    output: { type: 'string', short: 'o' },
  },
  async run(context) {
    const [action, id, ...more] = actionOf(context, 'rollouts', ACTIONS, 'list')
    const takesId = action !== 'run' && action !== 'list'
    if (more.length > 0 || (!takesId && id !== undefined)) throw new UsageError(`Unexpected argument "${more[0] ?? id}".`)
    if (action === 'run') return runSet(context)
    if (action === 'list') return list(context)
    if (id === undefined) throw new UsageError(`rollouts ${action} needs the id of a set.`)
    return runAction(context, action, id)
  },
}

async function list(context: Context): Promise<void> {
  const { client } = await context.connect()
  const page = await client.listRollouts({ query: { limit: '100' } })
  context.out(page, () =>
    page.items.length === 0
      ? 'There are no rollouts yet.'
      : table([
          ['id', 'state', 'name', 'model', 'ended', 'solved'],
          ...page.items.map(({ id, state, name, model, counts, total }) => [id, state, name, model ?? '', `${counts.ended} of ${total}`, String(counts.solved)]), // prettier-ignore
        ]),
  )
}

async function runAction(context: Context, action: 'show' | 'cancel' | 'resume' | 'export', id: string): Promise<void> {
  const { client } = await context.connect()
  const params = { id }
  if (action === 'export') return exportSet(context, client, id)
  if (action === 'show') {
    const [set, stats] = [await client.getRollouts({ params, query: {} }), await client.getRolloutStats({ params })]
    return context.out({ ...set, stats }, () => describe(set, stats))
  }
  const set = action === 'cancel' ? await client.cancelRollouts({ params }) : await client.resumeRollouts({ params })
  return context.out(set, () => describe(set))
}

async function exportSet(context: Context, client: Connection['client'], id: string): Promise<void> {
  const format = enumOf(context.values, 'format', RolloutExportFormat.options)
  if (format === undefined) throw new UsageError(`--format is missing: one of ${RolloutExportFormat.options.join(', ')}.`)
  const episode = textOf(context.values, 'episode')
  const response = await client.exportRollouts({ params: { id }, query: { format, ...given({ episode }) } })
  const fileName = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? `${id}.${format}`
  const file = path.resolve(textOf(context.values, 'output') ?? path.basename(fileName))
  if (response.body) await writeOutput(file, response.body)
  context.out({ id, format, file }, () => `Written to ${file}.`)
}

async function runSet(context: Context): Promise<number> {
  const body = { ...(await selectionOf(context)), ...settingsOf(context) }
  const connection = await context.connect()
  if (context.values['plan'] === true) {
    const plan = await connection.client.planRollouts({ body })
    context.out(plan, () => describePlan(plan))
    return plan.refusals.length === 0 ? 0 : 1
  }
  const started = await connection.client.createRollouts({ body })
  context.note(`Started set ${started.id}: ${plural(started.total, 'episode')}.`)
  const set = await whileFollowing(context, connection, () => waitForSet(context, connection, started))
  const stats = await connection.client.getRolloutStats({ params: { id: set.id } })
  context.out({ ...set, stats }, () => describe(set, stats))
  return set.state === 'done' ? 0 : 1
}

async function waitForSet(context: Context, { client }: Connection, { id }: RolloutSet): Promise<RolloutSet> {
  const params = { id }
  for (let ended = -1; ;) {
    const set = await client.getRollouts({ params, query: { waitMs: 500, ended } })
    if (set.counts.ended !== ended) context.note(`${set.counts.ended} of ${set.total} episodes have ended, ${set.counts.solved} solved.`)
    ended = set.counts.ended
    if (set.state !== 'running') return set
    if (context.signal.aborted) return client.cancelRollouts({ params })
  }
}

type Body = z.input<typeof createRollouts.body>

async function selectionOf({ values }: Context): Promise<z.input<typeof RolloutSelection>> {
  const tasks = textOf(values, 'tasks')
  if (!tasks) throw new UsageError('--tasks is missing: a split, a JSON Lines file, or ids separated by commas.')
  if (fs.existsSync(tasks) && fs.statSync(tasks).isFile()) return { tasks: await readShellTasks(tasks) }
  if (tasks.includes('/') || tasks.endsWith('.jsonl')) throw new AppError('invalid_request', { message: `Can't read ${tasks}: there is no such file.` }) // prettier-ignore
  return tasks.includes(',') ? { taskIds: tasks.split(',').map((id) => id.trim()) } : { filter: { split: tasks } }
}

function settingsOf({ values }: Context): Omit<Body, 'tasks' | 'taskIds' | 'filter'> {
  const whole = (name: string, min = 1) => numberOf(values, name, { min, isWhole: true })
  const policy = textOf(values, 'policy')
  if (policy !== undefined && policy !== 'shell-v1') throw new UsageError(`Unknown policy "${policy}". The only policy is shell-v1.`)
  return {
    endpoint: endpointOf(values),
    limits: given({ turns: whole('max-turns'), newTokens: whole('max-new-tokens') }),
    ...given({
      name: textOf(values, 'name'),
      rolloutsPerTask: whole('per-task'),
      concurrency: whole('concurrency'),
      seed: whole('seed', 0),
      temperature: numberOf(values, 'temperature', { min: 0 }),
      logprobs: values['logprobs'] === true ? true : undefined,
      maxCostUsd: numberOf(values, 'max-cost', { above: 0 }),
      form: enumOf(values, 'form', EpisodeForm.options),
      redact: redactOf(values),
    }),
  }
}

function endpointOf(values: Context['values']): Body['endpoint'] {
  const baseUrl = textOf(values, 'endpoint')
  const provider = enumOf(values, 'provider', ProviderId.options)
  const dialect = enumOf(values, 'dialect', ['openai', 'anthropic'] as const)
  const model = textOf(values, 'model')
  if (baseUrl !== undefined && provider !== undefined) throw new UsageError('Use either --provider or --endpoint.')
  if (baseUrl !== undefined) return { kind: 'url', baseUrl, ...given({ dialect, model }) }
  if (dialect !== undefined) throw new UsageError('--dialect needs --endpoint.')
  if (provider !== undefined) return { kind: 'provider', provider, ...given({ model }) }
  if (model === undefined) throw new UsageError('Choose a model: --model ID from the registry, --endpoint URL, or --provider.')
  return { kind: 'model', model }
}

function describePlan({ tasks, episodes, payer, privacy, model, mostOutputTokens, isolation, places, refusals }: RolloutPlan): string {
  return [
    `Episodes: ${formatNumber(episodes)} (${formatNumber(tasks)} ${tasks === 1 ? 'task' : 'tasks'}), with at most ${formatNumber(mostOutputTokens)} output tokens`,
    `Who pays: ${payer}`,
    `Who gets what: ${privacy}`,
    `Model: ${model ?? 'the only one of the endpoint'}`,
    `Isolation: ${isolation ?? 'none'}, ${places} ${places === 1 ? 'sandbox' : 'sandboxes'} at once`,
    ...refusals.map(({ message, hint }) => `It would not start: ${message}${hint === null ? '' : ` ${hint}`}`),
  ].join('\n')
}

const percent = (share: number) => `${Math.round(share * 1000) / 10} %`

function describe(set: RolloutSet, stats?: Awaited<ReturnType<Connection['client']['getRolloutStats']>>): string {
  const { counts, total, state, detail, costUsd, redacted, id } = set
  const lines = [`${id}: ${state}, ${counts.ended} of ${total} episodes have ended${costUsd === null ? '' : `, ${formatUsd(costUsd)}`}.`]
  if (detail !== null) lines.push(detail)
  if (stats) {
    const { success, groups, reward } = stats
    if (success.low !== null && success.high !== null)
      lines.push(`Solved: ${success.solved} of ${success.n}, ${percent(success.solved / success.n)} (95 % interval ${percent(success.low)} to ${percent(success.high)}).`) // prettier-ignore
    if (reward.mean !== null) lines.push(`Reward: ${reward.mean.toFixed(3)} on average.`)
    if (groups.scored > 0) lines.push(`Groups in which all rewards are the same: ${groups.zeroVariance} of ${groups.scored}.`)
  }
  if (counts.corrupted + counts.error > 0) lines.push(`Without a reward: ${counts.corrupted} interrupted, ${counts.error} with an error.`)
  if (hasRedactions(redacted)) lines.push(redactedText(redacted))
  return lines.join('\n')
}
