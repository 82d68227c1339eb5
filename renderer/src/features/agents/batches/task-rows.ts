import type { BatchReport, BatchResult } from '#contracts/entities/batch.ts'
import type { Task } from '#contracts/entities/task.ts'

/** One task of a batch with the state of each attempt. */
export interface TaskRow {
  key: string
  title: string
  passed: number
  /** Attempts that passed or failed. */
  verdicts: number
  attempts: ReadonlyMap<number, AttemptOf>
}

export type AttemptOf = { kind: 'result'; result: BatchResult } | { kind: 'run'; run: Task }

/** In the order of the report; a running attempt comes before earlier results of the same attempt. */
export function rowsOf({ results }: Pick<BatchReport, 'results'>, unfinishedTasks: readonly Task[]): TaskRow[] {
  const rows = new Map<string, { title: string; attempts: Map<number, AttemptOf> }>()
  const setAttempt = (key: string, title: string, attempt: number, of: AttemptOf) => {
    const row = rows.get(key) ?? { title, attempts: new Map<number, AttemptOf>() }
    row.attempts.set(attempt, of)
    rows.set(key, row)
  }
  for (const result of results) setAttempt(result.key, result.title, result.attempt, { kind: 'result', result })
  for (const run of unfinishedTasks)
    setAttempt(
      run.request.batchKey ?? run.id,
      run.request.title ?? run.request.prompt.trim().split('\n', 1)[0]!,
      run.request.attempt ?? 1,
      {
        kind: 'run',
        run,
      },
    )
  return [...rows].map(([key, row]) => {
    const outcomes = [...row.attempts.values()].flatMap((one) => (one.kind === 'result' ? [one.result.outcome] : []))
    const passed = outcomes.filter((outcome) => outcome === 'passed').length
    return { key, ...row, passed, verdicts: passed + outcomes.filter((outcome) => outcome === 'failed').length }
  })
}
