import type { z } from 'zod'
import {
  type Episode,
  type RewardPolicy,
  type RolloutGroup,
  type RolloutPlan,
  RolloutSettings,
  type RolloutSet,
  type RolloutTask,
} from '#contracts/entities/rollout.ts'
import { AppError } from '#contracts/errors.ts'
import { isoOf } from '#server/instant.ts'
import type { createRollouts as createRoute, planRollouts } from '#contracts/routes/rollouts.ts'
import { CapReached, createLedger, metered, NOTHING_CHARGED } from '#server/adapters/llm/index.ts'
import type { Core } from '#server/core.ts'
import { redactionOf, type TaskModels } from '#server/stages/agents/index.ts'
import { createSets } from '#server/runs/sets.ts'
import type { RunRedaction, RunRedactionOptions } from '../../privacy/index.ts'
import { throwFirst } from '#server/refusals.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { placeOf } from './episode-id.ts'
import { systemOf } from './perform.ts'
import { taskEndpointOf, planOf } from './plan.ts'
import { type LiveSet, runSet } from './run-set.ts'
import { rescore, scoreGroup } from './score.ts'
import { chosenTasks, type TasksOf } from './selection.ts'
import { createRolloutStore, type KeptGroup, NOTHING_ENDED, type SetRow } from './store.ts'
import { createTurnFiles } from './turn-files.ts'

export interface RolloutDeps {
  sandboxes: Sandboxes
  models: TaskModels
  tasksOf: TasksOf
  newId: () => string
  /** Opens the privacy gate for the requests of one set. */
  openRedaction: (options: RunRedactionOptions) => RunRedaction
}

type PlanRequest = z.output<typeof planRollouts.body>

