import type { BatchOutcome, BatchResult, BatchWinner } from '#contracts/entities/batch.ts'
import type { Task } from '#contracts/entities/task.ts'
import { attemptsAt, type AttemptState } from '#server/runs/attempts.ts'
import { taskTitle } from '../title.ts'
import type { KeptTask } from './of-sessions.ts'
import { refusedResult, resultOf } from './outcome.ts'
import type { Standing } from './standings.ts'
import type { BatchRow } from './store.ts'

export interface Attempt {
  task: KeptTask
  attempt: number
  /** The newest run of the attempt. */
  run: Standing | null
  state: AttemptState<BatchOutcome>
  /** Whether a run is to be started for it. */
  isDue: boolean
}

const placeOf = (key: string, attempt: number): string => `${attempt}\0${key}`

/** All attempts of a batch. `runs`: oldest first. */
export function attemptsIn({ request, refused, again }: BatchRow, runs: readonly Standing[]): Attempt[] {
  const newest = new Map(runs.map((run) => [placeOf(run.key, run.attempt), run]))
  const repeated = new Set(again)
  const refusedPlaces = new Set(refused.map(({ key, attempt }) => placeOf(key, attempt)))
  return attemptsAt(request.tasks, request.attempts).map(({ item: task, attempt }) => {
    const place = placeOf(task.key, attempt)
    const run = newest.get(place) ?? null
    if (refusedPlaces.has(place)) return { task, attempt, run, state: 'owed', isDue: false }
    if (run === null) return { task, attempt, run, state: 'waiting', isDue: true }
    if (run.outcome === null) return { task, attempt, run, state: 'running', isDue: false }
    return { task, attempt, run, state: run.outcome, isDue: repeated.has(run.id) }
  })
}

export function resultsOf(
  { refused, request: { settings } }: BatchRow,
  attempts: readonly Attempt[],
  taskOf: (id: string) => Task,
): BatchResult[] {
  const refusals = new Map(refused.map((one) => [placeOf(one.key, one.attempt), one]))
  return attempts.flatMap(({ task, attempt, run }) => {
    const refusal = refusals.get(placeOf(task.key, attempt))
    if (refusal) return [refusedResult(refusal, taskTitle(task), settings)]
    return run && run.outcome !== null ? [resultOf(taskOf(run.id))] : []
  })
}

/** The run that the user prefers for each task, with the failed runs of the same task. */
export const winnersOf = ({ request: { winners = {} } }: BatchRow, results: readonly BatchResult[]): BatchWinner[] =>
  Object.entries(winners).map(([key, taskId]) => {
    const worse = results.flatMap((run) => (run.key === key && run.outcome === 'failed' && run.taskId !== null ? [run.taskId] : []))
    return { key, taskId, worse }
  })
