import fs from 'node:fs'
import Sqlite from 'better-sqlite3'

export interface Lock {
  release(): void
}

/**
 * Locks a data directory by an exclusive transaction on a small SQLite file. The kernel releases it when the process
 * ends, even after kill -9, so no lock is stale. Null if another process has the lock.
 */
export function tryLock(file: string): Lock | null {
  createPrivate(file)
  const db = new Sqlite(file, { timeout: 0 })
  try {
    db.pragma('journal_mode = MEMORY') // a journal file could not be created on a full disk, and would be left behind
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return null
    throw error
  }
  return { release: () => db.close() }
}

/** Locks a file together with other readers. Null if a process has it alone. */
export function tryShare(file: string): Lock | null {
  createPrivate(file)
  const db = new Sqlite(file, { timeout: 0 })
  try {
    db.pragma('journal_mode = MEMORY')
    db.exec('BEGIN; SELECT count(*) FROM sqlite_schema') // the read lock lasts as long as the transaction
  } catch (error) {
    db.close()
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return null
    throw error
  }
  return { release: () => db.close() }
}

/** Whether a process has the lock now. */
export function isLocked(file: string): boolean {
  if (!fs.existsSync(file)) return false
  const lock = tryLock(file)
  lock?.release()
  return lock === null
}

/** Creates an empty file with mode 0600, whatever the umask is. An existing file keeps its content. */
export function createPrivate(file: string): void {
  fs.closeSync(fs.openSync(file, 'a', 0o600))
  fs.chmodSync(file, 0o600)
}