/** Manages sets of rollouts: sets of attempts (`runs/sets.ts`) that are episodes. */
export function createRollouts(core: Core, { sandboxes, models, tasksOf, newId, openRedaction }: RolloutDeps) {
  const { db, tx, events, paths } = core
  const store = createRolloutStore(db)
  const turnFiles = createTurnFiles(paths.rollouts)
  const view = ({ counts: { redacted = {}, ...counts }, ...row }: SetRow): RolloutSet => ({
    id: row.id,
    name: row.name,
    state: row.state,
    detail: row.detail,
    settings: row.settings,
    model: row.model,
    tasks: row.tasks,
    counts,
    redacted,
    costUsd: row.costUsd,
    total: row.tasks * row.settings.rolloutsPerTask,
    running: [...(sets.live(row.id)?.episodes.values() ?? [])],
    createdAt: isoOf(row.createdAt),
    endedAt: isoOf(row.endedAt),
  })
  const saveEpisode =
    (id: string): Parameters<typeof runSet>[1]['onEnd'] =>
    (live, task, startedAt, outcome) => {
      const { group, attempt } = live
      tx(() => {
        const row = store.require(id)
        store.addEpisode(row, { ...outcome, taskId: task.id, difficulty: task.difficulty, group, attempt, startedAt })
        const { counts } = row
        const { status, success } = outcome
        store.change(id, {
          counts: { ...counts, ended: counts.ended + 1, [status]: counts[status] + 1, solved: counts.solved + (success === true ? 1 : 0) },
        })
        scoreGroup(store, row, group)
      })
      sets.progressed(id)
    }
  /** The conversations of a set end with the server, so the numbers of its labels do too. */
  const redactionFor = (id: string): RunRedaction =>
    openRedaction({
      file: null,
      onReplaced(redacted) {
        store.change(id, { counts: { ...store.require(id).counts, redacted } })
        publishLive(id)
      },
    })
  const perform = async (row: SetRow, signal: AbortSignal, live: LiveSet): Promise<string | null> => {
    const { id, settings } = row
    const { endpoint, model } = taskEndpointOf(settings.endpoint)
    const found = models.find(endpoint, model)
    const { price } = found
    const redaction = redactionOf(settings.redact, found, 'server').isOn ? redactionFor(id) : null
    const open = await models.open(endpoint, model, signal, redaction)
    try {
      const { maxCostUsd } = settings
      let isSpent = false
      // the cost includes open requests, and is stored before they are sent, so that a killed server does not forget them
      const ledger = createLedger({
        caps: { costUsd: maxCostUsd },
        before: { ...NOTHING_CHARGED, usd: row.costUsd ?? 0 },
        save: ({ usd }) => void (price !== null && usd !== store.require(id).costUsd && store.change(id, { costUsd: usd })),
      })
      const paid = metered(open, { ledger, price, isWhole: false })
      const ask: typeof open.ask = (request, stop) =>
        paid(request, stop).catch((error: unknown) => {
          isSpent ||= error instanceof CapReached
          throw error
        })
      return await runSet(
        { core, sandboxes, turnFiles },
        {
          row,
          open: { ...open, ask },
          live,
          signal,
          ended: store.endedPlaces(row),
          taskOf: (group) => taskOf(row, group),
          stopReason: () => (isSpent || ledger.reached() !== null ? `Its episodes reached the cost limit of $${maxCostUsd}.` : null),
          onChange: () => publishLive(id),
          onEnd: saveEpisode(id),
        },
      )
    } finally {
      await open.close()
    }
  }
  const sets = createSets(core, {
    noun: 'set of rollouts',
    store,
    view,
    ended: ({ counts }) => counts.ended,
    onState: (set) => events.append('rollouts:status', { set }),
    onProgress: (set) => events.passing('rollouts:progress', { set }),
    live: (): LiveSet => ({ episodes: new Map(), wake: () => undefined }),
    perform: (row, { signal, live }) => perform(row, signal, live),
  })
  const { get } = sets
  /** Publishes a change of what is under way, for which nobody waits. */
  const publishLive = (id: string): void => events.passing('rollouts:progress', { set: get(id) })
  const taskOf = (row: SetRow, group: number): RolloutTask => {
    const task = store.task(row, group)
    if (!task) throw new AppError('episode_not_found', { message: `This set of rollouts has no group ${group}.` })
    return task
  }
  const requireEnded = (id: string): SetRow => {
    const row = store.require(id)
    if (row.state === 'running' || sets.live(id) !== null) throw new AppError('rollouts_running')
    return row
  }
  const plan = async (
    asked: PlanRequest,
  ): Promise<{ plan: RolloutPlan; name: string; tasks: RolloutTask[]; settings: RolloutSettings }> => {
    const { name, tasks } = chosenTasks(asked, tasksOf)
    const settings = RolloutSettings.parse(asked) // removes the fields of the selection
    return { plan: await planOf({ settings, tasks: tasks.length }, { sandboxes, models }), name: asked.name ?? name, tasks, settings }
  }

  return {
    store,
    turnFiles,
    plan: async (asked: PlanRequest): Promise<RolloutPlan> => (await plan(asked)).plan,
    create: ({ idempotencyKey: key, ...asked }: z.output<typeof createRoute.body>): Promise<RolloutSet> =>
      sets.create(key, async () => {
        const { plan: planned, name, tasks, settings } = await plan(asked)
        throwFirst('rollouts_refused', planned.refusals)
        const { model, redaction } = planned
        const row = { id: newId(), name, model, settings: { ...settings, redact: redaction.isOn } }
        return { id: row.id, insert: () => store.insert(row, tasks, { key, at: core.now() }) }
      }),
    list(query: Parameters<typeof store.list>[0]) {
      const { items, ...page } = store.list(query)
      return { items: items.map(view), ...page }
    },
    get: sets.wait,
    groups(id: string, cursor: string | undefined, limit: number) {
      const row = store.require(id)
      const { items, ...page } = store.groups(row, cursor, limit)
      const episodes = Map.groupBy(store.episodesOf(row, items[0]?.group ?? 0, items.length), ({ group }) => group)
      return { items: items.map((one) => groupView(one, episodes.get(one.group) ?? [])), ...page }
    },
    episodes: (id: string, filter: Parameters<typeof store.episodes>[1]) => store.episodes(store.require(id), filter),
    async episode(id: string, episodeId: string, { after, limit }: { after: number; limit: number }) {
      const row = store.require(id)
      const place = placeOf(id, episodeId)
      const live = sets.live(id)?.episodes.get(episodeId) ?? null
      const episode = place && store.episode(row, place.group, place.attempt)
      if (!place || (!episode && !live)) throw new AppError('episode_not_found')
      const turns = []
      let isWhole = true
      for await (const turn of turnFiles.read(id, episodeId)) {
        if (turn.no <= after) continue
        if (turns.length === limit) {
          isWhole = false
          break
        }
        turns.push(turn)
      }
      const { form } = row.settings
      return { episode, task: taskOf(row, place.group), system: systemOf(form), turns, isWhole, sandboxId: live?.sandboxId ?? null }
    },
    cancel: sets.cancel,
    /** What a set was started with. */
    settingsOf: (id: string): SetRow['settings'] => store.require(id).settings,
    resume(id: string): RolloutSet {
      const row = store.require(id)
      if (row.state === 'running') return view(row)
      return sets.resume(id, () => {
        store.dropErrors(row)
        const { error, ended, ...counts } = row.counts
        store.change(id, { counts: { ...NOTHING_ENDED, ...counts, ended: ended - error } })
      })
    },
    rescore(id: string, policy: RewardPolicy): RolloutSet {
      const row = requireEnded(id)
      return sets.changeState(id, () => {
        rescore(store, row, policy)
        store.change(id, { settings: { ...row.settings, policy } })
      })
    },
    remove(id: string): { id: string } {
      const row = requireEnded(id)
      tx(() => {
        store.remove(row)
        events.append('rollouts:removed', { id })
      })
      turnFiles.remove(id)
      return { id }
    },
    start: sets.start,
    close: sets.close,
  }
}

function groupView({ group, task, scored, mean, std, zeroVariance }: KeptGroup, episodes: readonly Episode[]): RolloutGroup {
  const attempts = episodes.map(({ id, attempt, status, success, turns, reward, advantage }) => ({ id, attempt, status, success, turns, reward, advantage })) // prettier-ignore
  const { id, difficulty, task: text } = task
  return { group, task: { id, task: text, difficulty }, attempts, isComplete: scored !== null, mean, std, zeroVariance }
}

export type Rollouts = ReturnType<typeof createRollouts>
