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
import { MatrixId, MatrixValues } from './matrix-values.ts'
import { ShellSplit } from './shell-task.ts'

export const RunId = Id
export const RunState = z
  .enum(['queued', 'preparing', 'running', 'pausing', 'paused', 'completed', 'failed', 'cancelled'])
  .meta({ id: 'RunState' })
export type RunState = z.infer<typeof RunState>

export const RunPreset = z.enum(['quick', 'balanced', 'thorough']).meta({ id: 'RunPreset' })
export type RunPreset = z.infer<typeof RunPreset>

/** Settings as a request gives them: what is missing comes from the preset, then from the strategy. */
const Chosen = z.strictObject(
  Object.fromEntries(
    Object.entries(TrainSettings.shape).map(([name, field]) => {
      // with its default a field would always be there, and no preset could say anything
      const bare: z.ZodType = field instanceof z.ZodDefault || field instanceof z.ZodPrefault ? (field.unwrap() as z.ZodType) : field
      return [name, bare.optional()]
    }),
  ),
) as unknown as z.ZodType<Partial<TrainSettings>, Partial<TrainSettingsInput>>

/** What to train, on what, how. Data are a version of a data set, or a JSONL file of the user's. */
export const RunRequest = z
  .object({
    name: z.string().trim().min(1).max(120).optional(),
    strategy: TrainStrategy,
    baseModel: z
      .string()
      .trim()
      .min(1)
      .max(4096)
      .meta({ description: 'id of a base model that is here (`listBaseModels`), a folder, or a GGUF file' }),
    teacher: z.string().trim().min(1).max(4096).optional().meta({ description: 'distillation: as baseModel' }),
    datasetId: z.string().max(100).optional(),
    file: z.string().min(1).max(4096).optional().meta({ description: 'JSONL instead of a data set' }),
    valFile: z.string().min(1).max(4096).optional(),
    shellTasks: z
      .object({ split: ShellSplit, heldout: ShellSplit.optional().meta({ description: 'tasks that are tried at each evaluation' }) })
      .optional()
      .meta({ description: 'GRPO: tasks of the store instead of a data set, tried in sandboxes' }),
    mix: z
      .array(z.object({ datasetId: z.string().max(100), weight: z.number().positive().max(1000).default(1) }))
      .max(20)
      .optional()
      .meta({ description: 'versions of data sets that are mixed in; how often each of their rows comes in an epoch' }),
    preset: RunPreset.default('balanced'),
    settings: Chosen.default({}),
    engine: z.enum(['local', 'ray']).default('local'),
    overrideMemory: z.boolean().default(false).meta({ description: 'start although the estimate is above what is free' }),
    tags: Tags.default([]),
    fromRun: z.string().max(40).optional().meta({ description: 'the run that this repeats with changes' }),
  })
  .meta({ id: 'RunRequest' })
export type RunRequest = z.infer<typeof RunRequest>

/** Bytes by part; an estimate, with the formula in docs. */
export const MemoryEstimate = z
  .object({
    weights: z.number(),
    adapter: z.number(),
    optimizer: z.number(),
    gradients: z.number(),
    activations: z.number(),
    teacher: z.number().optional().meta({ description: 'of distillation, in its own precision' }),
    cache: z.number().optional().meta({ description: 'keys and values of answers that are written, beyond what activations take' }),
    overhead: z.number().meta({ description: 'the process with its libraries' }),
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
    uuid: z.string().nullable().optional().meta({ description: 'of a GPU, by which a run is held to it' }),
    bf16: z.boolean().optional().meta({ description: 'of a GPU: it computes with it natively' }),
    lacks: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'of a GPU: what the Python that trains lacks for it, by its use (kernels, bitsandbytes)' }),
  })
  .meta({ id: 'ComputeDevice' })
export type ComputeDevice = z.infer<typeof ComputeDevice>

/** A sentence about something that stops a start (`refusal`) or should be known before it (`warning`). */
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
    .meta({ description: 'settings by their path (`method.kind`) that do what the hint says; null: nothing that a setting could do' }),
})
export type PlanNote = z.infer<typeof PlanNote>

