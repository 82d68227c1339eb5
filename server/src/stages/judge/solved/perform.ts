import type { ExamRunRequest } from '#contracts/entities/exam.ts'
import { RESTING_STATES, type Task, type TaskAsked, type TaskEndpoint } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import { Cancelled } from '#server/jobs/stops.ts'
import { createChanges } from '#server/runs/changes.ts'
import { sentenceOf } from '#server/refusals.ts'
import type { AgentRuns } from '../../agents/index.ts'
import { taskEndpointOf } from '../exam/models.ts'
import type { Stop } from '../exam/perform.ts'
import type { ExamRow, RunRow, Side } from '../exam/store.ts'
import { gradeOf } from './grade.ts'
import { type Attempt, statesOf, type TaskRow } from './store.ts'

export interface SolvedPerformDeps {
  agents: AgentRuns
  events: Pick<Core['events'], 'subscribe'>
}

export interface SolvedRun {
  run: RunRow
  exam: Pick<ExamRow, 'id' | 'request'>
  tasks: readonly TaskRow[]
  /** The repeat of an item that counts. */
  attemptOf: (itemNo: number) => number
  known: readonly Attempt[]
  spent: () => number
  /** Whether the price of a side is known, so that its runs can be limited. */
  isPriced: Record<Side, boolean>
  onAttempt: (attempt: Attempt & { traceId: string | null; usd: number }) => void
}

/** The same for both models. */
export const RUN_LIMITS = { memoryMb: 2048, cpus: 2 }
/** Runs without a result in a row that end the run of the exam. */
const MAX_FAILURES = 5

/** Performs the runs of agents that a run of an exam still needs, one at a time and the sides in turn. */
export function createSolvedPerform({ agents, events }: SolvedPerformDeps) {
  const changes = createChanges()
  const unsubscribe = events.subscribe(({ type, payload }) => {
    if (type === 'task:status') changes.notify(payload.task.id)
  })

  const ended = async (id: string, signal: AbortSignal): Promise<Task> => {
    if (agents.get(id).state === 'paused') await agents.resume(id, null) // the server had ended
    for (;;) {
      const task = agents.get(id)
      if (task.state !== 'paused' && isResting(task)) return task
      await changes.next(id, { signal })
      signal.throwIfAborted()
    }
  }
  const attempt = async (request: TaskAsked & { idempotencyKey: string }, signal: AbortSignal): Promise<Result> => {
    let id: string | null = null
    try {
      id = (await agents.create(request)).id
      return resultOf(await ended(id, signal))
    } catch (error) {
      if (signal.aborted && id !== null && signal.reason instanceof Cancelled) await agents.cancel(id).catch(() => undefined) // it has ended
      signal.throwIfAborted()
      if (!(error instanceof AppError)) throw error
      return { state: 'error', passed: null, taskId: id, traceId: null, detail: sentenceOf(error), usd: 0, ms: null }
    }
  }

  return {
    async perform({ run, exam, tasks, attemptOf, known, spent, isPriced, onAttempt }: SolvedRun, signal: AbortSignal): Promise<Stop> {
      const { request } = run
      const failures = { model: 0, base: 0 }
      const knownOf = (itemNo: number, side: Side, sample: number) =>
        known.find((one) => one.itemNo === itemNo && one.side === side && one.sample === sample && one.attempt === attemptOf(itemNo))
      for (const task of tasks)
        for (let sample = 1; sample <= request.attempts; sample += 1) {
          const order: Side[] = (task.no + sample) % 2 === 0 ? ['model', 'base'] : ['base', 'model']
          for (const side of order) {
            const before = knownOf(task.no, side, sample)
            if ((run.isReading && side === 'base') || (before && before.state !== 'not_run')) continue
            signal.throwIfAborted()
            const left = request.maxCostUsd === undefined ? null : request.maxCostUsd - spent()
            if (left !== null && left <= 0) return capped(request)
            const repeat = attemptOf(task.no)
            const asked = requestOf(task, { request, side, sample, exam, costUsd: isPriced[side] ? left : null })
            const again = before ? `:${before.taskId}` : ''
            const key = `exam:${run.id}:${task.no}:${side}:${repeat}:${sample}${again}`
            const result = await attempt({ ...asked, idempotencyKey: key }, signal)
            onAttempt({ ...result, itemNo: task.no, side, attempt: repeat, sample })
            if (result.state === 'not_run') return capped(request)
            failures[side] = result.state === 'error' ? failures[side] + 1 : 0
            if (failures[side] >= MAX_FAILURES)
              return {
                state: 'failed',
                detail: `The last ${failures[side]} runs with ${run.sides.labels[side]} have no verdict: ${result.detail} Repeat what is owed when that is mended.`,
              }
          }
        }
      return { state: 'completed', detail: null }
    },
    close: unsubscribe,
  }
}

