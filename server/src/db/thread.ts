import { openReadOnly, type Database } from './open.ts'

const open = new Map<string, Database>()

/** This thread's read-only connection, opened on first use. For jobs in workers. */
export function readOnlyOfThread(file: string): Database {
  const db = open.get(file) ?? openReadOnly(file)
  open.set(file, db)
  return db
}
