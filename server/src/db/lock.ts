import fs from 'node:fs'
import Sqlite from 'better-sqlite3'

export interface Lock {
  release(): void
}

/**
 * The lock of a data directory: an exclusive transaction on a small SQLite file, open for the life of the process. The
 * kernel frees it at death, also after kill -9, so there is no stale lock. Null when another process has it.
 */
export function tryLock(file: string): Lock | null {
  createPrivate(file)
  const db = new Sqlite(file, { timeout: 0 })
  try {
    db.pragma('journal_mode = MEMORY') // nothing is ever written: a journal file would be left behind, and could not be made on a full disk
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return null
    throw error
  }
  return { release: () => db.close() }
}

/** Whether a process has the lock at this moment. */
export function isLocked(file: string): boolean {
  if (!fs.existsSync(file)) return false
  const lock = tryLock(file)
  lock?.release()
  return lock === null
}

/** An empty file of mode 0600, whatever the umask; one that is there keeps its bytes. */
export function createPrivate(file: string): void {
  fs.closeSync(fs.openSync(file, 'a', 0o600))
  fs.chmodSync(file, 0o600)
}
