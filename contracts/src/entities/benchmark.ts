import { z } from 'zod'
import { folderField } from '../places.ts'
import { Id, IdempotencyKey, Instant, Refusal } from './common.ts'
import { ExamIdentity, ExamModel } from './exam.ts'
import { ModelId } from './model.ts'

export const BenchmarkRunId = Id.meta({ id: 'BenchmarkRunId' })

export const BenchmarkName = z
  .enum(['humaneval', 'mbpp', 'bigcodebench', 'bfcl', 'swebench', 'gsm8k', 'arc', 'hellaswag', 'toxigen', 'bbq'])
  .meta({ id: 'BenchmarkName' })
export type BenchmarkName = z.infer<typeof BenchmarkName>

/** `ready`: its files are here. `can_be_fetched`: the hub has them. `needs_files`: the user names a folder with them. */
export const BenchmarkState = z.enum(['ready', 'can_be_fetched', 'needs_files', 'not_available']).meta({ id: 'BenchmarkState' })
export type BenchmarkState = z.infer<typeof BenchmarkState>

const Part = z.string().regex(/^[a-z][a-z_]{0,39}$/)

/** A part of a benchmark that is measured by itself, such as ARC Challenge and ARC Easy. */
export const BenchmarkPart = z.object({
  name: Part,
  items: z.number().int().meta({ description: 'of the published set' }),
  state: BenchmarkState,
  files: z.string().nullable().meta({ description: 'where its files are; null if they are not here' }),
})

/** A published set of items, and whether it can be run here. */
export const Benchmark = z
  .object({
    name: BenchmarkName,
    title: z.string(),
    measures: z.string(),
    metric: z.string(),
    form: z.string().meta({ description: 'how items are asked; results of different forms are never compared' }),
    harness: z.string().meta({ description: 'what scores the answers' }),
    set: z.object({ source: z.string(), revision: z.string().nullable(), licence: z.string(), bytes: z.number().int().nullable() }),
    parts: z.array(BenchmarkPart).meta({ description: 'the first is the default' }),
    runsCode: z.boolean().meta({ description: 'answers are run in a sandbox' }),
    state: BenchmarkState,
    reason: z.string().nullable().meta({ description: 'why it cannot be run here; null if it can' }),
    way: z.string().nullable().meta({ description: 'what to do' }),
  })
  .meta({ id: 'Benchmark' })
export type Benchmark = z.infer<typeof Benchmark>

export const BenchmarkRunRequest = z
  .object({
    benchmark: BenchmarkName,
    part: Part.optional().meta({ description: 'default: the first part' }),
    model: ExamModel.optional(),
    modelId: ModelId.optional().meta({ description: 'a model of the registry, instead of `model`' }),
    files: folderField(z.string().min(1).max(4000), 'Read the items of a benchmark')
      .optional()
      .meta({ description: 'folder or file with the set; default: what was fetched or named before' }),
    own: z.boolean().default(false).meta({ description: 'items of your own in the same format, which are not the published set' }),
    numSamples: z.number().int().min(1).optional().meta({ description: 'items to ask, drawn by the seed; default: all' }),
    samplesPerItem: z
      .number()
      .int()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'answers to each item; default: the largest of passK' }),
    passK: z.array(z.number().int().min(1).max(200)).min(1).max(6).default([1]),
    timeout: z.number().int().min(1).max(300).default(30).meta({ description: 'seconds for the tests of one answer' }),
    temperature: z.number().min(0).max(2).optional().meta({ description: 'default: 0 for one answer to an item, otherwise .8' }),
    maxTokens: z.number().int().min(1).max(16_384).optional().meta({ description: 'of one answer; default: of the benchmark' }),
    parallel: z.number().int().min(1).max(32).default(4).meta({ description: 'requests at once' }),
    seed: z.number().int().min(0).max(2_147_483_647).default(42),
    maxCostUsd: z.number().positive().optional().meta({ description: 'refused if the price of the model is unknown' }),
    idempotencyKey: IdempotencyKey.optional(),
  })
  .meta({ id: 'BenchmarkRunRequest' })
export type BenchmarkRunRequest = z.infer<typeof BenchmarkRunRequest>

/** The set of a run as it was read. */
export const BenchmarkSet = z.object({
  source: z.string(),
  revision: z.string().nullable().meta({ description: 'null: files of the user, whose version is not verified' }),
  sha256: z.string().meta({ description: 'of its items' }),
  items: z.number().int(),
  own: z.boolean(),
})

/** Shown before a run. */
export const BenchmarkRunPlan = z
  .object({
    label: z.string(),
    payer: z.string(),
    receiver: z.string(),
    set: BenchmarkSet.nullable(),
    items: z.number().int(),
    requests: z.number().int(),
    inputTokens: z.number().int().meta({ description: 'estimated, of all requests' }),
    mostOutputTokens: z.number().int(),
    mostUsd: z.number().nullable().meta({ description: 'null if the price is unknown' }),
    uncertainty: z.number().nullable().meta({ description: 'largest half of the 95 % interval that so many items give' }),
    notes: z.array(z.string()),
    refusals: z.array(Refusal),
  })
  .meta({ id: 'BenchmarkRunPlan' })
export type BenchmarkRunPlan = z.infer<typeof BenchmarkRunPlan>

/**
 * `truncated` and `timeout` count as wrong. `not_scored`: the item has no check, or its own solution fails here. `error` is owed: it
 * enters no figure until it is asked or scored again.
 */
