import path from 'node:path'
import fs from 'node:fs'
import type { z } from 'zod'
import { given } from '#server/given.ts'
import type { Run, RunCheckpoint, RunRequest } from '#contracts/entities/run.ts'
import { AppError } from '#contracts/errors.ts'
import type { getRunLogs, getRunMetrics, getRunSamples, listRuns, patchRun, startRun } from '#contracts/routes/training.ts'
import type { Bytes } from '#contracts/derive/route.ts'
import type { Core } from '#server/core.ts'
import { createOnce } from '#server/runs/once.ts'
import { followLines } from './follow-lines.ts'
import type { Queue } from '#server/runs/queue.ts'
import { withTags } from '#server/tags.ts'
import { fileBelow } from '#server/within.ts'
import { stampOf } from './base-models/facts.ts'
import type { CopyRows } from './copy-rows.ts'
import { copyPathsIn, type RunFolders, sizeOf } from './folder.ts'
import type { BlockStore } from './metrics/blocks.ts'
import { seriesOf } from './metrics/series.ts'
import { configOf, environmentOf } from './plan/config.ts'
import type { Planned } from './plan/plan.ts'
import { type RunSetup, type RunRow, toRun } from './row.ts'
import { newRunId } from './run-id.ts'
import type { TrainingRunner } from './runner.ts'
import type { RunStore } from './store.ts'

export interface ServiceDeps {
  core: Core
  store: RunStore
  blocks: BlockStore
  folders: RunFolders
  queue: Queue
  runner: TrainingRunner
  plan: (request: RunRequest, signal: AbortSignal) => Promise<Planned>
  sandbox: () => readonly string[] | null
  /** Builds a data set of the gold sessions of these repositories, or of all. Returns its id. */
  datasetOfRepos: (request: RunRequest, repos: readonly string[], signal: AbortSignal) => Promise<string>
  /** Throws `training_unavailable`, so that no run waits for a Python that is missing. */
  requirePython: () => Promise<unknown>
  /** Names of the run's inputs that changed since its start, for an error message. */
  changedInputs: (run: RunRow) => Promise<string[]>
  copyRows: CopyRows
}

/** A run whose folder exists, but which is not in the database yet. */
export interface PreparedRun {
  id: string
  add: (key: string | null) => void
  undo: () => void
}

type Query<R extends { query: z.ZodType }> = z.output<R['query']>

const ENDED = new Set<Run['state']>(['completed', 'failed', 'cancelled'])
const UNDERWAY = new Set<Run['state']>(['queued', 'preparing', 'running'])

