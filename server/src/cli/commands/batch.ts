import path from 'node:path'
import { type Lines, openLines, readText, writeText } from '#server/adapters/output-files/index.ts'
import type { z } from 'zod'
import type { Batch, BatchReport, BatchResult, BatchTask } from '#contracts/entities/batch.ts'
import { TaskAgent, type TaskEndpoint } from '#contracts/entities/task.ts'
import { ProviderId } from '#contracts/entities/provider.ts'
import { AppError } from '#contracts/errors.ts'
import type { createBatch } from '#contracts/routes/batches.ts'
import { allPages, type Command, type Connection, type Context, enumOf, numberOf, oneArgument, textOf, UsageError } from '../command.ts'
import { formatUsd } from '../format.ts'
import { whileFollowing } from '../wait.ts'
import { readTasks } from './batch-input.ts'
import { HARBOR_AGENT, harborTasks, isFolder } from './harbor-input.ts'

export const batchCommand: Command = {
  name: 'batch',
  usage:
    'batch TASKS.jsonl|DIR|--query Q --output DIR [--agent A] [--model M] [--provider P | --endpoint URL [--dialect openai|anthropic]] [--attempts K] [--concurrency N] [--max-cost USD]',
  summary: 'give many tasks to an agent in sandboxes; started again, it makes only what has no result',
  help: () =>
    'A line of TASKS.jsonl: {"prompt", "repository_url" or "directory", "verify", "id"}.\n' +
    'DIR is a folder of tasks of Harbor, which the shell agent works on.\n' +
    '--query gives the first prompt of each session that a filter finds (the filter of the command traces) again, on the newest commit\n' +
    'from before the session; sessions of which that cannot be had are named and left out.\n' +
    'DIR/results.jsonl gets a line for each attempt that ended, DIR/report.json the pass rates.\n' +
    'Exit code 0: every attempt has a result; 1: one has none.',
  options: {
    output: { type: 'string', short: 'o' },
    query: { type: 'string' },
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
    const query = textOf(context.values, 'query')
    if (query !== undefined && context.args.length > 0) throw new UsageError('Give either a file of tasks or --query.')
    const file = query === undefined ? oneArgument(context, 'The file of tasks') : null
    const output = textOf(context.values, 'output')
    if (!output) throw new UsageError('--output is missing: the folder for the results.')
    const options = optionsOf(context)
    const folder = path.resolve(output)
    const isHarbor = file !== null && isFolder(file)
    const source = file === null ? ofSessions(query!) : ofTasks(isHarbor ? harborTasks(file) : readTasks(file))
    const settings = { ...(isHarbor && { agent: HARBOR_AGENT }), ...options.settings }
    const results = openLines(path.join(folder, 'results.jsonl'))
    try {
      return await runBatch(context, { ...options, folder, source, results, settings })
    } finally {
      results.close()
    }
  },
}

