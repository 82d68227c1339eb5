import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Dataset, SplitName } from '#contracts/entities/dataset.ts'
import { AppError } from '#contracts/errors.ts'
import { placeBelow } from '#server/within.ts'
import type { DatasetStore } from './store.ts'

const BUILDING = '.building-'
const REMOVED = '.removed-'
const EXPORTING = '.exporting-'
/** The name of an export's folder until it is complete. */
const PARTIAL_NAME = /\.part-[0-9a-f]{16}$/
const REMOVED_RETENTION_MS = 30 * 86_400_000

/** Versions are in `datasets/<id>/`, imported rows in `datasets/collections/<id>.jsonl`. */
export function datasetPaths(root: string) {
  const collections = path.join(root, 'collections')
  return {
    root,
    collections,
    of: (id: string) => placeBelow(root, id),
    building: (id: string) => placeBelow(root, BUILDING + id),
    removed: (id: string) => placeBelow(root, REMOVED + id),
    collection: (id: string) => placeBelow(collections, `${id}.jsonl`),
  }
}
export type DatasetPaths = ReturnType<typeof datasetPaths>

export const versionFiles = (folder: string) => ({
  split: (name: SplitName) => path.join(folder, `${name}.jsonl`),
  rows: path.join(folder, 'rows.jsonl'),
  dropped: path.join(folder, 'dropped.jsonl'),
  manifest: path.join(folder, 'manifest.json'),
})

/** The manifest of a version. Throws if its files are missing. */
export function readDataset(paths: DatasetPaths, id: string): Dataset {
  try {
    return JSON.parse(fs.readFileSync(versionFiles(paths.of(id)).manifest, 'utf8')) as Dataset // written by build
  } catch (cause) {
    throw new AppError('dataset_not_found', {
      message: `The files of this data set cannot be read (${(cause as Error).message}).`,
      hint: `Restore ${paths.of(id)} from a backup, or remove the data set.`,
      cause,
    })
  }
}

/** The sessions of a version; none if its manifest cannot be read. */
export async function readSources(paths: DatasetPaths, id: string): Promise<Dataset['sources']> {
  try {
    return (JSON.parse(await fs.promises.readFile(versionFiles(paths.of(id)).manifest, 'utf8')) as Dataset).sources // written by build
  } catch {
    return [] // its page says why
  }
}

/** Creates a file and waits until it is on disk. Fails if it exists. */
export function writeNewFile(file: string, text: string): void {
  const handle = fs.openSync(file, 'wx', 0o600)
  try {
    fs.writeFileSync(handle, text)
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}

/** A path for an unfinished export, next to its target. A note records the path, so that the next start can delete it after a crash. */
export function createPartialFolder(root: string, to: string): { part: string; removeNote(): void } {
  const id = randomBytes(8).toString('hex')
  const part = `${to}.part-${id}`
  const note = placeBelow(root, EXPORTING + id)
  writeNewFile(note, part)
  return { part, removeNote: () => fs.rmSync(note, { force: true }) }
}

function sweepExports(root: string): void {
  for (const name of fs.readdirSync(root).filter((one) => one.startsWith(EXPORTING))) {
    const part = fs.readFileSync(path.join(root, name), 'utf8')
    if (path.isAbsolute(part) && PARTIAL_NAME.test(part)) fs.rmSync(part, { recursive: true, force: true })
  }
}

/** Renames a folder or file and waits until the new name is on disk. */
export function renameFolder(from: string, to: string): void {
  syncFolder(from)
  fs.renameSync(from, to)
  syncFolder(path.dirname(to))
}

function syncFolder(folder: string): void {
  const handle = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}

/**
 * Makes the folders match the database at start: deletes unfinished builds and exports and folders without a row, undoes or
 * completes interrupted removals and restores, and permanently deletes versions that were removed long ago.
 */
export function sweep(paths: DatasetPaths, store: DatasetStore, now: number): void {
  fs.mkdirSync(paths.collections, { recursive: true, mode: 0o700 })
  sweepExports(paths.root)
  for (const row of store.rows()) {
    const [active, removed] = [paths.of(row.id), paths.removed(row.id)]
    if (row.removed_at === null) {
      if (!fs.existsSync(active) && fs.existsSync(removed)) renameFolder(removed, active)
    } else if (now - row.removed_at > REMOVED_RETENTION_MS) {
      store.remove(row.id)
    } else if (fs.existsSync(active)) renameFolder(active, removed)
  }
  const knownNames = new Set(store.rows().flatMap(({ id, removed_at }) => [removed_at === null ? id : REMOVED + id]))
  for (const { name } of fs.readdirSync(paths.root, { withFileTypes: true }))
    if (name !== path.basename(paths.collections) && !knownNames.has(name))
      fs.rmSync(path.join(paths.root, name), { recursive: true, force: true })
  const collections = new Set(store.collections().map(({ id }) => `${id}.jsonl`))
  for (const name of fs.readdirSync(paths.collections))
    if (!collections.has(name)) fs.rmSync(path.join(paths.collections, name), { recursive: true, force: true })
}
