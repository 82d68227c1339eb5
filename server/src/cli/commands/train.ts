import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MatrixAxes } from '#contracts/entities/run-matrix.ts'
import { Quantization } from '#contracts/entities/model.ts'
import { type Run, RunPreset, RunRequest } from '#contracts/entities/run.ts'
import { TrainStrategy } from '#contracts/trainer.ts'
import { DatasetBuilt, DatasetRecipe } from '#contracts/entities/dataset.ts'
import { AppError } from '#contracts/errors.ts'
import { plainWords } from '#contracts/plain-words.ts'
import { KIND_OF, defaultTiers } from '#contracts/train-on-this.ts'
import { plural } from '#contracts/plural.ts'
import { type Command, type Connection, type Context, enumOf, listOf, parseNumber, textOf, UsageError, type Values } from '../command.ts'
import { formatBytes, formatDuration } from '../format.ts'
import { waitFor } from '../wait.ts'
import { axesOf, modelOf, SETTING_OPTIONS, settingsHelp, settingsOf } from './train-settings.ts'
import { startMatrix, printMatrixPlan } from './train-matrix.ts'

export const train: Command = {
  name: 'train',
  usage: `train --dataset ID|FILE|shell-tasks:SPLIT|--from QUERY --strategy ${TrainStrategy.options.join('|')} [--base-model M] [--teacher M] [--val FILE] [--heldout shell-tasks:SPLIT] [--mix ID[=WEIGHT]…] [--preset ${RunPreset.options.join('|')}] [--template FILE|chatml] [--name N] [--tag T…] [--learning-rate X] [--epochs N] [--batch-size N] [--logging-steps N] [--max-steps N] [--seed N] [--set NAME=VALUE…] [--matrix NAME=VALUE,VALUE… [--skip-refused]] [--export-gguf Q] [--override-memory] [--idempotency-key K] [--plan] [--watch]`,
  summary:
    'train a model on a data set, a JSONL file, or sessions: --from QUERY builds a data set from matching sessions first, and needs no --strategy; --matrix queues a run for every combination of values, --plan only shows the estimate and keeps nothing, --watch prints events as JSON lines',
  takesNoArguments: true,
  manyValues: true,
  help: settingsHelp,
  options: {
    dataset: { type: 'string' },
    from: { type: 'string' },
    strategy: { type: 'string' },
    'base-model': { type: 'string' },
    teacher: { type: 'string' },
    val: { type: 'string' },
    heldout: { type: 'string' },
    template: { type: 'string' },
    mix: { type: 'string', multiple: true },
    preset: { type: 'string' },
    name: { type: 'string' },
    tag: { type: 'string', multiple: true },
    ...SETTING_OPTIONS,
    set: { type: 'string', multiple: true },
    matrix: { type: 'string', multiple: true },
    'skip-refused': { type: 'boolean' },
    'override-memory': { type: 'boolean' },
    'export-gguf': { type: 'string' },
    'idempotency-key': { type: 'string' },
    plan: { type: 'boolean' },
    watch: { type: 'boolean' },
  },
  async run(context) {
    const axes = axesOf(listOf(context.values, 'matrix'), context.values)
    if (axes !== null && context.values['watch'] === true) throw new UsageError('--watch follows one run; it cannot be used with --matrix.')
    if (axes === null && context.values['skip-refused'] === true) throw new UsageError('--skip-refused needs --matrix.')
    const request = requestOf(context.values, axes)
    const connection = await context.connect()
    const from = textOf(context.values, 'from')
    const baseModel = request.baseModel === LATER ? await suggestedModel(context, connection) : request.baseModel
    const chosen = { ...request, baseModel }
    const body = from === undefined ? chosen : await fromSessions(context, connection, chosen, from)
    const key = textOf(context.values, 'idempotency-key')
    if (from !== undefined && context.values['plan'] === true) return planAndForget(context, connection, body, axes)
    if (axes !== null) {
      const matrix = { ...body, axes }
      if (context.values['plan'] === true) return printMatrixPlan(context, connection, matrix)
      return startMatrix(context, connection, { ...matrix, skipRefused: context.values['skip-refused'] === true, ...(key !== undefined && { idempotencyKey: key }) }) // prettier-ignore
    }
    if (context.values['plan'] === true) return printPlan(context, connection, body)
    const run = await connection.client.startRun({ body: { ...body, ...(key !== undefined && { idempotencyKey: key }) } })
    if (context.values['watch'] === true) return watch(context, connection, run)
    context.out(run, () => `${run.name} (${run.id}) is ${run.state}. Run \`bashgym runs show ${run.id}\` to see its progress.`)
    return 0
  },
}

