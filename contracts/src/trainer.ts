import { z } from 'zod'
import { KNOB_NEEDS, Knobs, LoraKnobs, OBJECTIVE_TABLES, Schedule } from './train-knobs.ts'
import { notAPlace } from './places.ts'

/** The configuration of a trainer is one JSON file with every value resolved; no value is interpolated into code. */
export const TrainStrategy = z.enum(['sft', 'dpo', 'kto', 'grpo', 'rlvr', 'distillation']).meta({ id: 'TrainStrategy' })
export type TrainStrategy = z.infer<typeof TrainStrategy>

export const TrainMethod = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('lora'),
      rank: z.number().int().min(1).max(1024).default(16),
      alpha: z.number().positive().max(4096).default(32),
      dropout: z.number().min(0).max(0.9).default(0.05),
      targets: z
        .union([
          z.literal('all-linear'),
          z
            .array(notAPlace(z.string().min(1).max(200), 'names of modules'))
            .min(1)
            .max(100),
        ])
        .default('all-linear'),
      quantized: z.boolean().default(false).meta({ description: 'base weights in 4 bit (nf4); CUDA only' }),
      ...LoraKnobs,
    }),
    z.strictObject({
      kind: z.literal('full'),
      weights: z
        .enum(['fp32', 'bf16'])
        .optional()
        .meta({ description: 'fp32 unless said; bf16: with an 8-bit optimiser, a third of the memory and a little less exact; CUDA only' }),
    }),
  ])
  .meta({ id: 'TrainMethod' })
export type TrainMethod = z.infer<typeof TrainMethod>

const Weight = z.number().min(0).max(1000).default(1)
/**
 * One term of the GRPO and RLVR reward. The reward is the weighted sum of the terms; each term is also logged separately.
 * tool_call: 1 if the answer's calls equal the first calls in the row's `reference_calls` (an answer is one turn, a
 * recorded solution has many), compared by name or by name and arguments; if the row has none, 1 if the answer makes no call.
 * format: 1 if the answer is well formed (every tool call parses, is complete and names a tool of the row).
 * exact: 1 if the trimmed answer equals the row's `answer`. tests: 1 if the last code block of the answer passes the
 * row's `tests`, run in the sandbox. An answer that did not end has 0 from each.
 */
export const Reward = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('tool_call'), level: z.enum(['name', 'arguments']).default('arguments'), weight: Weight }),
    z.strictObject({ kind: z.literal('format'), weight: Weight }),
    z.strictObject({ kind: z.literal('exact'), weight: Weight }),
    z.strictObject({ kind: z.literal('tests'), weight: Weight, timeoutSec: z.number().positive().max(600).default(10) }),
  ])
  .meta({ id: 'Reward' })
export type Reward = z.infer<typeof Reward>

/** As a chat template: the one that is shipped, which writes calls as Hermes models do, within ChatML. */
export const CHATML = 'chatml'

