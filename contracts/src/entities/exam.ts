import { z } from 'zod'
import { addressField } from '../places.ts'
import { Id, Instant, Refusal, TraceId } from './common.ts'
import { ChatMessage, ToolSchema } from './example.ts'
import { ExamVerdict } from './evaluation.ts'
import { ModelId } from './model.ts'
import { ProviderId } from './provider.ts'
import { TaskAgent, TaskId } from './task.ts'

export const ExamId = Id.meta({ id: 'ExamId' })
export const ExamRunId = Id.meta({ id: 'ExamRunId' })

const ReasonCount = z.object({ reason: z.string(), count: z.number().int() })

/** `next_calls`: recorded calls, one request each. `solved_tasks`: whole tasks that agents do again, graded by tests they never see. */
export const ExamKind = z.enum(['next_calls', 'solved_tasks']).meta({ id: 'ExamKind' })
export type ExamKind = z.infer<typeof ExamKind>

/** Which sessions an exam is made from, and how. */
export const ExamRequest = z
  .object({
    kind: ExamKind.default('next_calls'),
    name: z.string().trim().min(1).max(80).optional(),
    query: z.string().max(2000).optional().meta({ description: 'in the filter language; default: all sessions' }),
    traceIds: z.array(TraceId).min(1).max(10_000).optional(),
    unverified: z.boolean().default(false).meta({ description: 'also gold sessions without a passed verification' }),
    share: z
      .number()
      .gt(0)
      .max(1)
      .optional()
      .meta({ description: 'how many of these sessions to hold out, chosen by a fixed hash; default: .2 of all, or all that are named' }),
    callsPerSession: z.number().int().min(1).max(8).default(8),
    contextTokens: z
      .number()
      .int()
      .min(1000)
      .max(200_000)
      .default(6000)
      .meta({ description: 'estimated tokens of the text before a call; earlier steps of a longer one are left out, as in training' }),
    repeats: z
      .number()
      .int()
      .min(1)
      .max(5)
      .default(3)
      .meta({ description: 'of solved tasks: how often each proof is run; a task whose results differ is left out' }),
    undo: z
      .enum(['few', 'always', 'never'])
      .default('few')
      .meta({ description: 'of solved tasks: undo hunks of a proven change as further tasks; `few`: while there are fewer than 20 tasks' }),
    checkTimeoutSec: z.number().int().min(5).max(3600).default(300),
    unseenBy: ModelId.optional().meta({ description: 'leaves out sessions that this model was trained on' }),
    seed: z.number().int().min(0).default(42),
  })
  .meta({ id: 'ExamRequest' })
export type ExamRequest = z.infer<typeof ExamRequest>

/** Shown before an exam is made. */
export const ExamPlan = z
  .object({
    kind: ExamKind,
    matching: z.number().int().meta({ description: 'sessions that were considered' }),
    sessions: z
      .number()
      .int()
      .meta({ description: 'of solved tasks: sessions that would be tried; how many are proven is known only then' }),
    leftOut: z.array(ReasonCount),
    inDatasets: z.number().int().meta({ description: 'of the sessions, those that a data set trains on: models made from it are refused' }),
    smallest: z
      .number()
      .nullable()
      .meta({ description: 'the smallest difference that this many sessions usually show; null below two sessions' }),
    minSessions: z.number().int().meta({ description: 'below this nothing can be proven' }),
  })
  .meta({ id: 'ExamPlan' })
export type ExamPlan = z.infer<typeof ExamPlan>

/** Recorded calls or tasks of held-out sessions. Its items never change once it was run. */
export const Exam = z
  .object({
    id: ExamId,
    kind: ExamKind,
    name: z.string(),
    state: z
      .enum(['making', 'interrupted', 'cancelled', 'failed', 'ready'])
      .meta({ description: 'other than `making` and `ready`, it can be resumed' }),
    detail: z.string().nullable(),
    considered: z.number().int().nullable().meta({ description: 'sessions that were looked at; null if that was not stored' }),
    waiting: z.number().int().meta({ description: 'sessions that are still to be tried' }),
    hash: z.string().meta({ description: 'sha256 of its items' }),
    sessions: z.number().int(),
    items: z.number().int(),
    tools: z.array(z.object({ tool: z.string(), items: z.number().int() })),
    leftOut: z.array(ReasonCount),
    request: ExamRequest,
    runs: z.number().int(),
    createdAt: Instant,
  })
  .meta({ id: 'Exam' })
