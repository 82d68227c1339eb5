import path from 'node:path'
import { type LineFile, openLineFile, readText, writeText } from '#server/adapters/output-files/index.ts'
import type { z } from 'zod'
import type { Batch, BatchPlan, BatchReport, BatchResult, BatchTask } from '#contracts/entities/batch.ts'
import { TaskAgent, type TaskEndpoint } from '#contracts/entities/task.ts'
import { ProviderId } from '#contracts/entities/provider.ts'
import { AppError } from '#contracts/errors.ts'
import type { createBatch } from '#contracts/routes/batches.ts'
import { type Command, type Connection, type Context, enumOf, numberOf, oneArgument, textOf, UsageError } from '../command.ts'
import { formatDuration, formatUsd } from '../format.ts'
import { sessionsOf } from '../searchable.ts'
import { whileFollowing } from '../wait.ts'
import { REDACT_HELP, REDACT_OPTIONS, redactOf } from './redact-option.ts'
import { describePlan } from './task.ts'
import { confirmFolders } from './batch-folders.ts'
import { readTasks, type TasksFile } from './batch-input.ts'
import { HARBOR_AGENT, harborTasks, isFolder } from './harbor-input.ts'

export const batchCommand: Command = {
  name: 'batch',
  usage:
    'batch TASKS.jsonl|DIR|--query Q --output DIR [--agent A] [--model M] [--provider P | --endpoint URL [--dialect openai|anthropic]] [--attempts K] [--concurrency N] [--max-cost USD] [--redact | --no-redact] [--yes] [--plan]',
  summary: 'give many tasks to an agent in sandboxes; run it again to repeat only attempts without a result',
  help: () =>
    'Each line of TASKS.jsonl: {"prompt", "repository_url" or "directory", "verify", "id"}.\n' +
    'The folders that will be copied are listed. Folders that are hidden or not below the folder of TASKS.jsonl need a confirmation, or --yes.\n' +
    'DIR can be a folder of Harbor tasks, which the shell agent works on.\n' +
    '--query repeats the first prompt of each matching session (same filter as `bashgym traces`), on the newest commit before the session;\n' +
    'sessions without such a commit are listed and left out.\n' +
    'The output folder gets results.jsonl, with a line for each attempt that ended, and report.json with the pass rates.\n' +
    `${REDACT_HELP}\n` +
    '--plan shows how many runs there would be, who pays, who gets the files and what would run, and starts nothing; it needs no --output.\n' +
    'Exit code 0: every attempt has a result; 1: at least one has no result.',
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
    yes: { type: 'boolean' },
    plan: { type: 'boolean' },
    ...REDACT_OPTIONS,
  },
  async run(context) {
    const query = textOf(context.values, 'query')
    if (query !== undefined && context.args.length > 0) throw new UsageError('Give either a file of tasks or --query.')
    const file = query === undefined ? oneArgument(context, 'The file of tasks') : null
    const isPlan = context.values['plan'] === true
    const output = textOf(context.values, 'output')
    if (!output && !isPlan) throw new UsageError('--output is missing: the folder for the results.')
    const options = optionsOf(context)
    const isHarbor = file !== null && isFolder(file)
    const named = file === null || isHarbor ? null : readTasks(file)
    const source = file === null ? sourceOfSessions(context, query!) : sourceOfTasks(named?.tasks ?? (await harborTasks(file)))
    const settings = { ...(isHarbor && { agent: HARBOR_AGENT }), ...options.settings }
    if (isPlan) return showPlan(context, { ...options, source, settings })
    const folder = path.resolve(output!)
    if (named) await showFolders(context, file!, named, settings)
    const results = openLineFile(path.join(folder, 'results.jsonl'))
    try {
      return await runBatch(context, { ...options, folder, source, results, settings })
    } finally {
      results.close()
    }
  },
}

