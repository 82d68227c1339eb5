import type { Database } from './open.ts'

/** Single values without a table. Each key starts with the name of the part it belongs to. */
export interface Meta {
  get(key: string): string | null
  set(key: string, value: string): void
  remove(key: string): void
}

export function createMeta(db: Database): Meta {
  const read = db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?')
  const write = db.prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
  const drop = db.prepare('DELETE FROM meta WHERE key = ?')
  return {
    get: (key) => read.get(key)?.value ?? null,
    set: (key, value) => void write.run(key, value),
    remove: (key) => void drop.run(key),
  }
}
