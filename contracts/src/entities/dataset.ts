import { z } from 'zod'
import { Instant, Tier, TraceId } from './common.ts'
import { ExampleOptions, PairOrigin } from './example.ts'
import { PrivacyReport, ReplaceStrategy } from './privacy.ts'
import { fileField, modelField, notAPlace, READ_ROWS } from '../places.ts'

/** sft: messages; dpo: prompt, chosen, rejected; kto: prompt, completion, label; rlvr and prompts: prompt (and reward columns). */
export const DatasetKind = z.enum(['sft', 'dpo', 'kto', 'rlvr', 'prompts']).meta({ id: 'DatasetKind' })
export type DatasetKind = z.infer<typeof DatasetKind>
export const SplitName = z.enum(['train', 'val', 'test']).meta({ id: 'SplitName' })
export type SplitName = z.infer<typeof SplitName>

export const BalanceBy = z.enum(['repo', 'session', 'tool', 'task', 'language', 'length'])
export type BalanceBy = z.infer<typeof BalanceBy>

const Share = z.number().min(0).max(0.9)

/** Minimum quality of sessions, unless sessions or tiers are named, or preferences are built, which need bad sessions too. */
export const DEFAULT_MIN_QUALITY = 0.7

export const RunModels = z
  .array(z.string().min(1).max(400))
  .max(1000)
  .meta({ description: 'models whose agent runs are used too; runs of other models only if they are named or the filter asks for is:run' })

/** Everything that determines the content of a data set. The same recipe and sources produce the same bytes. */
export const DatasetRecipe = z
  .object({
    kind: DatasetKind,
    name: z.string().trim().min(1).max(80).optional(),
    query: z.string().max(2000).optional().meta({ description: 'filter language of the trace list' }),
    tiers: z.array(Tier).optional(),
    repos: z.array(notAPlace(z.string().max(400), 'compared with the repositories of sessions')).optional(),
    traceIds: z.array(TraceId).max(10_000).optional(),
    minQuality: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'default 0.7 if neither traces nor tiers are given; no default for preferences (dpo, kto)' }),
    unverified: z.boolean().default(false).meta({ description: 'include sessions that are gold without a passed verification' }),
    runs: RunModels.default([]),
    pairSources: z.array(PairOrigin).min(1).optional().meta({ description: 'of preferences (dpo): only pairs from these; default: all' }),
    review: z
      .enum(['accepted', 'not_rejected'])
      .default('not_rejected')
      .meta({ description: 'only accepted examples, or all except rejected ones' }),
    examples: ExampleOptions.prefault({}),
    dedup: z.object({ near: z.boolean().default(true), threshold: z.number().min(0.5).max(1).default(0.9) }).prefault({}),
    sessionShare: z
      .number()
      .gt(0)
      .max(1)
      .default(0.1)
      .meta({ description: 'largest share of the rows that one session may give, if there are enough sessions for it; 1 = no limit' }),
    balance: z
      .array(
        z.object({
          by: BalanceBy,
          cap: z.number().int().positive().optional().meta({ description: 'maximum number of examples per group' }),
          weights: z
            .record(z.string(), z.number().min(0))
            .optional()
            .meta({ description: 'group → share relative to 1; 0 excludes the group' }),
        }),
      )
      .default([]),
    against: z
      .array(fileField(z.string().max(4096), READ_ROWS))
      .default([])
      .meta({ description: 'JSONL files of held-out items' }),
    split: z
      .object({ by: z.enum(['session', 'repo', 'time']).default('session'), val: Share.default(0.1), test: Share.default(0) })
      .refine(({ val, test }) => val + test < 1, { path: ['test'], error: 'Validation and test together leave no rows to train on.' })
      .prefault({}),
    seed: z.number().int().min(0).default(42),
    replace: ReplaceStrategy.optional().meta({ description: 'overrides the default strategy of the policy' }),
    privacyOff: z
      .string()
      .min(3)
      .max(500)
      .optional()
      .meta({ description: 'keeps personal data, for this reason, which the manifest records' }),
    dropSecretCalls: z.boolean().default(false).meta({ description: 'exclude rows with a secret in a call of the assistant' }),
    canaries: z.number().int().min(0).max(100).default(0).meta({ description: 'number of marker secrets to plant in the training split' }),
    baseModel: modelField(z.string().max(4096), 'Read a tokenizer from a folder', { orName: true }).optional(),
    maxTokens: z.number().int().positive().optional().meta({ description: 'training length; longer rows are counted as truncated' }),
    include: z.array(z.string().max(200)).default([]).meta({ description: 'ids of imported row collections' }),
  })
  .meta({ id: 'DatasetRecipe' })