const capped = ({ maxCostUsd }: ExamRunRequest): Stop => ({
  state: 'paused',
  detail: `Its runs used up the cost limit of $${maxCostUsd}; the rest is not run. Resume it with a higher limit.`,
})

/**
 * Whether the cost limit ended a run, and not its work: what it left has no verdict then. Agents do not say which limit it was; what
 * is left pays for no further request.
 */
function isCutByCost({ charged, request: { caps } }: Task): boolean {
  if (caps.costUsd === null || charged === null || charged.requests >= caps.turns) return false
  return charged.requests === 0 || caps.costUsd - charged.usd < (MOST_GROWTH * charged.usd) / charged.requests
}
/** A request has more text than the mean of those before it. */
const MOST_GROWTH = 2

type Result = Pick<Attempt, 'state' | 'passed' | 'taskId' | 'detail' | 'ms'> & { traceId: string | null; usd: number }

const isResting = ({ state }: Task): boolean => (RESTING_STATES as readonly string[]).includes(state)

function requestOf(
  task: TaskRow,
  {
    request,
    side,
    sample,
    exam,
    costUsd,
  }: { request: ExamRunRequest; side: Side; sample: number; exam: SolvedRun['exam']; costUsd: number | null },
): TaskAsked {
  const { start, reference, traceId, prompt, project } = task
  const { endpoint, model } = endpointOf(request, side)
  return {
    prompt,
    title: `Exam, task ${task.no + 1}`,
    directory: project,
    start: { traceId, commit: start, exam: { id: exam.id, states: statesOf(traceId), reference, seed: request.seed + sample - 1 } },
    agent: request.agent,
    endpoint,
    ...(model !== undefined && { model }),
    caps: { turns: request.turns, tokens: null, costUsd, timeSec: request.timeSec },
    context: 'clean',
    permissions: 'sandbox',
    setup: [],
    network: [],
    limits: RUN_LIMITS,
    checkTimeoutSec: exam.request.checkTimeoutSec,
  }
}

export function endpointOf({ model, against }: ExamRunRequest, side: Side): { endpoint: TaskEndpoint; model: string | undefined } {
  return taskEndpointOf(side === 'model' ? model : against!) // a run is stored with both
}

/** What a run of an agent says about its side. Anything but a verdict on the work is owed. */
function resultOf(task: Task): Result {
  const { id: taskId, traceId, verification, claim, exitCode, error, detail, charged, costUsd, durationMs: ms, state: ended } = task
  const facts = { taskId, traceId, usd: charged?.usd ?? costUsd ?? 0, ms }
  const grade = verification === null ? 'error' : gradeOf(verification)
  const isAtLimit = claim === 'failure' && exitCode === null
  if ((isAtLimit || grade === 'error') && isCutByCost(task))
    return { ...facts, state: 'not_run', passed: null, detail: 'The cost limit ended it.' }
  if (grade === 'error' || verification === null) {
    const why = error?.message ?? (ended === 'stopped' ? 'The run was stopped.' : (verification?.reason ?? detail ?? 'It has no verdict.'))
    return { ...facts, state: 'error', passed: null, detail: why }
  }
  const passed = grade === 'pass'
  const why = passed ? null : (verification.reason ?? failing(verification.newFailures))
  return { ...facts, state: isAtLimit ? 'timeout_with_verdict' : passed ? 'pass' : 'fail', passed, detail: why }
}

const failing = (names: readonly string[]): string | null =>
  names.length === 0 ? null : `Failing: ${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`
