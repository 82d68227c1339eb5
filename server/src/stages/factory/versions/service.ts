import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { z } from 'zod'
import type {
  BalanceBy,
  Dataset,
  DatasetComparison,
  DatasetGroups,
  DatasetKind,
  DatasetRecipe,
  DatasetRow,
  DatasetSummary,
  DatasetUses,
  DroppedRow,
  ExportFormat,
  ExportResult,
  FilePeek,
  RowImport,
  SplitName,
} from '#contracts/entities/dataset.ts'
import type { Job } from '#contracts/entities/job.ts'
import { AppError } from '#contracts/errors.ts'
import type { importRows } from '#contracts/routes/datasets.ts'
import { canaries } from '#server/stages/privacy/index.ts'
import { invalidCursor } from '#server/db/paging.ts'
import { requireFile } from '#server/outside-file.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { placeBelow } from '#server/within.ts'
import { exportFolder, runExport, tarOf } from '../export/run.ts'
import { collectionSource } from '../import/collection-reader.ts'
import type { ImportOutput, ImportInput } from '../import/import.job.ts'
import { buildDataset, pseudonymKey, type BuildDeps } from './build.ts'
import { countSessions } from './choose.ts'
import { datasetPaths, readDataset, readSources, renameFolder, sweep } from './folder.ts'
import type { Page } from './line-index.ts'
import { recipeDifferences, type Compared, type PageInput } from './pages.job.ts'
import { createDatasetStore } from './store.ts'

const PAGES_JOB = new URL('./pages.job.ts', import.meta.url)
const PEEK_JOB = new URL('../import/peek.job.ts', import.meta.url)
const IMPORT_JOB = new URL('../import/import.job.ts', import.meta.url)

/** Phrases that a probe compares the planted ones with. */
const CONTROLS = 16

export interface DatasetsDeps extends Omit<BuildDeps, 'collections'> {
  /** Runs and models that a version was used for, by later stages. */
  usedBy?: (id: string) => DatasetUses
  /** The current title of a session. */
  titleOf?: (traceId: string) => string | null
}

interface Paging {
  cursor?: string | undefined
  limit: number
}

interface RowFilter {
  split?: SplitName | undefined
  traceId?: string | undefined
  by?: BalanceBy | undefined
  group?: string | undefined
}

