import { z } from 'zod'
import {
  NextCalls,
  PlayedEpisode,
  TeacherAnswers,
  TrainMethod,
  TrainPhase,
  TrainSettings,
  type TrainSettingsInput,
  TrainStrategy,
} from '../trainer.ts'
import { Id, Instant, Tags } from './common.ts'
import { Quantization } from './model.ts'
import { MatrixId, MatrixValues } from './matrix-values.ts'
import { ShellSplit } from './shell-task.ts'
import { fileField, modelField, READ_ROWS } from '../places.ts'

export const RunId = Id
export const RunState = z
  .enum(['queued', 'preparing', 'running', 'pausing', 'paused', 'completed', 'failed', 'cancelled'])
  .meta({ id: 'RunState' })
export type RunState = z.infer<typeof RunState>

export const RunPreset = z.enum(['quick', 'balanced', 'thorough']).meta({ id: 'RunPreset' })
export type RunPreset = z.infer<typeof RunPreset>

/** The settings in a request. Missing ones come from the preset, then from the strategy. */
const RequestedSettings = z.strictObject(
  Object.fromEntries(
    Object.entries(TrainSettings.shape).map(([name, field]) => {
      // without defaults, so that presets can set missing fields
      const bare: z.ZodType = field instanceof z.ZodDefault || field instanceof z.ZodPrefault ? (field.unwrap() as z.ZodType) : field
      return [name, bare.optional()]
    }),
  ),
) as unknown as z.ZodType<Partial<TrainSettings>, Partial<TrainSettingsInput>>

/** A request for a run. Its data is a version of a data set, a JSONL file, or a split of shell tasks. */
export const RunRequest = z
  .object({
    name: z.string().trim().min(1).max(120).optional(),
    strategy: TrainStrategy,
    baseModel: modelField(z.string().trim().min(1).max(4096), 'Read a base model from a folder', { orName: true }).meta({
      description: 'id of a base model on this machine (`listBaseModels`), a folder, or a GGUF file',
    }),
    teacher: modelField(z.string().trim().min(1).max(4096), 'Read a teacher model from a folder', { orName: true })
      .optional()
      .meta({ description: 'for distillation; same form as baseModel' }),
    datasetId: z.string().max(100).optional(),
    file: fileField(z.string().min(1).max(4096), READ_ROWS).optional().meta({ description: 'JSONL instead of a data set' }),
    valFile: fileField(z.string().min(1).max(4096), READ_ROWS).optional(),
    shellTasks: z
      .object({ split: ShellSplit, heldout: ShellSplit.optional().meta({ description: 'tasks for each evaluation' }) })
      .optional()
      .meta({ description: 'for GRPO: stored shell tasks, played in sandboxes, instead of a data set' }),
    mix: z
      .array(z.object({ datasetId: z.string().max(100), weight: z.number().positive().max(1000).default(1) }))
      .max(20)
      .optional()
      .meta({ description: 'additional versions of data sets; the weight is how often an epoch contains each of their rows' }),
    preset: RunPreset.default('balanced'),
    settings: RequestedSettings.default({}),
    engine: z.enum(['local', 'ray']).default('local'),
    overrideMemory: z.boolean().default(false).meta({ description: 'start even if the estimate is above the free memory' }),
    autoExportGguf: Quantization.optional().meta({
      description:
        'the model is exported as GGUF in this quantization when the run completes; if that fails, the run is complete all the same',
    }),
    tags: Tags.default([]),
    fromRun: z.string().max(40).optional().meta({ description: 'the run that this one repeats with changes' }),
  })
  .meta({ id: 'RunRequest' })
export type RunRequest = z.infer<typeof RunRequest>

/** Estimated bytes by part; the docs have the formula. */
export const MemoryEstimate = z
  .object({
    weights: z.number(),
    adapter: z.number(),
    optimizer: z.number(),
    gradients: z.number(),
    activations: z.number(),
    teacher: z.number().optional().meta({ description: 'the teacher of a distillation, in its own precision' }),
    cache: z.number().optional().meta({ description: 'keys and values while answers are generated, beyond the activations' }),
    overhead: z.number().meta({ description: 'the process and its libraries' }),
    total: z.number(),
  })
  .meta({ id: 'MemoryEstimate', description: 'bytes' })
