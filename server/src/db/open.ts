import { fold } from '#contracts/fold.ts'
import Sqlite, { type Database } from 'better-sqlite3'
import { createPrivate } from './lock.ts'

export type { Database } from 'better-sqlite3'

/** Opens the only write connection. Files have mode 0600 whatever the umask is, because SQLite gives side files the mode of the main file. */
export function openDatabase(file: string): Database {
  createPrivate(file)
  const db = new Sqlite(file)
  db.pragma('journal_mode = WAL') // readers and the writer do not wait for each other
  db.pragma('synchronous = NORMAL') // commits survive kill -9; after a power failure they are restored from the archive
  db.pragma('foreign_keys = ON') // removing a trace removes its rows
  db.pragma('busy_timeout = 5000') // a checkpoint or a backup may lock the file for a moment
  db.pragma('temp_store = MEMORY') // sorts never write outside the data directory
  db.pragma('cache_size = -32768') // 32 MB: the indices of 10,000 sessions
  db.pragma('journal_size_limit = 67108864') // the WAL shrinks again after a bulk import
  db.pragma('wal_autocheckpoint = 32768') // 128 MB; usually a worker thread does it much earlier (checkpoint.ts)
  return db
}

/** Moves the write-ahead log into the database without waiting; for worker threads. `truncate` also empties the log file if no reader needs it. */
export function checkpointOnce(file: string, { truncate = false } = {}): void {
  const db = new Sqlite(file, { fileMustExist: true, timeout: 0 })
  try {
    db.pragma('wal_checkpoint(PASSIVE)')
    if (truncate) db.pragma('wal_checkpoint(TRUNCATE)') // after the passive checkpoint, writers wait only briefly
  } catch (error) {
    if (!(error as { code?: string }).code?.startsWith('SQLITE_BUSY')) throw error // the next checkpoint retries
  } finally {
    db.close()
  }
}

/** Opens another program's database read only, without changing its settings. */
export function openForeign(file: string): Database {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true })
  db.pragma('busy_timeout = 2000')
  return db
}

/** Opens a read-only connection, for queries in worker threads. */
export function openReadOnly(file: string): Database {
  const db = new Sqlite(file, { readonly: true })
  db.pragma('busy_timeout = 5000')
  db.pragma('temp_store = MEMORY')
  db.pragma('cache_size = -16384')
  db.pragma('mmap_size = 268435456') // reads of a large database skip a copy
  db.function('fold', { deterministic: true }, (text: unknown) => (typeof text === 'string' ? fold(text) : null))
  return db
}
