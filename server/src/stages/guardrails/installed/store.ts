import type { Database } from '#server/db/open.ts'

export interface SeenPart {
  id: string
  seen_hash: string
  hash: string
  first_seen_at: number
  changed_at: number | null
}

/** Of a part that was never marked as seen. */
export const NEVER = ''

/** What is installed, as it was found last and as the user saw it last. */
export function createInstalledStore(db: Database) {
  const all = db.prepare<[], SeenPart>('SELECT * FROM installed_parts')
  const add = db.prepare('INSERT INTO installed_parts VALUES (@id, @seen_hash, @hash, @first_seen_at, @changed_at)')
  const change = db.prepare('UPDATE installed_parts SET hash = ?, changed_at = ? WHERE id = ?')
  const seen = db.prepare('UPDATE installed_parts SET seen_hash = hash, changed_at = NULL')
  return {
    all: () => new Map(all.all().map((row) => [row.id, row])),
    add: (row: SeenPart) => void add.run(row),
    change: (id: string, hash: string, at: number | null) => void change.run(hash, at, id),
    markSeen: () => void seen.run(),
  }
}
