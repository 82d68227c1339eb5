import { z } from 'zod'
import { Id, Instant, TraceId } from './common.ts'
import { Task, TaskBoundary, TaskId, TaskPlan, TaskRequest } from './task.ts'

export const BatchId = Id.meta({ id: 'BatchId' })

/** A task of a batch; each attempt is a separate run. */
export const BatchTask = TaskRequest.pick({
  prompt: true,
  title: true,
  directory: true,
  repositoryUrl: true,
  verify: true,
  setup: true,
  harbor: true,
})
  .extend({ key: z.string().trim().min(1).max(300).meta({ description: 'identifies the task in the batch' }) })
  .meta({ id: 'BatchTask' })
export type BatchTask = z.infer<typeof BatchTask>

/** Settings of all runs of a batch. */
export const BatchSettings = TaskRequest.pick({
  agent: true,
  endpoint: true,
  model: true,
  caps: true,
  context: true,
  redact: true,
  network: true,
  limits: true,
  checkTimeoutSec: true,
}).meta({ id: 'BatchSettings' })
export type BatchSettings = z.infer<typeof BatchSettings>

export const BatchRequest = z
  .object({
    name: z.string().trim().min(1).max(200).optional(),
    tasks: z.array(BatchTask).min(1).max(10_000),
    settings: BatchSettings.prefault({}),
    attempts: z.number().int().min(1).max(100).default(1).meta({ description: 'runs per task' }),
    concurrency: z.number().int().min(1).max(64).default(2),
    maxCostUsd: z.number().positive().nullable().default(null).meta({ description: 'limit for all runs together; no run starts above it' }),
  })
  .meta({ id: 'BatchRequest' })
export type BatchRequest = z.infer<typeof BatchRequest>

/** Shown before a batch is started. */
export const BatchPlan = z
  .object({
    tasks: z.number().int(),
    plan: TaskPlan.meta({
      description: 'the plan of the first task; if the tasks come from sessions, it omits everything that depends on their folders',
    }),
    folders: z.array(z.object({ folder: z.string(), keys: z.array(z.string()) })).meta({
      description:
        'the folders of this machine that are copied, without links and with the whole repository of a folder, and the tasks that name them; empty if the tasks come from sessions',
    }),
    estimate: z
      .object({
        runs: z.number().int().meta({ description: 'number of earlier runs of this agent and model that the estimate is based on' }),
        costUsd: z.number().nullable().meta({ description: 'null if no cost is known' }),
        ms: z.number().nullable(),
      })
      .meta({ description: 'for all attempts, based on the median of earlier runs' }),
  })
  .meta({ id: 'BatchPlan' })
export type BatchPlan = z.infer<typeof BatchPlan>

export const BatchState = z.enum(['running', 'done', 'cancelled', 'stopped']).meta({
  id: 'BatchState',
  description: 'stopped: the cost limit was reached; done: no attempt is waiting, but some may have no result',
})

/** Attempts by state. `owed` attempts ended without a result, for a reason other than the agent's work. */
export const BatchCounts = z.object({
  total: z.number().int(),
  waiting: z.number().int(),
  running: z.number().int(),
  passed: z.number().int(),
  failed: z.number().int(),
  unverified: z.number().int(),
  owed: z.number().int(),
})

export const Batch = z
  .object({
    id: BatchId,
    name: z.string(),
    state: BatchState,
    detail: z.string().nullable().meta({ description: 'why it stopped, as a sentence' }),
    tasks: z.number().int(),
    leftOut: z.number().int().meta({ description: 'sessions whose task cannot be repeated; the report has the reasons' }),
    attempts: z.number().int(),
    concurrency: z.number().int(),
    maxCostUsd: z.number().nullable(),
    settings: BatchSettings,
    counts: BatchCounts,
    costUsd: z.number().nullable().meta({ description: 'total of the known costs; null if none is known' }),
    createdAt: Instant,
    endedAt: Instant.nullable(),
  })
  .meta({ id: 'Batch' })
export type Batch = z.infer<typeof Batch>

/** The result of one attempt. */
export const BatchOutcome = z.enum(['passed', 'failed', 'unverified', 'owed'])
export type BatchOutcome = z.infer<typeof BatchOutcome>

export const BatchResult = z
  .object({
    key: z.string(),
    attempt: z.number().int(),
    title: z.string(),
    taskId: z.string().nullable().meta({ description: 'null if its run was refused' }),
    outcome: BatchOutcome,
    agent: TaskRequest.shape.agent.unwrap(),
    model: z.string().nullable(),
    boundary: TaskBoundary.nullable().meta({ description: 'what caused the failure' }),
    message: z.string().nullable(),
    traceId: z.string().nullable(),
    checks: z
      .object({ passed: z.number().int(), total: z.number().int() })
      .nullable()
      .meta({ description: 'null if no checks ran or the runner does not report single tests' }),
    change: Task.shape.change,
    turns: z.number().int(),
    tokens: Task.shape.tokens,
    costUsd: z.number().nullable(),
    durationMs: z.number().nullable(),
    endedAt: Instant.nullable(),
  })
  .meta({ id: 'BatchResult' })
export type BatchResult = z.infer<typeof BatchResult>

/** Results of several attempts. The rate counts attempts that passed or failed; `low` and `high` are its 95 % Wilson interval, which counts tasks. */
export const BatchRate = z.object({
  attempts: z.number().int(),
  tasks: z.number().int().meta({ description: 'tasks with an attempt that passed or failed' }),
  passed: z.number().int(),
  failed: z.number().int(),
  unverified: z.number().int(),
  owed: z.number().int(),
  rate: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  costUsd: z.number().nullable().meta({ description: 'null if the cost of an attempt is unknown' }),
  medianMs: z.number().nullable(),
})
export type BatchRate = z.infer<typeof BatchRate>

/** The user's preferred attempt at a task. With each worse attempt, whose checks failed, it forms a preference pair. */
export const BatchWinner = z.object({ key: z.string(), taskId: TaskId, worse: z.array(TaskId) }).meta({ id: 'BatchWinner' })
export type BatchWinner = z.infer<typeof BatchWinner>

/** A session whose first prompt or initial files are not available. */
export const LeftOutSession = z.object({ traceId: TraceId, reason: z.string() }).meta({ id: 'LeftOutSession' })
export type LeftOutSession = z.infer<typeof LeftOutSession>

export const BatchReport = z
  .object({
    total: BatchRate,
    byTask: z.array(BatchRate.extend({ key: z.string() })),
    byModel: z.array(BatchRate.extend({ model: z.string().nullable() })),
    byBoundary: z.array(z.object({ boundary: TaskBoundary, attempts: z.number().int() })),
    results: z.array(BatchResult),
    leftOut: z.array(LeftOutSession),
    winners: z.array(BatchWinner),
  })
  .meta({ id: 'BatchReport' })
export type BatchReport = z.infer<typeof BatchReport>
