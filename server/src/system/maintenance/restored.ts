// Refuses a backup with file names that leave the data directory, and removes settings that would run programs or send data.
import { Settings } from '#contracts/entities/settings.ts'
import type { Database } from '#server/db/open.ts'
import { FILE_NAME, type WholeSchema } from '#server/db/schema.ts'
import { usableSetting } from '../settings.ts'
import { saveRestored, type Restored } from './to-confirm.ts'

/** Limits for the list of dropped settings, because a stranger may have made the backup. */
const [MAX_KEY_LENGTH, MAX_DROPPED] = [100, 100]

/** Settings that choose a program, an address that gets keys or text, or folders to read, with their safe defaults. */
const RUNS_OR_SENDS: Readonly<Record<string, unknown>> = (({ capture, training, providers }) => ({
  'capture.followLinks': capture.followLinks,
  'training.python': training.python,
  'training.ray': training.ray,
  'training.hub': training.hub,
  'providers.anthropic': providers.anthropic,
  'providers.nim': providers.nim,
  'providers.openai': providers.openai,
}))(Settings.parse({}))

/**
 * Makes the rows of a backup harmless. The database has our own schema (see `copyRows`) and is not in place yet.
 * Returns what the user has to confirm. Throws if a row names a file outside the data directory.
 */
export function makeHarmless(db: Database, dataDir: string, schema: WholeSchema): Restored {
  const refuse = (problem: string) => new Error(`its database ${problem}, which Bash Gym never writes`)
  const has = (table: string) => db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== undefined
  for (const [table, column, form] of schema.fileNames.filter(([name]) => has(name)))
    for (const { value } of db.prepare<[], { value: unknown }>(`SELECT DISTINCT "${column}" AS value FROM "${table}"`).all())
      if (typeof value !== 'string' || !FILE_NAME[form].test(value) || value.includes('..'))
        throw refuse(`names "${String(value).slice(0, 200)}" as ${table}.${column}`)

  return db.transaction((): Restored => {
    const results = schema.afterRestore.map((cleanUp) => cleanUp(db, { dataDir, refuse, has }))
    const settings: Restored['settings'] = []
    const droppedSettings: string[] = []
    for (const { key, value } of has('settings')
      ? db.prepare<[], { key: string; value: string }>('SELECT key, value FROM settings ORDER BY key').all()
      : []) {
      const setting = usableSetting(key, value)
      const isRisky = Object.hasOwn(RUNS_OR_SENDS, key)
      if (setting && !isRisky) continue
      db.prepare('DELETE FROM settings WHERE key = ?').run(key)
      if (!setting) droppedSettings.push(key.slice(0, MAX_KEY_LENGTH))
      else if (JSON.stringify(setting.value) !== JSON.stringify(RUNS_OR_SENDS[key])) settings.push({ key, value: setting.value })
    }
    const restored = {
      settings,
      droppedSettings: droppedSettings.slice(0, MAX_DROPPED),
      pausedRuns: results.reduce((sum, { pausedRuns = 0 }) => sum + pausedRuns, 0),
    }
    saveRestored(db, restored)
    return restored
  })()
}

/** Messages of the command line about what was not restored. */
export function describeRestored({ settings, droppedSettings, pausedRuns }: Restored): string[] {
  return [
    ...settings.map(({ key, value }) => `Not restored until you confirm it in Settings: ${key} = ${JSON.stringify(value)}`),
    ...droppedSettings.map((key) => `Not restored, because this version does not know it or cannot use its value: ${key}`),
    ...(pausedRuns > 0
      ? [`${pausedRuns} waiting training ${pausedRuns === 1 ? 'run' : 'runs'}: restored as paused until you resume it under Training.`]
      : []),
  ]
}