export type DatasetRecipe = z.infer<typeof DatasetRecipe>

export const DatasetFile = z.object({
  split: SplitName,
  path: z.string(),
  rows: z.number().int(),
  bytes: z.number().int(),
  sha256: z.string(),
})
export type DatasetFile = z.infer<typeof DatasetFile>

export const DatasetCounts = z.object({
  sessions: z.number().int(),
  segments: z.number().int(),
  examples: z.number().int(),
  train: z.number().int(),
  val: z.number().int(),
  test: z.number().int(),
})

export type DatasetCounts = z.infer<typeof DatasetCounts>

/** The sessions that a build of a recipe would use. */
export const DatasetPlan = z
  .object({
    matching: z.number().int().meta({ description: 'sessions of any tier that match the filter, the repositories or the selection' }),
    sessions: z.number().int().meta({ description: 'matching sessions that rows are made from' }),
    tiers: z
      .array(z.object({ tier: Tier, count: z.number().int() }))
      .meta({ description: 'the sessions that rows are made from, by tier' }),
    left: z
      .array(z.object({ reason: z.string(), count: z.number().int() }))
      .meta({ description: 'number of other sessions by reason, largest first' }),
  })
  .meta({ id: 'DatasetPlan' })
export type DatasetPlan = z.infer<typeof DatasetPlan>

/** One stage of the funnel: out = in + added − dropped. `stage`: filter, segments, parts (segments to examples), review, shared answers, dedup, decontamination, balance, privacy, split. */
export const FunnelStage = z
  .object({
    stage: z.string(),
    unit: z.enum(['sessions', 'segments', 'examples', 'pairs', 'rows']),
    in: z.number().int(),
    out: z.number().int(),
    dropped: z.array(z.object({ reason: z.string(), count: z.number().int() })),
    added: z
      .object({
        parts: z.number().int(),
        splitSegments: z.number().int(),
        variants: z.number().int(),
        imported: z.number().int(),
      })
      .optional()
      .meta({ description: 'additional examples: more parts of split segments, generated variants, imported rows' }),
  })
  .meta({ id: 'FunnelStage' })
export type FunnelStage = z.infer<typeof FunnelStage>

/** The result of `dataset build`. */
export const DatasetBuilt = z
  .object({
    id: z.string(),
    name: z.string(),
    version: z.number().int(),
    kind: DatasetKind,
    counts: DatasetCounts,
    excluded: z.array(z.object({ reason: z.string(), count: z.number().int() })),
    tokens: z
      .object({
        total: z.number().int(),
        max: z.number().int(),
        truncated: z.number().int(),
        exact: z.boolean(),
        tokenizer: z.string(),
        refused: z.number().int().optional().meta({ description: 'rows that the chat template refused; no other count includes them' }),
      })
      .nullable(),
    redactions: z.record(z.string(), z.number().int()),
    duplicates: z.number().int(),
    contaminated: z.number().int(),
    largestSession: z.object({ traceId: TraceId, rows: z.number().int(), share: z.number() }).nullable().default(null).meta({
      description: 'the session that gave most rows; null if no row comes from a session, or the version is older than this figure',
    }),
    files: z.array(DatasetFile),
    seed: z.number().int(),
    ms: z.number(),
  })
  .meta({ id: 'DatasetBuilt' })
