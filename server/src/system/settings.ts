import fs from 'node:fs'
import { lookup } from '#contracts/lookup.ts'
import { Settings, type SettingsPatch } from '#contracts/entities/settings.ts'
import type { Thresholds } from '#contracts/entities/score.ts'
import { AppError } from '#contracts/errors.ts'
import { plainWords } from '#contracts/plain-words.ts'
import { formatScore, isWritableBound } from '#contracts/score-figure.ts'
import { pathsOf } from '#server/config.ts'
import type { Core } from '#server/core.ts'
import { openReadOnly } from '#server/db/open.ts'
import { dropRestored } from './maintenance/to-confirm.ts'

export interface SettingsService {
  /** The current settings, with defaults. */
  get(): Settings
  /** The settings after a change; throws `settings_invalid`. */
  preview(change: SettingsPatch): Settings
  /** Writes the given fields, publishes `settings:changed` if anything changed, returns the current settings. */
  patch(change: SettingsPatch): Settings
  /** Removes a key from the list of restored settings. Returns whether the list had it. */
  discardRestored(key: string): boolean
  /** Stored settings, or entries of them, that are invalid and therefore ignored. */
  problems(): { kind: string; message: string; hint: string }[]
}

type Fields = Record<string, unknown>

/** The keys that settings are stored under. Other keys (`training`, `training.python.x`) could override several settings. */
const SETTING_KEYS: ReadonlySet<string> = new Set(
  Object.entries(Settings.parse({})).flatMap(([group, value]) =>
    Array.isArray(value) ? [group] : Object.keys(value).map((name) => `${group}.${name}`),
  ),
)

/** Parses a stored setting; null if this version does not know its key or its value is not valid. */
export function usableSetting(key: string, text: string): { value: unknown } | null {
  if (!SETTING_KEYS.has(key)) return null
  try {
    const single: Fields = lookup()
    const value: unknown = JSON.parse(text)
    setField(single, key, value)
    return Settings.safeParse(single).success ? { value } : null
  } catch {
    return null
  }
}

/** The user's settings of sandboxes and agent runs, read without opening the data directory; none if it has no database. */
export function arenaSettings(dataDir: string): SettingsPatch {
  const { database } = pathsOf(dataDir)
  const arena: Fields = lookup()
  if (fs.existsSync(database)) {
    const db = openReadOnly(database)
    try {
      const rows = db.prepare<[], { key: string; value: string }>("SELECT key, value FROM settings WHERE key LIKE 'arena.%'").all()
      for (const { key, value } of rows) {
        const usable = usableSetting(key, value)
        if (usable) arena[key.slice('arena.'.length)] = usable.value
      }
    } finally {
      db.close()
    }
  }
  return Object.keys(arena).length === 0 ? {} : { arena }
}

