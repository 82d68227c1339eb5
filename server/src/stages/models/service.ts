import fs from 'node:fs'
import path from 'node:path'
import { isoOf } from '#server/instant.ts'
import type { Dataset } from '#contracts/entities/dataset.ts'
import type { Artifact, Lineage, Model, Serving } from '#contracts/entities/model.ts'
import type { Run } from '#contracts/entities/run.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import { placeBelow } from '#server/within.ts'
import { cardOf } from './registry/card.ts'
import { compare } from './registry/compare.ts'
import { compareFiles, sizeOf } from './registry/files.ts'
import { CARD, FINAL, setAside, sweepFolder } from './registry/folder.ts'
import type { InspectInput, Inspected } from './registry/inspect.job.ts'
import { licenseOf } from './registry/license.ts'
import { type LineageInput, lineageOf } from './registry/lineage.ts'
import { originOf } from './registry/origin.ts'
import { requireUnused, type UsageDeps } from './registry/users.ts'
import { noticeOf } from './export/modelfile.ts'
import { type ArtifactRow, createModelStore, type ModelChange, type ModelRow } from './store.ts'

const INSPECT_JOB = new URL('./registry/inspect.job.ts', import.meta.url)
const MIN_COMPARED = 2
const MAX_COMPARED = 6

export interface RegistryDeps {
  runs: {
    /** Null if the run was deleted. */
    name: (runId: string) => string | null
    /** Called in the transaction that removes the run's model, which allows the run to be removed. */
    modelRemoved: (runId: string) => void
    /** Shows on a completed run why its export failed. */
    exportFailed: (runId: string, message: string) => void
    /** Names of unfinished runs whose base model or teacher is at this path or below it. */
    runsReading: (place: string) => string[]
  }
  datasets: { find: (id: string) => Dataset | null }
  traces: { titleOf: (traceId: string) => string | null }
  /** What exams decided about a model, oldest first. */
  evaluations: (id: string) => Model['evaluations']
  /** The loaded models. */
  serving: () => readonly Pick<Serving, 'modelId' | 'artifact'>[]
  /** Removes the copy of a model that was made to try it out. Returns the freed bytes. */
  forgetTrial: (id: string) => number
  version: string
}

