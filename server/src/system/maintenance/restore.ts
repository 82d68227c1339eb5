import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { RestoredItems } from '#contracts/entities/settings.ts'
import { AppError } from '#contracts/errors.ts'
import { createMeta } from '#server/db/meta.ts'
import type { WholeSchema } from '#server/db/schema.ts'
import type { Database } from '#server/db/open.ts'
import { ForeignTarError, openRegular, tarEntries } from '#server/foreign/index.ts'
import { copyRows } from './copy-rows.ts'
import { makeHarmless } from './restored.ts'
import { COMPLETE, DATABASE, FOLDERS, HEAD, KEYS } from './backup.ts'

const Head = z.object({ format: z.literal(1), version: z.string(), schema: z.number().int(), createdAt: z.string() })
const STAGE = 'restoring'
/** Of the first and last entry. */
const MAX_NOTE_BYTES = 65_536
const TAR_BLOCK = 512
/** Notes of running exports. They are skipped, because the next start would remove the folders that they name. */
const EXPORT_NOTES = /^datasets\/\.exporting-/
/** A data directory with only these names and empty folders counts as empty. */
const IGNORED_NAMES = new Set([
  'lock.db',
  'lock.db-journal',
  'lock.json',
  'readers.db',
  'readers.db-journal',
  'token',
  'sign-ins.json',
  'sign-in',
  'logs',
  'spool',
  'server.json',
  'hook',
  STAGE,
  'backups',
])

/**
 * Restores a backup into a data directory that the caller has locked. The backup is unpacked next to the current data,
 * checked, and then moved into place. A kill at any point leaves the old data or, after `finishRestore`, the new data.
 */
export async function restoreBackup(
  dataDir: string,
  file: string,
  options: { replace: boolean; schema: WholeSchema },
): Promise<{ file: string; files: number; createdAt: string; toConfirm: RestoredItems }> {
  const occupied = fs.readdirSync(dataDir).filter((name) => !IGNORED_NAMES.has(name) && !isEmptyFolder(path.join(dataDir, name)))
  if (occupied.length && !options.replace) {
    throw new AppError('data_dir_not_empty', {
      message: `The data directory ${dataDir} is not empty: it contains ${occupied.slice(0, 3).join(', ')}${occupied.length > 3 ? ' …' : ''}.`,
      hint: 'Use --replace to overwrite it, or --home for another folder.',
    })
  }
  const stage = path.join(dataDir, STAGE)
  fs.rmSync(stage, { recursive: true, force: true })
  fs.mkdirSync(stage, { mode: 0o700 })
  try {
    const { head, files } = await unpack(file, stage)
    if (head.schema > options.schema.migrations.length)
      throw new AppError('data_dir_newer', {
        message: `The backup is from Bash Gym ${head.version} (database version ${head.schema}); this version supports up to ${options.schema.migrations.length}.`,
      })
    const toConfirm = prepareDatabase(path.join(stage, DATABASE), dataDir, options.schema, invalid(file))
    fs.writeFileSync(path.join(stage, COMPLETE), String(files), { mode: 0o600, flush: true })
    finishRestore(dataDir)
    return { file, files, createdAt: head.createdAt, toConfirm }
  } catch (error) {
    fs.rmSync(stage, { recursive: true, force: true })
    throw error
  }
}

const isEmptyFolder = (place: string) => fs.statSync(place).isDirectory() && fs.readdirSync(place).length === 0

/** Completes an interrupted restore if everything was unpacked, otherwise removes it. Returns messages for the user. */
export function finishRestore(dataDir: string): string[] {
  const stage = path.join(dataDir, STAGE)
  if (!fs.existsSync(stage)) return []
  if (!fs.existsSync(path.join(stage, COMPLETE))) {
    fs.rmSync(stage, { recursive: true })
    return ['A restore was interrupted before it finished. Its partial data was removed; the previous data is unchanged.']
  }
  for (const name of [...FOLDERS, ...KEYS, DATABASE]) {
    if (!fs.existsSync(path.join(stage, name))) continue
    for (const old of name === DATABASE ? [name, `${name}-wal`, `${name}-shm`, 'search.db', 'search.db-wal', 'search.db-shm'] : [name])
      fs.rmSync(path.join(dataDir, old), { recursive: true, force: true })
    fs.renameSync(path.join(stage, name), path.join(dataDir, name))
  }
  fs.rmSync(stage, { recursive: true })
  return ['An interrupted restore was completed.']
}