function optionsOf({ values }: Context) {
  const maxCostUsd = numberOf(values, 'max-cost', { above: 0 })
  const attempts = numberOf(values, 'attempts', { least: 1, most: 100, isWhole: true }) ?? 1
  const concurrency = numberOf(values, 'concurrency', { least: 1, most: 64, isWhole: true }) ?? 2
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

interface Work extends ReturnType<typeof optionsOf> {
  folder: string
  source: Source
  results: Lines
}

type BatchBody = z.input<typeof createBatch.body>

/** Where the tasks come from. */
interface Source {
  /** What it is known by at the next start. */
  name: unknown
  /** Of all its tasks. */
  keys: (connection: Connection) => Promise<string[]>
  ask: (keys: readonly string[]) => Pick<BatchBody, 'tasks' | 'traces'>
}

function ofTasks(tasks: readonly BatchTask[]): Source {
  const keys = tasks.map(({ key }) => key)
  const ask: Source['ask'] = (some) => {
    const asked = new Set(some)
    return { tasks: tasks.filter(({ key }) => asked.has(key)) }
  }
  return { name: keys, keys: () => Promise.resolve(keys), ask }
}

const ofSessions = (query: string): Source => ({
  name: { query },
  async keys({ client }) {
    const sessions = await allPages((page) => client.listTraces({ query: { q: query, ...page } }))
    if (sessions.length > 0) return sessions.map(({ id }) => id)
    throw new AppError('invalid_request', { message: `No session matches ${query}.`, hint: 'Try it with `bashgym traces --query`.' })
  },
  ask: (ids) => ({ traces: { ids: [...ids] } }),
})

const placeOf = ({ key, attempt }: Pick<BatchResult, 'key' | 'attempt'>): string => `${attempt}\0${key}`

async function runBatch(context: Context, work: Work): Promise<number> {
  const connection = await context.connect()
  const { client } = connection
  /** Attempts with a result, and runs that the file already lists. */
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

  const before = earlier(work)
  /** The runs of the first start are sessions too, which its filter may find by now. */
  const keys = before?.keys ?? (await work.source.keys(connection))
  const leftOut = new Set(before?.leftOut)
  const asked = () => keys.filter((key) => !leftOut.has(key))
  const missing = () => asked().filter((key) => attemptsOf(work).some((attempt) => !done.has(placeOf({ key, attempt }))))
  const last = before && (await ofServer(connection, before.batchId))
  if (last) await report(last.id)
  if (missing().length > 0) {
    const batch = last
      ? await client.retryBatch({ params: { id: last.id }, body: { maxCostUsd: work.maxCostUsd } })
      : await begin(connection, work, missing())
    for (const { traceId, reason } of (await client.getBatchReport({ params: { id: batch.id } })).leftOut) {
      if (!leftOut.has(traceId)) context.note(`${traceId}: left out, ${reason}`)
      leftOut.add(traceId)
    }
    const begun: Begun = { batchId: batch.id, of: nameOf(work), keys, leftOut: [...leftOut] }
    writeText(path.join(work.folder, 'batch.json'), `${JSON.stringify(begun)}\n`)
    await whileFollowing(context, connection, () => waitForBatch(context, connection, batch.id, () => report(batch.id)))
    writeText(
      path.join(work.folder, 'report.json'),
      `${JSON.stringify(await client.getBatchReport({ params: { id: batch.id } }), null, 2)}\n`,
    )
  }
  const all = [...done.values()]
  const unfinished = asked().length * work.attempts - all.length
  const count = (outcome: BatchResult['outcome']) => all.filter((one) => one.outcome === outcome).length
  const cost = all.every(({ costUsd }) => costUsd !== null) ? all.reduce((sum, { costUsd }) => sum + costUsd!, 0) : null
  const summary = {
    passed: count('passed'),
    failed: count('failed'),
    unverified: count('unverified'),
    withoutResult: unfinished,
    leftOut: leftOut.size,
    costUsd: cost,
    folder: work.folder,
  }
  context.out(summary, () =>
    [
      `${summary.passed} passed, ${summary.failed} failed, ${summary.unverified} not verified, ${unfinished} without a result${cost === null ? '' : `, ${formatUsd(cost)}`}.`,
      ...(leftOut.size > 0 ? [`${leftOut.size} ${leftOut.size === 1 ? 'session was' : 'sessions were'} left out.`] : []),
      ...(unfinished > 0 ? ['Run the same command again to make those that have no result.'] : []),
    ].join('\n'),
  )
  return unfinished > 0 ? 1 : 0
}

const writtenOf = (result: BatchResult): string => result.taskId ?? `${placeOf(result)}\0${result.message}`
const attemptsOf = ({ attempts }: Work): number[] => Array.from({ length: attempts }, (_, index) => index + 1)

/** What makes it the same batch. */
const nameOf = ({ source, attempts, settings }: Work): string => JSON.stringify([source.name, attempts, settings])

/** What `batch.json` says of the batch that a start began. */
interface Begun {
  batchId: string
  of: string
  keys?: string[]
  leftOut?: string[]
}

/** What a former start of this command began. */
function earlier(work: Work): Begun | null {
  const text = readText(path.join(work.folder, 'batch.json'))
  if (text === null) return null
  const begun = JSON.parse(text) as Begun // written above
  return begun.of === nameOf(work) ? begun : null
}

/** Null: the server does not have it any more. */
async function ofServer({ client }: Connection, id: string): Promise<Batch | null> {
  try {
    return await client.getBatch({ params: { id }, query: {} })
  } catch (error) {
    if (error instanceof AppError && error.code === 'batch_not_found') return null
    throw error
  }
}

const begin = ({ client }: Connection, { source, attempts, concurrency, maxCostUsd, settings }: Work, keys: string[]): Promise<Batch> =>
  client.createBatch({ body: { ...source.ask(keys), attempts, concurrency, maxCostUsd, settings } })

/** Until it has ended. Ctrl+C cancels it, and waits until nothing of it is running. */
async function waitForBatch(context: Context, { client }: Connection, id: string, report: () => Promise<void>): Promise<void> {
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