export function createRunService(deps: ServiceDeps) {
  const { core, store, blocks, folders, queue, runner } = deps
  const { tx, events } = core

  const toDocument = (row: RunRow): Run => {
    const queuePosition = row.state === 'queued' ? store.queue().indexOf(row.id) + 1 : null
    return toRun(row, { folder: folders.of(row.id), queuePosition, isUnstored: runner.isUnstored(row.id) })
  }
  const get = (id: string): Run => toDocument(store.require(id))
  const refuseState = (run: RunRow, action: string, hint?: string): never => {
    throw new AppError('run_state', {
      message: `${run.name} is ${run.state}, so it cannot be ${action}.`,
      ...(hint !== undefined && { hint }),
    })
  }

  /** Makes a run's folder with its configuration and rows. `add` queues the run in the caller's transaction; `undo` removes the folder. */
  const prepare = async (
    request: RunRequest,
    { plan, materials, isCopied }: Planned,
    matrix?: NonNullable<RunSetup['matrix']>,
  ): Promise<PreparedRun> => {
    const modelStamp = await stampOf(materials.model.path)
    const id = newRunId()
    const output = folders.of(id)
    const { settings } = plan
    const files = isCopied ? copyPathsIn(output, materials.files) : materials.files
    const config = configOf({
      runId: id,
      request,
      settings,
      materials: { ...materials, files },
      output,
      device: plan.device.kind,
      environment: environmentOf(materials, output),
      sandbox: deps.sandbox(),
    })
    const baseModel = materials.model.id
    const name = request.name ?? `${path.basename(baseModel)} ${request.strategy}`
    const undo = () => folders.remove(id)
    try {
      await folders.make(id, config)
      if (isCopied) await deps.copyRows(materials, files, request, settings)
    } catch (error) {
      undo()
      throw error
    }
    const add = (key: string | null) => {
      store.add(
        {
          id,
          name,
          strategy: request.strategy,
          baseModel,
          datasetId: materials.dataset?.id ?? null,
          datasetName: materials.dataset?.name ?? materials.shellTasks?.name ?? path.basename(materials.files.train),
          tags: request.tags,
          setup: {
            request,
            settings,
            baseModelPath: materials.model.path,
            teacherPath: materials.teacher?.path ?? null,
            repos: materials.dataset?.repos ?? [],
            files,
            estimateBytes: plan.memory?.total ?? null,
            modelStamp,
            device: plan.device.kind,
            ...(matrix && { matrix }),
          },
        },
        key,
      )
      events.append('training:changed', { run: get(id) })
    }
    return { id, add, undo }
  }

  /** Queues prepared runs, the first with the idempotency key. If that fails, removes them. */
  const enqueue = (runs: readonly PreparedRun[], key: string | null): void => {
    try {
      tx(() => {
        runs.forEach((run, at) => run.add(at === 0 ? key : null))
        queue.changed()
      })
    } catch (error) {
      runs.forEach((run) => run.undo())
      throw error
    }
    queue.open()
    queue.pump()
  }
  const once = createOnce((key) => {
    const row = store.byKey(key)
    return row && toDocument(row)
  })

  return {
    get,
    toDocument,
    enqueue,
    list(query: Query<typeof listRuns>) {
      const { items, ...rest } = store.list(query, query)
      return { items: items.map(toDocument), ...rest }
    },
    prepare,
    start: ({ idempotencyKey: key, selectedRepos, ...given }: z.output<typeof startRun.body>, signal: AbortSignal): Promise<Run> =>
      once(key, async () => {
        const request =
          selectedRepos === undefined ? given : { ...given, datasetId: await deps.datasetOfRepos(given, selectedRepos, signal) }
        const planned = await deps.plan(request, signal)
        const refusals = planned.plan.notes.filter(({ level }) => level === 'refusal')
        if (refusals[0]) throw new AppError('run_refused', { message: refusals[0].message, ...(refusals[0].hint !== null && { hint: refusals[0].hint }), details: { notes: refusals } }) // prettier-ignore
        await deps.requirePython()
        const run = await prepare(request, planned)
        enqueue([run], key ?? null)
        return get(run.id)
      }),
    async pause(id: string): Promise<Run> {
      const run = store.require(id)
      if (run.state === 'pausing' || run.state === 'paused') return toDocument(run)
      if (run.state !== 'running' && run.state !== 'preparing') refuseState(run, 'paused')
      await runner.ask(id, 'pause')
      return get(id)
    },
    /** What a run was started with. */
    requestOf: (id: string): RunRequest => store.require(id).setup.request,
    async resume(id: string): Promise<Run> {
      const run = store.require(id)
      if (UNDERWAY.has(run.state)) return toDocument(run)
      if (run.state === 'pausing') refuseState(run, 'resumed yet', 'Wait until it has stopped.')
      if (!toDocument(run).canResume) {
        const reason = run.state === 'completed' ? 'it is complete' : 'it has no checkpoint'
        throw new AppError('run_state', { message: `${run.name} cannot be resumed: ${reason}.` })
      }
      await deps.requirePython()
      const changed = await deps.changedInputs(run)
      if (changed.length > 0)
        throw new AppError('run_changed', {
          message: `${changed.join(' and ')} changed since ${run.name} was started, so it cannot be resumed as the same run.`,
          hint: 'Start a new run with the same settings.',
          details: { changed },
        })
      const current = store.require(id) // another click may have come first
      if (UNDERWAY.has(current.state)) return toDocument(current)
      if (current.state !== run.state) refuseState(current, 'resumed')
      tx(() => {
        store.change(id, { state: 'queued', queuePlace: store.firstPlace() - 1, endedAt: null })
        events.append('training:changed', { run: get(id) })
        queue.changed()
      })
      queue.open()
      queue.pump(id)
      return get(id)
    },
    async cancel(id: string, keepCheckpoint: boolean): Promise<Run> {
      const run = store.require(id)
      if (ENDED.has(run.state)) {
        if (run.state === 'cancelled') return toDocument(run)
        refuseState(run, 'cancelled')
      }
      if (run.state === 'queued' || run.state === 'paused') {
        tx(() => {
          store.change(id, { state: 'cancelled', queuePlace: null, requestedAction: null, endedAt: core.now() })
          events.append('training:changed', { run: get(id) })
          queue.changed()
        })
        if (!keepCheckpoint) removeCheckpoints(folders.of(id))
        return get(id)
      }
      if (keepCheckpoint) {
        await runner.ask(id, 'save_stop')
        return get(id)
      }
      await runner.kill(id, () => removeCheckpoints(folders.of(id)))
      const ended = store.require(id)
      return ended.state === 'completed' ? refuseState(ended, 'cancelled', 'It had already completed.') : toDocument(ended)
    },
    patch(id: string, { addTags, removeTags, ...change }: z.output<typeof patchRun.body>): Run {
      const { tags } = store.require(id)
      tx(() => {
        store.change(id, { ...given(change), tags: withTags(tags, { addTags, removeTags }) })
        events.append('training:changed', { run: get(id) })
      })
      return get(id)
    },
    remove(id: string): { freedBytes: number } {
      const run = store.require(id)
      if (!ENDED.has(run.state) && run.state !== 'paused')
        refuseState(run, 'deleted', run.state === 'pausing' ? 'Wait until it has stopped.' : 'Cancel it first.')
      if (run.modelId !== null)
        throw new AppError('run_in_use', {
          message: `A model was created by ${run.name}.`,
          hint: 'Delete the model first.',
          details: { modelId: run.modelId },
        })
      const freedBytes = folders.size(id)
      folders.setAside(id)
      tx(() => {
        store.remove(id)
        events.append('training:removed', { id })
      })
      folders.removeAside(id)
      return { freedBytes }
    },
    metrics(id: string, query: Query<typeof getRunMetrics>) {
      const run = store.require(id)
      const names = blocks.names(run.no)
      const knownNames = (query.names ?? []).filter((name) => names.includes(name))
      return { names, series: seriesOf(blocks, { no: run.no, id, seq: run.live.seq }, { ...query, names: knownNames }) }
    },
    system: (id: string, points: number) => ({ items: store.system(store.require(id).no, points) }),
    samples: (id: string, query: Query<typeof getRunSamples>) => store.samples(store.require(id).no, query),
    checkpoints(id: string): { items: RunCheckpoint[] } {
      const run = store.require(id)
      const items = store.checkpoints(run.no).map((one): RunCheckpoint => {
        const folder = fileBelow(folders.of(id), one.path)
        const exists = fs.existsSync(folder)
        return { ...one, best: one.step === run.live.best?.step || one.best, exists, bytes: exists ? sizeOf(folder) : null }
      })
      return { items }
    },
    /** Each line as JSON. Ends with the run, also when it is paused, because then nobody writes. */
    followLogs(id: string, query: Query<typeof getRunLogs>, signal: AbortSignal): Bytes {
      store.require(id)
      return { stream: followLines(id, query, { store, events, signal }), fileName: `${id}.jsonl`, contentType: 'application/x-ndjson' }
    },
    logs(id: string, query: Query<typeof getRunLogs>) {
      const run = store.require(id)
      const lines = store.lines(run.no, query)
      return { lines, next: lines.at(-1)?.n ?? query.after ?? run.live.lines, total: run.live.lines, logBytes: run.live.logAt }
    },
  }
}
export type RunService = ReturnType<typeof createRunService>

/** Removes the checkpoints and the half-saved result of a cancelled run. */
function removeCheckpoints(folder: string): void {
  if (!fs.existsSync(folder)) return
  for (const name of fs.readdirSync(folder))
    if (/^(?:checkpoint-\d+(?:\.tmp)?|final\.part)$/.test(name)) fs.rmSync(path.join(folder, name), { recursive: true, force: true })
}
