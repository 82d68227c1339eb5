import type { BatchOutcome, BatchResult } from '#contracts/entities/batch.ts'
import { taskTitle } from '../title.ts'
import { ENDED_STATES, type Task, type TaskAgent, type TaskBoundary } from '#contracts/entities/task.ts'

export const isEnded = ({ state }: Pick<Task, 'state'>): boolean => (ENDED_STATES as readonly string[]).includes(state)

/** Why the run of an attempt could not be started. */
export interface Refusal {
  key: string
  attempt: number
  message: string
}

/**
 * The outcome of an ended run. It is `passed` only by its checks, and `failed` by its checks or by an error of the agent's work.
 * It is `owed`, so the attempt can be repeated, if the endpoint, the agent program, the sandbox or Bash Gym prevented a result.
 */
export function outcomeOf({ state, verification, error }: Pick<Task, 'state' | 'verification' | 'error'>): BatchOutcome {
  if (state === 'stopped' || (error !== null && error.boundary !== 'task')) return 'owed'
  if (verification?.status === 'passed') return 'passed'
  if (verification?.status === 'failed' || state === 'failed') return 'failed'
  return isPrevented(verification) ? 'owed' : 'unverified'
}

/** The part that caused a failure; null if the run did not fail. */
export function boundaryOf(task: Pick<Task, 'state' | 'verification' | 'error'>): TaskBoundary | null {
  if (task.error) return task.error.boundary
  if (task.state === 'stopped') return 'ours'
  if (isPrevented(task.verification)) return 'sandbox'
  return outcomeOf(task) === 'failed' ? 'task' : null
}

/** Whether the checks could not be run; if they ran and only showed what failed before as well, another run would show the same. */
const isPrevented = (verification: Task['verification']): boolean =>
  verification?.status === 'error' && !verification.isDoubted && verification.knownFailures.length === 0

export const resultOf = (task: Task): BatchResult => ({
  key: task.request.batchKey ?? task.id,
  attempt: task.request.attempt ?? 1,
  title: taskTitle(task.request),
  taskId: task.id,
  outcome: outcomeOf(task),
  agent: task.request.agent,
  model: task.model ?? task.request.model ?? null,
  boundary: boundaryOf(task),
  message: task.error?.message ?? (task.state === 'stopped' ? 'The run was stopped.' : (task.verification?.reason ?? null)),
  traceId: task.traceId,
  checks: checksOf(task.verification),
  change: task.change,
  turns: task.turns,
  tokens: task.tokens,
  costUsd: task.costUsd,
  durationMs: task.durationMs,
  endedAt: task.endedAt,
})

function checksOf(verification: Task['verification']): BatchResult['checks'] {
  if (verification === null || verification.passed === null || verification.total === null) return null
  return { passed: verification.passed, total: verification.total }
}

export const refusedResult = (
  { key, attempt, message }: Refusal,
  title: string,
  { agent, model }: { agent: TaskAgent; model?: string | undefined },
): BatchResult => ({
  key,
  attempt,
  title,
  taskId: null,
  outcome: 'owed',
  agent,
  model: model ?? null,
  boundary: 'harness',
  message,
  traceId: null,
  checks: null,
  change: null,
  turns: 0,
  tokens: { input: null, output: null, cacheRead: null, cacheWrite: null },
  costUsd: null,
  durationMs: null,
  endedAt: null,
})
