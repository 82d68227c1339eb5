import type { BatchOutcome } from '#contracts/entities/batch.ts'
import type { Task } from '#contracts/entities/task.ts'
import { isEnded, outcomeOf } from './outcome.ts'

/** What a batch needs to know of a run to go on, and to be shown. */
export interface Standing extends Pick<Task, 'id' | 'state' | 'costUsd'> {
  key: string
  attempt: number
  /** Null until it has ended. */
  outcome: BatchOutcome | null
  /** With the most that is not known yet. */
  spentUsd: number
}

interface Runs {
  get(id: string): Task
  list(filter: { batchId: string; limit: number }): { items: Task[] }
}

/** Of how many batches the runs are kept. */
const MAX_BATCHES = 20

export const standingOf = (run: Task): Standing => ({
  id: run.id,
  key: run.request.batchKey ?? '',
  attempt: run.request.attempt ?? 1,
  state: run.state,
  outcome: isEnded(run) ? outcomeOf(run) : null,
  costUsd: run.costUsd,
  spentUsd: spentBy(run),
})

function spentBy(run: Task): number {
  // an ended run without tokens sent no request; a run with tokens and an unknown cost may have spent its whole cap
  const most = isEnded(run) && run.tokens.input === null ? 0 : (run.request.caps.costUsd ?? 0)
  // `charged` has the most that a torn request can cost, and is missing in runs of earlier versions
  return (isEnded(run) ? (run.charged?.usd ?? run.costUsd) : null) ?? most
}

/**
 * The standings of the runs of batches. They are asked for at each start and end of a run, so those of ended runs are kept: reading all
 * rows each time takes a batch of a thousand runs ten times as long. `note` and `remove` tell what became of a run.
 */
export function createStandings(tasks: Runs, limit: number) {
  const kept = new Map<string, Map<string, Standing>>()
  const read = (batchId: string): Map<string, Standing> => {
    const { items } = tasks.list({ batchId, limit })
    const runs = new Map(items.toReversed().map((run) => [run.id, standingOf(run)]))
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= MAX_BATCHES) kept.delete(oldest)
    kept.set(batchId, runs)
    return runs
  }
  return {
    /** Oldest first. */
    of(batchId: string): Standing[] {
      const runs = kept.get(batchId) ?? read(batchId)
      for (const [id, { outcome }] of runs) if (outcome === null) runs.set(id, standingOf(tasks.get(id)))
      return [...runs.values()]
    },
    note(run: Task): void {
      if (run.request.batchId !== undefined) kept.get(run.request.batchId)?.set(run.id, standingOf(run))
    },
    remove(id: string): void {
      for (const runs of kept.values()) runs.delete(id)
    },
  }
}
