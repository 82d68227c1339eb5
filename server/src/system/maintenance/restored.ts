// What a database from a backup may not bring with it: names that lead out of the data directory, and whatever runs or sends by itself.
import { Settings } from '#contracts/entities/settings.ts'
import type { Database } from '#server/db/open.ts'
import { FILE_NAME, type WholeSchema } from '#server/db/schema.ts'
import { usableSetting } from '../settings.ts'
import { saveRestored, type Restored } from './to-confirm.ts'

/** Of a backup that somebody else made no more is kept for the list. */
const [LONGEST_KEY, MAX_DROPPED] = [100, 100]

/** Settings that name a program, or an address to which keys and text are sent, or let reading leave its folders, with the default that asks nobody. */
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
 * Makes the rows of a backup harmless, in a database with our own schema (`copyRows`), before it is moved into place.
 * Returns what the user has to confirm. Throws a sentence if they name files outside the data directory.
 */
export function makeHarmless(db: Database, dataDir: string, schema: WholeSchema): Restored {
  const refuse = (why: string) => new Error(`its database ${why}, which Bash Gym never writes`)
  const has = (table: string) => db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== undefined
  for (const [table, column, form] of schema.fileNames.filter(([name]) => has(name)))
    for (const { value } of db.prepare<[], { value: unknown }>(`SELECT DISTINCT "${column}" AS value FROM "${table}"`).all())
      if (typeof value !== 'string' || !FILE_NAME[form].test(value) || value.includes('..'))
        throw refuse(`names "${String(value).slice(0, 200)}" as ${table}.${column}`)

  return db.transaction((): Restored => {
    const results = schema.afterRestore.map((act) => act(db, { dataDir, refuse, has }))
    const settings: Restored['settings'] = []
    const droppedSettings: string[] = []
    for (const { key, value } of has('settings')
      ? db.prepare<[], { key: string; value: string }>('SELECT key, value FROM settings ORDER BY key').all()
      : []) {
      const setting = usableSetting(key, value)
      const isRisky = Object.hasOwn(RUNS_OR_SENDS, key)
      if (setting && !isRisky) continue
      db.prepare('DELETE FROM settings WHERE key = ?').run(key)
      if (!setting) droppedSettings.push(key.slice(0, LONGEST_KEY))
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

/** For the command line: what was taken out, a sentence each. */
export function describeRestored({ settings, droppedSettings, pausedRuns }: Restored): string[] {
  return [
    ...settings.map(({ key, value }) => `Not restored until you confirm it in Settings: ${key} = ${JSON.stringify(value)}`),
    ...droppedSettings.map((key) => `Not restored, because this version does not know it or cannot use its value: ${key}`),
    ...(pausedRuns > 0
      ? [`${pausedRuns} waiting training ${pausedRuns === 1 ? 'run' : 'runs'}: restored as paused until you resume it under Training.`]
      : []),
  ]
}