export type MemoryEstimate = z.infer<typeof MemoryEstimate>

export const ComputeDevice = z
  .object({
    kind: z.enum(['cpu', 'cuda']),
    name: z.string(),
    totalBytes: z.number().nullable(),
    freeBytes: z.number().nullable(),
    cores: z.number().int().nullable(),
    uuid: z.string().nullable().optional().meta({ description: 'GPU id that a run is bound to' }),
    bf16: z.boolean().optional().meta({ description: 'true if the GPU supports bf16 natively' }),
    lacks: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'what the Python for training lacks for this GPU, by purpose (kernels, bitsandbytes)' }),
  })
  .meta({ id: 'ComputeDevice' })
export type ComputeDevice = z.infer<typeof ComputeDevice>

/** A message about a plan. A `refusal` prevents the start. */
export const PlanNote = z.object({
  level: z.enum(['refusal', 'warning', 'info']),
  code: z.string(),
  message: z.string(),
  hint: z.string().nullable(),
  row: z.number().int().nullable(),
  field: z.string().nullable(),
  apply: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .nullable()
    .meta({ description: 'settings by path (`method.kind`) that apply the hint; null if no setting can' }),
})
export type PlanNote = z.infer<typeof PlanNote>

/** A preview of a run; nothing is written. Token counts are exact if `tokensExact`, otherwise estimates. */
export const RunPlan = z
  .object({
    settings: TrainSettings,
    rows: z.number().int().meta({ description: 'rows to train on, after long rows are split and rows that do not fit are excluded' }),
    fileRows: z.number().int(),
    seenRows: z.number().int().meta({ description: 'rows that the steps reach; fewer than all if max steps ends the run earlier' }),
    valRows: z.number().int(),
    tokens: z.number().int().nullable(),
    trainedTokens: z.number().int().nullable(),
    learnableTokens: z.number().int().nullable().meta({ description: 'tokens in the loss, including tokens beyond the max length' }),
    tokensExact: z.boolean(),
    split: z.number().int().nullable().meta({ description: 'rows of the file that are split' }),
    leftOut: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'excluded answers (if rows are split) or rows that do not fit the max length' }),
    recommended: z
      .object({ maxLength: z.number().int(), microBatch: z.number().int().nullable() })
      .nullable()
      .meta({ description: 'recommended for these rows on this machine; used if the request has no max length' }),
    longest: z.number().int().nullable(),
    lengths: z.array(z.object({ upTo: z.number().int(), rows: z.number().int() })).meta({ description: 'histogram of tokens per row' }),
    steps: z.number().int(),
    stepsPerEpoch: z.number().int(),
    parameters: z.number().nullable(),
    trainable: z.number().nullable(),
    device: ComputeDevice,
    episodesAtOnce: z.number().int().nullable().meta({ description: 'for shell tasks: how many sandboxes can run at once' }),
    memory: MemoryEstimate.nullable(),
    fits: z.enum(['yes', 'tight', 'no', 'unknown']),
    seconds: z
      .object({ low: z.number(), high: z.number(), from: z.string().meta({ description: 'which measured runs it is based on' }) })
      .nullable()
      .meta({ description: 'null if there is no measurement on this machine' }),
    diskBytes: z.number().nullable(),
    diskFreeBytes: z.number().nullable(),
    notes: z.array(PlanNote),
    config: z.record(z.string(), z.unknown()).meta({ description: 'the configuration of the trainer' }),
    command: z.array(z.string()).meta({ description: 'the argument vector' }),
  })
  .meta({ id: 'RunPlan' })
export type RunPlan = z.infer<typeof RunPlan>