/** Builds, lists, compares, exports and removes versions of data sets, and imports rows. */
export function createDatasets(core: Core, deps: DatasetsDeps) {
  const { db, tx, events, jobs, workers, paths, now } = core
  const store = createDatasetStore(db)
  const folders = datasetPaths(paths.datasets)
  sweep(folders, store, now())
  const usedBy = deps.usedBy ?? (() => ({ runs: [], models: [] }))
  const runsOf = (id: string): string[] => usedBy(id).runs.map((run) => run.id)
  const summary = (id: string): DatasetSummary => store.toSummary(store.require(id), runsOf(id))
  const folderOf = (id: string) => folders.of(store.require(id).id)
  const read = <O>(input: PageInput) => workers.run<O>(PAGES_JOB, input, { lane: 'query', key: 'dataset pages' }) // one thread for all pages, because it caches indexes
  const collectionFiles = (ids: readonly string[]) => {
    const knownIds = new Map(store.collections().map((one) => [one.id, one]))
    return ids.map((id) => {
      if (!knownIds.has(id)) throw new AppError('collection_not_found', { message: `There are no imported rows with the id "${id}".` })
      return folders.collection(id)
    })
  }
  const get = (id: string): Dataset => {
    const { version } = store.require(id)
    return { ...readDataset(folders, id), version, lineage: usedBy(id) }
  }

  /** The phrases that were planted in a version, and some of the same form that were not. */
  const canariesOf = (id: string): { planted: string[]; controls: string[] } => {
    const { name, seed, options, counts } = get(id)
    if (!(options.canaries > 0)) return { planted: [], controls: [] }
    const all = canaries(Buffer.from(pseudonymKey(paths.datasetKey, name, seed), 'hex'), options.canaries + CONTROLS)
    return { planted: all.slice(0, Math.min(options.canaries, counts.train)), controls: all.slice(options.canaries) }
  }
  /** The gate for a version whose privacy policy has changed since; null if it has not. */
  const gateFor = (dataset: Dataset) => {
    const policy = deps.policy()
    if (policy.policyHash === dataset.policyHash) return null
    const { replace, privacyOff } = dataset.options
    return {
      ...policy,
      policy: replace ? { ...policy.policy, defaultStrategy: replace } : policy.policy,
      key: Buffer.from(pseudonymKey(paths.datasetKey, dataset.name, dataset.seed), 'hex'),
      purpose: `export of ${dataset.name} v${dataset.version}`,
      ...(privacyOff !== undefined && { off: privacyOff }),
    }
  }
  const writeExport = (id: string, options: { format: ExportFormat; split?: SplitName | undefined; to: string }, signal: AbortSignal) => {
    const dataset = get(id)
    const input = {
      dataset,
      from: folders.of(id),
      format: options.format,
      split: options.split ?? null,
      gate: gateFor(dataset),
      canaries: canariesOf(id).planted,
    }
    return runExport({ workers, notes: folders.root }, input, options.to, signal)
  }

  return {
    /** Stores the sessions of versions that were built before they were stored, one manifest at a time. */
    async storeSessions(): Promise<void> {
      for (const id of store.withoutSessions()) {
        const sources = await readSources(folders, id)
        tx(() =>
          store.storeSessions(
            id,
            sources.filter(({ traceId }) => !store.isForgotten(traceId)),
          ),
        )
      }
    },
    forget: (traceId: string): void => store.forget(traceId),
    build(recipe: DatasetRecipe): Job {
      for (const file of recipe.against) requireFile(file, 'the held-out file', core.config.dataDir)
      collectionFiles(recipe.include)
      if (recipe.baseModel !== undefined) deps.tokenizer(recipe.baseModel)
      if (recipe.include.length === 0 && !deps.sources.some(({ kinds }) => kinds.includes(recipe.kind)))
        throw new AppError('dataset_kind_unavailable', {
          message: `Rows of kind ${recipe.kind} cannot be built from sessions. Import such rows and include them in the recipe.`,
        })
      const collections = (ids: readonly string[]) => collectionSource(collectionFiles(ids))
      const context = { ...core, store, folders, deps: { ...deps, collections } }
      return jobs.start('dataset', (job) => buildDataset(context, recipe, job), { single: true })
    },
    plan: (recipe: DatasetRecipe) => countSessions(recipe, deps.traces),
    get,
    folder: folderOf,
    canaries: canariesOf,
    /** Of all versions that were not removed. */
    ids: (): string[] => store.rows().flatMap(({ id, removed_at }) => (removed_at === null ? [id] : [])),
    list(filter: Paging & { name?: string | undefined; kind?: DatasetKind | undefined }) {
      const { rows, nextCursor, total } = store.list(filter)
      return { items: rows.map((row) => store.toSummary(row, runsOf(row.id))), nextCursor, total }
    },
    async rows(id: string, { split, traceId, by, group, cursor, limit }: Paging & RowFilter) {
      const input = {
        what: 'rows' as const,
        folder: folderOf(id),
        ...(split && { split }),
        ...(traceId && { traceId }),
        ...(by && group !== undefined && { group: { by, name: group } }),
        from: positionOf(cursor),
        limit,
      }
      return toPage(await read<Page<DatasetRow>>(input))
    },
    async dropped(id: string, { stage, reason, cursor, limit }: Paging & { stage?: string | undefined; reason?: string | undefined }) {
      const input = {
        what: 'dropped' as const,
        folder: folderOf(id),
        ...(stage && { stage }),
        ...(reason && { reason }),
        from: positionOf(cursor),
        limit,
      }
      const { items, ...page } = toPage(await read<Page<DroppedRow>>(input))
      return {
        ...page,
        items: items.map((row) => ({ ...row, title: row.traceId === null ? null : (deps.titleOf?.(row.traceId) ?? null) })),
      }
    },
    groups: (id: string) => read<DatasetGroups>({ what: 'groups', folder: folderOf(id) }),
    async compare(a: string, b: string, { cursor, limit }: Paging): Promise<DatasetComparison> {
      const input = { what: 'compare' as const, a: folderOf(a), b: folderOf(b), from: positionOf(cursor), limit }
      const { counts, items, next } = await read<Compared>(input)
      const recipe = recipeDifferences(get(a).options, get(b).options)
      return { a: summary(a), b: summary(b), counts, recipe, items, nextCursor: next === null ? null : String(next) }
    },
    remove(id: string, { forGood } = { forGood: false }): DatasetSummary {
      const removed = summary(id)
      const { runs } = usedBy(id)
      if (runs.length > 0)
        throw new AppError('dataset_in_use', {
          message: `${removed.name} v${removed.version} cannot be removed: ${runs.length === 1 ? 'the run' : `${runs.length} runs`} ${runs.map(({ name }) => `“${name}”`).join(', ')} ${runs.length === 1 ? 'uses' : 'use'} it.`,
          hint: 'Delete those runs and their models first.',
          details: { runs },
        })
      if (fs.existsSync(folders.of(id))) renameFolder(folders.of(id), folders.removed(id))
      tx(() => {
        if (forGood) store.remove(id)
        else store.setRemoved(id, now())
        events.append('dataset:removed', { id })
      })
      if (forGood) fs.rmSync(folders.removed(id), { recursive: true, force: true })
      return removed
    },
    restore(id: string): DatasetSummary {
      const row = store.row(id)
      if (!row || !fs.existsSync(folders.removed(id)))
        throw new AppError('dataset_not_found', {
          message: 'There is no removed data set with this ID. Removed data sets are deleted permanently after 30 days.',
        })
      renameFolder(folders.removed(id), folders.of(id))
      tx(() => {
        store.setRemoved(id, null)
        events.append('dataset:added', { dataset: summary(id) })
      })
      return summary(id)
    },

    export(
      id: string,
      { format, split, out }: { format: ExportFormat; split?: SplitName | undefined; out?: string | undefined },
      signal: AbortSignal,
    ): Promise<ExportResult> {
      const to = exportFolder({ dataDir: core.config.dataDir, exports: paths.exports }, get(id), format, out)
      return writeExport(id, { format, split, to }, signal)
    },
    /** Without an id: the newest version of kind sft. */
    exportNewest(
      id: string | undefined,
      options: { format: ExportFormat; split?: SplitName | undefined; out?: string | undefined },
      signal: AbortSignal,
    ) {
      const datasetId = id ?? store.newest('sft')?.id
      if (datasetId === undefined)
        throw new AppError('dataset_not_found', {
          message: 'There is no SFT data set yet.',
          hint: 'Build one first: `bashgym dataset build --kind sft`.',
        })
      return this.export(datasetId, options, signal)
    },
    /** As a tar of a temporary folder, which is deleted after the tar was sent. */
    async download(id: string, { format, split }: { format: ExportFormat; split?: SplitName | undefined }, signal: AbortSignal) {
      const to = path.join(folders.root, `.building-download-${randomBytes(8).toString('hex')}`)
      await writeExport(id, { format, split, to }, signal)
      const { name, version } = store.require(id)
      return tarOf(to, `${name}-v${version}-${format}`)
    },

    peek(body: { file: string; columns: Record<string, string> }, signal: AbortSignal): Promise<FilePeek> {
      const file = requireFile(body.file, 'the file', core.config.dataDir)
      return workers
        .run<FilePeek>(PEEK_JOB, { ...body, file }, { lane: 'query', signal })
        .catch((error: unknown) => Promise.reject(toImportError(error, file)))
    },
    importRows({ file, name, kind, columns, skipInvalid }: z.output<typeof importRows.body>): Job {
      const source = requireFile(file, 'the file', core.config.dataDir)
      const runImport = async ({ signal, progress }: JobContext): Promise<RowImport> => {
        const id = `rows_${randomBytes(10).toString('hex')}`
        const partialFile = placeBelow(folders.collections, `.importing-${id}`)
        const input: ImportInput = { file: source, to: partialFile, kind: kind ?? null, columns, skipInvalid }
        const options = { lane: 'bulk' as const, signal, onProgress: (value: unknown) => progress(value as Parameters<typeof progress>[0]) }
        const { stored, ...report } = await workers
          .run<ImportOutput>(IMPORT_JOB, input, options)
          .catch((error: unknown) => Promise.reject(toImportError(error, source)))
        if (!stored) return { collection: null, ...report, hint: importHint(report) }
        renameFolder(partialFile, folders.collection(id))
        const createdAt = new Date(now()).toISOString()
        const collection = { id, name: name ?? path.basename(source).slice(0, 80), ...stored, source, createdAt }
        tx(() => store.addCollection(collection))
        return { collection, ...report, hint: null }
      }
      return jobs.start('dataset-import', runImport, { atOnce: 1 })
    },
    collections: () => ({ items: store.collections() }),
    removeCollection(id: string): { removed: true } {
      collectionFiles([id])
      tx(() => store.removeCollection(id))
      fs.rmSync(folders.collection(id), { force: true })
      return { removed: true }
    },
  }
}
export type Datasets = ReturnType<typeof createDatasets>

