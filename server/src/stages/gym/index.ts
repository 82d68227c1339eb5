import writeFileAtomic from 'write-file-atomic'
import { type Run, RunRequest } from '#contracts/entities/run.ts'
import { AppError } from '#contracts/errors.ts'
import type { Engine } from '#server/adapters/engine/types.ts'
import type { Core } from '#server/core.ts'
import { createQueue, type Queue } from '#server/runs/queue.ts'
import { runLog } from '#contracts/streams.ts'
import { visibleGpus } from './visible-gpus.ts'
import { isWithin } from '#server/within.ts'
import type { Stage } from '../stage.ts'
import { stampOf } from './base-models/facts.ts'
import type { ModelPlaces } from './base-models/find.ts'
import { baseModelRoutes } from './base-models/routes.ts'
import { createCopyRows } from './copy-rows.ts'
import type { GymDeps } from './deps.ts'
import { createDryRuns, sweepDryRuns } from './dry-run.ts'
import type { ChangedInputsInput } from './inputs.job.ts'
import { environmentFile } from './plan/config.ts'
import type { MeasuredRun } from './plan/time.ts'
import type { RunRow } from './row.ts'
import { runFolders } from './folder.ts'
import { withWarning } from './live.ts'
import { openLog } from './log-stream.ts'
import { matrixRoutes } from './matrix/routes.ts'
import { createMatrixService } from './matrix/service.ts'
import { findMaterials } from './materials.ts'
import { createTaskFiles } from './task-rows.ts'
import { createBlockStore } from './metrics/blocks.ts'
import { makePlan } from './plan/plan.ts'
import { createHealthWatch } from './health-watch.ts'
import { gymRoutes } from './routes.ts'
import { createTrainingRunner } from './runner.ts'
import { reportEnv } from './reports.ts'
import { datasetOfRepos } from './from-repos.ts'
import { createRunService, type RunService } from './service.ts'
import { createRunStore } from './store.ts'

/** Whether no more is written to a run's log: the run has ended, or it was deleted (undefined). A paused run resumes with the same log. */
const isOver = (state: RunRow['state'] | undefined) => state === undefined || ['completed', 'failed', 'cancelled'].includes(state)

const INPUTS_JOB = new URL('./inputs.job.ts', import.meta.url)

const toMeasured = ({ name, strategy, setup, live }: RunRow): MeasuredRun => ({
  name,
  strategy,
  baseModelPath: setup.baseModelPath,
  method: setup.settings.method,
  device: live.device,
  processes: setup.settings.processes,
  tokensPerSec: live.tokensPerSec,
  tokens: live.seenTokens,
  trainSec: live.trainSec,
})

export { ggufFacts } from './base-models/gguf-facts.ts'
export { newRunId } from './run-id.ts'

