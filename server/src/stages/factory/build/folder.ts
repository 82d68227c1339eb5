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
/** How the folder of an export is called until it is whole. */
const PART = /\.part-[0-9a-f]{16}$/
const KEEP_REMOVED_MS = 30 * 86_400_000

/** Folders of the data sets: `datasets/<id>/`, imported rows in `datasets/collections/<id>.jsonl`. */
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

/** Files of a version. */
export const inVersion = (folder: string) => ({
  split: (name: SplitName) => path.join(folder, `${name}.jsonl`),
  rows: path.join(folder, 'rows.jsonl'),
  dropped: path.join(folder, 'dropped.jsonl'),
  manifest: path.join(folder, 'manifest.json'),
})

/** The manifest of a version; a version without its folder is reported as damaged, never as empty. */
export function readDataset(paths: DatasetPaths, id: string): Dataset {
  try {
    return JSON.parse(fs.readFileSync(inVersion(paths.of(id)).manifest, 'utf8')) as Dataset // written by build
  } catch (cause) {
    throw new AppError('dataset_not_found', {
      message: `The files of this data set cannot be read (${(cause as Error).message}).`,
      hint: `Restore ${paths.of(id)} from a backup, or remove the data set.`,
      cause,
    })
  }
}

/** Written, on the disk, and under its name at once. */
export function writeWhole(file: string, text: string): void {
  const handle = fs.openSync(file, 'wx', 0o600)
  try {
    fs.writeFileSync(handle, text)
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}

/**
 * A new name beside a folder that an export will be written to. It is noted down until `done`, so that a start after a
 * crash finds it wherever it is.
 */
export function partOf(root: string, to: string): { part: string; done(): void } {
  const id = randomBytes(8).toString('hex')
  const part = `${to}.part-${id}`
  const note = placeBelow(root, EXPORTING + id)
  writeWhole(note, part)
  return { part, done: () => fs.rmSync(note, { force: true }) }
}

function sweepExports(root: string): void {
  for (const name of fs.readdirSync(root).filter((one) => one.startsWith(EXPORTING))) {
    const part = fs.readFileSync(path.join(root, name), 'utf8')
    if (path.isAbsolute(part) && PART.test(part)) fs.rmSync(part, { recursive: true, force: true })
  }
}

/** Renames a folder, or a file, so that the new name is on the disk. */
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
 * At start: the rows of the database say what there is. Folders of builds and exports that never ended and folders
 * without a row go; what was renamed for a removal that was not committed is named back; what was removed long ago goes for good.
 */
export function sweep(paths: DatasetPaths, store: DatasetStore, now: number): void {
  fs.mkdirSync(paths.collections, { recursive: true, mode: 0o700 })
  sweepExports(paths.root)
  for (const row of store.rows()) {
    const [own, removed] = [paths.of(row.id), paths.removed(row.id)]
    if (row.removed_at === null) {
      if (!fs.existsSync(own) && fs.existsSync(removed)) renameFolder(removed, own)
    } else if (now - row.removed_at > KEEP_REMOVED_MS) {
      store.remove(row.id)
    } else if (fs.existsSync(own)) renameFolder(own, removed)
  }
  const known = new Set(store.rows().flatMap(({ id, removed_at }) => [removed_at === null ? id : REMOVED + id]))
  for (const { name } of fs.readdirSync(paths.root, { withFileTypes: true }))
    if (name !== path.basename(paths.collections) && !known.has(name))
      fs.rmSync(path.join(paths.root, name), { recursive: true, force: true })
  const collections = new Set(store.collections().map(({ id }) => `${id}.jsonl`))
  for (const name of fs.readdirSync(paths.collections))
    if (!collections.has(name)) fs.rmSync(path.join(paths.collections, name), { recursive: true, force: true })
}