export const BenchmarkVerdict = z.enum(['pass', 'fail', 'truncated', 'timeout', 'not_scored', 'error']).meta({ id: 'BenchmarkVerdict' })
export type BenchmarkVerdict = z.infer<typeof BenchmarkVerdict>

/** A model on the items of a benchmark. */
export const BenchmarkRun = z
  .object({
    id: BenchmarkRunId,
    benchmark: BenchmarkName,
    title: z.string().meta({ description: 'with the part and the form' }),
    state: z.enum(['running', 'done', 'cancelled', 'stopped']),
    detail: z.string().nullable().meta({ description: 'why it stopped' }),
    request: BenchmarkRunRequest,
    label: z.string().meta({ description: 'the model' }),
    model: ExamIdentity,
    set: BenchmarkSet,
    items: z.number().int(),
    samples: z.number().int().meta({ description: 'answers to each item' }),
    counts: z.record(BenchmarkVerdict, z.number().int()).meta({ description: 'answers by verdict' }),
    total: z.number().int().meta({ description: 'answers that the run wants' }),
    owed: z.number().int().meta({ description: 'answers with an error, or not asked yet' }),
    value: z.number().nullable().meta({ description: 'share of right answers; null above 2 % errors, or without a verdict' }),
    costUsd: z.number().nullable(),
    createdAt: Instant,
    endedAt: Instant.nullable(),
  })
  .meta({ id: 'BenchmarkRun' })
export type BenchmarkRun = z.infer<typeof BenchmarkRun>

/** A figure with its 95 % interval. */
export const BenchmarkFigure = z.object({
  name: z.string(),
  value: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  n: z.number().int().meta({ description: 'items' }),
})
export type BenchmarkFigure = z.infer<typeof BenchmarkFigure>

/** Figures, made from the rows of a run. */
export const BenchmarkResult = z
  .object({
    metric: z.string(),
    harness: z.string(),
    setVersion: z.string().nullable(),
    headline: z.boolean().meta({ description: 'false: too many errors, so that no figure is shown' }),
    figures: z.array(BenchmarkFigure),
    passAtK: z.record(z.string(), z.number().nullable()),
    interval: z.string().meta({ description: 'how the intervals are made' }),
    errors: z.number().int(),
    notScored: z.number().int(),
    suspicious: z.number().int().meta({ description: 'right answers that touch what the check relies on' }),
    durationMs: z.number().nullable(),
    contamination: z
      .object({
        items: z.number().int().nullable().meta({ description: 'items whose text is in the training data; null: not verified' }),
        of: z.number().int(),
        named: z.array(z.string()).meta({ description: 'ids of the first hundred' }),
        reason: z.string().nullable().meta({ description: 'why it is not verified, or only in part' }),
      })
      .nullable()
      .meta({ description: 'null: not checked yet' }),
    versions: z.record(z.string(), z.string()),
    notes: z.array(z.string()),
  })
  .meta({ id: 'BenchmarkResult' })
export type BenchmarkResult = z.infer<typeof BenchmarkResult>

/** The result of the job that fetches a set. */
export const BenchmarkFetched = z
  .object({ benchmark: BenchmarkName, part: z.string(), path: z.string(), revision: z.string(), bytes: z.number().int() })
  .meta({ id: 'BenchmarkFetched' })
export type BenchmarkFetched = z.infer<typeof BenchmarkFetched>

/** One answer to one item. In a list, texts are cut. */
export const BenchmarkRow = z
  .object({
    no: z.number().int(),
    id: z.string(),
    sample: z.number().int(),
    verdict: BenchmarkVerdict.nullable().meta({ description: 'null: not asked yet' }),
    answer: z.string().nullable(),
    extracted: z.string().nullable().meta({ description: 'the part of the answer that was scored' }),
    reason: z.string().nullable(),
    suspicious: z.string().nullable(),
    tokens: z.number().int().nullable(),
    ms: z.number().nullable().meta({ description: 'of the request' }),
  })
  .meta({ id: 'BenchmarkRow' })
export type BenchmarkRow = z.infer<typeof BenchmarkRow>

export const BenchmarkRowDetail = BenchmarkRow.extend({
  prompt: z.string(),
  expected: z.string(),
  program: z.string().nullable().meta({ description: 'what ran in the sandbox' }),
}).meta({ id: 'BenchmarkRowDetail' })
export type BenchmarkRowDetail = z.infer<typeof BenchmarkRowDetail>

/** Runs on the same items, each against the first. */
export const BenchmarkComparison = z
  .object({
    benchmark: BenchmarkName,
    title: z.string(),
    items: z.number().int().meta({ description: 'with a verdict in every run' }),
    runs: z.array(
      z.object({
        id: BenchmarkRunId,
        label: z.string(),
        value: z.number().nullable(),
        delta: z.number().nullable().meta({ description: 'to the first run, on the same items' }),
        low: z.number().nullable(),
        high: z.number().nullable(),
        wins: z.number().int(),
        losses: z.number().int(),
        ties: z.number().int(),
        p: z.number().nullable().meta({ description: 'exact sign test, corrected by Holm for the runs compared' }),
      }),
    ),
  })
  .meta({ id: 'BenchmarkComparison' })
export type BenchmarkComparison = z.infer<typeof BenchmarkComparison>

/** What evaluating a model began, and what does not apply. */
export const ModelEvaluation = z
  .object({
    runs: z.array(BenchmarkRun),
    left: z.array(z.object({ benchmark: BenchmarkName, reason: z.string() })),
  })
  .meta({ id: 'ModelEvaluation' })
export type ModelEvaluation = z.infer<typeof ModelEvaluation>
