import fs from 'node:fs'
import type { Health } from '#contracts/entities/system.ts'
import type { Core } from '#server/core.ts'

/** Whether the database answers, the archive is there, and hook events wait in the spool. */
export function storeChecks({ db, paths }: Pick<Core, 'db' | 'paths'>): Pick<Health['checks'], 'db' | 'archive' | 'spool'> {
  return {
    db: answers(db) ? 'ok' : 'failed',
    archive: fs.existsSync(paths.archive) ? 'ok' : 'missing',
    spool: isEmpty(paths.spool) ? 'empty' : 'waiting',
  }
}

function answers(db: Core['db']): boolean {
  try {
    db.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get()
    return true
  } catch {
    return false
  }
}

function isEmpty(folder: string): boolean {
  try {
    return fs.readdirSync(folder).length === 0
  } catch {
    return true // hooks create it
  }
}