export type Exam = z.infer<typeof Exam>

const Proof = z.object({
  base: z.boolean().meta({ description: 'BASE: with the new tests, the state before fails' }),
  red: z.boolean().meta({ description: 'RED: an empty answer fails' }),
  gold: z.boolean().meta({ description: 'GOLD: the recorded change passes' }),
  runs: z.number().int().meta({ description: 'how often each was run, always with the same result' }),
})

/** A task of an exam: work of a session that can be done again. */
export const ExamTask = z
  .object({
    id: z.string().meta({ description: 'also the name of its folder in the layout of Harbor' }),
    no: z.number().int(),
    traceId: TraceId,
    repo: z.string().nullable(),
    prompt: z.string(),
    isEdited: z.boolean().meta({ description: 'whether the prompt was changed here; the session has the recorded one' }),
    command: z.string().meta({ description: 'the checks, which are hidden until the agent has ended' }),
    files: z.array(z.string()).meta({ description: 'files of the recorded change that are no tests' }),
    hiddenFiles: z.array(z.string()).meta({ description: 'tests and their configuration as the session left them' }),
    mustPass: z.array(z.string()).meta({ description: 'tests that fail before and pass after' }),
    mustStay: z.number().int().meta({ description: 'tests that pass in both states' }),
    undone: z.string().nullable().meta({ description: 'the part of the change that was undone; null: the whole session' }),
    proof: Proof,
    folder: z.string(),
  })
  .meta({ id: 'ExamTask' })
export type ExamTask = z.infer<typeof ExamTask>

/** A session that was considered for tasks, and what became of it. */
export const ExamCandidate = z
  .object({
    id: TraceId,
    outcome: z.enum(['waiting', 'proven', 'left_out']),
    reason: z.string().nullable(),
    detail: z.string().nullable(),
    tasks: z.number().int(),
  })
  .meta({ id: 'ExamCandidate' })
export type ExamCandidate = z.infer<typeof ExamCandidate>

export const ExamCall = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }).meta({ id: 'ExamCall' })
export type ExamCall = z.infer<typeof ExamCall>

/** A model that takes an exam. `base` is the model that a trained one began from. */
export const ExamModel = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('model'), model: ModelId }),
    z.object({ kind: z.literal('base'), model: ModelId.meta({ description: 'the trained model whose base is meant' }) }),
    z.object({ kind: z.literal('provider'), provider: ProviderId, model: z.string().trim().max(200).optional() }),
    z.object({
      kind: z.literal('url'),
      dialect: z.enum(['anthropic', 'openai']).default('openai'),
      baseUrl: addressField(z.string().min(1).max(2000), 'Send recorded work to an address'),
      model: z.string().trim().max(200).optional(),
    }),
  ])
  .meta({ id: 'ExamModel' })
export type ExamModel = z.infer<typeof ExamModel>

export const ExamRunRequest = z
  .object({
    model: ExamModel,
    against: ExamModel.optional().meta({ description: 'default: the base of a model of the registry' }),
    maxTokens: z.number().int().min(16).max(8192).default(1024).meta({ description: 'of one answer' }),
    maxCostUsd: z.number().positive().optional().meta({ description: 'for both models together; refused if a price is unknown' }),
    seed: z.number().int().min(0).max(2_147_483_647).default(42),
    parallel: z
      .number()
      .int()
      .min(1)
      .max(16)
      .default(1)
      .meta({ description: 'of next calls: items at a time; within an item the two models are asked one after the other' }),
    attempts: z.number().int().min(1).max(16).default(1).meta({ description: 'of solved tasks: runs of an agent for each task and model' }),
    agent: TaskAgent.default('shell').meta({ description: 'of solved tasks' }),
    turns: z.number().int().min(1).max(1000).default(50).meta({ description: 'of solved tasks: requests of one run' }),
    timeSec: z.number().int().min(10).max(86_400).default(900).meta({ description: 'of solved tasks: time of one run' }),
  })
  .meta({ id: 'ExamRunRequest' })
export type ExamRunRequest = z.infer<typeof ExamRunRequest>