export type DatasetBuilt = z.infer<typeof DatasetBuilt>

export const DatasetSummary = z
  .object({
    id: z.string(),
    name: z.string(),
    version: z.number().int(),
    kind: DatasetKind,
    createdAt: Instant,
    counts: DatasetCounts,
    sizeBytes: z.number().int(),
    runs: z.array(z.string()),
  })
  .meta({ id: 'DatasetSummary' })
export type DatasetSummary = z.infer<typeof DatasetSummary>

const Use = z.object({ id: z.string(), name: z.string() })
/** Runs that used a version, and the models from them. */
export const DatasetUses = z.object({ runs: z.array(Use), models: z.array(Use) }).meta({ id: 'DatasetUses' })
export type DatasetUses = z.infer<typeof DatasetUses>

/** An immutable version. The `manifest.json` of its folder has this document. */
export const Dataset = DatasetBuilt.extend({
  createdAt: Instant,
  sizeBytes: z.number().int(),
  filters: z.record(z.string(), z.unknown()),
  options: DatasetRecipe,
  funnel: z.array(FunnelStage),
  scoreVersion: z.number().int(),
  codeVersion: z.string(),
  policyHash: z.string().nullable(),
  privacy: PrivacyReport.nullable(),
  sources: z.array(z.object({ traceId: z.string(), contentHash: z.string(), split: SplitName, examples: z.number().int() })),
  lineage: DatasetUses,
}).meta({ id: 'Dataset' })
export type Dataset = z.infer<typeof Dataset>

/** A candidate row that is not in the version, with its origin and the reason. */
export const DroppedRow = z
  .object({
    stage: z.string(),
    reason: z.string(),
    traceId: z.string().nullable(),
    exampleId: z.string().nullable(),
    detail: z.string().nullable().meta({ description: 'for example, the id of the example or held-out item that it repeats' }),
  })
  .meta({ id: 'DroppedRow' })
export type DroppedRow = z.infer<typeof DroppedRow>

/** A dropped row with the title of its session. */
export const ListedDrop = DroppedRow.extend({
  title: z.string().nullable().meta({ description: 'current title of the session; null if it has none or was deleted' }),
}).meta({ id: 'ListedDrop' })
export type ListedDrop = z.infer<typeof ListedDrop>

/** A row of a version, with its origin. */
export const DatasetRow = z
  .object({
    index: z.number().int(),
    split: SplitName,
    traceId: z.string().nullable(),
    exampleId: z.string().nullable(),
    stepIds: z.array(z.string()),
    row: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'DatasetRow' })
export type DatasetRow = z.infer<typeof DatasetRow>

/** How many rows of a version each balance group has; most rows first. */
export const DatasetGroups = z
  .object({
    rows: z.number().int(),
    groups: z.array(z.object({ by: BalanceBy, values: z.array(z.object({ name: z.string(), rows: z.number().int() })) })),
  })
  .meta({ id: 'DatasetGroups' })
export type DatasetGroups = z.infer<typeof DatasetGroups>

export const ExportFormat = z
  .enum([
    'nemo',
    'openai',
    'trl',
    'trl-prompt-completion',
    'trl-preference',
    'trl-unpaired',
    'trl-prompt-only',
    'sharegpt',
    'alpaca',
    'parquet',
    'hf',
  ])
  .meta({ id: 'ExportFormat' })
export type ExportFormat = z.infer<typeof ExportFormat>

export const ExportResult = z
  .object({
    format: ExportFormat,
    files: z.array(z.object({ path: z.string(), rows: z.number().int(), bytes: z.number().int(), sha256: z.string() })),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'ExportResult' })
export type ExportResult = z.infer<typeof ExportResult>