/** Settings are stored per field (`scoring.policy` → JSON), so that a changed default reaches users who never set it. */
export function createSettings({ db, tx, events, log, now }: Pick<Core, 'db' | 'tx' | 'events' | 'log' | 'now'>): SettingsService {
  const select = db.prepare<[], { key: string; value: string }>('SELECT key, value FROM settings')
  const upsert = db.prepare<[string, string, number]>(
    `INSERT INTO settings (key, value, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
  )
  /** What is ignored of an invalid stored setting, by key. */
  const ignored = new Map<string, string>()
  /** Adds the valid entries of a stored list, or a valid stored value. */
  const withStored = (stored: Fields, key: string, value: unknown): Fields | null => {
    const withValue = (candidate: unknown) => {
      const next = structuredClone(stored)
      setField(next, key, candidate)
      return Settings.safeParse(next).success ? next : null
    }
    const complete = withValue(value)
    if (complete) return complete
    log.warn({ key }, 'A stored setting is not valid; its valid entries or its default are used')
    if (!Array.isArray(value)) {
      ignored.set(key, 'its default is used')
      return null
    }
    const validEntries = value.filter((entry) => withValue([entry]) !== null)
    ignored.set(key, `${validEntries.length} of its ${value.length} entries are used`)
    return withValue(validEntries)
  }
  const load = (): Settings => {
    const stored: Fields = lookup()
    for (const { key, value } of select.all()) {
      if (!SETTING_KEYS.has(key)) continue
      Object.assign(stored, withStored(stored, key, JSON.parse(value)))
    }
    return Settings.parse(stored)
  }
  let current = load()
  const preview = (change: SettingsPatch) => {
    const next: Fields = structuredClone(current)
    for (const [key, value] of flatten(change)) setField(next, key, value)
    return parseSettings(next)
  }
  return {
    get: () => current,
    problems: () =>
      Array.from(ignored, ([key, effect]) => ({
        kind: 'setting',
        message: `The stored setting ${key} is not valid in this version: ${effect}.`,
        hint: 'Save it again in Settings.',
      })),
    preview,
    patch(change) {
      const fields = flatten(change)
      const settings = preview(change)
      if (change.scoring?.thresholds) requireWritable(change.scoring.thresholds)
      if (JSON.stringify(settings) === JSON.stringify(current) && !fields.some(([key]) => ignored.has(key))) return current
      const before = current
      try {
        tx(() => {
          for (const [key, value] of fields) upsert.run(key, JSON.stringify(value), now())
          dropRestored(
            db,
            fields.map(([key]) => key),
          ) // the user has decided about these
          events.append('settings:changed', { settings })
          current = settings // before the event is published, because its listeners read the settings
        })
      } catch (error) {
        current = before
        throw error
      }
      for (const [key] of fields) ignored.delete(key)
      return current
    },
    discardRestored: (key) =>
      tx(() => {
        const wasListed = dropRestored(db, [key])
        if (wasListed) events.append('settings:changed', { settings: current }) // other windows show the list too
        return wasListed
      }),
  }
}

/** `{scoring: {policy}}` → `scoring.policy`; a list or a deeper object is one value. */
function flatten(change: SettingsPatch): [string, unknown][] {
  return Object.entries(change).flatMap(([group, value]): [string, unknown][] => {
    if (value === undefined) return []
    if (Array.isArray(value)) return [[group, value]]
    return Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([name, field]) => [`${group}.${name}`, field])
  })
}

function setField(settings: Fields, key: string, value: unknown): void {
  const [group = '', name] = key.split('.', 2)
  settings[group] = name === undefined ? value : { ...(settings[group] as Fields | undefined), [name]: value }
}

/** Scores are shown with two decimals, so a finer threshold would look equal to a score that is below it. */
function requireWritable(thresholds: Thresholds): void {
  for (const [tier, bounds] of Object.entries(thresholds)) {
    for (const bound of Object.values(bounds)) {
      if (isWritableBound(bound)) continue
      throw new AppError('settings_invalid', {
        message: `The threshold ${bound} of ${tier} has more than two decimals.`,
        hint: `Use at most two decimals, for example ${formatScore(bound)}.`,
      })
    }
  }
}

/** Also requires that a better tier has no lower threshold than a worse one. */
function parseSettings(value: unknown): Settings {
  const result = Settings.safeParse(value)
  if (!result.success) {
    const issue = result.error.issues[0]!
    throw new AppError('settings_invalid', { message: `"${issue.path.join('.')}" is not valid. ${plainWords(issue)}` })
  }
  const { gold, silver, bronze } = result.data.scoring.thresholds
  for (const [better, lower, names] of [
    [gold, silver, 'gold below silver'],
    [silver, bronze, 'silver below bronze'],
  ] as const) {
    if (better.successRate < lower.successRate || better.quality < lower.quality)
      throw new AppError('settings_invalid', {
        message: `The thresholds put ${names}.`,
        hint: 'A better tier must not have a lower threshold than the one below it.',
      })
  }
  return result.data
}
