import { z } from 'zod'

/** What a trainer is told: one JSON file, everything decided, nothing interpolated into code. */
const TrainStrategy = z.enum(['sft', 'dpo', 'kto']).meta({ id: 'TrainStrategy' })

const TrainMethod = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('lora'),
      rank: z.number().int().min(1).max(1024).default(16),
      alpha: z.number().positive().max(4096).default(32),
      dropout: z.number().min(0).max(0.9).default(0.05),
      targets: z.union([z.literal('all-linear'), z.array(z.string().min(1).max(200)).min(1).max(100)]).default('all-linear'),
      quantized: z.boolean().default(false).meta({ description: 'base weights in 4 bit (nf4); CUDA only' }),
    }),
    z.strictObject({ kind: z.literal('full') }),
  ])
  .meta({ id: 'TrainMethod' })

const TrainerConfig = z
  .strictObject({
    format: z.literal(1),
    runId: z.string().regex(/^[a-z0-9_-]{1,64}$/i),
    strategy: TrainStrategy,
    seed: z
      .number()
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .default(42),
    model: z.string().min(1).max(4096).meta({ description: 'folder of the base model' }),
    data: z.strictObject({
      train: z.string().min(1).max(4096).meta({ description: 'JSONL' }),
      val: z.string().min(1).max(4096).nullable().default(null),
    }),
    output: z.string().min(1).max(4096).meta({ description: 'folder of the run; checkpoints and the result lie below it' }),
    method: TrainMethod.prefault({ kind: 'lora' }),
    learningRate: z.number().positive().max(10),
    epochs: z.number().positive().max(1000).default(3),
    maxSteps: z.number().int().positive().nullable().default(null),
    batchSize: z.number().int().min(1).max(4096).default(4).meta({ description: 'rows that one step learns from' }),
    microBatch: z.number().int().min(1).max(4096).nullable().default(null).meta({ description: 'rows at once; null: the whole batch' }),
    maxLength: z
      .number()
      .int()
      .min(8)
      .max(10_000_000)
      .default(2048)
      .meta({ description: 'tokens; what lies behind is cut off and counted' }),
    warmupSteps: z.number().int().min(0).default(0),
    schedule: z.enum(['cosine', 'linear', 'constant']).default('cosine'),
    weightDecay: z.number().min(0).max(10).default(0),
    maxGradNorm: z.number().positive().default(1),
    beta: z.number().positive().default(0.1).meta({ description: 'DPO and KTO: how closely the base model is kept to' }),
    loggingSteps: z.number().int().min(1).default(10),
    evalSteps: z.number().int().min(1).nullable().default(50).meta({ description: 'null: no evaluation; none either without a val file' }),
    saveSteps: z.number().int().min(1).nullable().default(100),
    keepCheckpoints: z.number().int().min(1).max(1000).default(2),
    device: z.enum(['auto', 'cpu', 'cuda']).default('auto'),
    threads: z.number().int().min(1).max(1024).nullable().default(null),
  })
  .meta({ id: 'TrainerConfig' })

const Common = { seq: z.number().int(), at: z.string().meta({ description: 'ISO 8601, UTC' }) }
/** A figure that is not finite is null, and its name stands in `notFinite`. */
const Metrics = z.record(z.string(), z.number().nullable())

/** What a trainer tells: JSON lines appended to the run's events file, which is the truth. */
const TrainerEvent = z
  .discriminatedUnion('type', [
    z.strictObject({
      ...Common,
      type: z.literal('phase'),
      phase: z.enum(['loading', 'tokenising', 'training', 'evaluating', 'saving']),
      detail: z.string().nullable(),
    }),
    z.strictObject({
      ...Common,
      type: z.literal('plan'),
      rows: z.number().int(),
      valRows: z.number().int(),
      tokens: z.number().int(),
      trainedTokens: z.number().int().nullable(),
      truncated: z.number().int(),
      longest: z.number().int(),
      totalSteps: z.number().int(),
      parameters: z.number().int(),
      trainable: z.number().int(),
      device: z.string(),
    }),
    z.strictObject({
      ...Common,
      type: z.literal('progress'),
      step: z.number().int(),
      totalSteps: z.number().int(),
      epoch: z.number(),
      tokens: z.number().int(),
      tokensPerSec: z.number().nullable(),
      etaSec: z.number().nullable(),
      metrics: Metrics,
      notFinite: z.array(z.string()),
      memoryMb: z.strictObject({ rss: z.number(), vram: z.number().nullable() }),
    }),
    z.strictObject({ ...Common, type: z.literal('checkpoint'), step: z.number().int(), path: z.string() }),
    z.strictObject({ ...Common, type: z.literal('warning'), code: z.string(), message: z.string() }),
    z.strictObject({
      ...Common,
      type: z.literal('complete'),
      step: z.number().int(),
      artifact: z.string().meta({ description: 'folder of the adapter or of the whole model' }),
      trainSec: z.number(),
      peakMb: z.strictObject({ rss: z.number(), vram: z.number().nullable() }),
    }),
    z.strictObject({
      ...Common,
      type: z.literal('stopped'),
      how: z.enum(['paused', 'cancelled']),
      step: z.number().int(),
      checkpoint: z.string().nullable(),
    }),
    z.strictObject({
      ...Common,
      type: z.literal('failed'),
      code: z.string(),
      message: z.string(),
      row: z.number().int().nullable().meta({ description: 'line of the data file, from 1' }),
    }),
  ])
  .meta({ id: 'TrainerEvent' })

/** What may be written, by rename, to `control.json` of a run. */
const TrainerControl = z.strictObject({ action: z.enum(['pause', 'save_stop', 'cancel']) }).meta({ id: 'TrainerControl' })

/** JSON Schema of the three, for the Python side. */
export const trainerSchema = () => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  config: z.toJSONSchema(TrainerConfig, { io: 'input' }),
  event: z.toJSONSchema(TrainerEvent),
  control: z.toJSONSchema(TrainerControl),
})
