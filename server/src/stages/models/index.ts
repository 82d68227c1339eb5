import type { Job } from '#contracts/entities/job.ts'
import type { Model, Quantization } from '#contracts/entities/model.ts'
import type { Run } from '#contracts/entities/run.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import { fileBelow } from '#server/within.ts'
import type { Stage } from '../stage.ts'
import { checkExport } from './export/check.ts'
import { runExport } from './export/run.ts'
import type { ExportDeps, ExportRequest } from './export/types.ts'
import { type Canaries, runProbe } from './probe/run.ts'
import { EXPORT_JOB } from './registry/users.ts'
import { modelRoutes } from './routes.ts'
import { createRegistry, type Registry, type RegistryDeps } from './service.ts'
import { createServings, type ServingDeps } from './serving/servings.ts'

export { USED_CONTEXT } from './export/modelfile.ts'

const PROBE_JOB = 'probe'

export interface ModelsDeps extends Omit<RegistryDeps, 'serving' | 'forgetTrial' | 'datasets'> {
  datasets: RegistryDeps['datasets'] & { folder: (id: string) => string; canaries: (id: string) => Canaries }
  tools: ServingDeps & ExportDeps
}

/** Trained models: registered when their run completes, then exported, compared, tried out and deleted. */
export function createModels(core: Core, deps: ModelsDeps) {
  const registry = createRegistry(core, { ...deps, serving: () => servings.serving(), forgetTrial: (id) => servings.forgetTrial(id) })
  const testFile = (id: string) => {
    const file = deps.datasets.find(id)?.files.find(({ split, rows }) => split === 'test' && rows > 0)
    return file ? fileBelow(deps.datasets.folder(id), file.path) : null
  }
  const refuseSecond = () => {
    const [job] = running()
    if (!job) return
    const name = registry.store.get(job.subject ?? '')?.name ?? 'a model'
    throw new AppError('job_running', {
      message: `An export of ${name} is in progress. Only one export runs at a time.`,
      hint: 'Wait for it to finish, or stop it on the page of that model.',
    })
  }
  const servings: ReturnType<typeof createServings> = createServings(core, registry, deps.tools)
  const startExport = async (id: string, request: ExportRequest): Promise<Job> => {
    checkExport(registry, id, request)
    await deps.tools.interpreter()
    refuseSecond()
    return core.jobs.start(EXPORT_JOB, (job) => runExport({ core, registry, deps: { ...deps.tools, testFile } }, id, request, job), {
      single: true,
      subject: id,
    })
  }
  /** The export that a run was started with; after one in progress. Its failure is shown on the run, which is complete. */
  const exportAfter = async (id: string, quantization: Quantization): Promise<void> => {
    try {
      const started = await startWhenFree(id, quantization)
      const { error } = await core.jobs.wait(started.id)
      if (error) throw new Error(error.message)
    } catch (error) {
      if (!isClosed) deps.runs.exportFailed(id, `The export as GGUF ${quantization} failed: ${error instanceof Error ? error.message : String(error)} Start it again on the page of the model.`) // prettier-ignore
    }
  }
  const startWhenFree = async (id: string, quantization: Quantization): Promise<Job> => {
    for (let [busy] = running(); busy; [busy] = running()) await core.jobs.wait(busy.id)
    try {
      return await startExport(id, { format: 'gguf', quantization, parity: true })
    } catch (error) {
      if (error instanceof AppError && error.code === 'job_running' && running().length > 0) return startWhenFree(id, quantization) // another was faster
      throw error
    }
  }
  const startProbe = async (id: string, endings: number): Promise<Job> => {
    registry.trainedWeights(id)
    return core.jobs.start(
      PROBE_JOB,
      (job) => runProbe({ core, registry, deps: deps.tools, canaries: deps.datasets.canaries }, id, endings, job),
      { single: true, subject: id },
    )
  }
  const running = () => core.jobs.list({ kinds: [EXPORT_JOB], limit: 1 }).items.filter(({ state }) => state === 'running')
  let isClosed = false
  const serve = async (id: string, base: boolean): Promise<{ baseUrl: string; key: string }> => {
    const { port, key } = await servings.addressOf((await servings.start(id, { base })).id)
    return { baseUrl: `http://127.0.0.1:${port}/v1`, key }
  }
  const stage: Stage = {
    name: 'models',
    routes: modelRoutes({
      registry,
      servings,
      export: startExport,
      probe: startProbe,
    }),
    forget: null,
    start(): void {
      servings.sweep()
      registry.start()
    },
    async close(): Promise<void> {
      isClosed = true
      await servings.close()
      await registry.settled()
    },
    figures: () => ({ models: { ...registry.figures(), serving: servings.list().items.length } }),
    checks: () => ({ models: servings.list().items.length > 0 ? 'serving' : 'idle' }),
  }
  return {
    stage,
    onRunCompleted(run: Run): string {
      const id = registry.onRunCompleted(run)
      const quantization = run.request.autoExportGguf
      if (quantization !== undefined) setImmediate(() => void exportAfter(id, quantization)) // after the commit
      return id
    },
    /** Loads a model if necessary, and returns its address on this machine. */
    serve: (id: string) => serve(id, false),
    /** Loads the base of a model. */
    serveBase: (id: string) => serve(id, true),
    /** Names and hashes of a model and of its base. Throws `model_not_found`. */
    facts(id: string) {
      const { name, lineage, artifacts } = registry.get(id)
      const hashes = Object.fromEntries(artifacts.flatMap((one) => (one.sha256 === null ? [] : [[one.id, one.sha256]])))
      const baseHashes: Record<string, string> = lineage.baseHash === null ? {} : { model: lineage.baseHash }
      return { name, hashes, base: { name: lineage.baseModel, hashes: baseHashes } }
    },
    trainedOn: (id: string) => trainedOn(registry, id),
    /** Null: not measured. */
    probeOf: (id: string): Model['probe'] => registry.get(id).probe,
    /** Call it in the transaction that changed what is known about a model. */
    changed: (id: string): void => void (registry.store.get(id) && registry.publishChange(id)),
    readCalls: (...input: Parameters<typeof servings.readCalls>) => servings.readCalls(...input),
    /** Null if there is no such model. */
    nameOf: (id: string): string | null => registry.store.get(id)?.name ?? null,
  }
}

/** Data sets that a model, and the models that it was made from, were trained on; `isWhole`: no other files. */
function trainedOn(registry: Registry, id: string): { datasets: string[]; isWhole: boolean } {
  const datasets = new Set<string>()
  let isWhole = true
  const seen = new Set<string>()
  for (let at: string | null = id; at !== null && !seen.has(at);) {
    seen.add(at)
    if (at !== id && !registry.store.get(at)) return { datasets: [...datasets], isWhole: false }
    const { datasetId, mix, parentModelId }: Model['lineage'] = registry.get(at).lineage
    if (datasetId === null) isWhole = false
    else datasets.add(datasetId)
    for (const mixed of mix) datasets.add(mixed.datasetId)
    at = parentModelId
  }
  return { datasets: [...datasets], isWhole }
}
