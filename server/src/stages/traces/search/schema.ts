import fs from 'node:fs'
import { openDatabase } from '#server/db/open.ts'
import type { Database } from '#server/db/open.ts'
import { isDiskFull } from '#server/disk.ts'
import { TOKENIZER, TOKENS_VERSION } from './tokens.ts'

/**
 * search.db: full text, derived, separate from the main database so that filling it never waits for or blocks the
 * writer there. `docs` keeps no text (contentless): its rowid is `entries.rowid`;
 * `places` maps it to its trace, small enough to stay in memory, unlike the table of entries. `done` is the revision up to which
 * a trace is indexed, committed with its rows. `state.epoch` is the main database's, `state.tokens` the version of the tokens:
 * if one differs, everything here is invalid.
 */
const SCHEMA = `
  CREATE VIRTUAL TABLE IF NOT EXISTS docs USING fts5(text, content='', contentless_delete=1, tokenize="${TOKENIZER}");
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

/**
 * Ensures that the file exists with this epoch and today's tokens. If it is empty, `onEmpty` marks everything to be indexed,
 * before the file is said to be valid, so that a kill in between starts over.
 */
export function prepareSearch(file: string, epoch: string, onEmpty: () => void): void {
  try {
    if (hasOtherTokens(file)) removeFile(file)
    prepare(file, epoch, onEmpty)
  } catch (error) {
    if (isDiskFull(error)) throw error
    removeFile(file) // it is not a valid database; its content can be recreated
    prepare(file, epoch, onEmpty)
  }
}

/** Removing a large file takes a moment; dropping its tables would rewrite it. */
function removeFile(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) fs.rmSync(file + suffix, { force: true })
}

function prepare(file: string, epoch: string, onEmpty: () => void): void {
  const db = openSearch(file)
  try {
    adoptEpoch(db, epoch, onEmpty)
  } finally {
    db.close()
  }
}

/** Whether the file was filled with other tokens than today's. */
function hasOtherTokens(file: string): boolean {
  const db = openSearch(file)
  try {
    return stateOf(db, 'epoch') !== undefined && stateOf(db, 'tokens') !== String(TOKENS_VERSION)
  } finally {
    db.close()
  }
}

const stateOf = (db: Database, key: 'epoch' | 'tokens') =>
  db.prepare<[string], string>('SELECT value FROM state WHERE key = ?').pluck().get(key)

/** Empties the database if it has another epoch. */
export function adoptEpoch(db: Database, epoch: string, onEmpty: () => void = () => {}): void {
  if (stateOf(db, 'epoch') === epoch) return
  db.transaction(() => {
    db.exec("INSERT INTO docs (docs) VALUES ('delete-all'); DELETE FROM places; DELETE FROM done")
    onEmpty()
    const put = db.prepare('INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)')
    put.run('epoch', epoch)
    put.run('tokens', String(TOKENS_VERSION))
  })()
}