/** What a start would do; nothing is written. Figures of tokens are exact where `tokensExact`, else estimates. */
export const RunPlan = z
  .object({
    settings: TrainSettings,
    rows: z.number().int().meta({ description: 'rows that are trained on, after long ones were split and what does not fit was left out' }),
    fileRows: z.number().int(),
    valRows: z.number().int(),
    tokens: z.number().int().nullable(),
    trainedTokens: z.number().int().nullable(),
    learnableTokens: z.number().int().nullable().meta({ description: 'tokens that carry loss, whether they fit the max length or not' }),
    tokensExact: z.boolean(),
    split: z.number().int().nullable().meta({ description: 'rows of the file that become several' }),
    leftOut: z.number().int().nullable().meta({ description: 'answers (where rows are split) or rows that do not fit the max length' }),
    recommended: z
      .object({ maxLength: z.number().int(), microBatch: z.number().int().nullable() })
      .nullable()
      .meta({ description: 'what suits these rows on this machine; used if the request names no max length' }),
    longest: z.number().int().nullable(),
    lengths: z.array(z.object({ upTo: z.number().int(), rows: z.number().int() })).meta({ description: 'histogram of tokens a row' }),
    steps: z.number().int(),
    stepsPerEpoch: z.number().int(),
    parameters: z.number().nullable(),
    trainable: z.number().nullable(),
    device: ComputeDevice,
    episodesAtOnce: z.number().int().nullable().meta({ description: 'of shell tasks: sandboxes that may run at a time' }),
    memory: MemoryEstimate.nullable(),
    fits: z.enum(['yes', 'tight', 'no', 'unknown']),
    seconds: z
      .object({ low: z.number(), high: z.number(), from: z.string().meta({ description: 'which measured runs it rests on' }) })
      .nullable()
      .meta({ description: 'null: nothing like it was measured on this machine' }),
    diskBytes: z.number().nullable(),
    diskFreeBytes: z.number().nullable(),
    notes: z.array(PlanNote),
    config: z.record(z.string(), z.unknown()).meta({ description: 'what the trainer would be told' }),
    command: z.array(z.string()).meta({ description: 'argument vector that would run' }),
  })
  .meta({ id: 'RunPlan' })
export type RunPlan = z.infer<typeof RunPlan>

/** Something is off with the curve; `evidence` are the figures that say so. */
export const RunHealth = z
  .object({
    code: z.enum([
      'diverged',
      'not_finite',
      'plateau',
      'overfitting',
      'degenerate',
      'no_reward_spread',
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

/** A run. Settings are those it was started with. Unknown is null: what was not measured is not guessed. */
export const Run = z
  .object({
    id: RunId,
    no: z.number().int().meta({ description: 'runs are counted from 1 in the order in which they were asked for; never given twice' }),
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
    request: RunRequest.meta({ description: 'as it was asked for: what it does not say came from preset and strategy' }),
    engine: z.string(),
    device: z.string().nullable(),
    rows: z.number().int().nullable(),
    tokens: z.number().int().nullable(),
    step: z.number().int(),
    totalSteps: z.number().int().nullable(),
    epoch: z.number().nullable(),
    loss: z.number().nullable(),
    evalLoss: z.number().nullable(),
    bestStep: z.number().int().nullable(),
    teacherAnswers: TeacherAnswers.nullable().meta({ description: 'null: the run learns from no text of a teacher' }),
    nextCalls: NextCalls.extend({
      base: z
        .record(z.string(), z.number().nullable())
        .nullable()
        .meta({ description: 'figures of the base model, before the first step' }),
    })
      .nullable()
      .meta({ description: 'held-out calls, whose figures are among `metrics`; null: the trainer has not said' }),
    metrics: z.record(z.string(), z.number().nullable()).meta({ description: 'the newest of each' }),
    tokensPerSec: z.number().nullable(),
    etaSec: z.number().nullable(),
    peakRssMb: z.number().nullable(),
    peakVramMb: z.number().nullable(),
    estimateBytes: z.number().nullable(),
    createdAt: Instant,
    startedAt: Instant.nullable(),
    endedAt: Instant.nullable(),
    trainSec: z.number().nullable().meta({ description: 'working seconds without pauses; of a running one those before `workingSince`' }),
    workingSince: Instant.nullable().meta({ description: 'since when its trainer is working; null: it is not, or has sent no event yet' }),
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
      .object({ id: MatrixId, values: MatrixValues.meta({ description: 'what tells it from the others' }) })
      .nullable()
      .meta({ description: 'the runs it was started with; null: it was started alone' }),
    folder: z.string(),
    sizeBytes: z.number().nullable(),
    spark: z.array(z.number().nullable()).meta({ description: 'the loss in at most 40 points, for a list' }),
  })
  .meta({ id: 'Run' })
export type Run = z.infer<typeof Run>

/** One metric of a run over a range, in at most `points` buckets: least, greatest and last value of each. A gap is null. */
export const MetricSeries = z
  .object({
    runId: RunId,
    name: z.string(),
    steps: z.array(z.number()),
    epochs: z.array(z.number()),
    tokens: z.array(z.number()),
    seconds: z.array(z.number()).meta({ description: 'since the start, pauses left out' }),
    min: z.array(z.number().nullable()),
    max: z.array(z.number().nullable()),
    last: z.array(z.number().nullable()),
    count: z.number().int().meta({ description: 'points there are in the range' }),
    notFinite: z.array(z.number()).meta({ description: 'steps at which it was NaN or infinite' }),
    seq: z.number().int().meta({ description: 'event it reaches to' }),
  })
  .meta({ id: 'MetricSeries' })
export type MetricSeries = z.infer<typeof MetricSeries>

/** Use of the machine over the time of a run. */
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
  pausedBy: RunId.nullable().meta({ description: 'the run whose failure paused it; null: it was paused by hand, or is not paused' }),
  continueAfterFailure: z.boolean(),
  order: z.array(RunId),
})
export type TrainingQueue = z.infer<typeof TrainingQueue>

/** The Python that trains. `missing` names what it lacks; `command` installs it by hand. */
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
