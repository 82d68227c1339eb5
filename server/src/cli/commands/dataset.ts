import { given } from '#server/given.ts'
import { lookup } from '#contracts/lookup.ts'
import path from 'node:path'
import {
  DatasetKind,
  DatasetRecipe,
  ExportFormat,
  SplitName,
  type DatasetBuilt,
  type ExportResult,
  type RowImport,
  columnUsesText,
} from '#contracts/entities/dataset.ts'
import { ReplaceStrategy } from '#contracts/entities/privacy.ts'
import { plainWords } from '#contracts/plain-words.ts'
import { plural } from '#contracts/plural.ts'
import {
  actionOf,
  allPages,
  type Command,
  type Context,
  enumOf,
  listOf,
  numberOf,
  oneArgument,
  onlyOptions,
  textOf,
  UsageError,
} from '../command.ts'
import { formatBytes, formatNumber, table } from '../format.ts'
import { waitFor } from '../wait.ts'

const ACTIONS = ['build', 'list', 'show', 'export', 'import'] as const
const KINDS = DatasetKind.options

export const dataset: Command = {
  name: 'dataset',
  usage: `dataset build --kind ${KINDS.join('|')} [--name N] [--query Q | --tier T,T] [--repo R…] [--min-quality X] [--unverified] [--runs MODEL…] [--session-share .1] [--max-turns N] [--val .1] [--test 0] [--seed 42] [--replace S] [--against FILE…] [--include ID…] [--base-model M] [--recipe JSON] | list | show ID | export ID --format F --out DIR [--split S] | import FILE [--kind K] [--name N] [--column OURS=THEIRS…] [--skip-invalid]`,
  manyValues: true,
  summary: 'training data: build, list, show and export data set versions, or import rows',
  options: {
    kind: { type: 'string' },
    name: { type: 'string' },
    query: { type: 'string' },
    tier: { type: 'string' },
    repo: { type: 'string', multiple: true },
    'min-quality': { type: 'string' },
    unverified: { type: 'boolean' },
    runs: { type: 'string', multiple: true },
    'session-share': { type: 'string' },
    'max-turns': { type: 'string' },
    'max-tokens': { type: 'string' },
    val: { type: 'string' },
    test: { type: 'string' },
    'split-by': { type: 'string' },
    seed: { type: 'string' },
    replace: { type: 'string' },
    against: { type: 'string', multiple: true },
    include: { type: 'string', multiple: true },
    'base-model': { type: 'string' },
    canaries: { type: 'string' },
    recipe: { type: 'string' },
    format: { type: 'string' },
    out: { type: 'string' },
    split: { type: 'string' },
    column: { type: 'string', multiple: true },
    'skip-invalid': { type: 'boolean' },
  },
  async run(context) {
    const [action, ...args] = actionOf(context, 'dataset', ACTIONS)
    const inner = { ...context, args }
    if (action === 'build') return build(inner)
    if (action === 'list') return list(inner)
    if (action === 'show') return show(inner)
    return action === 'export' ? exportOne(inner) : importFile(inner)
  },
}

/** Builds the recipe from flags; the contract supplies defaults. Throws `UsageError`. */
function recipeOf({ values, args }: Context): DatasetRecipe {
  onlyOptions({ args }, 'dataset build')
  const base = recipeText(values)
  const kind = enumOf(values, 'kind', KINDS) ?? base['kind']
  if (kind === undefined) throw new UsageError('--kind is missing.')
  if (values['query'] !== undefined && values['tier'] !== undefined)
    throw new UsageError('Use either --query or --tier. In a query, write tier:gold,silver.')
  const number = (name: string) => numberOf(values, name)
  const optionalList = (name: string) => (values[name] === undefined ? undefined : listOf(values, name))
  const parsed = DatasetRecipe.safeParse({
    ...base,
    kind,
    ...given({
      name: textOf(values, 'name'),
      query: textOf(values, 'query'),
      tiers: textOf(values, 'tier')?.split(',').filter(Boolean),
      repos: optionalList('repo'),
      minQuality: number('min-quality'),
      unverified: values['unverified'] === true ? true : undefined,
      runs: optionalList('runs'),
      sessionShare: number('session-share'),
      replace: enumOf(values, 'replace', ReplaceStrategy.options),
      against: optionalList('against')?.map((file) => path.resolve(file)),
      include: optionalList('include'),
      baseModel: textOf(values, 'base-model'),
      maxTokens: number('max-tokens'),
      seed: number('seed'),
      canaries: number('canaries'),
    }),
    examples: { ...partOf(base, 'examples'), ...given({ maxTurns: number('max-turns') }) },
    split: { ...partOf(base, 'split'), ...given({ by: textOf(values, 'split-by'), val: number('val'), test: number('test') }) },
  })
  if (parsed.success) return parsed.data
  throw new UsageError(parsed.error.issues.map((issue) => `${flagOf(issue.path)}: ${plainWords(issue)}`).join(' '))
}

type Json = Record<string, unknown>

/** Parses `--recipe`, a whole or partial recipe as JSON. Other flags override it. */
function recipeText(values: Context['values']): Json {
  const text = textOf(values, 'recipe')
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  } catch {
    // reported below, like JSON that is not an object
  }
  throw new UsageError('--recipe must be a JSON object, for example \'{"dedup":{"near":false}}\'.')
}
const partOf = (base: Json, name: string): Json => (typeof base[name] === 'object' && base[name] !== null ? (base[name] as Json) : {})