/** Builds and validates the request. Throws `UsageError`. */
function requestOf(values: Values, axes: MatrixAxes | null): RunRequest {
  const requiredText = (name: string): string => {
    const value = textOf(values, name)
    if (value === undefined) throw new UsageError(`--${name} is missing.`)
    return value
  }
  const isFromSessions = values['from'] !== undefined
  if (isFromSessions && values['dataset'] !== undefined) throw new UsageError('Use either --dataset or --from.')
  const data = isFromSessions ? LATER : requiredText('dataset')
  const strategy = enumOf(values, 'strategy', TrainStrategy.options) ?? (isFromSessions ? 'sft' : undefined)
  if (!strategy) throw new UsageError('--strategy is missing.')
  const val = textOf(values, 'val')
  const matrixModel = axes?.['baseModel']?.[0]
  const isModelGiven = values['base-model'] !== undefined || matrixModel !== undefined
  const parsed = RunRequest.safeParse({
    strategy,
    baseModel: !isModelGiven ? LATER : matrixModel === undefined ? modelOf(requiredText('base-model')) : String(matrixModel),
    ...dataOf(data, textOf(values, 'heldout'), isFromSessions),
    ...(val !== undefined && { valFile: path.resolve(val) }),
    ...mixOf(values),
    ...optionalField('teacher', textOf(values, 'teacher'), modelOf),
    ...optionalField('name', textOf(values, 'name'), String),
    ...optionalField('preset', enumOf(values, 'preset', RunPreset.options), String),
    ...optionalField('autoExportGguf', enumOf(values, 'export-gguf', Quantization.options), String),
    tags: listOf(values, 'tag'),
    settings: settingsOf(values, strategy),
    overrideMemory: values['override-memory'] === true,
  })
  if (parsed.success) return parsed.data
  throw new UsageError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${plainWords(issue)}`).join(' '))
}

const TASKS = 'shell-tasks:'

/** The training data: a data set, a file, or a split of shell tasks with an optional held-out split. Throws `UsageError`. */
function dataOf(data: string, heldout: string | undefined, isFromSessions: boolean): object {
  if (!isFromSessions && data.startsWith(TASKS)) {
    if (heldout !== undefined && !heldout.startsWith(TASKS)) throw new UsageError(`--heldout must be ${TASKS}SPLIT, not "${heldout}".`)
    const split = data.slice(TASKS.length)
    return { shellTasks: { split, ...(heldout !== undefined && { heldout: heldout.slice(TASKS.length) }) } }
  }
  if (heldout !== undefined) throw new UsageError(`--heldout needs --dataset ${TASKS}SPLIT. For held-out rows of a file, use --val.`)
  return !isFromSessions && isFile(data) ? { file: path.resolve(data) } : { datasetId: data }
}

/** Placeholder in a request until the data set is built or the base model is chosen. */
const LATER = '…'

/** Builds a data set from the sessions that match a filter, as "Train on this" does on screen, and adds it to the request. */
async function fromSessions(context: Context, connection: Connection, request: RunRequest, query: string): Promise<RunRequest> {
  const { client } = connection
  const kind = KIND_OF[request.strategy]
  const recipe = DatasetRecipe.parse({ kind, query, tiers: defaultTiers(kind, query), dropSecretCalls: true })
  const { result } = await waitFor(context, connection, await client.buildDataset({ body: recipe }))
  const { id, name, version, counts, excluded } = DatasetBuilt.parse(result)
  context.note(
    `Built ${name} v${version} (${id}) of ${plural(counts.sessions, 'session')}: ${plural(counts.train, 'row')} for training, ${counts.val} for validation.`,
  )
  if (counts.train > 0) return { ...request, datasetId: id }
  if (context.values['plan'] === true) await client.deleteDataset({ params: { id }, query: { forGood: 'true' } })
  const reasons = excluded.map(({ reason, count }) => `${count} ${reason}`).join(', ')
  throw new AppError('run_refused', {
    message: `There are no rows to train on in ${name} v${version}.${reasons === '' ? '' : ` Left out: ${reasons}.`}`,
    hint: 'Use another filter, or add tiers to it: tier:gold,silver,bronze.',
  })
}

/** Prints the plan of a data set that was only built for it, and deletes the data set. */
async function planAndForget(context: Context, connection: Connection, body: RunRequest, axes: MatrixAxes | null): Promise<number> {
  try {
    return await (axes === null ? printPlan(context, connection, body) : printMatrixPlan(context, connection, { ...body, axes }))
  } finally {
    await connection.client.deleteDataset({ params: { id: body.datasetId! }, query: { forGood: 'true' } })
    context.note('The data set of this plan was deleted. Without --plan it is built again and kept.')
  }
}

async function suggestedModel(context: Context, { client }: Connection): Promise<string> {
  const { suggested } = await client.listBaseModels({ query: {} })
  if (suggested === null)
    throw new AppError('base_model_not_found', {
      message: 'This machine has no base model that can be trained.',
      hint: 'Download one with `bashgym models pull OWNER/NAME`, or choose one with --base-model.',
    })
  context.note(`Base model: ${suggested.id}.`)
  return suggested.id
}

const optionalField = (name: string, value: string | undefined, convert: (value: string) => string) =>
  value === undefined ? {} : { [name]: convert(value) }
const isFile = (place: string) => place.endsWith('.jsonl') || place.includes(path.sep) || fs.existsSync(place)

/** Additional data sets, each with an optional weight. */
function mixOf(values: Values): { mix?: object[] } {
  const mix = listOf(values, 'mix').map((text) => {
    const [datasetId, weight] = text.split('=')
    return { datasetId, ...(weight !== undefined && { weight: parseNumber('mix', weight) }) }
  })
  return mix.length === 0 ? {} : { mix }
}

async function printPlan(context: Context, { client }: Connection, body: RunRequest): Promise<number> {
  const plan = await client.planRun({ body })
  context.out(plan, () =>
    [
      `${plural(plan.rows, 'row')}${plan.tokens === null ? '' : `, ${plan.tokensExact ? '' : 'about '}${plural(plan.tokens, 'token')}`}, ${plural(plan.steps, 'step')} on ${plan.device.name}`,
      plan.memory === null ? 'Memory: not measured.' : `Memory: about ${formatBytes(plan.memory.total)} of ${plan.device.freeBytes === null ? 'an unknown amount' : formatBytes(plan.device.freeBytes)} free.`,
      plan.seconds === null ? 'Time: not measured yet.' : `Time: ${formatDuration(plan.seconds.low * 1000)} to ${formatDuration(plan.seconds.high * 1000)} (by ${plan.seconds.from}).`,
      ...plan.notes.map(({ level, message, hint }) => `${level}: ${message}${hint === null ? '' : ` ${hint}`}`),
    ].join('\n'),
  ) // prettier-ignore
  return plan.notes.some(({ level }) => level === 'refusal') ? 1 : 0
}

const POLL_MS = 150
const ENDED = new Set<Run['state']>(['completed', 'failed', 'cancelled', 'paused'])

/** Prints the trainer's events, each with the id of the run, until the run has ended. */
async function watch(context: Context, { client }: Connection, run: Run): Promise<number> {
  const file = path.join(run.folder, 'events.jsonl')
  let offset = 0
  const print = () => {
    const text = readFrom(file, offset)
    const completeBytes = text.lastIndexOf(0x0a) + 1
    offset += completeBytes
    for (const line of text.subarray(0, completeBytes).toString('utf8').split('\n').filter(Boolean))
      context.line({ runId: run.id, ...eventOf(line) })
  }
  for (;;) {
    const { state, error, health } = await client.getRun({ params: { id: run.id } })
    print() // after the state is read, so the last line of an ended run is included
    if (ENDED.has(state)) {
      context.line({ runId: run.id, type: 'run', state, error })
      for (const { message } of health) context.note(message)
      if (error !== null) context.note(error.message)
      return state === 'completed' ? 0 : 1
    }
    if (context.signal.aborted) {
      context.note(`${run.name} continues in the background. Run \`bashgym runs cancel ${run.id}\` to stop it.`)
      return 0
    }
    await sleep(POLL_MS, undefined, { signal: context.signal }).catch(() => undefined)
  }
}

function eventOf(line: string): object {
  try {
    return JSON.parse(line) as object
  } catch {
    return { type: 'unreadable', line }
  }
}

function readFrom(file: string, from: number): Buffer {
  if (!fs.existsSync(file)) return Buffer.alloc(0)
  const handle = fs.openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(Math.max(0, fs.fstatSync(handle).size - from))
    return buffer.subarray(0, fs.readSync(handle, buffer, 0, buffer.length, from))
  } finally {
    fs.closeSync(handle)
  }
}
