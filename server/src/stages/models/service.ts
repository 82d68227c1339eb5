import fs from 'node:fs'
import path from 'node:path'
import { isoOf } from '#contracts/instant.ts'
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
import { type LineageFacts, lineageOf } from './registry/lineage.ts'
import { originOf } from './registry/origin.ts'
import { requireUnused, type UsersParts } from './registry/users.ts'
import { type ArtifactRow, createModelStore, type ModelChange, type ModelRow } from './store.ts'

const INSPECT_JOB = new URL('./registry/inspect.job.ts', import.meta.url)
const LEAST_COMPARED = 2
const MAX_COMPARED = 6

export interface RegistryDeps {
  runs: {
    /** Null: the run is gone. */
    name: (runId: string) => string | null
    /** In the transaction that removes its model: the run may be removed from now on. */
    modelRemoved: (runId: string) => void
    /** Names of runs that are not over and read a model at this place or below it. */
    needing: (place: string) => string[]
  }
  datasets: { find: (id: string) => Dataset | null }
  traces: { titleOf: (traceId: string) => string | null }
  /** What is loaded for trying out. */
  serving: () => readonly Pick<Serving, 'modelId' | 'artifact'>[]
  /** Frees what was made of a model for trying it out; bytes. */
  forgetTrial: (id: string) => number
  version: string
}

/** The registry: a model for each completed run, its files, its figures, its way back. */
export function createRegistry(core: Core, deps: RegistryDeps) {
  const { db, tx, events, jobs, workers, paths, log, now } = core
  const store = createModelStore(db)
  const inspecting = new Map<string, Promise<void>>()
  /** A model is in the folder of its run, whatever its row says: rows may come from somebody else's backup. */
  const folderOf = ({ id }: Pick<ModelRow, 'id'>) => placeBelow(paths.models, id)

  /** As it is on the disk now; where only times differ, its bytes are read again behind the scenes. */
  const toArtifact = (id: string, row: ArtifactRow): Artifact => {
    const { files, isChanged, createdAt, ...rest } = row
    const found = compareFiles(row.path, files)
    if (found === 'unsure' || (isChanged && found === 'changed')) void inspect(id, row)
    const state = found === 'missing' ? 'missing' : isChanged || found === 'changed' ? 'changed' : 'present'
    return { ...rest, state, createdAt: isoOf(createdAt) }
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
      evaluations: [],
      operational: {
        sizeBytes: artifacts.reduce((sum, { bytes, state }) => sum + (state === 'missing' ? 0 : bytes), 0),
        parameters: row.parameters,
        ...store.speed(row.no),
        status: deps.serving().some(({ modelId }) => modelId === row.id) ? 'serving' : 'not_deployed',
      },
    }
  }
  const get = (id: string): Model => toModel(store.require(id))
  /** In the transaction that changed it. */
  const publishChange = (id: string) => events.append('model:changed', { model: get(id) })
  const datasetOf = ({ origin }: ModelRow) => (origin.lineage.datasetId === null ? null : deps.datasets.find(origin.lineage.datasetId))

  /** All data sets of a model, with what is kept of one that is gone. */
  const datasetsOf = (row: ModelRow): LineageFacts['datasets'] => {
    const { datasetId, datasetName, mix = [] } = row.origin.lineage
    const mixed = mix.map(({ datasetId: id, name, weight }) => ({ id, name, found: deps.datasets.find(id), weight }))
    if (datasetName === null) return mixed
    return [{ id: datasetId, name: datasetName, found: datasetOf(row), weight: null }, ...mixed]
  }

  /** Reads the bytes of an artifact in a worker. Once at a time for each. */
  const inspect = (id: string, artifact: ArtifactRow): Promise<void> => {
    const key = `${id} ${artifact.id}`
    const known = inspecting.get(key)
    if (known) return known
    const { origin, parameters } = store.require(id)
    const input: InspectInput = {
      place: artifact.path,
      weights: parameters !== null ? null : origin.isAdapter ? origin.basePath : artifact.path,
    }
    const read = async () => {
      const found = await workers.run<Inspected>(INSPECT_JOB, input, { lane: 'bulk' })
      if (!store.get(id)) return // it was removed meanwhile
      const isChanged = artifact.sha256 !== null && artifact.sha256 !== found.sha256
      const { files, bytes, sha256 } = isChanged ? { ...artifact, files: found.files } : found
      tx(() => {
        store.seen(id, artifact.id, { files, bytes, sha256, isChanged })
        if (found.parameters !== null) store.setParameters(id, found.parameters)
        publishChange(id)
      })
    }
    const one = read()
      .catch((error: unknown) => log.warn({ err: error, model: id, artifact: artifact.id }, 'The files of a model could not be read'))
      .finally(() => inspecting.delete(key))
    inspecting.set(key, one)
    return one
  }

  const users: UsersParts = { store, jobs, needing: deps.runs.needing, serving: deps.serving }
  /** All that goes with a model, there or not. */
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
    /** What the run made, as it made it. Throws `export_unavailable` if it is gone, or no longer the same bytes. */
    trainedWeights(id: string): Artifact {
      const { name, artifacts } = get(id)
      const trained = artifacts[0]!
      if (trained.state === 'present') return trained
      throw new AppError('export_unavailable', {
        message: `The trained weights of ${name} are ${trained.state}: ${trained.path}.`,
        hint: 'Restore the original files. If you cannot, start the run again.',
      })
    },

    /** In the transaction that completes the run; gives the id of its model. Its files are read afterwards. */
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

    /** All models, archived ones too, and the bytes of their files that are there. */
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
      const different = [...new Set(ids)]
      if (different.length < LEAST_COMPARED || different.length > MAX_COMPARED)
        throw new AppError('invalid_request', {
          message: `Two to six different models can be compared, not ${different.length}.`,
          hint: 'Select two to six models.',
        })
      return compare(different.map(get), names)
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

    /** Removes one export; the trained weights themselves go only with the model. */
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
    /** With its exports and trained weights; the run keeps its curves. Bytes freed. */
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

    /** Clears what a killed process left, and reads artifacts whose bytes nobody has read yet. */
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

/** What is removed with an artifact: its folder below the run's; null if it is elsewhere, which is not ours to remove. */
const placeOf = (folder: string, { path: file }: ArtifactRow): string | null => {
  const [top] = path.relative(folder, file).split(path.sep)
  return top === undefined || top === '' || top === '..' || path.isAbsolute(top) ? null : placeBelow(folder, top)
}

const foldersIn = (root: string): string[] => {
  if (!fs.existsSync(root)) return []
  const entries = fs.readdirSync(root, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => path.join(root, name))
}
