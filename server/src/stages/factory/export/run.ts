import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import tar from 'tar-stream'
import type { Bytes } from '#contracts/derive/route.ts'
import type { Dataset, ExportFormat, ExportResult } from '#contracts/entities/dataset.ts'
import { AppError } from '#contracts/errors.ts'
import type { Workers } from '#server/workers/pool.ts'
import { isWithin } from '#server/within.ts'
import { createPartialFolder, renameFolder } from '../versions/folder.ts'
import { slug } from './dataset-info.ts'
import type { ExportInput } from './export.job.ts'
import { shapeOf } from './shape.ts'

const EXPORT_JOB = new URL('./export.job.ts', import.meta.url)

/**
 * Writes into a temporary folder next to the target and renames it, so that the target is always complete. `notes`: the
 * folder with notes about unfinished exports. Returns absolute paths.
 */
export async function runExport(
  { workers, notes }: { workers: Workers; notes: string },
  input: Omit<ExportInput, 'to'>,
  to: string,
  signal: AbortSignal,
): Promise<ExportResult> {
  const { format, dataset, split } = input
  const { kinds } = shapeOf(format)
  if (!kinds.includes(dataset.kind))
    throw new AppError('export_unsupported', {
      message: `The ${format} format supports rows of kind ${kinds.join(', ')}, not ${dataset.kind}.`,
    })
  if (dataset.files.length === 0)
    throw new AppError('export_unsupported', { message: 'This version has no rows, so there is nothing to export.' })
  if (split !== null && !dataset.files.some((file) => file.split === split))
    throw new AppError('export_unsupported', {
      message: `This version has no ${split} rows.`,
      hint: 'Export all splits, or choose another split.',
    })
  const unfinished = createPartialFolder(notes, to)
  const { part } = unfinished
  try {
    const result = await workers.run<ExportResult>(EXPORT_JOB, { ...input, to: part } satisfies ExportInput, { lane: 'bulk', signal })
    if (fs.existsSync(to)) fs.rmdirSync(to) // exportFolder checked that it is empty
    renameFolder(part, to)
    return { ...result, files: result.files.map((file) => ({ ...file, path: path.join(to, file.path) })) }
  } catch (error) {
    fs.rmSync(part, { recursive: true, force: true })
    const code = (error as NodeJS.ErrnoException).code ?? (error as { cause?: { code?: string } }).cause?.code
    if (code === 'path_refused')
      throw new AppError('dataset_not_found', {
        message: 'This data set was removed during the export. Nothing was exported.',
        cause: error,
      })
    if (code !== 'ENOSPC') throw error
    throw new AppError('disk_full', { message: `The disk of ${path.dirname(to)} is full; nothing was exported.`, cause: error })
  } finally {
    unfinished.removeNote()
  }
}

const IN_DATA_DIR = 'it is inside the data directory. Choose a folder outside it, or below its exports folder.'

/** The target of an export: the requested folder, or a new one below `exports/`. Throws `path_refused`. */
export function exportFolder(
  { dataDir, exports }: { dataDir: string; exports: string },
  { name, version }: Pick<Dataset, 'name' | 'version'>,
  format: ExportFormat,
  requestedFolder: string | undefined,
): string {
  if (requestedFolder === undefined) {
    fs.mkdirSync(exports, { recursive: true, mode: 0o700 })
    const base = path.join(exports, `${slug(name)}-v${version}-${format}`)
    for (let number = 1; ; number += 1) {
      const folder = number === 1 ? base : `${base}-${number}`
      if (!fs.existsSync(folder)) return folder
    }
  }
  const refuse = (why: string) => new AppError('path_refused', { message: `Cannot export to ${requestedFolder}: ${why}` })
  if (!path.isAbsolute(requestedFolder)) throw refuse('the path is not absolute.')
  const folder = path.normalize(requestedFolder).replace(/[/\\]+$/, '')
  const parent = existingParent(folder)
  if (parent === null) throw refuse('none of its parent folders exists.')
  const real = path.join(fs.realpathSync(parent), path.relative(parent, folder))
  const [realDataDir, realExports] = [realOf(dataDir), realOf(exports)]
  if (isWithin(realDataDir, real) && !(isWithin(realExports, real) && real !== realExports)) throw refuse(IN_DATA_DIR)
  if (fs.existsSync(folder)) {
    if (!fs.statSync(folder).isDirectory()) throw refuse('a file with this name exists.')
    if (fs.readdirSync(folder).length > 0) throw refuse('the folder is not empty. Choose an empty or new folder.')
  }
  try {
    makeFolders(parent, path.dirname(folder))
    fs.rmdirSync(fs.mkdtempSync(path.join(path.dirname(folder), '.bashgym-')))
  } catch {
    throw refuse('you have no write permission there.')
  }
  return folder
}

/** Creates folders one by one: Node's recursive option never returns on file systems such as /proc. */
function makeFolders(parent: string, folder: string): void {
  let at = parent
  for (const name of path.relative(parent, folder).split(path.sep).filter(Boolean)) {
    at = path.join(at, name)
    fs.mkdirSync(at, { mode: 0o700 })
  }
}

const realOf = (folder: string) => (fs.existsSync(folder) ? fs.realpathSync(folder) : folder)

function existingParent(folder: string): string | null {
  for (let at = path.dirname(folder); ; at = path.dirname(at)) {
    if (fs.existsSync(at)) return fs.statSync(at).isDirectory() ? at : null
    if (at === path.dirname(at)) return null
  }
}

/** A folder as a tar stream. Deletes the folder when the stream ends or fails. */
export function tarOf(folder: string, name: string): Bytes {
  async function* stream(): AsyncGenerator<Uint8Array> {
    const pack = tar.pack()
    const filling = fill(pack, folder, name)
    filling.catch((error: Error) => pack.destroy(error))
    try {
      for await (const chunk of pack) yield chunk as Uint8Array
      await filling
    } finally {
      fs.rmSync(folder, { recursive: true, force: true })
    }
  }
  return { stream: stream(), fileName: `${slug(name)}.tar`, contentType: 'application/x-tar' }
}

async function fill(pack: tar.Pack, folder: string, name: string): Promise<void> {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { parentPath, name: file } of files.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const from = path.join(parentPath, file)
    const inside = path.relative(folder, from).split(path.sep).join('/')
    const entry = pack.entry({ name: `${slug(name)}/${inside}`, size: fs.statSync(from).size, mode: 0o600 })
    await pipeline(fs.createReadStream(from), entry)
  }
  pack.finalize()
}
