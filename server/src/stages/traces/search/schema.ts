import fs from 'node:fs'
import { openDatabase } from '#server/db/open.ts'
import type { Database } from '#server/db/open.ts'
import { isDiskFull } from '#server/disk.ts'

/**
 * search.db: full text, derived, separate from the main database so that filling it never waits for or blocks the
 * writer there. `docs` keeps no text (contentless): its rowid is `entries.rowid`;
 * `places` maps it to its trace, small enough to stay in memory, unlike the table of entries. `done` is the revision up to which
 * a trace is indexed, committed with its rows. `state.epoch` is the main database's: if it differs, everything here is invalid.
 */
const SCHEMA = `
  CREATE VIRTUAL TABLE IF NOT EXISTS docs USING fts5(text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
  CREATE TABLE IF NOT EXISTS places (rowid INTEGER PRIMARY KEY, trace INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS done (trace INTEGER PRIMARY KEY, rev INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS state (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`

export function openSearch(file: string): Database {
  const db = openDatabase(file)
  db.pragma('synchronous = OFF') // after a power loss it is refilled from the archive
  db.pragma('wal_autocheckpoint = 4096') // 16 MB: its writer is in its own thread and may wait
  db.exec(SCHEMA)
  return db
}

/** Ensures that the file exists with this epoch. True if it is empty and everything must be indexed. */
export function prepareSearch(file: string, epoch: string): boolean {
  try {
    return prepare(file, epoch)
  } catch (error) {
    if (isDiskFull(error)) throw error
    // The file is not a valid database; its content can be recreated.
    for (const suffix of ['', '-wal', '-shm']) fs.rmSync(file + suffix, { force: true })
    return prepare(file, epoch)
  }
}

function prepare(file: string, epoch: string): boolean {
  const db = openSearch(file)
  try {
    return adoptEpoch(db, epoch)
  } finally {
    db.close()
  }
}

/** Empties the database if it has another epoch; true if it did. */
export function adoptEpoch(db: Database, epoch: string): boolean {
  const storedEpoch = db.prepare<[], { value: string }>("SELECT value FROM state WHERE key = 'epoch'").get()?.value
  if (storedEpoch === epoch) return false
  db.transaction(() => {
    db.exec("INSERT INTO docs (docs) VALUES ('delete-all'); DELETE FROM places; DELETE FROM done")
    db.prepare("INSERT INTO state (key, value) VALUES ('epoch', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value").run(epoch)
  })()
  return true
}