/** Exit code 1 if it would not start. */
async function showPlan(
  context: Context,
  { source, ...settings }: Pick<Work, 'source'> & Omit<BatchBody, 'tasks' | 'traces'>,
): Promise<number> {
  const connection = await context.connect()
  const plan = await connection.client.planBatch({ body: { ...source.select(await source.keys(connection)), ...settings } })
  context.out(plan, () => describeBatchPlan(plan, settings.attempts ?? 1))
  return plan.plan.refusals.length === 0 ? 0 : 1
}

function describeBatchPlan({ tasks, plan, folders, estimate: { runs, costUsd, ms } }: BatchPlan, attempts: number): string {
  const about = [costUsd === null ? null : formatUsd(costUsd), ms === null ? null : formatDuration(ms)].filter((part) => part !== null)
  return [
    `Runs: ${tasks * attempts} (${tasks} ${tasks === 1 ? 'task' : 'tasks'}, each ${attempts === 1 ? 'once' : `${attempts} times`})`,
    about.length === 0
      ? 'Estimate: none, because no earlier run is alike'
      : `Estimate: ${about.join(', ')}, from ${runs} earlier ${runs === 1 ? 'run' : 'runs'}`,
    describePlan(plan),
    ...folders.map(({ folder, keys }) => `Copied: ${folder} (${keys.length} ${keys.length === 1 ? 'task' : 'tasks'})`),
  ].join('\n')
}

async function showFolders(context: Context, file: string, { tasks, placeOf }: TasksFile, settings: BatchBody['settings']): Promise<void> {
  const { client } = await context.connect()
  const { folders } = await client.planBatch({ body: { tasks, settings } })
  await confirmFolders(context, { file, folders, placeOf })
}

function optionsOf({ values }: Context) {
  const maxCostUsd = numberOf(values, 'max-cost', { above: 0 })
  const attempts = numberOf(values, 'attempts', { min: 1, max: 100, isWhole: true }) ?? 1
  const concurrency = numberOf(values, 'concurrency', { min: 1, max: 64, isWhole: true }) ?? 2
  const agent = enumOf(values, 'agent', TaskAgent.options)
  const redact = redactOf(values)
  const model = textOf(values, 'model')
  const endpoint = endpointOf(values)
  return {
    attempts,
    concurrency,
    maxCostUsd: maxCostUsd ?? null,
    settings: { ...(agent && { agent }), ...(model && { model }), ...(endpoint && { endpoint }), ...(redact !== undefined && { redact }) },
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
  results: LineFile
}

type BatchBody = z.input<typeof createBatch.body>

/** Where the tasks come from. */
interface Source {
  /** Identifies the source when the command is run again. */
  name: unknown
  /** Keys of all tasks. */
  keys: (connection: Connection) => Promise<string[]>
  select: (keys: readonly string[]) => Pick<BatchBody, 'tasks' | 'traces'>
}

function sourceOfTasks(tasks: readonly BatchTask[]): Source {
  const keys = tasks.map(({ key }) => key)
  const select: Source['select'] = (some) => {
    const asked = new Set(some)
    return { tasks: tasks.filter(({ key }) => asked.has(key)) }
  }
  return { name: keys, keys: () => Promise.resolve(keys), select }
}

const sourceOfSessions = (context: Context, query: string): Source => ({
  name: { query },
  async keys(connection) {
    const sessions = await sessionsOf(context, connection, query)
    if (sessions.length > 0) return sessions.map(({ id }) => id)
    throw new AppError('invalid_request', { message: `No session matches ${query}.`, hint: 'Try it with `bashgym traces --query`.' })
  },
  select: (ids) => ({ traces: { ids: [...ids] } }),
})

const attemptKey = ({ key, attempt }: Pick<BatchResult, 'key' | 'attempt'>): string => `${attempt}\0${key}`

async function runBatch(context: Context, work: Work): Promise<number> {
  const connection = await context.connect()
  const { client } = connection
  const results = new Map<string, BatchResult>()
  const writtenKeys = new Set<string>()
  const record = (result: BatchResult) => {
    writtenKeys.add(resultKey(result))
    if (result.outcome !== 'owed') results.set(attemptKey(result), result)
  }
  for (const line of work.results.existing) record(JSON.parse(line) as BatchResult) // written below
  const save = ({ results }: BatchReport) => {
    for (const result of results) {
      if (writtenKeys.has(resultKey(result))) continue
      work.results.add(JSON.stringify(result))
      record(result)
      context.note(
        `${result.key}${work.attempts > 1 ? ` (${result.attempt})` : ''}: ${result.outcome}${result.message ? `, ${result.message}` : ''}`,
      )
    }
  }
  const report = async (id: string) => save(await client.getBatchReport({ params: { id } }))

  const previous = readBatchFile(work)
  /** From the first start, because the filter may also match the sessions that its runs created. */
  const keys = previous?.keys ?? (await work.source.keys(connection))
  const leftOut = new Set(previous?.leftOut)
  const asked = () => keys.filter((key) => !leftOut.has(key))
  const unfinishedKeys = () => asked().filter((key) => attemptsOf(work).some((attempt) => !results.has(attemptKey({ key, attempt }))))
  const existing = previous && (await findBatch(connection, previous.batchId))
  if (existing) await report(existing.id)
  if (unfinishedKeys().length > 0) {
    const batch = existing
      ? await client.retryBatch({ params: { id: existing.id }, body: { maxCostUsd: work.maxCostUsd } })
      : await startBatch(connection, work, unfinishedKeys())
    for (const { traceId, reason } of (await client.getBatchReport({ params: { id: batch.id } })).leftOut) {
      if (!leftOut.has(traceId)) context.note(`${traceId}: left out, ${reason}`)
      leftOut.add(traceId)
    }
    const batchFile: BatchFile = { batchId: batch.id, of: batchKey(work), keys, leftOut: [...leftOut] }
    writeText(path.join(work.folder, 'batch.json'), `${JSON.stringify(batchFile)}\n`)
    await whileFollowing(context, connection, () => waitForBatch(context, connection, batch.id, () => report(batch.id)))
    writeText(
      path.join(work.folder, 'report.json'),
      `${JSON.stringify(await client.getBatchReport({ params: { id: batch.id } }), null, 2)}\n`,
    )
  }
  const all = [...results.values()]
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
      ...(unfinished > 0 ? ['Run the same command again to repeat attempts without a result.'] : []),
    ].join('\n'),
  )
  return unfinished > 0 ? 1 : 0
}