/** The settings of a run that a user can choose; the rest of a trainer's config is mostly file locations. */
export const TrainSettings = z
  .strictObject({
    template: z.string().trim().min(1).max(200_000).nullable().default(null).meta({
      description:
        'chat template (Jinja) instead of the model’s own, in training and in what is saved; `chatml`: the shipped one with calls as Hermes writes them; null: its own',
    }),
    seed: z
      .number()
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .default(42),
    method: TrainMethod.prefault({ kind: 'lora' }),
    learningRate: z.number().positive().max(10),
    epochs: z.number().positive().max(1000).default(3),
    maxSteps: z.number().int().positive().nullable().default(null),
    batchSize: z
      .number()
      .int()
      .min(1)
      .max(4096)
      .default(4)
      .meta({ description: 'rows that one step learns from; GRPO and RLVR: answers, whole groups of `generations`' }),
    microBatch: z
      .number()
      .int()
      .min(1)
      .max(4096)
      .nullable()
      .default(null)
      .meta({ description: 'rows at once in a process; null: its whole share of the batch' }),
    maxLength: z
      .number()
      .int()
      .min(8)
      .max(10_000_000)
      .default(2048)
      .meta({ description: 'tokens; longer conversations are split between turns, and what still does not fit is left out and counted' }),
    packing: z
      .boolean()
      .default(false)
      .meta({ description: 'several short rows in one sequence, each blind to the others (checked on the model, else refused); SFT' }),
    groupByLength: z.boolean().default(false).meta({ description: 'rows of like length together: less padding; SFT' }),
    warmupSteps: z.number().int().min(0).nullable().default(null).meta({ description: 'null: by `warmupRatio`' }),
    schedule: Schedule.default('cosine'),
    weightDecay: z.number().min(0).max(10).default(0),
    maxGradNorm: z.number().positive().default(1),
    beta: z.number().min(0).nullable().default(null).meta({
      description:
        'how closely the base model is kept to; null: 0.1 for DPO and KTO, 0 for GRPO and RLVR. Distillation: 0 forward to 1 reverse divergence; null: 1 on-policy, 0 logits',
    }),
    generations: z.number().int().min(2).max(64).default(8).meta({ description: 'GRPO, RLVR: answers a prompt' }),
    maxCompletion: z.number().int().min(1).max(100_000).default(512).meta({ description: 'tokens of an answer that is generated' }),
    temperature: z.number().positive().max(5).default(1),
    rewards: z.array(Reward).max(10).default([]),
    maxTurns: z.number().int().min(1).max(1000).default(30).meta({ description: 'shell tasks: answers of an episode, a command each' }),
    turnTokens: z.number().int().min(1).max(100_000).default(512).meta({
      description: 'shell tasks: tokens of one answer; `maxCompletion` is for the whole episode, outputs included',
    }),
    heldoutTasks: z.number().int().min(0).max(10_000).default(100).meta({
      description: 'shell tasks: held-out tasks tried greedily before the first step and at each evaluation; 0: none',
    }),
    distill: z
      .enum(['auto', 'logits', 'on-policy', 'text'])
      .default('auto')
      .meta({ description: 'auto: on-policy where tokenizers agree, else the teacher’s text' }),
    teacherTokens: z
      .number()
      .int()
      .min(1)
      .max(100_000)
      .default(2048)
      .meta({ description: 'distillation by text: tokens of an answer of the teacher; one that does not end within them is not learned' }),
    earlyStopping: z
      .strictObject({ patience: z.number().int().min(1).max(1000).default(3) })
      .nullable()
      .default(null)
      .meta({
        description: 'evaluations that are no better by `bestBy`; each has its checkpoint then, and the best weights are the result',
      }),
    loggingSteps: z.number().int().min(1).default(10),
    evalSteps: z.number().int().min(1).nullable().default(50).meta({ description: 'null: no evaluation; none either without a val file' }),
    saveSteps: z.number().int().min(1).nullable().default(100),
    keepCheckpoints: z.number().int().min(1).max(1000).default(2),
    samples: z.number().int().min(0).max(20).default(3).meta({ description: 'prompts answered at each evaluation' }),
    nextCalls: z.number().int().min(0).max(1000).default(50).meta({
      description:
        'held-out answers asked for again, greedily, before the first step and at each evaluation; 0: none. SFT, DPO, KTO, distillation',
    }),
    bestBy: z.enum(['loss', 'next_call']).default('loss').meta({
      description:
        'what makes a step the best: the loss on held-out rows, or argument F1 of next calls and then the loss; of GRPO and RLVR it is the reward',
    }),
    device: z.enum(['auto', 'cpu', 'cuda']).default('auto'),
    processes: z.number().int().min(1).max(64).default(1).meta({
      description: 'that train together, each on a GPU of its own or on a share of the processor; the batch size is that of all of them',
    }),
    threads: z
      .number()
      .int()
      .min(1)
      .max(1024)
      .nullable()
      .default(null)
      .meta({ description: 'of each process; null: all, shared by the processes' }),
    ...Knobs,
  })
  .meta({ id: 'TrainSettings' })
