import { pairId } from './id.ts'
import { sideOf } from './match.ts'
import { reasonAgainst } from './sides.ts'
import type { FoundPair, LeftOut, Preferred, Task } from './types.ts'

/** Pairs of attempts at one task, where each side is a session of one task: only then is its verdict that of the task. */
export function pairAttempts(tasks: readonly Task[], preferred: readonly Preferred[]): { pairs: FoundPair[]; left: LeftOut[] } {
  const ofTrace = Map.groupBy(tasks, ({ traceId }) => traceId)
  const left = new Map<string, number>()
  const leave = (reason: string): [] => {
    left.set(reason, (left.get(reason) ?? 0) + 1)
    return []
  }
  const pairs = preferred.flatMap(({ chosen, rejected }) =>
    rejected.flatMap((traceId): FoundPair[] => {
      const [good, bad] = [ofTrace.get(chosen), ofTrace.get(traceId)]
      if (!good || !bad) return [] // not among the sessions that are looked at
      if (good.length > 1 || bad.length > 1) return leave('attempt of more than one task')
      const reason = reasonAgainst(good[0]!, bad[0]!)
      return reason === null ? [toPair(good[0]!, bad[0]!)] : leave(reason)
    }),
  )
  return { pairs, left: [...left].map(([reason, count]) => ({ reason, count })) }
}

const toPair = (chosen: Task, rejected: Task): FoundPair => ({
  id: pairId('task', chosen.exampleId, rejected.exampleId),
  source: 'task',
  why: 'Two attempts at one task: the one that you chose, and one whose checks failed',
  similarity: null,
  repo: rejected.repo,
  promptText: rejected.prompt,
  chosen: sideOf(chosen),
  rejected: sideOf(rejected),
  flags: [],
})