const resultKey = (result: BatchResult): string => result.taskId ?? `${attemptKey(result)}\0${result.message}`
const attemptsOf = ({ attempts }: Work): number[] => Array.from({ length: attempts }, (_, index) => index + 1)

/** Two starts with the same key continue the same batch. */
const batchKey = ({ source, attempts, settings }: Work): string => JSON.stringify([source.name, attempts, settings])

/** Content of `batch.json`. */
interface BatchFile {
  batchId: string
  of: string
  keys?: string[]
  leftOut?: string[]
}

/** The batch that an earlier start of this command created; null if the options differ. */
function readBatchFile(work: Work): BatchFile | null {
  const text = readText(path.join(work.folder, 'batch.json'))
  if (text === null) return null
  const batchFile = JSON.parse(text) as BatchFile // written above
  return batchFile.of === batchKey(work) ? batchFile : null
}

/** Null if the server no longer has the batch. */
async function findBatch({ client }: Connection, id: string): Promise<Batch | null> {
  try {
    return await client.getBatch({ params: { id }, query: {} })
  } catch (error) {
    if (error instanceof AppError && error.code === 'batch_not_found') return null
    throw error
  }
}

const startBatch = (
  { client }: Connection,
  { source, attempts, concurrency, maxCostUsd, settings }: Work,
  keys: string[],
): Promise<Batch> => client.createBatch({ body: { ...source.select(keys), attempts, concurrency, maxCostUsd, settings } })

/** Waits until the batch ends. Ctrl+C cancels it and waits until none of its runs is active. */
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
    context.note('Cancelled; no run is active. Run the same command again to continue.')
    throw context.signal.reason
  }
}
