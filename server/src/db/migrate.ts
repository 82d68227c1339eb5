import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import type { Database } from './open.ts'
import type { WholeSchema } from './schema.ts'

/**
 * Migrates to the newest version, one transaction per step, so that a kill leaves a complete version. The own tables of
 * an older database are first copied to `backupDir`, unless it is null. Refuses a newer database. Returns the versions that were applied.
 */
export function migrate(
  db: Database,
  options: { schema: Pick<WholeSchema, 'migrations' | 'own'>; backupDir: string | null; now?: () => number },
): number[] {
  const list = options.schema.migrations
  const from = db.pragma('user_version', { simple: true }) as number
  if (from > list.length) {
    throw new AppError('data_dir_newer', {
      message: `The database has version ${from}; this Bash Gym supports up to ${list.length}.`,
      hint: 'Install the newer Bash Gym again, or restore a backup made with this one.',
    })
  }
  if (options.backupDir !== null && from > 0 && from < list.length)
    copyTables(db, options.schema.own, options.backupDir, from, options.now?.() ?? Date.now())
  const applied: number[] = []
  for (let version = from + 1; version <= list.length; version += 1) {
    const step = list[version - 1]!
    db.transaction(() => {
      db.exec(step.sql)
      db.pragma(`user_version = ${version}`)
    }).immediate()
    applied.push(version)
  }
  return applied
}

/** Copies the tables that exist to a new SQLite file `before-v<N>-<time>.db`. */
function copyTables(db: Database, tables: readonly string[], backupDir: string, version: number, now: number): void {
  fs.mkdirSync(backupDir, { recursive: true, mode: 0o700 })
  const file = path.join(backupDir, `before-v${version + 1}-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}.db`)
  fs.closeSync(fs.openSync(file, 'a', 0o600))
  db.prepare('ATTACH DATABASE ? AS backup').run(file)
  try {
    for (const table of tables) {
      const exists = db.prepare("SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?").get(table)
      if (exists) db.exec(`CREATE TABLE backup."${table}" AS SELECT * FROM main."${table}"`)
    }
  } finally {
    db.exec('DETACH DATABASE backup')
  }
}
