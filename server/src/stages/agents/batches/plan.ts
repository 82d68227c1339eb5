import type { z } from 'zod'
import type { BatchPlan } from '#contracts/entities/batch.ts'
import type { Task, TaskAgent, TaskAsked, TaskPlan, TaskRequest } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import type { planBatch } from '#contracts/routes/batches.ts'
import { foldersOf } from './folders.ts'
import { type KeptTask, MAX_TASKS, type SessionsDeps } from './of-sessions.ts'
import { outcomeOf } from './outcome.ts'
import { medianOf } from './report.ts'
import type { KeptRequest } from './store.ts'

/** The functions of agent runs that a plan needs. */
export interface PlanTasks {
  plan(request: TaskRequest, triesChecks?: boolean): Promise<TaskPlan>
  /** Ended runs of an agent with a model, newest first. */
  endedLike(agent: TaskAgent, model: string | null, limit: number): Task[]
}

interface BatchPlanDeps {
  tasks: PlanTasks
  sessions: Pick<SessionsDeps, 'idsOf' | 'git'>
}

/** How many recent runs the estimate is based on. */
const MAX_EARLIER_RUNS = 50

/** Describes what a batch would do. Sessions are only counted; the start of the batch finds out which of them can be repeated. */
export async function planOf(request: z.output<typeof planBatch.body>, { tasks, sessions }: BatchPlanDeps): Promise<BatchPlan> {
  if ((request.tasks === undefined) === (request.traces === undefined)) throw needsTasksOrTraces()
  const ids =
    request.traces === undefined ? null : 'ids' in request.traces ? request.traces.ids : await sessions.idsOf(request.traces.filter)
  const { key: _, ...first } = request.tasks?.[0] ?? { key: '', prompt: 'The prompt of a session.' }
  const plan = await tasks.plan(requestOf(request, first, request.maxCostUsd), true)
  const count = ids === null ? request.tasks!.length : new Set(ids).size
  if (ids !== null) refuseSessions(count, plan)
  const runs = tasks.endedLike(request.settings.agent, plan.model, MAX_EARLIER_RUNS).filter((run) => outcomeOf(run) !== 'owed')
  const costUsd = medianOf(runs.flatMap((run) => run.costUsd ?? []))
  const ms = medianOf(runs.flatMap((run) => run.durationMs ?? []))
  const attempts = count * request.attempts
  return {
    tasks: count,
    plan,
    folders: await foldersOf(request.tasks ?? [], sessions.git),
    estimate: {
      runs: runs.length,
      costUsd: costUsd === null ? null : costUsd * attempts,
      ms: ms === null ? null : ms * Math.ceil(attempts / request.concurrency),
    },
  }
}

export const needsTasksOrTraces = () =>
  new AppError('invalid_request', { message: 'A batch is made of either tasks or sessions.', hint: 'Give either "tasks" or "traces".' }) // prettier-ignore

function refuseSessions(count: number, { refusals }: TaskPlan): void {
  if (count === 0) refusals.unshift({ message: 'The filter finds no session.', hint: 'Change the filter on the Traces page.' })
  if (count > MAX_TASKS) refusals.unshift({ message: `The filter finds ${count} sessions, and a batch has at most ${MAX_TASKS} tasks.`, hint: 'Narrow the filter.' }) // prettier-ignore
}

/** The request for one attempt. Its cost limit is at most its share of the batch's budget. */
export function requestOf({ settings }: Pick<KeptRequest, 'settings'>, task: Omit<KeptTask, 'key'>, share: number | null): TaskAsked {
  const runLimit = settings.caps.costUsd
  const costUsd = share === null ? runLimit : runLimit === null ? share : Math.min(runLimit, share)
  return { ...settings, ...task, permissions: 'sandbox', caps: { ...settings.caps, costUsd } }
}