export type TrainSettings = z.infer<typeof TrainSettings>
export type TrainSettingsInput = z.input<typeof TrainSettings>

const File = z.string().min(1).max(4096)

export const TrainerConfig = TrainSettings.extend({
  format: z.literal(1),
  runId: z.string().regex(/^[a-z0-9_-]{1,64}$/i),
  strategy: TrainStrategy,
  model: File.meta({ description: 'folder of the base model, or a GGUF file' }),
  teacher: File.nullable().default(null).meta({ description: 'of the teacher, as `model`; distillation' }),
  data: z.strictObject({ train: File.meta({ description: 'JSONL' }), val: File.nullable().default(null) }),
  output: File.meta({ description: 'folder of the run; checkpoints and the result lie below it' }),
  sandbox: z
    .strictObject({ argv: z.array(z.string().max(4096)).min(1).max(50) })
    .nullable()
    .default(null)
    .meta({ description: 'child that runs code in isolation, JSON lines both ways; without it such a reward is refused' }),
  environment: z
    .strictObject({
      file: File.meta({ description: 'JSON {url, token?}: where the environment is found, looked up whenever an episode begins' }),
      capacity: z.number().int().min(1).meta({ description: 'episodes that may be played at once' }),
    })
    .nullable()
    .default(null)
    .meta({ description: 'OpenEnv server that plays the shell tasks: rows have the column `environment`, what its reset is told' }),
  dryRun: z.boolean().default(false).meta({ description: 'two optimiser steps on the longest rows; nothing is saved' }),
}).meta({ id: 'TrainerConfig' })
export type TrainerConfig = z.infer<typeof TrainerConfig>

/** The turns and the result of one attempt at a shell task. */
export const PlayedEpisode = z
  .strictObject({
    taskId: z.string().nullable(),
    status: z.enum(['ok', 'corrupted', 'error']),
    how: z.enum(['exited', 'turns', 'context', 'corrupted', 'error']).meta({ description: 'how it ended' }),
    success: z.boolean().nullable(),
    error: z.string().nullable(),
    turns: z.array(z.strictObject({ command: z.string(), output: z.string(), exitCode: z.number().int().nullable() })),
  })
  .meta({ id: 'PlayedEpisode' })
export type PlayedEpisode = z.infer<typeof PlayedEpisode>

const Common = { seq: z.number().int(), at: z.string().meta({ description: 'ISO 8601, UTC' }) }
/** A value that is not finite becomes null, and `notFinite` lists its name. */
const Metrics = z.record(z.string(), z.number().nullable())
const Memory = z.strictObject({ rss: z.number(), vram: z.number().nullable() }).meta({ description: 'MB' })

export const TrainPhase = z.enum(['loading', 'tokenising', 'warming', 'training', 'evaluating', 'saving'])

/** Held-out answers that the model generates again during training; the results are `eval_call_parse` and the other call metrics. */
export const NextCalls = z
  .strictObject({
    answers: z.number().int(),
    withCalls: z.number().int().meta({ description: 'answers that the data set has a call for' }),
    maxTokens: z.number().int().nullable().meta({ description: 'of an answer: the 95th percentile of the recorded ones' }),
    leftOut: z.number().int().meta({ description: 'answers that do not fit the max length with their prompt, as far as was looked' }),
    reason: z.string().nullable().meta({ description: 'why nothing is measured' }),
    digest: z.string().nullable().optional().meta({ description: 'identifies the answers; figures of other answers are not comparable' }),
  })
  .meta({ id: 'NextCalls' })
export type NextCalls = z.infer<typeof NextCalls>