/** The registry: one model for each completed run, with its files, figures and lineage. */
export function createRegistry(core: Core, deps: RegistryDeps) {
  const { db, tx, events, jobs, workers, paths, log, now } = core
  const store = createModelStore(db)
  const inspecting = new Map<string, Promise<void>>()
  /** Derived from the id and never read from the row, which may come from another person's backup. */
  const folderOf = ({ id }: Pick<ModelRow, 'id'>) => placeBelow(paths.models, id)

  /** The artifact with its state on disk. If only file times differ, its bytes are read again in the background. */
  const toArtifact = (id: string, row: ArtifactRow): Artifact => {
    const { files, isChanged, createdAt, ...rest } = row
    const found = compareFiles(row.path, files)
    if (found === 'unsure' || (isChanged && found === 'changed')) void inspect(id, row)
    const state = found === 'missing' ? 'missing' : isChanged || found === 'changed' ? 'changed' : 'present'
    const notice = row.format === 'ollama' && state !== 'missing' ? noticeOf(row.path) : null
    return { ...rest, state, notice, createdAt: isoOf(createdAt) }
  }
  const toModel = (row: ModelRow): Model => {
    const { origin } = row
    const artifacts = store.artifacts(row.no).map((artifact) => toArtifact(row.id, artifact))
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      tags: row.tags,
      note: row.note,
      starred: row.starred,
      archived: row.archived,
      createdAt: isoOf(row.createdAt),
      lineage: { ...origin.lineage, mix: origin.lineage.mix ?? [], parentModelId: row.parentId },
      training: origin.training,
      artifacts,
      probe: store.probe(row.no),
      evaluations: deps.evaluations(row.id),
      operational: {
        sizeBytes: artifacts.reduce((sum, { bytes, state }) => sum + (state === 'missing' ? 0 : bytes), 0),
        parameters: row.parameters,
        ...store.speed(row.no),
        status: deps.serving().some(({ modelId }) => modelId === row.id) ? 'serving' : 'not_deployed',
      },
    }
  }
  const get = (id: string): Model => toModel(store.require(id))
  /** Call it in the transaction that changed the model. */
  const publishChange = (id: string) => events.append('model:changed', { model: get(id) })
  const datasetOf = ({ origin }: ModelRow) => (origin.lineage.datasetId === null ? null : deps.datasets.find(origin.lineage.datasetId))

  /** All data sets of a model. Deleted ones keep their name. */
  const datasetsOf = (row: ModelRow): LineageInput['datasets'] => {
    const { datasetId, datasetName, mix = [] } = row.origin.lineage
    const mixed = mix.map(({ datasetId: id, name, weight }) => ({ id, name, found: deps.datasets.find(id), weight }))
    if (datasetName === null) return mixed
    return [{ id: datasetId, name: datasetName, found: datasetOf(row), weight: null }, ...mixed]
  }

  /** Reads the bytes of an artifact in a worker, each artifact only once at a time. */
  const inspect = (id: string, artifact: ArtifactRow): Promise<void> => {
    const key = `${id} ${artifact.id}`
    const running = inspecting.get(key)
    if (running) return running
    const { origin, parameters } = store.require(id)
    const input: InspectInput = {
      place: artifact.path,
      weights: parameters !== null ? null : origin.isAdapter ? origin.basePath : artifact.path,
    }
    const readFiles = async () => {
      const found = await workers.run<Inspected>(INSPECT_JOB, input, { lane: 'bulk' })
      if (!store.get(id)) return // it was removed meanwhile
      const isChanged = artifact.sha256 !== null && artifact.sha256 !== found.sha256
      const { files, bytes, sha256 } = isChanged ? { ...artifact, files: found.files } : found
      tx(() => {
        store.updateFiles(id, artifact.id, { files, bytes, sha256, isChanged })
        if (found.parameters !== null) store.setParameters(id, found.parameters)
        publishChange(id)
      })
    }
    const inspection = readFiles()
      .catch((error: unknown) => log.warn({ err: error, model: id, artifact: artifact.id }, 'The files of a model could not be read'))
      .finally(() => inspecting.delete(key))
    inspecting.set(key, inspection)
    return inspection
  }

  const users: UsageDeps = { store, jobs, runsReading: deps.runs.runsReading, serving: deps.serving }
  /** All paths that are deleted with a model. They may be missing. */
  const placesOf = (row: ModelRow): string[] => {
    const folder = folderOf(row)
    return [...new Set([...store.artifacts(row.no).flatMap((artifact) => placeOf(folder, artifact) ?? []), path.join(folder, CARD)])]
  }

  const diskBytes = (): number => {
    const present = store.places().filter(({ path: place }) => fs.existsSync(place))
    return present.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  const parentOf = (basePath: string): string | null => {
    const inside = path.relative(paths.models, basePath)
    const id = inside.startsWith('..') || path.isAbsolute(inside) ? null : (inside.split(path.sep)[0] ?? null)
    return id !== null && store.get(id) ? id : null
  }

  return {
    store,
    get,
    publishChange,
    toModel,
    folder: (id: string): string => folderOf(store.require(id)),
    /** The trained weights. Throws `export_unavailable` if they are missing or changed. */
    trainedWeights(id: string): Artifact {
      const { name, artifacts } = get(id)
      const trained = artifacts[0]!
      if (trained.state === 'present') return trained
      throw new AppError('export_unavailable', {
        message: `The trained weights of ${name} are ${trained.state}: ${trained.path}.`,
        hint: 'Restore the original files. If you cannot, start the run again.',
      })
    },

    /** Call it in the transaction that completes the run. Returns the id of its model, whose files are read afterwards. */
    onRunCompleted(run: Run): string {
      const place = path.join(run.folder, FINAL)
      const dataset = run.datasetId === null ? null : deps.datasets.find(run.datasetId)
      const origin = originOf(run, dataset, deps.datasets.find)
      const { id } = run
      if (!store.add({ id, name: run.name, tags: run.tags, at: now(), parentId: parentOf(run.baseModelPath), origin })) return id
      const artifact = {
        id: origin.isAdapter ? 'adapter' : 'model',
        format: origin.isAdapter ? ('adapter' as const) : ('merged' as const),
        quantization: null,
        path: place,
        files: [],
        bytes: sizeOf(place),
        sha256: null,
        made: null,
        parity: null,
        createdAt: now(),
      }
      store.putArtifact(id, artifact)
      publishChange(id)
      void inspect(id, { ...artifact, isChanged: false }) // its result comes after the commit, or finds no model
      return id
    },

    /** Number of models, including archived ones, and the bytes of their files. */
    figures: () => ({ total: store.count(), bytes: diskBytes() }),
    list(filter: Parameters<typeof store.list>[0]) {
      const { items, nextCursor, total } = store.list(filter)
      return { items: items.map(toModel), nextCursor, total, diskBytes: diskBytes() }
    },
    patch(id: string, values: ModelChange): Model {
      const row = store.require(id)
      tx(() => {
        store.change(row, values)
        publishChange(id)
      })
      return get(id)
    },
    compare(ids: readonly string[], names: readonly string[] | undefined) {
      const uniqueIds = [...new Set(ids)]
      if (uniqueIds.length < MIN_COMPARED || uniqueIds.length > MAX_COMPARED)
        throw new AppError('invalid_request', {
          message: `Two to six different models can be compared, not ${uniqueIds.length}.`,
          hint: 'Select two to six models.',
        })
      return compare(uniqueIds.map(get), names)
    },
    lineage(id: string): Lineage {
      const row = store.require(id)
      const parent = row.parentId === null ? null : store.get(row.parentId)
      return lineageOf({
        model: toModel(row),
        runName: deps.runs.name(row.origin.lineage.runId),
        datasets: datasetsOf(row),
        parent: parent && { id: parent.id, name: parent.name },
        titleOf: deps.traces.titleOf,
      })
    },
    card(id: string): string {
      const row = store.require(id)
      const { basePath, settings, dataHashes, isAdapter } = row.origin
      const license = licenseOf(basePath)
      return cardOf({ model: toModel(row), dataset: datasetOf(row), license, settings, dataHashes, isAdapter, version: deps.version })
    },

    /** Removes one export. The trained weights are removed only with the model. */
    removeArtifact(id: string, artifact: string): Model {
      const row = store.require(id)
      const all = store.artifacts(row.no)
      const found = all.find((one) => one.id === artifact)
      if (!found) throw new AppError('not_found', { message: `This model has no export "${artifact}".` })
      if (found === all[0])
        throw new AppError('model_in_use', {
          message: 'These are the trained weights; every export is made from them.',
          hint: 'Delete the model to free them.',
        })
      const place = placeOf(folderOf(row), found)
      requireUnused(users, row, place ?? found.path, artifact)
      const aside = place !== null && fs.existsSync(place) ? setAside(place) : null
      tx(() => {
        store.dropArtifact(id, artifact)
        publishChange(id)
      })
      if (aside !== null) fs.rmSync(aside, { recursive: true, force: true })
      return get(id)
    },
    /** Removes a model with its exports and trained weights. The run keeps its curves. */
    remove(id: string, name: string): { freedBytes: number } {
      const row = store.require(id)
      if (name !== row.name)
        throw new AppError('invalid_request', {
          message: `To delete this model, enter its name: "${row.name}".`,
          hint: 'Its files cannot be restored.',
        })
      requireUnused(users, row, folderOf(row))
      const present = placesOf(row).filter((place) => fs.existsSync(place))
      const freedBytes = present.reduce((sum, place) => sum + sizeOf(place), 0)
      const aside = present.map(setAside)
      tx(() => {
        store.remove(id)
        deps.runs.modelRemoved(row.origin.lineage.runId)
        events.append('model:removed', { id })
      })
      for (const place of aside) fs.rmSync(place, { recursive: true, force: true })
      return { freedBytes: freedBytes + deps.forgetTrial(id) }
    },

    /** Cleans up after a killed process, and reads artifacts that were never read. */
    start(): void {
      const ids = store.ids()
      for (const folder of foldersIn(paths.models)) if (!ids.includes(path.basename(folder))) sweepFolder(folder)
      for (const id of ids) {
        const row = store.require(id)
        sweepFolder(folderOf(row), new Set(placesOf(row).map((place) => path.basename(place))))
        for (const artifact of store.artifacts(row.no)) if (artifact.sha256 === null) void inspect(id, artifact)
      }
    },
    settled: async (): Promise<void> => {
      await Promise.all(inspecting.values())
    },
  }
}
export type Registry = ReturnType<typeof createRegistry>

/** The folder to remove with an artifact, directly below the run's. Null if the artifact is elsewhere, where nothing may be removed. */
const placeOf = (folder: string, { path: file }: ArtifactRow): string | null => {
  const [top] = path.relative(folder, file).split(path.sep)
  return top === undefined || top === '' || top === '..' || path.isAbsolute(top) ? null : placeBelow(folder, top)
}

const foldersIn = (root: string): string[] => {
  if (!fs.existsSync(root)) return []
  const entries = fs.readdirSync(root, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => path.join(root, name))
}
