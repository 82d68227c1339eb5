import type { RestoredItems } from '#contracts/entities/settings.ts'
import { createMeta } from '#server/db/meta.ts'
import type { Database } from '#server/db/open.ts'
import { createRestoredItems } from '#server/db/restored-items.ts'

/** What a restore did not put into use, apart from the rows that wait in `restored_items`. */
type Stored = Omit<RestoredItems, 'waiting'>
const KEY = 'restored'
const NOTHING: Stored = { settings: [], droppedSettings: [], isNoted: false }

export function saveRestored(db: Database, stored: Stored): void {
  const isEmpty = stored.settings.length + stored.droppedSettings.length === 0 && !stored.isNoted
  if (isEmpty) createMeta(db).remove(KEY)
  else createMeta(db).set(KEY, JSON.stringify(stored))
}

export function readRestored(db: Database): RestoredItems {
  const text = createMeta(db).get(KEY)
  const stored = text === null ? {} : (JSON.parse(text) as Partial<Stored>) // an earlier version may have written other fields
  const { settings, droppedSettings, isNoted } = { ...NOTHING, ...stored }
  return { settings, droppedSettings, isNoted, waiting: createRestoredItems(db).counts() }
}

/** Removes settings from the list, or the notes with the key `note` or `dropped`. Returns whether anything was removed. */
export function dropRestored(db: Database, keys: readonly string[]): boolean {
  const { waiting: _, ...before } = readRestored(db)
  const after: Stored = {
    settings: before.settings.filter(({ key }) => !keys.includes(key)),
    droppedSettings: keys.includes('dropped') ? [] : before.droppedSettings,
    isNoted: before.isNoted || keys.includes('note'),
  }
  if (JSON.stringify(after) === JSON.stringify(before)) return false
  saveRestored(db, after)
  return true
}