/** Counts of a teacher's answers to the turns of the rows, with the number that is not learned by reason. */
export const TeacherAnswers = z
  .strictObject({
    asked: z.number().int(),
    kept: z.number().int(),
    tooLong: z.number().int().meta({ description: 'did not end within the limit of tokens' }),
    promptTooLong: z.number().int().meta({ description: 'the prompt alone fills the context of the teacher' }),
    unwritten: z.number().int().meta({ description: 'the chat template of the teacher cannot write the prompt' }),
    unreadable: z.number().int().meta({ description: 'a call in it cannot be read' }),
    unknownTool: z.number().int().meta({ description: 'calls a tool that the row does not have' }),
    empty: z.number().int(),
    sampling: z.strictObject({ temperature: z.number().meta({ description: '0: greedy' }), maxTokens: z.number().int() }),
  })
  .meta({ id: 'TeacherAnswers' })
export type TeacherAnswers = z.infer<typeof TeacherAnswers>

/** The trainer appends its events as JSON lines to the run's events file, which is the source of truth. */
export const TrainerEvent = z
  .discriminatedUnion('type', [
    z.strictObject({ ...Common, type: z.literal('phase'), phase: TrainPhase, detail: z.string().nullable() }),
    z.strictObject({
      ...Common,
      type: z.literal('plan'),
      rows: z.number().int(),
      fileRows: z.number().int().optional().meta({ description: 'rows of the data file' }),
      unused: z.number().int().optional().meta({ description: 'rows of the data file of which nothing is trained' }),
      valRows: z.number().int(),
      tokens: z.number().int(),
      trainedTokens: z.number().int().nullable(),
      truncated: z.number().int().meta({ description: 'answers (SFT, DPO, KTO) or rows that do not fit the max length and are left out' }),
      split: z.number().int().optional().meta({ description: 'rows of the data file that became several' }),
      longest: z.number().int(),
      totalSteps: z.number().int(),
      parameters: z.number().int(),
      trainable: z.number().int(),
      device: z.string(),
    }),
    z.strictObject({ ...Common, type: z.literal('teacher'), split: z.enum(['train', 'val']), ...TeacherAnswers.shape }),
    z.strictObject({ ...Common, type: z.literal('next_calls'), ...NextCalls.shape }),
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
      memoryMb: Memory,
    }),
    z.strictObject({
      ...Common,
      type: z.literal('system'),
      cpuPercent: z.number().nullable().meta({ description: 'of the process and its children; 100 is one core' }),
      rssMb: z.number().nullable(),
      ramUsedMb: z.number().nullable(),
      ramTotalMb: z.number().nullable(),
      gpus: z.array(
        z.strictObject({
          name: z.string(),
          percent: z.number().nullable(),
          usedMb: z.number().nullable(),
          totalMb: z.number().nullable(),
          temperatureC: z.number().nullable(),
          powerW: z.number().nullable(),
        }),
      ),
    }),
    z.strictObject({
      ...Common,
      type: z.literal('sample'),
      step: z.number().int(),
      source: z.enum(['evaluation', 'rollout']),
      index: z.number().int().meta({ description: 'of the prompt' }),
      prompt: z.string(),
      text: z.string(),
      reference: z.string().nullable().meta({ description: 'what the data set says there' }),
      rewards: Metrics.meta({ description: 'by name; empty for an evaluation' }),
      episode: PlayedEpisode.optional().meta({ description: 'of shell tasks' }),
    }),
    z.strictObject({ ...Common, type: z.literal('checkpoint'), step: z.number().int(), path: z.string(), best: z.boolean() }),
    z.strictObject({ ...Common, type: z.literal('warning'), code: z.string(), message: z.string() }),
    z.strictObject({
      ...Common,
      type: z.literal('complete'),
      step: z.number().int(),
      artifact: z.string().nullable().meta({ description: 'folder of the adapter or of the whole model; null after a dry run' }),
      trainSec: z.number(),
      peakMb: Memory,
      stoppedEarly: z.boolean(),
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
      field: z.string().nullable(),
    }),
  ])
  .meta({ id: 'TrainerEvent' })
export type TrainerEvent = z.infer<typeof TrainerEvent>

/** Content of a run's `control.json`. Write it to a temporary file and rename, so that the trainer never reads half of it. */
export const TrainerControl = z.strictObject({ action: z.enum(['pause', 'save_stop', 'cancel']) }).meta({ id: 'TrainerControl' })
export type TrainerControl = z.infer<typeof TrainerControl>

