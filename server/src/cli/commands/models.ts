import { NOT_EXAMINED, countingVerdict, VERDICT_WORDS, verdictLines } from '#contracts/exam-words.ts'
import { type Artifact, type Model, ModelFormat, Quantization } from '#contracts/entities/model.ts'
import { plural } from '#contracts/plural.ts'
import { AppError } from '#contracts/errors.ts'
import { pull } from './models-pull.ts'
import { actionOf, allPages, type Command, type Context, enumOf, oneArgument, onlyOptions, textOf, UsageError } from '../command.ts'
import { formatBytes, formatNumber, table } from '../format.ts'
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
  const { client } = await context.connect({ needsServer: true })
  if (context.values['stop'] !== true) {
    const serving = await client.startServing({ params: { id }, body: {} })
    context.out(serving, () => `${serving.label}: ${serving.state}.`)
    return 0
  }
  const { items } = await client.listServings({})
  const found = items.find(({ modelId }) => modelId === id)
  if (!found) throw new AppError('not_found', { message: 'This model is not loaded.' })
  const left = await client.stopServing({ params: { serving: found.id } })
  context.out(left, () => `${found.label}: unloaded.`)
  return 0
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
