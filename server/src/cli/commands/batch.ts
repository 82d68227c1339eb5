import path from 'node:path'
import { type Lines, openLines, readText, writeText } from '#server/adapters/output-files/index.ts'
import type { Batch, BatchReport, BatchResult, BatchTask } from '#contracts/entities/batch.ts'
import { TaskAgent, type TaskEndpoint } from '#contracts/entities/task.ts'
import { ProviderId } from '#contracts/entities/provider.ts'
import { AppError } from '#contracts/errors.ts'
import { type Command, type Connection, type Context, enumOf, oneArgument, textOf, UsageError } from '../command.ts'
import { formatUsd } from '../format.ts'
import { readTasks } from './batch-input.ts'

export const batchCommand: Command = {
  name: 'batch',
  usage:
    'batch TASKS.jsonl --output DIR [--agent A] [--model M] [--provider P | --endpoint URL [--dialect openai|anthropic]] [--attempts K] [--concurrency N] [--max-cost USD]',
  summary: 'give many tasks to an agent in sandboxes; started again, it makes only what has no result',
  help: () =>
    'A line of TASKS.jsonl: {"prompt", "repository_url" or "directory", "verify", "id"}.\n' +
    'DIR/results.jsonl gets a line for each attempt that ended, DIR/report.json the pass rates.\n' +
    'Exit code 0: every attempt has a result; 1: one has none.',
  options: {
    output: { type: 'string', short: 'o' },
    agent: { type: 'string' },
    model: { type: 'string' },
    provider: { type: 'string' },
    endpoint: { type: 'string' },
    dialect: { type: 'string' },
    attempts: { type: 'string' },
    concurrency: { type: 'string' },
    'max-cost': { type: 'string' },
  },
  async run(context) {
    const file = oneArgument(context, 'The file of tasks')
    const output = textOf(context.values, 'output')
    if (!output) throw new UsageError('--output is missing: the folder for the results.')
    const options = optionsOf(context)
    const folder = path.resolve(output)
    const tasks = readTasks(file)
    const results = openLines(path.join(folder, 'results.jsonl'))
    try {
      return await runBatch(context, { folder, tasks, results, ...options })
    } finally {
      results.close()
    }
  },
}

function optionsOf({ values }: Context) {
  const maxCostUsd = numberOf(textOf(values, 'max-cost'), '--max-cost', { least: 0.000001, whole: false })
  const attempts = numberOf(textOf(values, 'attempts'), '--attempts', { least: 1, most: 100, whole: true }) ?? 1
  const concurrency = numberOf(textOf(values, 'concurrency'), '--concurrency', { least: 1, most: 64, whole: true }) ?? 2
  const agent = enumOf(values, 'agent', TaskAgent.options)
  const model = textOf(values, 'model')
  const endpoint = endpointOf(values)
  return {
    attempts,
    concurrency,
    maxCostUsd: maxCostUsd ?? null,
    settings: { ...(agent && { agent }), ...(model && { model }), ...(endpoint && { endpoint }) },
  }
}

function endpointOf(values: Context['values']): TaskEndpoint | undefined {
  const baseUrl = textOf(values, 'endpoint')
  const provider = enumOf(values, 'provider', ProviderId.options)
  const dialect = enumOf(values, 'dialect', ['openai', 'anthropic'] as const)
  if (baseUrl !== undefined && provider !== undefined) throw new UsageError('Use either --provider or --endpoint.')
  if (baseUrl === undefined && dialect !== undefined) throw new UsageError('--dialect needs --endpoint.')
  if (baseUrl !== undefined) return { kind: 'url', dialect: dialect ?? 'openai', baseUrl }
  return provider && { kind: 'provider', provider }
}

function numberOf(
  text: string | undefined,
  name: string,
  { least, most = Infinity, whole }: { least: number; most?: number; whole: boolean },
) {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() === '' || !(value >= least && value <= most) || (whole && !Number.isInteger(value)))
    throw new UsageError(
      `${name} must be ${whole ? 'a whole number' : 'a number'} ${most === Infinity ? 'above 0' : `from ${least} to ${most}`}, not "${text}".`,
    )
  return value
}

interface Work extends ReturnType<typeof optionsOf> {
  folder: string
  tasks: BatchTask[]
  results: Lines
}

const placeOf = ({ key, attempt }: Pick<BatchResult, 'key' | 'attempt'>): string => `${attempt}\0${key}`

