import { openReadOnly, type Database } from './open.ts'

const open = new Map<string, Database>()

/** The read-only connection of this thread, opened on first use; for jobs in workers. */
export function readOnlyOfThread(file: string): Database {
  const db = open.get(file) ?? openReadOnly(file)
  open.set(file, db)
  return db
}