/** Training runs: their plan, queue, processes that outlive the app, and stored curves. */
export function createGym(core: Core, deps: GymDeps) {
  const { db, tx, events, paths, config, log } = core
  const store = createRunStore(db, core.now)
  const blocks = createBlockStore(db)
  const folders = runFolders(paths.models)
  const places = (): ModelPlaces => ({
    hubCaches: [...new Set([deps.hub.folder(), config.hubCache])],
    ollama: config.ollamaModels,
    lmStudio: config.lmStudioModels,
    ...deps.baseModels(),
    runs: paths.models,
  })
  const materials = (request: RunRequest) =>
    findMaterials(request, {
      dataDir: config.dataDir,
      modelPlaces: places,
      dataset: deps.datasets.get,
      datasetFolder: deps.datasets.folder,
      repoOf: deps.repoOf,
      tasks: deps.shellTasks && createTaskFiles(paths.models, deps.shellTasks),
    })
  const engineOf = (name: RunRequest['engine']): Engine => {
    const engine = deps.engines[name]
    if (!engine) throw new AppError('training_unavailable', { message: `Training on ${name} is not available here.` })
    return engine
  }
  const commandOf = (program: string, file: string) => [program, '-m', 'bashgym_trainers', 'train', '--config', file]
  const plan = (request: RunRequest, signal: AbortSignal) =>
    makePlan(
      {
        core,
        materials,
        async devices(engine) {
          const engineDevice = engineOf(engine).device()
          return engineDevice ? { items: [engineDevice], problem: null } : deps.devices()
        },
        engineProblem: ({ engine, shellTasks }) => engineOf(engine).problem({ usesSandboxes: shellTasks !== undefined }),
        command: (file) => commandOf('python', file),
        sandbox: deps.sandbox,
        equipment: (engine) => ({
          python: async () => (engine === 'local' ? await deps.packages() : null),
          hasVariable: (name) => Boolean(config.reporters[name]),
        }),
        measured: (strategy) => store.measured(strategy).map(toMeasured),
      },
      request,
      signal,
    )
  const copyRows = createCopyRows(core.workers)
  const writeEnvironment = async (folder: string) =>
    writeFileAtomic(environmentFile(folder), JSON.stringify(await deps.shellTasks?.environment()), { mode: 0o600 })
  const publishChange = (id: string) => events.append('training:changed', { run: service.get(id) })

  const updateHealth = createHealthWatch(store, blocks, core.now)

  const runner = createTrainingRunner({
    core,
    store,
    blocks,
    folders,
    engine: engineOf,
    async command(run) {
      const { program, env } = await deps.python()
      const { device, request, settings } = run.setup
      if (request.shellTasks) await writeEnvironment(folders.of(run.id))
      const gpu = request.engine === 'local' ? await visibleGpus(device, settings.processes, deps.devices) : {}
      return { argv: commandOf(program, folders.config(run.id)), env: { ...env, ...gpu, ...reportEnv(settings.reportTo, config) } }
    },
    changed: publishChange,
    unstored: (id) => events.passing('training:changed', { run: service.get(id) }),
    ended(id, state) {
      const run = service.get(id)
      if (state === 'completed') registerModel(run)
      const endedRun = service.get(id)
      events.append('training:changed', { run: endedRun })
      if (state === 'completed') {
        const durationMs = endedRun.trainSec === null ? null : endedRun.trainSec * 1000
        events.append('training:complete', { runId: id, modelId: endedRun.modelId, metrics: endedRun.metrics, durationMs, run: endedRun })
      }
      if (state === 'failed') {
        const { code, message, logTail } = endedRun.error!
        events.append('training:failed', { runId: id, error: { code, message, logTail }, run: endedRun })
      }
      queue.ended(id, state === 'failed')
    },
    onBatch(run, before, after) {
      const hasHealthChanged = updateHealth(run, after)
      if (hasHealthChanged || before.phase !== after.phase || before.totalSteps !== after.totalSteps || before.warnings !== after.warnings) publishChange(run.id) // prettier-ignore
    },
    onQuiet(run, live) {
      tx(() => {
        if (updateHealth(run, live)) publishChange(run.id)
      })
    },
    onFree: () => queue.pump(),
  })
  /** A failing registry must not fail the run. */
  const registerModel = (run: Run) => {
    try {
      const modelId = tx(() => deps.onCompleted(run))
      if (modelId !== null) store.change(run.id, { modelId })
    } catch (error) {
      log.error({ err: error, run: run.id }, 'A completed run could not be put into the registry')
    }
  }
  const queue: Queue = createQueue({
    tx,
    store,
    lane: ({ setup }) => ({ name: setup.request.engine, places: 1 }),
    launch: (id, isNext) => runner.launch(id, isNext),
    changed: () => events.append('training:queue', queue.state()),
    moved: (ids) => tx(() => ids.forEach(publishChange)),
  })
  const service: RunService = createRunService({
    core,
    store,
    blocks,
    folders,
    queue,
    runner,
    plan,
    copyRows,
    sandbox: deps.sandbox,
    requirePython: deps.python,
    datasetOfRepos: ({ strategy, datasetId, file, shellTasks }, repos, signal) => {
      if ((datasetId ?? file ?? shellTasks) !== undefined)
        throw new AppError('invalid_request', { message: 'Give selectedRepos, or a data set, a file or shell tasks, not both.' })
      return datasetOfRepos(core.jobs, deps.datasets, strategy, repos, signal)
    },
    async changedInputs({ id, setup, strategy }) {
      const isSame = (await stampOf(setup.baseModelPath)) === setup.modelStamp
      const input: ChangedInputsInput = {
        folder: folders.of(id),
        data: [setup.files.train, ...(setup.files.val === null ? [] : [setup.files.val])],
        model: isSame ? null : setup.baseModelPath,
        teacher: null, // the trainer compares it
        trainers: config.trainersDir,
        clients: config.clientsDir,
        strategy,
        packages: Object.fromEntries((await deps.packages())?.packages ?? []),
      }
      return core.workers.run<string[]>(INPUTS_JOB, input, { lane: 'query' })
    },
  })

  const matrix = createMatrixService({ store, runs: service, plan, requirePython: deps.python })

  let pickUpPromise: Promise<void> | null = null
  const pickUp = async (): Promise<void> => {
    folders.sweep((id) => store.find(id) !== null)
    await sweepDryRuns(folders, deps.engines.local)
    await runner.pickUp()
  }

  const figures = () => {
    const byState = store.byState()
    return {
      runs: { total: Object.values(byState).reduce((sum, n) => sum + n, 0), byState },
      queue: { waiting: byState.queued ?? 0, paused: store.flag('paused') ?? false },
    }
  }
  const stage: Stage = {
    name: 'gym',
    stored: { run: ({ params }) => [{ schema: RunRequest, value: service.requestOf((params as { id: string }).id) }] }, // of a route with an id
    routes: gymRoutes({
      service,
      queue,
      store,
      plan,
      dryRun: createDryRuns({
        jobs: core.jobs,
        folders,
        engine: deps.engines.local,
        plan,
        python: deps.python,
        devices: deps.devices,
        sandbox: deps.sandbox,
        command: commandOf,
        copyRows,
        writeEnvironment,
      }),
      devices: deps.devices,
    }).concat(
      matrixRoutes(matrix),
      baseModelRoutes(core, {
        hub: deps.hub,
        places,
        devices: deps.devices,
        newestBaseModel: () => store.list({}, { limit: 1 }).items[0]?.baseModel ?? null,
      }),
    ),
    streams: [
      {
        kind: runLog,
        open: (id, from) => openLog(folders.log(store.require(id).id), from, () => isOver(store.find(id)?.state)),
      },
    ],
    forget: null, // a run's copy of rows is removed with the run
    /** Follows processes that are still running, and starts queued runs in turn. */
    async start({ watch }): Promise<void> {
      await (pickUpPromise ??= pickUp())
      if (!watch) return
      queue.open()
      queue.pump()
    },
    async close(): Promise<void> {
      queue.close()
      await runner.close()
    },
    startAgain: { 'training-run': (id) => service.resume(id) },
    figures,
    checks() {
      const { queue } = figures()
      const active = store.active()
      return {
        runs: active.some(({ health }) => health.some(({ code }) => code === 'stalled'))
          ? 'stalled'
          : active.length > 0
            ? 'working'
            : 'idle',
        queue: queue.waiting === 0 ? 'empty' : queue.paused ? 'paused' : 'waiting',
      }
    },
  }
  return {
    stage,
    run: service.get,
    /** Names of the runs whose process is running. */
    activeRunNames: () => store.active().map(({ id }) => service.get(id).name),
    usedBy: store.usedBy,
    /** Names of unfinished runs whose base model or teacher is at this path or below it. */
    runsReading: (place: string): string[] =>
      store
        .unfinished()
        .filter(({ setup }) =>
          [setup.baseModelPath, setup.teacherPath].some((modelPath) => modelPath !== null && isWithin(place, modelPath)),
        )
        .map(({ name }) => name),
    /** Call it in the transaction that removes the model of a run, which allows the run to be removed. */
    modelRemoved(id: string): void {
      store.change(id, { modelId: null })
      publishChange(id)
    },
    exportFailed(id: string, message: string): void {
      tx(() => {
        const run = store.find(id)
        if (!run) return
        store.change(id, { live: { ...run.live, warnings: withWarning(run.live.warnings, { code: 'export_failed', message }) } })
        publishChange(id)
      })
    },
  }
}
