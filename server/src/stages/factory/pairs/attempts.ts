import { countReasons } from '../versions/pool.ts'
import { pairId } from './id.ts'
import { sideOf } from './match.ts'
import { reasonToReject } from './sides.ts'
import type { FoundPair, DroppedCount, PreferredAttempt, Task } from './types.ts'

/** Pairs of attempts at one task. Skips sessions with several tasks, because their verdict is not about one task. */
export function pairAttempts(
  tasks: readonly Task[],
  preferred: readonly PreferredAttempt[],
): { pairs: FoundPair[]; dropped: DroppedCount[] } {
  const tasksByTrace = Map.groupBy(tasks, ({ traceId }) => traceId)
  const reasons: string[] = []
  const drop = (reason: string): [] => {
    reasons.push(reason)
    return []
  }
  const pairs = preferred.flatMap(({ chosen, rejected }) =>
    rejected.flatMap((traceId): FoundPair[] => {
      const [good, bad] = [tasksByTrace.get(chosen), tasksByTrace.get(traceId)]
      if (!good || !bad) return [] // not among the selected sessions
      if (good.length > 1 || bad.length > 1) return drop('attempt of more than one task')
      const reason = reasonToReject(good[0]!, bad[0]!)
      return reason === null ? [toPair(good[0]!, bad[0]!)] : drop(reason)
    }),
  )
  return { pairs, dropped: countReasons(reasons) }
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