/** A program that the trainer asks the sandbox child to run, as one JSON line. The files are first written to an empty folder. */
export const SandboxRequest = z
  .strictObject({
    id: z.string().min(1).max(100),
    files: z.record(z.string().min(1).max(200), z.string().max(1_000_000)),
    argv: z.array(z.string().max(4096)).min(1).max(100),
    timeoutMs: z.number().int().min(1).max(600_000),
    memoryMb: z.number().int().min(16).max(65_536).default(512),
  })
  .meta({ id: 'SandboxRequest' })
export type SandboxRequest = z.infer<typeof SandboxRequest>

/** The sandbox child's response, one JSON line. `error` is set if the program was not run because isolation failed. */
export const SandboxResponse = z
  .strictObject({
    id: z.string().nullable(),
    exitCode: z.number().int().nullable(),
    signal: z.string().nullable(),
    timedOut: z.boolean(),
    stdout: z.string(),
    stderr: z.string(),
    ms: z.number(),
    error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: 'SandboxResponse' })
export type SandboxResponse = z.infer<typeof SandboxResponse>

/** Config of a trainer command other than training: `python -m bashgym_trainers COMMAND --config FILE`. It prints events as JSON lines. */
export const ExportConfig = z
  .discriminatedUnion('command', [
    z.strictObject({
      command: z.literal('merge'),
      model: File,
      adapter: File.nullable().default(null).meta({ description: 'null: `model` is whole already and is only brought to 16 bits' }),
      output: File,
    }),
    z.strictObject({
      command: z.literal('gguf'),
      model: File.meta({ description: 'merged folder' }),
      output: File,
      quantization: z.enum(['f16', 'q8_0', 'q5_k_m', 'q4_k_m']),
      threads: z.number().int().min(1).max(1024).nullable().default(null),
      quantizer: File.nullable().default(null).meta({ description: 'llama-quantize of the machine, if there is one' }),
    }),
    z.strictObject({
      command: z.literal('answer'),
      model: File.meta({ description: 'folder, or a .gguf file' }),
      adapter: File.nullable().default(null),
      prompts: File.meta({ description: 'JSONL of {messages, tools?}' }),
      output: File,
      maxTokens: z.number().int().min(1).max(8192).default(1024),
      tokenizer: File.nullable().default(null).meta({ description: 'folder whose template prompts are written by; null: the own one' }),
      threads: z.number().int().min(1).max(1024).nullable().default(null),
    }),
    z.strictObject({
      command: z.literal('extract'),
      model: File.meta({ description: 'folder' }),
      adapter: File.nullable().default(null),
      phrases: File.meta({
        description: 'JSONL of {id, prefix, ending, ranked}; a ranked ending is a blank and digits, and is also looked for in an answer',
      }),
      output: File.meta({ description: 'JSONL of ExtractedPhrase' }),
      endings: z.number().int().min(2).max(100_000).meta({ description: 'how many endings the true one is ranked among' }),
      samples: z.number().int().min(0).max(64).default(8).meta({ description: 'continuations that are drawn at temperature 1' }),
      tokenizer: File.nullable().default(null),
      threads: z.number().int().min(1).max(1024).nullable().default(null),
    }),
    z.strictObject({
      command: z.literal('read'),
      input: File.meta({ description: 'JSON of {raw, tools}: an answer as it was written' }),
      output: File.meta({ description: 'JSON of ReadAnswer' }),
    }),
    z.strictObject({
      command: z.literal('serve'),
      model: File.meta({ description: 'a .gguf file' }),
      key: File.meta({ description: 'file (0600) with the bearer token that callers must show' }),
      context: z.number().int().min(256).max(1_000_000).default(4096),
      threads: z.number().int().min(1).max(1024).nullable().default(null),
      gpuLayers: z.number().int().min(0).max(10_000).nullable().default(null).meta({ description: 'null: as many as fit' }),
      thinking: z.boolean().default(true).meta({ description: 'false: the chat template is told that the model does not think' }),
    }),
  ])
  .meta({ id: 'ExportConfig' })