const toPage = <T>({ items, next, total }: Page<T>) => ({ items, nextCursor: next === null ? null : String(next), total })

function positionOf(cursor: string | undefined): number {
  const position = Number(cursor ?? 0)
  if (!Number.isSafeInteger(position) || position < 0) throw invalidCursor()
  return position
}

/** What to do about a file from which no row was stored. */
function importHint({ read, errorCount }: Pick<ImportOutput, 'read' | 'errorCount'>): string {
  if (read === 0) return 'Add one JSON object per line, or choose another file.'
  if (errorCount < read) return 'Fix these rows in the file or exclude invalid rows, then import it again.'
  return 'Map the columns, or convert the rows to a supported format, then import the file again.'
}

/** Restores errors of workers: they arrive as plain errors with their code in the cause. */
function toImportError(error: unknown, file: string): unknown {
  const code = (error as { cause?: { code?: string } }).cause?.code
  if (code === 'ERR_STRING_TOO_LONG')
    return new AppError('path_refused', {
      message: `A line of ${file} is longer than 512 MB.`,
      hint: 'Write one JSON object per line, then import it again.',
      cause: error,
    })
  if (code === 'path_refused') return new AppError('path_refused', { message: (error as Error).message, cause: error })
  return code === 'ENOSPC'
    ? new AppError('disk_full', { message: `The disk is full, so nothing was imported from ${file}.`, cause: error })
    : error
}