async function runBatch(context: Context, work: Work): Promise<number> {
  const connection = await context.connect()
  const { client } = connection
  /** Attempts that have a result, and runs that stand in the file. */
  const done = new Map<string, BatchResult>()
  const written = new Set<string>()
  const take = (result: BatchResult) => {
    written.add(writtenOf(result))
    if (result.outcome !== 'owed') done.set(placeOf(result), result)
  }
  for (const line of work.results.before) take(JSON.parse(line) as BatchResult) // written below
  const save = ({ results }: BatchReport) => {
    for (const result of results) {
      if (written.has(writtenOf(result))) continue
      work.results.add(JSON.stringify(result))
      take(result)
      context.note(
        `${result.key}${work.attempts > 1 ? ` (${result.attempt})` : ''}: ${result.outcome}${result.message ? `, ${result.message}` : ''}`,
      )
    }
  }
  const report = async (id: string) => save(await client.getBatchReport({ params: { id } }))
  const missing = () => work.tasks.filter(({ key }) => attemptsOf(work).some((attempt) => !done.has(placeOf({ key, attempt }))))

  const before = await earlier(connection, work)
  if (before) await report(before.id)
  if (missing().length > 0) {
    const batch = before
      ? await client.retryBatch({ params: { id: before.id }, body: { maxCostUsd: work.maxCostUsd } })
      : await begin(connection, work, missing())
    writeText(path.join(work.folder, 'batch.json'), `${JSON.stringify({ batchId: batch.id, of: nameOf(work) })}\n`)
    await follow(context, connection, batch, () => report(batch.id))
    writeText(
      path.join(work.folder, 'report.json'),
      `${JSON.stringify(await client.getBatchReport({ params: { id: batch.id } }), null, 2)}\n`,
    )
  }
  const all = [...done.values()]
  const owed = work.tasks.length * work.attempts - all.length
  const count = (outcome: BatchResult['outcome']) => all.filter((one) => one.outcome === outcome).length
  const cost = all.every(({ costUsd }) => costUsd !== null) ? all.reduce((sum, { costUsd }) => sum + costUsd!, 0) : null
  const summary = {
    passed: count('passed'),
    failed: count('failed'),
    unverified: count('unverified'),
    withoutResult: owed,
    costUsd: cost,
    folder: work.folder,
  }
  context.out(summary, () =>
    [
      `${summary.passed} passed, ${summary.failed} failed, ${summary.unverified} not verified, ${owed} without a result${cost === null ? '' : `, ${formatUsd(cost)}`}.`,
      ...(owed > 0 ? ['Run the same command again to make those that have no result.'] : []),
    ].join('\n'),
  )
  return owed > 0 ? 1 : 0
}

const writtenOf = (result: BatchResult): string => result.taskId ?? `${placeOf(result)}\0${result.message}`
const attemptsOf = ({ attempts }: Work): number[] => Array.from({ length: attempts }, (_, index) => index + 1)

/** What makes it the same batch. */
const nameOf = ({ tasks, attempts, settings }: Work): string => JSON.stringify([tasks.map(({ key }) => key), attempts, settings])

/** The batch that a former start of this command began, if the server still has it. */
async function earlier({ client }: Connection, work: Work): Promise<Batch | null> {
  const text = readText(path.join(work.folder, 'batch.json'))
  if (text === null) return null
  const { batchId, of } = JSON.parse(text) as { batchId: string; of: string } // written above
  if (of !== nameOf(work)) return null
  try {
    return await client.getBatch({ params: { id: batchId }, query: {} })
  } catch (error) {
    if (error instanceof AppError && error.code === 'batch_not_found') return null
    throw error
  }
}

const begin = ({ client }: Connection, { attempts, concurrency, maxCostUsd, settings }: Work, tasks: BatchTask[]): Promise<Batch> =>
  client.createBatch({ body: { tasks, attempts, concurrency, maxCostUsd, settings } })

/** Until it has ended. Ctrl+C cancels it, and waits until nothing of it is running. */
async function follow(context: Context, connection: Connection, { id }: Batch, report: () => Promise<void>): Promise<void> {
  const over = new AbortController()
  const following = connection.follow(() => undefined, over.signal) // an app inside this process begins its work by this
  following.catch((error: unknown) => context.note(String(error)))
  try {
    await toTheEnd(context, connection, id, report)
  } finally {
    over.abort()
    await following.catch(() => undefined) // said above
  }
}

async function toTheEnd(context: Context, { client }: Connection, id: string, report: () => Promise<void>): Promise<void> {
  for (let ended = -1; ;) {
    const batch = await client.getBatch({ params: { id }, query: { waitMs: 500, ended } })
    const { passed, failed, unverified, owed } = batch.counts
    const now = passed + failed + unverified + owed
    if (now !== ended) await report()
    ended = now
    if (batch.state !== 'running') {
      if (batch.detail !== null) context.note(batch.detail)
      return
    }
    if (!context.signal.aborted) continue
    await client.cancelBatch({ params: { id } })
    await report()
    context.note('Cancelled; nothing of it is running. Run the same command again to go on.')
    throw context.signal.reason
  }
}