/** What identifies a model: its name or id, and the hashes of its files. */
export const ExamIdentity = z
  .object({
    id: z.string(),
    hashes: z.record(z.string(), z.string()).meta({ description: 'empty for an endpoint, whose files are not known here' }),
  })
  .meta({ id: 'ExamIdentity' })
export type ExamIdentity = z.infer<typeof ExamIdentity>

const PlannedSide = z.object({
  label: z.string(),
  payer: z.string(),
  receiver: z.string().meta({ description: 'who gets the recorded work' }),
  price: z.object({ inputPerMTok: z.number(), outputPerMTok: z.number() }).nullable(),
})

/** Shown before an exam is run. */
export const ExamRunPlan = z
  .object({
    model: PlannedSide,
    against: PlannedSide,
    items: z.number().int(),
    requests: z.number().int().meta({ description: 'of solved tasks: runs of an agent' }),
    inputTokens: z.number().int().nullable().meta({ description: 'estimated, of all requests; null: an agent decides how many it sends' }),
    mostOutputTokens: z.number().int().nullable(),
    mostUsd: z.number().nullable().meta({ description: 'null if a price is unknown' }),
    smallest: z.number().nullable(),
    notes: z.array(z.string()),
    refusals: z.array(Refusal),
  })
  .meta({ id: 'ExamRunPlan' })
export type ExamRunPlan = z.infer<typeof ExamRunPlan>

/** `error` and `not_run` are owed: they enter no figure until they are asked again. */
export const ExamAnswerState = z
  .enum(['pass', 'fail', 'truncated', 'timeout_with_verdict', 'error', 'not_run'])
  .meta({ id: 'ExamAnswerState' })
export type ExamAnswerState = z.infer<typeof ExamAnswerState>

const Counts = z.record(ExamAnswerState, z.number().int())

/** Two models on the items of an exam. */
export const ExamRun = z
  .object({
    id: ExamRunId,
    examId: ExamId,
    examName: z.string(),
    kind: ExamKind,
    state: z.enum(['queued', 'running', 'paused', 'completed', 'failed', 'cancelled']),
    detail: z.string().nullable().meta({ description: 'why it stopped' }),
    request: ExamRunRequest,
    model: ExamIdentity,
    base: ExamIdentity,
    labels: z.object({ model: z.string(), base: z.string() }),
    isReading: z.boolean().meta({ description: 'of the thermometer: only `model` is asked; `base` has its answers of `earlier`' }),
    earlier: ExamRunId.nullable().meta({ description: 'of a reading: the one before; null if there is none' }),
    items: z.number().int(),
    counts: z.object({ model: Counts, base: Counts }),
    owed: z.number().int().meta({ description: 'items without a verdict on one side or both' }),
    costUsd: z.number().nullable().meta({ description: 'null if the price is unknown' }),
    verdict: ExamVerdict.nullable().meta({ description: 'null: not decided' }),
    delta: z.number().nullable(),
    createdAt: Instant,
    startedAt: Instant.nullable(),
    endedAt: Instant.nullable(),
  })
  .meta({ id: 'ExamRun' })
export type ExamRun = z.infer<typeof ExamRun>

const Interval = z.object({ low: z.number().nullable(), high: z.number().nullable() })

/** What an exam run proves. Recomputed from the stored answers, without a model. */
export const ExamCertificate = z
  .object({
    verdict: ExamVerdict,
    delta: z.number().nullable().meta({ description: 'mean soft score of the candidate minus that of its base' }),
    intervals: z.object({ bootstrap: Interval, clustered: Interval }),
    sessions: z.number().int(),
    items: z.array(
      z.object({
        id: z.string(),
        base: z.number().nullable(),
        candidate: z.number().nullable(),
        state: z.enum(['win', 'loss', 'tie', 'error', 'not_run']),
      }),
    ),
    needed: z.number().int().nullable().meta({ description: 'sessions needed to decide; null if it is decided or unknown' }),
    noiseFloor: Interval.extend({ delta: z.number(), run: ExamRunId })
      .nullable()
      .meta({ description: 'of a model against itself on this exam; null if not measured' }),
    model: ExamIdentity,
    base: ExamIdentity,
    forms: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .meta({ description: 'metric, how it is computed, and the limits of the gate' }),
    seeds: z.record(z.string(), z.number()),
    envelope: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).meta({ description: 'the same for both models' }),
    versions: z.record(z.string(), z.string()),
    errors: z.array(z.string()).meta({ description: 'why it is refused, and what was not measured' }),
  })
  .meta({ id: 'ExamCertificate' })
