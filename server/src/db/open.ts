import Sqlite, { type Database } from 'better-sqlite3'
import { createPrivate } from './lock.ts'

export type { Database } from 'better-sqlite3'

/** The one write connection. Files are 0600 whatever the umask: SQLite gives its side files the mode of the main file. */
export function openDatabase(file: string): Database {
  createPrivate(file)
  const db = new Sqlite(file)
  db.pragma('journal_mode = WAL') // readers in workers and the writer never wait for each other
  db.pragma('synchronous = NORMAL') // a commit survives kill -9; after a power cut the archive, which is fsynced, refills it
  db.pragma('foreign_keys = ON') // rows of a removed trace go with it
  db.pragma('busy_timeout = 5000') // a checkpoint or a backup may lock the file for a moment
  db.pragma('temp_store = MEMORY') // sorts never write outside the data directory
  db.pragma('cache_size = -32768') // 32 MB: the indices of 10,000 sessions
  db.pragma('journal_size_limit = 67108864') // the WAL shrinks again after a bulk import
  db.pragma('wal_autocheckpoint = 32768') // 128 MB: long before that a worker thread does it (checkpoint.ts)
  return db
}

/** Moves the write-ahead log into the database and waits for nobody; for worker threads. `truncate`: then empties its file, where no reader needs it. */
export function checkpointOnce(file: string, { truncate = false } = {}): void {
  const db = new Sqlite(file, { fileMustExist: true, timeout: 0 })
  try {
    db.pragma('wal_checkpoint(PASSIVE)')
    if (truncate) db.pragma('wal_checkpoint(TRUNCATE)') // little is left to move, so: writers wait a moment only
  } catch (error) {
    if (!(error as { code?: string }).code?.startsWith('SQLITE_BUSY')) throw error // try again later
  } finally {
    db.close()
  }
}

/** Another program's database, read only; its files must not be mapped or tuned. */
export function openForeign(file: string): Database {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true })
  db.pragma('busy_timeout = 2000')
  return db
}

/** A connection that cannot write, for queries in worker threads. */
export function openReadOnly(file: string): Database {
  const db = new Sqlite(file, { readonly: true })
  db.pragma('busy_timeout = 5000')
  db.pragma('temp_store = MEMORY')
  db.pragma('cache_size = -16384')
  db.pragma('mmap_size = 268435456') // reads of a large database skip a copy
  return db
}