const invalid = (file: string) => (reason: string, cause?: unknown) =>
  new AppError('backup_invalid', { message: `Can't restore ${file}: ${reason}. Nothing was changed.`, cause })

async function unpack(file: string, stage: string): Promise<{ head: z.infer<typeof Head>; files: number }> {
  const refused = invalid(file)
  const opened = await openRegular(file).catch((cause: Error) => {
    throw refused(cause.message, cause)
  })
  const { size } = await opened.stat()
  let head: z.infer<typeof Head> | null = null
  let files = 0
  let complete: number | null = null
  try {
    requireSpace(stage, file, size)
    const limits = { bytes: size, entries: Math.ceil(size / TAR_BLOCK) } // as many as fit
    for await (const entry of tarEntries(opened.createReadStream(), limits)) {
      const { name } = entry
      if (entry.kind !== 'file') throw refused(`it contains "${name}", which is not a regular file`)
      if (name === HEAD) head = Head.parse(JSON.parse(await textOf(entry.content)))
      else if (name === COMPLETE) complete = Number(await textOf(entry.content))
      else {
        if (!isAllowed(name)) throw refused(`it contains "${name}", which Bash Gym never puts in a backup`)
        files += 1
        if (EXPORT_NOTES.test(name)) continue
        const target = path.join(stage, ...name.split('/'))
        try {
          fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
          await pipeline(entry.content, fs.createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }))
        } catch (cause) {
          if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
          // names in two cases are two files, except on a disk that does not tell cases apart
          throw refused(`it contains two entries that this disk cannot tell apart from "${name}"`, cause)
        }
      }
    }
  } catch (cause) {
    if (cause instanceof ForeignTarError) throw refused(cause.message.replace(/^The archive is /, 'it is ').replace(/\.$/, ''), cause)
    throw cause instanceof AppError ? cause : refused(`it is damaged (${(cause as Error).message})`, cause)
  } finally {
    await opened.close()
  }
  if (!head) throw refused('it is not a backup of Bash Gym')
  if (complete !== files) throw refused('it is incomplete')
  if (!fs.existsSync(path.join(stage, DATABASE))) throw refused('it contains no database')
  return { head, files }
}

/** A backup is not compressed, so it unpacks to at most its own size. */
function requireSpace(stage: string, file: string, bytes: number): void {
  const { bavail, bsize } = fs.statfsSync(stage)
  if (bytes > bavail * bsize)
    throw new AppError('disk_full', { message: `Can't restore ${file}: it needs ${bytes} bytes, and the disk has ${bavail * bsize} free.` })
}

/** True for names that a backup contains and that stay inside the folder. */
function isAllowed(name: string): boolean {
  const parts = name.split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\\') || part.includes('\0'))) return false
  return (
    name === DATABASE ||
    (KEYS as readonly string[]).includes(name) ||
    (parts.length > 1 && (FOLDERS as readonly string[]).includes(parts[0] ?? ''))
  )
}

async function textOf(content: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of content) {
    bytes += part.length
    if (bytes > MAX_NOTE_BYTES) throw new Error('its head is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/**
 * Copies the rows into a database with our schema and removes what a stranger's backup could misuse. Old event numbers
 * are no longer valid, so the epoch is removed and the next start creates a new one.
 */
function prepareDatabase(
  file: string,
  dataDir: string,
  schema: WholeSchema,
  refused: (why: string, cause?: unknown) => AppError,
): RestoredItems {
  let db: Database | undefined
  try {
    fs.renameSync(file, `${file}.given`)
    db = copyRows(`${file}.given`, file, schema)
    const toConfirm = makeHarmless(db, dataDir, schema)
    createMeta(db).remove('epoch')
    db.pragma('wal_checkpoint(TRUNCATE)')
    return toConfirm
  } catch (cause) {
    throw refused((cause as Error).message, cause)
  } finally {
    db?.close()
  }
}