/** A problem in the course of a run, with the figures that show it. */
export const RunHealth = z
  .object({
    code: z.enum([
      'diverged',
      'not_finite',
      'plateau',
      'overfitting',
      'degenerate',
      'no_reward_spread',
      'no_gradient',
      'answers_cut_off',
      'calls_lost',
      'zero_tokens',
      'memory_near_limit',
      'stalled',
    ]),
    message: z.string(),
    step: z.number().int().nullable(),
    evidence: z.record(z.string(), z.number().nullable()),
  })
  .meta({ id: 'RunHealth' })
export type RunHealth = z.infer<typeof RunHealth>

/** A run, with the settings that it was started with. Figures that are unknown or not measured are null. */
export const Run = z
  .object({
    id: RunId,
    no: z.number().int().meta({ description: 'number of the run, from 1 in the order of requests; never reused' }),
    name: z.string(),
    state: RunState,
    phase: z.union([TrainPhase, z.literal('installing'), z.literal('exporting')]).nullable(),
    strategy: TrainStrategy,
    baseModel: z.string(),
    baseModelPath: z.string(),
    teacher: z.string().nullable(),
    datasetId: z.string().nullable(),
    datasetName: z.string().nullable(),
    repos: z.array(z.string()),
    method: TrainMethod,
    preset: RunPreset,
    settings: TrainSettings,
    request: RunRequest.meta({ description: 'the original request; missing settings came from preset and strategy' }),
    engine: z.string(),
    device: z.string().nullable(),
    rows: z.number().int().nullable().meta({ description: 'rows to train on, after long ones are split' }),
    fileRows: z.number().int().nullable().meta({ description: 'rows of the data' }),
    unusedRows: z.number().int().nullable().meta({ description: 'rows of the data of which nothing is trained' }),
    seenRows: z.number().int().nullable().meta({ description: 'rows to train on that the steps so far have reached' }),
    tokens: z.number().int().nullable(),
    step: z.number().int(),
    totalSteps: z.number().int().nullable(),
    epoch: z.number().nullable(),
    loss: z.number().nullable(),
    evalLoss: z.number().nullable(),
    bestStep: z.number().int().nullable(),
    teacherAnswers: TeacherAnswers.nullable().meta({ description: 'null if the run does not use text of a teacher' }),
    nextCalls: NextCalls.extend({
      base: z
        .record(z.string(), z.number().nullable())
        .nullable()
        .meta({ description: 'figures of the base model, before the first step' }),
    })
      .nullable()
      .meta({ description: 'held-out calls; `metrics` has their figures; null if the trainer has not reported them' }),
    metrics: z.record(z.string(), z.number().nullable()).meta({ description: 'the latest value of each metric' }),
    tokensPerSec: z.number().nullable(),
    etaSec: z.number().nullable(),
    peakRssMb: z.number().nullable(),
    peakVramMb: z.number().nullable(),
    estimateBytes: z.number().nullable(),
    createdAt: Instant,
    startedAt: Instant.nullable(),
    endedAt: Instant.nullable(),
    trainSec: z
      .number()
      .nullable()
      .meta({ description: 'working seconds without pauses; for a running run, the time before `workingSince`' }),
    workingSince: Instant.nullable().meta({
      description: 'since when the trainer has been working; null if it is not working or has sent no event yet',
    }),
    queuePosition: z.number().int().nullable(),
    canResume: z.boolean(),
    error: z.object({ code: z.string(), message: z.string(), row: z.number().int().nullable(), logTail: z.string() }).nullable(),
    health: z.array(RunHealth),
    warnings: z.array(z.object({ code: z.string(), message: z.string() })),
    tags: z.array(z.string()),
    note: z.string().nullable(),
    starred: z.boolean(),
    modelId: z.string().nullable(),
    fromRun: z.string().nullable(),
    matrix: z
      .object({ id: MatrixId, values: MatrixValues.meta({ description: 'the values of this run' }) })
      .nullable()
      .meta({ description: 'the matrix that the run belongs to, if any' }),
    folder: z.string(),
    sizeBytes: z.number().nullable(),
    spark: z.array(z.number().nullable()).meta({ description: 'the loss as at most 40 points, for lists' }),
  })
  .meta({ id: 'Run' })
