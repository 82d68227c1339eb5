import type { ExamAttempt } from '#contracts/entities/exam.ts'
import type { ScoredPair } from '../exam/decide.ts'
import type { Known, Side } from '../exam/store.ts'
import type { Attempt, TaskRow } from './store.ts'

export interface SolvedAttempts {
  tasks: readonly TaskRow[]
  attempts: readonly Attempt[]
  attemptOf: (itemNo: number) => number
  samples: number
  isReading: boolean
}

/** Both scores of each task: the share of attempts that pass; null while one is owed. */
export function solvedPairs({ tasks, attempts, attemptOf, samples, isReading }: SolvedAttempts): ScoredPair[] {
  const byItem = Map.groupBy(attempts, ({ itemNo, side, attempt }) => `${itemNo} ${side} ${attempt}`)
  return tasks.map(({ no, id, traceId, repo }) => {
    const attempt = attemptOf(no)
    const of = (side: Side) => sideOf(byItem.get(`${no} ${side} ${attempt}`) ?? [], samples, attempt)
    const [model, base] = [of('model'), of('base')]
    return {
      item: { no, id, traceId, repo, stepId: null, call: null },
      attempt,
      isReading,
      model: model.known,
      base: base.known,
      modelScore: model.score,
      baseScore: base.score,
      runs: { model: model.runs, base: base.runs },
    }
  })
}

function sideOf(all: readonly Attempt[], samples: number, attempt: number) {
  const found = all.filter(({ state }) => state !== 'not_run')
  const runs = all.map(({ sample, state, passed, taskId, detail }): ExamAttempt => ({ sample, state, passed, taskId, detail }))
  const failed = found.find(({ state }) => state === 'error')
  const ms = found.reduce((sum, one) => sum + (one.ms ?? 0), 0)
  const known = (state: NonNullable<Known>['state'], error: string | null): Known => ({ state, call: null, error, ms, attempt })
  if (failed) return { runs, known: known('error', failed.detail), score: null }
  if (found.length < samples) return { runs, known: null, score: null }
  const share = found.filter(({ passed }) => passed === true).length / found.length
  const isAtLimit = found.every(({ state }) => state === 'timeout_with_verdict')
  return {
    runs,
    known: known(isAtLimit ? 'timeout_with_verdict' : 'answered', null),
    score: { soft: share, exact: share === 1 ? 1 : 0, toolName: null, argF1: null },
  }
}
