import { NOT_EXAMINED, countingVerdict, VERDICT_WORDS, verdictLines } from '#contracts/exam-words.ts'
import { type Artifact, type Model, ModelFormat, Quantization, type Serving } from '#contracts/entities/model.ts'
import type { Settings } from '#contracts/entities/settings.ts'
import { plural } from '#contracts/plural.ts'
import { AppError } from '#contracts/errors.ts'
import { pull } from './models-pull.ts'
import {
  actionOf,
  allPages,
  type Command,
  type Connection,
  type Context,
  enumOf,
  Interrupted,
  oneArgument,
  onlyOptions,
  textOf,
  UsageError,
} from '../command.ts'
import { formatBytes, formatDuration, formatNumber, orDash, table } from '../format.ts'
import { waitFor } from '../wait.ts'

const ACTIONS = { list, show, export: exportOne, card, delete: remove, serve, pull } as const
const ACTION_NAMES = Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]

export const models: Command = {
  name: 'models',
  usage: `models [list [--query Q] [--archived] | show ID | export ID [--format ${ModelFormat.options.join('|')}] [--quantization ${Quantization.options.join('|')}] [--no-parity] | card ID | serve ID [--stop] | delete ID --name NAME | pull OWNER/NAME [--revision BRANCH] [--dry-run]]`,
  summary:
    'trained models: list, show, export (default GGUF q4_k_m), print the card, load or unload one in the running app, delete; pull: download a base model',
  options: {
    query: { type: 'string' },
    archived: { type: 'boolean' },
    format: { type: 'string' },
    quantization: { type: 'string' },
    'no-parity': { type: 'boolean' },
    name: { type: 'string' },
    revision: { type: 'string' },
    'dry-run': { type: 'boolean' },
    stop: { type: 'boolean' },
  },
  async run(context) {
    const [action, ...args] = actionOf(context, 'models', ACTION_NAMES, 'list')
    return ACTIONS[action]({ ...context, args })
  },
}

const idOf = (context: Context) => oneArgument(context, 'The model id')

async function list(context: Context): Promise<number> {
  onlyOptions(context, 'models list')
  const { client } = await context.connect({ reads: true })
  const q = textOf(context.values, 'query')
  const archived = context.values['archived'] === true ? 'true' : 'false'
  const items = await allPages((page) => client.listModels({ query: { ...page, archived, ...(q !== undefined && { q }) } }))
  context.out({ items }, () =>
    items.length === 0
      ? 'No models yet. A completed training run creates one; see `bashgym train --help`.'
      : table(
          items.map(({ id, name, lineage, training, operational, evaluations }) => [
            id,
            name,
            `${lineage.strategy} on ${lineage.baseModel}`,
            `loss ${formatFigure(training.loss)} on ${lineage.datasetName ?? 'unknown rows'}`,
            verdictWord(evaluations),
            formatBytes(operational.sizeBytes),
          ]),
        ),
  )
  return 0
}

async function show(context: Context): Promise<number> {
  const id = idOf(context)
  const model = await (await context.connect({ reads: true })).client.getModel({ params: { id } })
  context.out(model, () => {
    const { lineage, training, artifacts, operational, evaluations } = model
    const verdicts = verdictLines(evaluations)
    return [
      `${model.name} (${model.id}), ${model.createdAt}`,
      `${lineage.strategy} on ${lineage.baseModel}, data ${lineage.datasetName ?? 'unknown'}`,
      `steps ${formatNumber(training.steps)}, loss ${formatFigure(training.loss)}, held-out loss ${formatFigure(training.evalLoss)}`,
      `speed ${operational.tokensPerSec === null ? 'not measured' : `${formatFigure(operational.tokensPerSec)} tokens/s (${operational.measuredOn})`}`,
      ...(verdicts.length === 0 ? [`${NOT_EXAMINED} bashgym exam run --model ${model.id}`] : verdicts),
      ...artifacts.map(artifactLine),
    ].join('\n')
  })
  return 0
}

async function exportOne(context: Context): Promise<number> {
  const id = idOf(context)
  const format = enumOf(context.values, 'format', ModelFormat.options) ?? 'gguf'
  const quantization = enumOf(context.values, 'quantization', Quantization.options)
  const connection = await context.connect()
  const body = { format, parity: context.values['no-parity'] !== true, ...(quantization && { quantization }) }
  const job = await waitFor(context, connection, await connection.client.exportModel({ params: { id }, body }))
  const artifact = job.result as Artifact // the result type of an export job
  context.out(artifact, () =>
    [
      artifactLine(artifact),
      artifact.path,
      ...(artifact.format === 'ollama' ? [artifact.made ?? ''] : []),
      ...(artifact.notice === null ? [] : [artifact.notice]),
    ].join('\n'),
  )
  return 0
}