export type Run = z.infer<typeof Run>

/** One metric of a run in at most `points` buckets, with the minimum, maximum and last value of each; null for a gap. */
export const MetricSeries = z
  .object({
    runId: RunId,
    name: z.string(),
    steps: z.array(z.number()),
    epochs: z.array(z.number()),
    tokens: z.array(z.number()),
    seconds: z.array(z.number()).meta({ description: 'since the start, without pauses' }),
    min: z.array(z.number().nullable()),
    max: z.array(z.number().nullable()),
    last: z.array(z.number().nullable()),
    count: z.number().int().meta({ description: 'number of points in the range' }),
    notFinite: z.array(z.number()).meta({ description: 'steps where the metric was NaN or infinite' }),
    seq: z.number().int().meta({ description: 'the last event that is included' }),
  })
  .meta({ id: 'MetricSeries' })
export type MetricSeries = z.infer<typeof MetricSeries>

/** Resource use of the machine during a run. */
export const SystemPoint = z.object({
  at: Instant,
  seconds: z.number(),
  cpuPercent: z.number().nullable(),
  rssMb: z.number().nullable(),
  ramUsedMb: z.number().nullable(),
  ramTotalMb: z.number().nullable(),
  gpuPercent: z.number().nullable(),
  vramMb: z.number().nullable(),
  vramTotalMb: z.number().nullable(),
  temperatureC: z.number().nullable(),
  powerW: z.number().nullable(),
})
export type SystemPoint = z.infer<typeof SystemPoint>

export const RunSample = z
  .object({
    step: z.number().int(),
    source: z.enum(['evaluation', 'rollout']),
    index: z.number().int(),
    prompt: z.string(),
    text: z.string(),
    reference: z.string().nullable(),
    rewards: z.record(z.string(), z.number().nullable()),
    episode: PlayedEpisode.optional(),
  })
  .meta({ id: 'RunSample' })
export type RunSample = z.infer<typeof RunSample>

export const RunCheckpoint = z.object({
  step: z.number().int(),
  path: z.string(),
  best: z.boolean(),
  exists: z.boolean(),
  bytes: z.number().nullable(),
})
export type RunCheckpoint = z.infer<typeof RunCheckpoint>

export const RunLogLine = z.object({
  n: z.number().int(),
  at: Instant.nullable(),
  stream: z.enum(['log', 'event']),
  level: z.enum(['info', 'warning', 'error']),
  text: z.string(),
})
export type RunLogLine = z.infer<typeof RunLogLine>

export const SavedPreset = z.object({ name: z.string().trim().min(1).max(80), request: RunRequest.partial() })
export type SavedPreset = z.infer<typeof SavedPreset>

export const TrainingQueue = z.object({
  paused: z.boolean(),
  pausedBy: RunId.nullable().meta({
    description: 'the run whose failure paused the queue; null if the user paused it or it is not paused',
  }),
  continueAfterFailure: z.boolean(),
  order: z.array(RunId),
})
export type TrainingQueue = z.infer<typeof TrainingQueue>

/** The Python for training. `missing` lists what it lacks. */
export const TrainingEnvironment = z
  .object({
    state: z.enum(['ready', 'missing', 'incomplete', 'broken', 'installing']),
    source: z.enum(['variable', 'setting', 'own', 'path']).nullable(),
    python: z.string().nullable(),
    version: z.string().nullable(),
    packages: z.array(z.object({ name: z.string(), version: z.string().nullable(), wanted: z.string().nullable() })),
    cuda: z.string().nullable(),
    devices: z.array(ComputeDevice),
    missing: z.array(z.string()),
    problem: z.string().nullable(),
    hint: z.string().nullable(),
    folder: z.string(),
    bytes: z.number().nullable(),
    checkedAt: Instant.nullable(),
  })
  .meta({ id: 'TrainingEnvironment' })
export type TrainingEnvironment = z.infer<typeof TrainingEnvironment>
