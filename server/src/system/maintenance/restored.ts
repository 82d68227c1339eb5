// Refuses a backup with file names that leave the data directory, and lets everything that would run programs or send data wait.
import { RESTORED_KIND_NAMES, type RestoredCount } from '#contracts/entities/restored.ts'
import type { RestoredItems } from '#contracts/entities/settings.ts'
import type { Database } from '#server/db/open.ts'
import { createRestoredItems } from '#server/db/restored-items.ts'
import { FILE_NAME, type WholeSchema } from '#server/db/schema.ts'
import { usableSetting } from '../settings.ts'
import { settingAfterRestore } from './settings-after-restore.ts'
import { readRestored, saveRestored } from './to-confirm.ts'

/** Limits for the list of dropped settings, because a stranger may have made the backup. */
const [MAX_KEY_LENGTH, MAX_DROPPED] = [100, 100]

/**
 * Makes the rows of a backup harmless. The database has our own newest schema (see `copyRows`) and is not in place yet.
 * Returns what waits for the user. Throws if a row names a file outside the data directory.
 */
export function makeHarmless(db: Database, dataDir: string, schema: WholeSchema): RestoredItems {
  const refuse = (problem: string) => new Error(`its database ${problem}, which Bash Gym never writes`)
  for (const [table, column, form] of schema.fileNames)
    for (const { value } of db.prepare<[], { value: unknown }>(`SELECT DISTINCT "${column}" AS value FROM "${table}"`).all())
      if (typeof value !== 'string' || !FILE_NAME[form].test(value) || value.includes('..'))
        throw refuse(`names "${String(value).slice(0, 200)}" as ${table}.${column}`)

  return db.transaction((): RestoredItems => {
    const items = createRestoredItems(db)
    items.clear()
    for (const [table, decision] of schema.afterRestore) if ('drops' in decision) db.exec(`DELETE FROM "${table}"`)
    const waiting = [...schema.afterRestore.values()].flatMap((decision) =>
      'park' in decision ? decision.park(db, { dataDir, refuse }).map((row) => ({ kind: decision.kind, row })) : [],
    )
    // what was active comes first in every list
    for (const { kind, row } of waiting.toSorted((a, b) => Number(b.row.wasActive) - Number(a.row.wasActive))) items.add(kind, row)
    saveRestored(db, { ...restoreSettings(db), isNoted: false })
    return readRestored(db)
  })()
}

function restoreSettings(db: Database): Pick<RestoredItems, 'settings' | 'droppedSettings'> {
  const settings: RestoredItems['settings'] = []
  const droppedSettings: string[] = []
  const drop = db.prepare('DELETE FROM settings WHERE key = ?')
  const change = db.prepare('UPDATE settings SET value = ? WHERE key = ?')
  for (const { key, value } of db.prepare<[], { key: string; value: string }>('SELECT key, value FROM settings ORDER BY key').all()) {
    const setting = usableSetting(key, value)
    if (!setting) {
      drop.run(key)
      droppedSettings.push(key.slice(0, MAX_KEY_LENGTH))
      continue
    }
    const { use, isDefault, waits } = settingAfterRestore(key, setting.value)
    if (!waits) continue
    if (isDefault) drop.run(key)
    else change.run(JSON.stringify(use), key)
    settings.push({ key, value: setting.value })
  }
  return { settings, droppedSettings: droppedSettings.slice(0, MAX_DROPPED) }
}

/** Messages of the command line about what was not restored, or waits. */
export function describeRestored({ settings, droppedSettings, waiting }: RestoredItems): string[] {
  return [
    ...settings.map(({ key, value }) => `Not restored until you confirm it in Settings: ${key} = ${JSON.stringify(value)}`),
    ...droppedSettings.map((key) => `Not restored, because this version does not know it or cannot use its value: ${key}`),
    ...(waiting.length > 0
      ? [
          `Nothing of the backup runs or sends anything until you choose "Use again" in Settings or run \`bashgym restored\`: ${waiting.map(describeCount).join(', ')}.`,
        ]
      : []),
  ]
}

/** For example "3 agent runs (1 was queued or running)". */
export function describeCount({ kind, count, active }: RestoredCount): string {
  const [one, many] = RESTORED_KIND_NAMES[kind]
  const total = `${count} ${count === 1 ? one : many}`
  if (active === 0 || kind === 'privacy-decision') return total
  return `${total} (${active} ${active === 1 ? 'was' : 'were'} queued or running)`
}
