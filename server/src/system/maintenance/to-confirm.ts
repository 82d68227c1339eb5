import type { RestoredItems } from '#contracts/entities/settings.ts'
import { createMeta } from '#server/db/meta.ts'
import type { Database } from '#server/db/open.ts'

/** What a restore removed because it would run programs or send data; stored until the user decides. */
export type Restored = RestoredItems
const KEY = 'restored'
const NOTHING: Restored = { settings: [], droppedSettings: [], pausedRuns: 0 }

export function saveRestored(db: Database, restored: Restored): void {
  const meta = createMeta(db)
  if (restored.settings.length + restored.droppedSettings.length + restored.pausedRuns === 0) meta.remove(KEY)
  else meta.set(KEY, JSON.stringify(restored))
}

export function readRestored(db: Database): Restored {
  const stored = createMeta(db).get(KEY)
  return { ...NOTHING, ...(stored && (JSON.parse(stored) as Partial<Restored>)) } // an earlier version may have written fewer fields
}

/** Removes settings from the list, or the notes with the key `runs` or `dropped`. Returns whether anything was removed. */
export function dropRestored(db: Database, keys: readonly string[]): boolean {
  const before = readRestored(db)
  const after: Restored = {
    settings: before.settings.filter(({ key }) => !keys.includes(key)),
    droppedSettings: keys.includes('dropped') ? [] : before.droppedSettings,
    pausedRuns: keys.includes('runs') ? 0 : before.pausedRuns,
  }
  if (JSON.stringify(after) === JSON.stringify(before)) return false
  saveRestored(db, after)
  return true
}