export type ExportConfig = z.infer<typeof ExportConfig>

/** Events of these commands. The last line is `done` or `failed`; `serve` sends `ready` and runs until its stdin closes. */
export const ExportEvent = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('progress'),
      phase: z.string(),
      done: z.number(),
      total: z.number().nullable(),
      unit: z.string(),
    }),
    z.strictObject({
      type: z.literal('ready'),
      port: z.number().int(),
      loadMs: z.number(),
      gpuLayers: z.number().int(),
      gpu: z.string().nullable().meta({ description: 'that holds them' }),
      marks: z
        .array(z.string())
        .meta({ description: 'tokens of the vocabulary that mark parts of an answer, and are left out unless asked for' }),
    }),
    z.strictObject({ type: z.literal('done'), facts: z.record(z.string(), z.union([z.string(), z.number(), z.null()])) }),
    z.strictObject({ type: z.literal('failed'), code: z.string(), message: z.string() }),
  ])
  .meta({ id: 'ExportEvent' })
export type ExportEvent = z.infer<typeof ExportEvent>

/** A line of the output file of the command `extract`. */
export const ExtractedPhrase = z
  .strictObject({
    id: z.string(),
    rank: z.number().int().min(1).nullable().meta({ description: 'null: not ranked' }),
    endings: z.number().int(),
    extracted: z.boolean().meta({ description: 'greedily written, sign by sign' }),
    sampled: z.number().int().min(0).meta({ description: 'how many of the drawn continuations had it' }),
  })
  .meta({ id: 'ExtractedPhrase' })
export type ExtractedPhrase = z.infer<typeof ExtractedPhrase>

/** A line of the output file of the command `answer`, one per prompt: the model's text and the calls parsed from it. */
export const ExportAnswer = z
  .strictObject({
    text: z.string().meta({ description: 'beside the calls' }),
    calls: z.array(z.strictObject({ name: z.string(), arguments: z.unknown() })),
    raw: z.string().meta({ description: 'all of it, as it was written' }),
    tokens: z.number().int(),
    ended: z.boolean().meta({ description: 'by an end mark, not by the limit of tokens' }),
    alike: z.boolean().nullable().meta({ description: 'llama.cpp splits the prompt into the same tokens; null: it was not asked' }),
  })
  .meta({ id: 'ExportAnswer' })
export type ExportAnswer = z.infer<typeof ExportAnswer>

/** Output of the command `read`: the text and the calls of an answer. */
export const ReadAnswer = z
  .strictObject({ text: z.string(), calls: z.array(z.strictObject({ name: z.string(), arguments: z.unknown() })) })
  .meta({ id: 'ReadAnswer' })

/** JSON Schemas that the Python trainers read. */
/** If more than this share of the rows is left out, the run is refused: the data set would no longer be the chosen one. */
export const MAX_UNWRITTEN = 0.1
/** How a trainer exits if the disk is too full for its last event: EX_IOERR of sysexits.h. */
export const DISK_FULL_EXIT = 74

export const trainerSchema = () => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  config: z.toJSONSchema(TrainerConfig, { io: 'input' }),
  event: z.toJSONSchema(TrainerEvent),
  control: z.toJSONSchema(TrainerControl),
  sandboxRequest: z.toJSONSchema(SandboxRequest, { io: 'input' }),
  sandboxResponse: z.toJSONSchema(SandboxResponse),
  export: z.toJSONSchema(ExportConfig, { io: 'input' }),
  exportEvent: z.toJSONSchema(ExportEvent),
  exportAnswer: z.toJSONSchema(ExportAnswer),
  needs: KNOB_NEEDS,
  ...OBJECTIVE_TABLES,
  maxUnwritten: MAX_UNWRITTEN,
  diskFullExit: DISK_FULL_EXIT,
})
