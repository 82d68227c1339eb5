import type { RolloutTask } from '#contracts/entities/rollout.ts'
import { rolloutTitle } from '#contracts/rollout-title.ts'
import type { Core } from '#server/core.ts'
import { createPool } from '#server/runs/pool.ts'
import type { Wakes } from '#server/runs/sets.ts'
import { recordTrace } from '#server/spans/index.ts'
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

/** What is under way. */
export interface LiveSet extends Wakes {
  episodes: Map<string, LiveEpisode>
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
  live: LiveSet
  signal: AbortSignal
}

/** The set stops after this many endpoint failures in a row, plus one for each episode that runs at the same time. */
const LOST_AFTER = 3

/**
 * Runs the missing episodes group by group, several at a time. Returns null if all episodes have ended, otherwise the reason for stopping.
 * Throws the reason of `signal`, and internal errors.
 */
export async function runSet(
  { core, sandboxes, turnFiles }: { core: Core; sandboxes: Sandboxes; turnFiles: TurnFiles },
  work: SetWork,
): Promise<string | null> {
  const { row, ended, live, signal } = work
  const { settings, tasks } = row
  const lostAfter = LOST_AFTER + settings.concurrency
  let next = 0
  let lost = 0
  let stopped: string | null = null

  const nextPlace = (): number | null => {
    stopped ??= work.stopReason()
    if (stopped !== null) return null
    while (ended.has(next)) next += 1
    return next < tasks * settings.rolloutsPerTask ? next++ : null
  }
  const perform = async (place: number, stop: AbortSignal): Promise<void> => {
    const group = Math.floor(place / settings.rolloutsPerTask)
    const attempt = (place % settings.rolloutsPerTask) + 1
    const task = work.taskOf(group)
    const id = episodeId(row.id, group, attempt)
    const liveEpisode: LiveEpisode = { id, taskId: task.id, group, attempt, turns: 0, sandboxId: null }
    const startedAt = Date.now()
    const turns = turnFiles.open(row.id, id)
    live.episodes.set(id, liveEpisode)
    try {
      const name = `Rollout ${rolloutTitle(task)}, attempt ${attempt}`
      const outcome = await recordTrace(core, { source: 'rollout', title: name }, () =>
        performEpisode(sandboxes, {
          task,
          settings,
          model: row.model,
          open: work.open,
          name,
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
          signal: stop,
        }),
      )
      live.episodes.delete(id)
      work.onEnd(liveEpisode, task, startedAt, outcome)
      lost = outcome.error?.boundary === 'endpoint' ? lost + 1 : 0
      if (lost >= lostAfter) stopped ??= `The last ${lost} episodes got no answer from the model: ${outcome.error!.message}`
    } finally {
      live.episodes.delete(id)
      turns.close()
    }
  }
  const places = () => Math.max(1, Math.min(settings.concurrency, sandboxes.capacity().limit))
  const pool = createPool({ places, next: nextPlace, perform, signal })
  live.wake = pool.wake
  await pool.done
  return stopped
}