async function card(context: Context): Promise<number> {
  const id = idOf(context)
  const document = await (await context.connect()).client.getModelCard({ params: { id } })
  context.out(document, () => document.markdown)
  return 0
}

/** In the running app, which is where it stays loaded. */
async function serve(context: Context): Promise<number> {
  const id = idOf(context)
  const connection = await context.connect({ needsServer: true })
  const { client } = connection
  if (context.values['stop'] !== true) {
    const serving = await loaded(context, connection, (await client.startServing({ params: { id }, body: {} })).id)
    const { settings } = await client.getSettings({})
    context.out(serving, () => servingLines(serving, settings.router).join('\n'))
    return serving.state === 'ready' ? 0 : 1
  }
  const { items } = await client.listServings({})
  const found = items.find(({ modelId }) => modelId === id)
  if (!found) throw new AppError('not_found', { message: 'This model is not loaded.' })
  const left = await client.stopServing({ params: { serving: found.id } })
  context.out(left, () => `${found.label}: unloaded.`)
  return 0
}

/** Waits until a model is loaded, or could not be. Ctrl+C leaves it loading. */
async function loaded(context: Context, connection: Connection, id: string): Promise<Serving> {
  const over = new AbortController()
  const found = Promise.withResolvers<Serving>()
  const look = (items: readonly Serving[]) => {
    const one = items.find((serving) => serving.id === id)
    if (!one) found.reject(new AppError('not_found', { message: 'It was unloaded meanwhile.' }))
    else if (one.state !== 'starting') found.resolve(one)
    else if (one.phase !== null) context.note(one.phase)
  }
  const following = connection.follow(
    ({ type, payload }) => {
      if (type === 'model:servings') look(payload.items)
    },
    AbortSignal.any([over.signal, context.signal]),
  )
  following.catch(found.reject)
  void following.then(
    () => found.reject(new Interrupted('SIGINT')),
    () => undefined,
  )
  try {
    look((await connection.client.listServings({})).items)
    return await found.promise
  } finally {
    over.abort()
    await following.catch(() => undefined)
  }
}

function servingLines(serving: Serving, { idleMinutes }: Pick<Settings['router'], 'idleMinutes'>): string[] {
  const { label, state, error, device, loadMs, memoryBytes, needBytes, context, threads, healthMs, restarts, inUse } = serving
  if (state !== 'ready') return [`${label}: ${state}. ${error ?? ''}`.trim()]
  return [
    `${label}: ready, loaded in ${orDash(loadMs, formatDuration)}, on ${device}.`,
    `Memory ${orDash(memoryBytes, formatBytes)} (estimated before: ${orDash(needBytes, formatBytes)}), context ${orDash(context, formatNumber)} tokens, threads ${threads ?? 'all'}.`,
    `Health check answered in ${orDash(healthMs, formatDuration)}, ${plural(restarts, 'restart')} after crashes.`,
    inUse
      ? idleMinutes === 0
        ? 'It is in use in Claude Code, and is never unloaded by itself.'
        : `It is in use in Claude Code: unloaded after ${plural(idleMinutes, 'minute')} without a request, and loaded again by the next one.`
      : 'It is not the model in use, so it stays loaded until you unload it: --stop.',
  ]
}

async function remove(context: Context): Promise<number> {
  const id = idOf(context)
  const name = textOf(context.values, 'name')
  if (name === undefined) throw new UsageError("--name is missing. Enter the model's name to confirm which one to delete.")
  const freed = await (await context.connect()).client.deleteModel({ params: { id }, query: { name } })
  context.out(freed, () => `Deleted; ${formatBytes(freed.freedBytes)} freed.`)
  return 0
}

function artifactLine({ format, quantization, bytes, state, parity }: Artifact): string {
  const what = quantization === null ? format : `${format} ${quantization}`
  const compared =
    parity === null
      ? format === 'ollama'
        ? 'not compared: Ollama was not asked'
        : 'not compared (no held-out prompts, or --no-parity)'
      : `${parity.sameText} of ${plural(parity.prompts, 'answer')} identical to the trained model${parity.withCalls > 0 ? `, ${parity.sameCalls} of ${parity.withCalls} tool calls` : ''}`
  return `${what}: ${formatBytes(bytes)}, ${state}${format === 'adapter' ? '' : `, ${compared}`}`
}

const verdictWord = (evaluations: Model['evaluations']): string => {
  const verdict = countingVerdict(evaluations)
  return verdict === null ? 'not examined' : VERDICT_WORDS[verdict.verdict]
}

const formatFigure = (value: number | null): string => (value === null ? 'not measured' : String(Number(value.toPrecision(4))))
