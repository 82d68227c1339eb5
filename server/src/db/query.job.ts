import { openReadOnly, type Database } from './open.ts'

export interface QueryInput {
  database: string
  /** A database to attach as `search`. */
  attach?: string
  statements: { sql: string; params: unknown[] }[]
}

const open = new Map<string, Database>()

/** Runs read-only statements in one snapshot on this thread's connection. Returns a list of rows for each statement. */
export default function query(input: QueryInput): unknown[][] {
  const key = `${input.database}\0${input.attach ?? ''}`
  let db = open.get(key)
  if (!db) {
    db = openReadOnly(input.database)
    if (input.attach) db.prepare('ATTACH DATABASE ? AS search').run(input.attach)
    open.set(key, db)
  }
  const snapshot = db.transaction(() => input.statements.map(({ sql, params }) => db.prepare(sql).all(...params)))
  return snapshot()
}