/** Which examples the recipe includes. */
const REVIEW = { not_rejected: 'all examples but rejected ones', accepted: 'accepted examples only' } as const

const FLAGS: Record<string, string> = lookup({
  tiers: 'tier',
  repos: 'repo',
  minQuality: 'min-quality',
  sessionShare: 'session-share',
  maxTurns: 'max-turns',
  maxTokens: 'max-tokens',
  by: 'split-by',
  baseModel: 'base-model',
})
const flagOf = (at: readonly PropertyKey[]): string => {
  const name = at.findLast((part) => typeof part === 'string') ?? ''
  return `--${FLAGS[name] ?? name}`
}

async function build(context: Context): Promise<number> {
  const recipe = recipeOf(context)
  const connection = await context.connect()
  const job = await waitFor(context, connection, await connection.client.buildDataset({ body: recipe }))
  const built = job.result as DatasetBuilt // the result type of a build job
  context.out(built, () => {
    const { counts, files, excluded, name, version, id } = built
    return [
      `${name} v${version} (${id}): ${formatNumber(counts.train)} train, ${formatNumber(counts.val)} val, ${formatNumber(counts.test)} test rows from ${plural(counts.sessions, 'session')}.`,
      `review: ${REVIEW[recipe.review]}`,
      ...excluded.map(({ reason, count }) => `excluded: ${formatNumber(count)} × ${reason}`),
      ...files.map((file) => `${file.path}: ${plural(file.rows, 'row')}, ${formatBytes(file.bytes)}`),
    ].join('\n')
  })
  return 0
}

async function list(context: Context): Promise<number> {
  onlyOptions(context, 'dataset list')
  const { client } = await context.connect({ reads: true })
  const items = await allPages((page) => client.listDatasets({ query: page }))
  context.out({ items }, () =>
    items.length === 0
      ? 'No data sets yet. Run `bashgym dataset build --kind sft` to build one.'
      : table(
          items.map(({ id, name, version, kind, counts, sizeBytes }) => [
            id,
            `${name} v${version}`,
            kind,
            plural(counts.train + counts.val + counts.test, 'row'),
            formatBytes(sizeBytes),
          ]),
        ),
  )
  return 0
}

async function show(context: Context): Promise<number> {
  const id = oneArgument(context, 'The data set id')
  const document = await (await context.connect({ reads: true })).client.getDataset({ params: { id } })
  context.out(document, () =>
    [
      `${document.name} v${document.version} (${document.kind}), ${document.createdAt}`,
      `review: ${REVIEW[document.options.review]}`,
      ...document.funnel.map(({ stage, unit, in: incoming, out, dropped, added }) =>
        `${stage}: ${formatNumber(incoming)} → ${formatNumber(out)} ${unit}${dropped.map(({ reason, count }) => `, ${formatNumber(count)} ${reason}`).join('')}${added?.splitSegments ? `, ${formatNumber(added.splitSegments)} long segments split` : ''}`),
    ].join('\n'),
  ) // prettier-ignore
  return 0
}

async function exportOne(context: Context): Promise<number> {
  const id = oneArgument(context, 'The data set id')
  const format = enumOf(context.values, 'format', ExportFormat.options)
  if (!format) throw new UsageError('--format is missing.')
  const out = textOf(context.values, 'out')
  if (out === undefined) throw new UsageError('--out is missing.')
  const split = enumOf(context.values, 'split', SplitName.options)
  const { client } = await context.connect()
  const result: ExportResult = await client.exportDataset({
    params: { id },
    body: { format, out: path.resolve(out), ...(split && { split }) },
  })
  for (const warning of result.warnings) context.note(warning)
  context.out(result, () => result.files.map((file) => `${file.path}: ${plural(file.rows, 'row')}, ${formatBytes(file.bytes)}`).join('\n'))
  return 0
}

async function importFile(context: Context): Promise<number> {
  const file = oneArgument(context, 'The file')
  const columns = Object.fromEntries(
    listOf(context.values, 'column').map((pair): [string, string] => {
      const [ours, ...theirs] = pair.split('=')
      if (!ours || theirs.length === 0) throw new UsageError(`--column must be OURS=THEIRS, not "${pair}".`)
      return [ours, theirs.join('=')]
    }),
  )
  const kind = enumOf(context.values, 'kind', KINDS)
  const name = textOf(context.values, 'name')
  const connection = await context.connect()
  const started = await connection.client.importRows({
    body: {
      file: path.resolve(file),
      columns,
      skipInvalid: context.values['skip-invalid'] === true,
      ...(kind && { kind }),
      ...(name !== undefined && { name }),
    },
  })
  const result = (await waitFor(context, connection, started)).result as RowImport // the result type of an import job
  for (const { row, field, message } of result.errors.slice(0, 20)) context.note(`row ${row}${field ? `, ${field}` : ''}: ${message}`)
  if (result.columnUses.length > 0) context.note(columnUsesText(result.columnUses))
  context.out(result, () =>
    result.collection
      ? `${result.collection.name} (${result.collection.id}): ${plural(result.collection.rows, 'row')} of kind ${result.collection.kind}${result.errorCount ? `; ${formatNumber(result.errorCount)} skipped` : ''}.`
      : `Nothing was imported: ${result.read === 0 ? 'the file contains no rows.' : `${formatNumber(result.errorCount)} of ${formatNumber(result.read)} rows have errors.`} ${result.hint ?? ''}`.trim(),
  )
  return result.collection ? 0 : 1
}
