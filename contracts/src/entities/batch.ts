import { z } from 'zod'
import { Id, Instant, TraceId } from './common.ts'
import { Task, TaskBoundary, TaskId, TaskPlan, TaskRequest } from './task.ts'

export const BatchId = Id.meta({ id: 'BatchId' })

/** A task that agents are given, each attempt in its own run. */
export const BatchTask = TaskRequest.pick({
  prompt: true,
  title: true,
  directory: true,
  repositoryUrl: true,
  verify: true,
  setup: true,
  harbor: true,
})
  .extend({ key: z.string().trim().min(1).max(300).meta({ description: 'its name in the batch' }) })
  .meta({ id: 'BatchTask' })
export type BatchTask = z.infer<typeof BatchTask>

/** How every run of a batch is. */
export const BatchSettings = TaskRequest.pick({
  agent: true,
  endpoint: true,
  model: true,
  caps: true,
  context: true,
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
    attempts: z.number().int().min(1).max(100).default(1).meta({ description: 'runs a task' }),
    concurrency: z.number().int().min(1).max(64).default(2),
    maxCostUsd: z.number().positive().nullable().default(null).meta({ description: 'for all runs together; no run is begun beyond it' }),
  })
  .meta({ id: 'BatchRequest' })
export type BatchRequest = z.infer<typeof BatchRequest>

/** What a batch would be: shown before it is started. */
export const BatchPlan = z
  .object({
    tasks: z.number().int(),
    plan: TaskPlan.meta({ description: 'of its first task; of sessions: without what depends on their folders' }),
    estimate: z
      .object({
        runs: z.number().int().meta({ description: 'earlier runs of this agent and model that it is made from' }),
        costUsd: z.number().nullable().meta({ description: 'null: of none of them is the cost known' }),
        ms: z.number().nullable(),
      })
      .meta({ description: 'of all attempts, if each is like the median of earlier runs' }),
  })
  .meta({ id: 'BatchPlan' })
export type BatchPlan = z.infer<typeof BatchPlan>

export const BatchState = z.enum(['running', 'done', 'cancelled', 'stopped']).meta({
  id: 'BatchState',
  description: 'stopped: it reached its cost; done: no attempt waits, though some may have no result',
})

/** Attempts by where they are. `owed`: it ended without a result, and not by its own fault. */
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
    detail: z.string().nullable().meta({ description: 'why it stopped, in a sentence' }),
    tasks: z.number().int(),
    leftOut: z.number().int().meta({ description: 'sessions whose task cannot be given again; its report says why' }),
    attempts: z.number().int(),
    concurrency: z.number().int(),
    maxCostUsd: z.number().nullable(),
    settings: BatchSettings,
    counts: BatchCounts,
    costUsd: z.number().nullable().meta({ description: 'of the runs whose cost is known; null: of none' }),
    createdAt: Instant,
    endedAt: Instant.nullable(),
  })
  .meta({ id: 'Batch' })
export type Batch = z.infer<typeof Batch>

/** What came of one attempt at a task. */
export const BatchOutcome = z.enum(['passed', 'failed', 'unverified', 'owed'])
export type BatchOutcome = z.infer<typeof BatchOutcome>

export const BatchResult = z
  .object({
    key: z.string(),
    attempt: z.number().int(),
    title: z.string(),
    taskId: z.string().nullable().meta({ description: 'null: its run was refused' }),
    outcome: BatchOutcome,
    agent: TaskRequest.shape.agent.unwrap(),
    model: z.string().nullable(),
    boundary: TaskBoundary.nullable().meta({ description: 'whose the failure is' }),
    message: z.string().nullable(),
    traceId: z.string().nullable(),
    checks: z
      .object({ passed: z.number().int(), total: z.number().int() })
      .nullable()
      .meta({ description: 'null: none ran, or the runner reports no single tests' }),
    change: Task.shape.change,
    turns: z.number().int(),
    tokens: Task.shape.tokens,
    costUsd: z.number().nullable(),
    durationMs: z.number().nullable(),
    endedAt: Instant.nullable(),
  })
  .meta({ id: 'BatchResult' })
export type BatchResult = z.infer<typeof BatchResult>

/** Verdicts of some attempts. The rate is of those that passed or failed; its interval is Wilson's, of 95 %. */
export const BatchRate = z.object({
  attempts: z.number().int(),
  passed: z.number().int(),
  failed: z.number().int(),
  unverified: z.number().int(),
  owed: z.number().int(),
  rate: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  costUsd: z.number().nullable().meta({ description: 'null: that of an attempt is not known' }),
  medianMs: z.number().nullable(),
})
export type BatchRate = z.infer<typeof BatchRate>

/** The attempt at a task that you like best. With each of the worse ones, whose checks failed, it is a preference pair once pairs are looked for. */
export const BatchWinner = z.object({ key: z.string(), taskId: TaskId, worse: z.array(TaskId) }).meta({ id: 'BatchWinner' })
export type BatchWinner = z.infer<typeof BatchWinner>

/** A session whose first prompt or whose state at its begin cannot be had. */
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
