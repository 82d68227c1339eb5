import type { RolloutTask } from '#contracts/entities/rollout.ts'
import { rolloutTitle } from '#contracts/rollout-title.ts'
import type { EpisodeTurn, OpenModel } from '#server/stages/agents/index.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { episodeId } from './episode-id.ts'
import { type EpisodeOutcome, performEpisode } from './perform.ts'
import type { SetRow } from './store.ts'
import type { TurnFiles } from './turn-files.ts'

/** A running episode. */
export interface LiveEpisode {
  id: string
  taskId: string
  group: number
  attempt: number
  turns: number
  sandboxId: string | null
}

export interface SetWork {
  row: SetRow
  open: OpenModel
  ended: ReadonlySet<number>
  taskOf: (group: number) => RolloutTask
  /** The reason why no more episodes may start; null if there is none. */
  stopReason: () => string | null
  onChange: () => void
  onEnd: (live: LiveEpisode, task: RolloutTask, startedAt: number, outcome: EpisodeOutcome) => void
  live: Map<string, LiveEpisode>
  signal: AbortSignal
}

/** The set stops after this many endpoint failures in a row, plus one for each episode that runs at the same time. */
const LOST_AFTER = 3

/**
 * Runs the missing episodes group by group, several at a time. Returns null if all episodes have ended, otherwise the reason for stopping.
 * Throws the reason of `signal`, and internal errors.
 */
export async function runSet(
  { sandboxes, turnFiles }: { sandboxes: Sandboxes; turnFiles: TurnFiles },
  work: SetWork,
): Promise<string | null> {
  const { row, ended, live, signal: over } = work
  const { settings, tasks } = row
  const failure = new AbortController()
  const signal = AbortSignal.any([over, failure.signal])
  const lostAfter = LOST_AFTER + settings.concurrency
  let next = 0
  let lost = 0
  let stopped: string | null = null

  const nextPlace = (): number | null => {
    while (ended.has(next)) next += 1
    return next < tasks * settings.rolloutsPerTask ? next++ : null
  }
  const one = async (place: number): Promise<void> => {
    const group = Math.floor(place / settings.rolloutsPerTask)
    const attempt = (place % settings.rolloutsPerTask) + 1
    const task = work.taskOf(group)
    const id = episodeId(row.id, group, attempt)
    const liveEpisode: LiveEpisode = { id, taskId: task.id, group, attempt, turns: 0, sandboxId: null }
    const startedAt = Date.now()
    const turns = turnFiles.open(row.id, id)
    live.set(id, liveEpisode)
    try {
      const outcome = await performEpisode(sandboxes, {
        task,
        settings,
        model: row.model,
        open: work.open,
        name: `Rollout ${rolloutTitle(task)}, attempt ${attempt}`,
        place,
        set: row.id,
        onSandbox(sandboxId) {
          liveEpisode.sandboxId = sandboxId
          work.onChange()
        },
        onTurn(turn: EpisodeTurn) {
          liveEpisode.turns = turn.no
          turns.add(turn)
          work.onChange()
        },
        signal,
      })
      live.delete(id)
      work.onEnd(liveEpisode, task, startedAt, outcome)
      lost = outcome.error?.boundary === 'endpoint' ? lost + 1 : 0
      if (lost >= lostAfter) stopped ??= `The last ${lost} episodes got no answer from the model: ${outcome.error!.message}`
    } finally {
      live.delete(id)
      turns.close()
    }
  }
  const worker = async (): Promise<void> => {
    for (;;) {
      signal.throwIfAborted()
      stopped ??= work.stopReason()
      if (stopped !== null) return
      const place = nextPlace()
      if (place === null) return
      await one(place)
    }
  }
  const places = Math.max(1, Math.min(settings.concurrency, sandboxes.capacity().limit))
  const workers = Array.from({ length: places }, async () => {
    try {
      await worker()
    } catch (error) {
      failure.abort(error) // stops the other workers
      throw error
    }
  })
  const results = await Promise.allSettled(workers)
  over.throwIfAborted()
  if (failure.signal.aborted) throw failure.signal.reason
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return stopped
}
