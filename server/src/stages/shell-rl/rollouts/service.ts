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
import { CapReached, createLedger, NOTHING_CHARGED } from '#server/adapters/llm/index.ts'
import type { Core } from '#server/core.ts'
import { createMeteredModel, redactionOf, type TaskModels } from '#server/stages/agents/index.ts'
import type { RunRedaction, RunRedactionOptions } from '../../privacy/index.ts'
import { createChanges } from '#server/events/changes.ts'
import { sentenceOf, throwFirst } from '#server/refusals.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { placeOf } from './episode-id.ts'
import { systemOf } from './perform.ts'
import { taskEndpointOf, planOf } from './plan.ts'
import { type LiveEpisode, runSet } from './run-set.ts'
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

interface RunningSet {
  stop: AbortController
  live: Map<string, LiveEpisode>
  done: Promise<void>
}

const CANCELLED = 'The set was cancelled.'
const CLOSING = 'The server is stopping.'

/** Manages sets of rollouts. After a restart of the server, a running set continues with its missing episodes. */
export function createRollouts(core: Core, { sandboxes, models, tasksOf, newId, openRedaction }: RolloutDeps) {
  const { db, tx, events, log, now, paths } = core
  const store = createRolloutStore(db)
  const turnFiles = createTurnFiles(paths.rollouts)
  const runningSets = new Map<string, RunningSet>()
  const changes = createChanges()
  let isOpen = false

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
    running: [...(runningSets.get(row.id)?.live.values() ?? [])],
    createdAt: isoOf(row.createdAt),
    endedAt: isoOf(row.endedAt),
  })
  const get = (id: string): RolloutSet => view(store.require(id))
  const progress = (id: string): void => events.passing('rollouts:progress', { set: get(id) })
  const change = (id: string, values: Parameters<typeof store.change>[1]): void => {
    tx(() => {
      store.change(id, values)
      events.append('rollouts:status', { set: get(id) })
    })
    changes.notify(id)
  }

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
      progress(id)
      changes.notify(id)
    }
  /** The conversations of a set end with the server, so the numbers of its labels do too. */
  const redactionFor = (id: string): RunRedaction =>
    openRedaction({
      file: null,
      onReplaced(redacted) {
        store.change(id, { counts: { ...store.require(id).counts, redacted } })
        progress(id)
      },
    })
  const work = async (id: string, { stop, live }: RunningSet): Promise<void> => {
    const row = store.require(id)
    const { signal } = stop
    try {
      const { endpoint, model } = taskEndpointOf(row.settings.endpoint)
      const found = models.find(endpoint, model)
      const { price } = found
      const redaction = redactionOf(row.settings.redact, found, 'server').isOn ? redactionFor(id) : null
      const open = await models.open(endpoint, model, signal, redaction)
      try {
        const { maxCostUsd } = row.settings
        let isSpent = false
        // the cost includes open requests, and is stored before they are sent, so that a killed server does not forget them
        const ledger = createLedger({
          caps: { costUsd: maxCostUsd },
          before: { ...NOTHING_CHARGED, usd: row.costUsd ?? 0 },
          save: ({ usd }) => void (price !== null && usd !== store.require(id).costUsd && store.change(id, { costUsd: usd })),
        })
        const metered = createMeteredModel(open, { ledger, price })
        const ask: typeof open.ask = (request, stop) =>
          metered(request, stop).catch((error: unknown) => {
            isSpent ||= error instanceof CapReached
            throw error
          })
        const stopReason = () => (isSpent || ledger.reached() !== null ? `Its episodes reached the cost limit of $${maxCostUsd}.` : null)
        const detail = await runSet(
          { sandboxes, turnFiles },
          {
            row,
            open: { ...open, ask },
            live,
            signal,
            ended: store.endedPlaces(row),
            taskOf: (group) => taskOf(row, group),
            stopReason,
            onChange: () => progress(id),
            onEnd: saveEpisode(id),
          },
        )
        change(id, { state: detail === null ? 'done' : 'stopped', detail, endedAt: now() })
      } finally {
        await open.close()
      }
    } catch (error) {
      if (signal.aborted && (signal.reason as Error).message === CLOSING) return // the set continues at the next start
      if (signal.aborted) return change(id, { state: 'cancelled', detail: null, endedAt: now() })
      if (!(error instanceof AppError)) log.error({ err: error, rollouts: id }, 'A set of rollouts could not continue')
      change(id, { state: 'stopped', detail: sentenceOf(error), endedAt: now() })
    }
  }
  const wake = (id: string): void => {
    if (!isOpen || runningSets.has(id)) return
    const one: RunningSet = { stop: new AbortController(), live: new Map(), done: Promise.resolve() }
    runningSets.set(id, one)
    one.done = work(id, one)
      .catch((error: unknown) => log.error({ err: error, rollouts: id }, 'The end of a set of rollouts could not be written'))
      .finally(() => runningSets.delete(id))
  }
  const taskOf = (row: SetRow, group: number): RolloutTask => {
    const task = store.task(row, group)
    if (!task) throw new AppError('episode_not_found', { message: `This set of rollouts has no group ${group}.` })
    return task
  }
  const requireEnded = (id: string): SetRow => {
    const row = store.require(id)
    if (row.state === 'running' || runningSets.has(id)) throw new AppError('rollouts_running')
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
    async create({ idempotencyKey: key, ...asked }: z.output<typeof createRoute.body>): Promise<RolloutSet> {
      const before = key === undefined ? null : store.byKey(key)
      if (before) return view(before)
      const {
        plan: { refusals, model, redaction },
        ...found
      } = await plan(asked)
      throwFirst('rollouts_refused', refusals)
      const id = newId()
      tx(() => {
        store.insert({ id, name: found.name, model, settings: { ...found.settings, redact: redaction.isOn } }, found.tasks, {
          key,
          at: now(),
        })
        events.append('rollouts:status', { set: get(id) })
      })
      wake(id)
      return get(id)
    },
    list(query: Parameters<typeof store.list>[0]) {
      const { items, ...page } = store.list(query)
      return { items: items.map(view), ...page }
    },
    /** Waits for a change at most `waitMs`. Returns at once if the set has ended or the number of ended episodes is not `ended`. */
    async get(id: string, { waitMs, ended, signal }: { waitMs: number; ended: number; signal: AbortSignal }): Promise<RolloutSet> {
      const set = get(id)
      if (waitMs === 0 || set.state !== 'running' || set.counts.ended !== ended) return set
      await changes.next(id, { waitMs, signal })
      return get(id)
    },
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
      const live = runningSets.get(id)?.live.get(episodeId) ?? null
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
    async cancel(id: string): Promise<RolloutSet> {
      const one = runningSets.get(id)
      if (one) {
        one.stop.abort(new Error(CANCELLED))
        await one.done
      } else if (store.require(id).state === 'running') change(id, { state: 'cancelled', endedAt: now() })
      return get(id)
    },
    /** What a set was started with. */
    settingsOf: (id: string): SetRow['settings'] => store.require(id).settings,
    resume(id: string): RolloutSet {
      const row = store.require(id)
      if (row.state === 'running') return view(row)
      tx(() => {
        store.dropErrors(row)
        const { error, ended, ...counts } = row.counts
        store.change(id, { counts: { ...NOTHING_ENDED, ...counts, ended: ended - error } })
      })
      change(id, { state: 'running', detail: null, endedAt: null })
      wake(id)
      return get(id)
    },
    rescore(id: string, policy: RewardPolicy): RolloutSet {
      const row = requireEnded(id)
      tx(() => {
        rescore(store, row, policy)
        store.change(id, { settings: { ...row.settings, policy } })
        events.append('rollouts:status', { set: get(id) })
      })
      return get(id)
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
    start({ watch }: { watch: boolean }): void {
      isOpen = watch
      if (isOpen) for (const { id } of store.running()) wake(id)
    },
    async close(): Promise<void> {
      isOpen = false
      for (const { stop } of runningSets.values()) stop.abort(new Error(CLOSING))
      await Promise.all([...runningSets.values()].map(({ done }) => done))
    },
  }
}

function groupView({ group, task, scored, mean, std, zeroVariance }: KeptGroup, episodes: readonly Episode[]): RolloutGroup {
  const attempts = episodes.map(({ id, attempt, status, success, turns, reward, advantage }) => ({ id, attempt, status, success, turns, reward, advantage })) // prettier-ignore
  const { id, difficulty, task: text } = task
  return { group, task: { id, task: text, difficulty }, attempts, isComplete: scored !== null, mean, std, zeroVariance }
}

export type Rollouts = ReturnType<typeof createRollouts>
