import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import tar from 'tar-stream'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import { inJudged } from '#server/foreign/index.ts'

/** The first entry of a backup. The last entry, `COMPLETE`, proves that nothing is missing. */
export interface BackupHead {
  format: 1
  version: string
  schema: number
  createdAt: string
}

export const HEAD = 'backup.json'
export const COMPLETE = 'COMPLETE'
export const DATABASE = 'bashgym.db'
/** Folders of the data directory that are backed up. Never the token, logs, spool or env. */
export const FOLDERS = ['archive', 'datasets'] as const
/** Key files that are backed up, because decisions about values and replacement values depend on them. */
export const KEYS = ['privacy-key', 'dataset-key'] as const

/**
 * Writes a tar file with a consistent copy of the database, the keys and the folders. The archive may grow meanwhile, so
 * each manifest is read before the files it describes; no line of it refers to bytes that the backup lacks. The file has
 * mode 0600 and gets its final name when it is complete.
 */
export async function writeBackup(core: BackupCore, file: string, version: string): Promise<WrittenBackup> {
  requireWritable(core.config.dataDir, file)
  // the folder is opened once: a link that takes the place of a part of its path from here on is not followed
  return inJudged(path.dirname(file), (folder) =>
    folder.withOpen('', (open) => write(core, { file, place: path.join(open.path, path.basename(file)) }, version)),
  )
}

type BackupCore = Pick<Core, 'db' | 'paths' | 'config' | 'now'>
interface WrittenBackup {
  file: string
  bytes: number
  files: number
  ms: number
}

/** `place`: the path of the file in its open folder. */
async function write(core: BackupCore, { file, place }: { file: string; place: string }, version: string): Promise<WrittenBackup> {
  const started = core.now()
  const copy = path.join(core.paths.backups, `copy-${process.pid}-${started}.db`)
  const part = `${place}.part`
  fs.mkdirSync(core.paths.backups, { recursive: true, mode: 0o700 })
  fs.rmSync(part, { force: true }) // left by an interrupted backup; a link is removed, not followed
  try {
    await core.db.backup(copy)
    const head: BackupHead = {
      format: 1,
      version,
      schema: core.db.pragma('user_version', { simple: true }) as number,
      createdAt: new Date(started).toISOString(),
    }
    const pack = tar.pack()
    const written = pipeline(pack, fs.createWriteStream(part, { flags: 'wx', mode: 0o600 }))
    let files = 0
    const fill = async () => {
      await addText(pack, HEAD, JSON.stringify(head))
      await addFile(pack, DATABASE, copy)
      files += 1
      for (const name of KEYS) {
        const key = path.join(core.config.dataDir, name)
        if (!fs.existsSync(key)) continue // created at first use
        await addFile(pack, name, key)
        files += 1
      }
      for (const folder of FOLDERS) {
        for (const name of filesIn(path.join(core.config.dataDir, folder))) {
          await addFile(pack, path.posix.join(folder, name.split(path.sep).join('/')), path.join(core.config.dataDir, folder, name))
          files += 1
        }
      }
      await addText(pack, COMPLETE, String(files))
      pack.finalize()
    }
    await Promise.all([fill().catch((error: Error) => pack.destroy(error)), written])
    const handle = await fs.promises.open(part, 'r')
    await handle.sync()
    await handle.close()
    fs.renameSync(part, place)
    return { file, bytes: fs.statSync(place).size, files, ms: core.now() - started }
  } catch (error) {
    fs.rmSync(part, { force: true })
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC'
      ? new AppError('disk_full', { message: `The disk with ${path.dirname(file)} is full; no backup was written.`, cause: error })
      : error
  } finally {
    for (const leftover of [copy, `${copy}-wal`, `${copy}-shm`]) fs.rmSync(leftover, { force: true })
  }
}

function requireWritable(dataDir: string, file: string): void {
  const refuse = (reason: string) => {
    throw new AppError('path_refused', { message: `Can't write the backup to ${file}: ${reason}.` })
  }
  if (!path.isAbsolute(file)) refuse('the path is not absolute')
  // The backup contains session text unchanged; under a name like .zshenv another program would run that text.
  if (!file.endsWith('.tar')) refuse('its name does not end in .tar')
  const folder = path.dirname(file)
  if (!fs.existsSync(folder)) refuse(`the folder ${folder} does not exist`)
  if (fs.existsSync(file)) refuse('a file with this name exists and is not overwritten')
  const inside = path.relative(dataDir, file)
  if (!inside.startsWith('..') && FOLDERS.some((name) => inside === name || inside.startsWith(name + path.sep)))
    refuse('it is inside a folder that is being backed up')
}

/** Relative paths sorted by name, with the manifest first in each folder. */
function filesIn(folder: string): string[] {
  if (!fs.existsSync(folder)) return []
  const rank = (name: string) => (path.basename(name) === 'manifest.jsonl' ? 0 : 1)
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted((a, b) => path.dirname(a).localeCompare(path.dirname(b)) || rank(a) - rank(b) || a.localeCompare(b))
}

function addText(pack: tar.Pack, name: string, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    pack.entry({ name, mode: 0o600 }, text, (error) => (error ? reject(error) : resolve()))
  })
}

/** Adds the bytes that the file has now; bytes appended meanwhile are not included. */
async function addFile(pack: tar.Pack, name: string, file: string): Promise<void> {
  const { size, mtime } = fs.statSync(file)
  const entry = pack.entry({ name, size, mtime, mode: 0o600 })
  if (size === 0) return void entry.end(null)
  await pipeline(fs.createReadStream(file, { end: size - 1 }), entry)
}