/** The differences of two versions. Rows are matched by `exampleId`; they are changed if their content differs. */
export const DatasetComparison = z
  .object({
    a: DatasetSummary,
    b: DatasetSummary,
    counts: z.object({
      added: z.number().int(),
      removed: z.number().int(),
      changed: z.number().int(),
      moved: z.number().int(),
      same: z.number().int(),
    }),
    recipe: z.array(z.object({ path: z.string(), a: z.unknown(), b: z.unknown() })),
    items: z.array(
      z.object({
        exampleId: z.string(),
        traceId: z.string().nullable(),
        change: z.enum(['added', 'removed', 'changed', 'moved']),
        a: z.object({ index: z.number().int(), split: SplitName }).nullable(),
        b: z.object({ index: z.number().int(), split: SplitName }).nullable(),
      }),
    ),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'DatasetComparison' })
export type DatasetComparison = z.infer<typeof DatasetComparison>

/** Why a row of an outside file was not imported. `row` counts from 1; `field` is a path in the row, or '' for the row itself. */
export const RowError = z.object({ row: z.number().int(), field: z.string(), message: z.string() }).meta({ id: 'RowError' })
export type RowError = z.infer<typeof RowError>

/** The first rows of an outside file, for mapping its columns. Long values are shortened. */
export const FilePeek = z
  .object({
    columns: z.array(z.string()),
    rows: z.array(z.record(z.string(), z.unknown())),
    kind: DatasetKind.nullable().meta({ description: 'kind that the columns of the first rows fit; null if none' }),
    problem: z.string().nullable().meta({ description: 'why the first invalid row is not valid' }),
  })
  .meta({ id: 'FilePeek' })
export type FilePeek = z.infer<typeof FilePeek>

/** Imported rows, which recipes can use with `include`. */
export const RowCollection = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: DatasetKind,
    rows: z.number().int(),
    bytes: z.number().int(),
    sha256: z.string().meta({ description: 'hash of the stored rows' }),
    source: z.string().meta({ description: 'the file that was read' }),
    createdAt: Instant,
  })
  .meta({ id: 'RowCollection' })
export type RowCollection = z.infer<typeof RowCollection>

/** A column by another name than ours: what it is read as (null: not at all), and how many rows have it. */
export const ColumnUse = z.object({ column: z.string(), use: z.string().nullable(), rows: z.number().int() }).meta({ id: 'ColumnUse' })
export type ColumnUse = z.infer<typeof ColumnUse>

/** In place of a column: numbers that a double cannot hold, such as 12345678901234567890 and 1e400. */
export const LONG_NUMBERS = 'numbers beyond 2^53'

/** What a person is told about the columns of another program's rows. */
export const columnUsesText = (columns: readonly ColumnUse[]): string =>
  columns
    .map(({ column, use, rows }) => {
      const of = `of ${rows} ${rows === 1 ? 'row' : 'rows'}`
      if (column === LONG_NUMBERS)
        return `Numbers with more digits than JSON readers keep, in the calls and columns ${of}, are kept as text.`
      const which = `Column ${column} ${of}`
      return use === null ? `${which} is not used.` : `${which} is read as ${use}.`
    })
    .join(' ')

/** The result of an import. If a row has an error, nothing is stored unless invalid rows are skipped. */
export const RowImport = z
  .object({
    collection: RowCollection.nullable(),
    read: z.number().int(),
    errors: z.array(RowError).meta({ description: 'the first 200' }),
    errorCount: z.number().int(),
    columns: z.array(z.string()).meta({ description: 'columns that the file has' }),
    columnUses: z.array(ColumnUse).default([]).meta({ description: 'columns of the stored rows by other names than ours' }),
    hint: z.string().nullable().default(null).meta({ description: 'what to do if nothing was stored' }),
  })
  .meta({ id: 'RowImport' })
export type RowImport = z.infer<typeof RowImport>