export type ExamCertificate = z.infer<typeof ExamCertificate>

const SideFigures = z.object({
  soft: z.number().nullable(),
  exact: z.number().nullable(),
  toolName: z.number().nullable(),
  argF1: z.number().nullable(),
})

/** The figures beside a certificate. */
export const ExamResult = z
  .object({
    verdict: ExamVerdict,
    reason: z.string(),
    decided: z.boolean().meta({ description: 'false: it would be the verdict, but it is not stored as a certificate' }),
    delta: z.number().nullable(),
    intervals: z.object({ bootstrap: Interval, clustered: Interval }),
    sessions: z.number().int(),
    items: z.number().int(),
    needed: z.number().int().nullable(),
    bound: z.number().nullable().meta({ description: 'no larger effect is compatible with the data; null without an interval' }),
    wins: z.number().int(),
    losses: z.number().int(),
    ties: z.number().int(),
    p: z.number().nullable().meta({ description: 'exact sign test' }),
    figures: z.object({ model: SideFigures, base: SideFigures }),
    noiseFloor: ExamCertificate.shape.noiseFloor,
    notes: z.array(z.string()),
  })
  .meta({ id: 'ExamResult' })
export type ExamResult = z.infer<typeof ExamResult>

/** What the pictures of a run show. */
export const ExamPictures = z
  .object({
    pairs: z
      .array(
        z.object({
          no: z.number().int(),
          traceId: TraceId,
          stepId: z.string().nullable(),
          base: z.number(),
          model: z.number(),
        }),
      )
      .meta({ description: 'scores of items that both models answered, the largest losses first; of many, every n-th' }),
    of: z.number().int().meta({ description: 'items that both models answered' }),
    differences: z
      .array(
        Interval.extend({
          part: z.enum(['exam', 'repo', 'benchmark']),
          name: z.string().nullable().meta({ description: 'of a repository or benchmark; null: sessions without a repository' }),
          delta: z.number(),
          n: z.number().int().meta({ description: 'sessions, or items of a benchmark' }),
        }),
      )
      .meta({
        description: 'candidate minus base with its 95 % interval: of the exam, of each repository in it, of each general benchmark',
      }),
    power: z.array(z.object({ difference: z.number(), sessions: z.number().int() })).meta({
      description: 'sessions that would show a difference in 80 of 100 exams; empty while the spread of sessions is not measured',
    }),
  })
  .meta({ id: 'ExamPictures' })
export type ExamPictures = z.infer<typeof ExamPictures>

/** A run of an agent for a task of an exam. */
export const ExamAttempt = z.object({
  sample: z.number().int(),
  state: ExamAnswerState,
  passed: z.boolean().nullable(),
  taskId: TaskId.nullable(),
  detail: z.string().nullable(),
})
export type ExamAttempt = z.infer<typeof ExamAttempt>

/** One answer of one side. */
export const ExamAnswer = z
  .object({
    state: ExamAnswerState,
    score: z.number().nullable(),
    text: z.string().nullable(),
    call: ExamCall.nullable(),
    error: z.string().nullable(),
    attempt: z.number().int(),
    ms: z.number().nullable(),
    runs: z.array(ExamAttempt).meta({ description: 'of solved tasks' }),
  })
  .meta({ id: 'ExamAnswer' })
export type ExamAnswer = z.infer<typeof ExamAnswer>

export const ExamItem = z
  .object({
    id: z.string(),
    no: z.number().int(),
    traceId: TraceId,
    repo: z.string().nullable(),
    stepId: z.string().nullable(),
    recorded: ExamCall.nullable().meta({ description: 'null for a task' }),
    task: ExamTask.nullable(),
    model: ExamAnswer,
    base: ExamAnswer,
    difference: z.number().nullable(),
  })
  .meta({ id: 'ExamItem' })
export type ExamItem = z.infer<typeof ExamItem>

/** What both models are asked. */
export const ExamItemContext = z
  .object({ id: z.string(), messages: z.array(ChatMessage), tools: z.array(ToolSchema), recorded: ExamCall })
  .meta({ id: 'ExamItemContext' })
export type ExamItemContext = z.infer<typeof ExamItemContext>
