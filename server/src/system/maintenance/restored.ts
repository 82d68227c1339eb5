// What a database from a backup may not bring with it: names that lead out of the data directory, and whatever runs or sends by itself.
import path from 'node:path'
import { Settings } from '#contracts/entities/settings.ts'
import type { Database } from '#server/db/open.ts'
import type { WholeSchema } from '#server/db/schema.ts'
import { usableSetting } from '../settings.ts'
import { fileBelow, isWithin, placeBelow } from '#server/within.ts'
import { saveRestored, type Restored } from './to-confirm.ts'

const TRACE = /^[a-z2-7]{26}$/
const AGENT = /^[a-z][a-z0-9-]{0,40}$/
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/

/** Columns whose values become file names, with the form that Bash Gym writes. */
const FILE_NAMES: readonly [table: string, column: string, form: RegExp][] = [
  ['archived_traces', 'trace_id', TRACE],
  ['archived_traces', 'agent', AGENT],
  ['sources', 'trace_id', TRACE],
  ['sources', 'name', NAME],
  ['traces', 'id', TRACE],
  ['traces', 'agent', AGENT],
  ['datasets', 'id', NAME],
  ['row_collections', 'id', NAME],
  ['runs', 'id', TRACE],
  ['run_checkpoints', 'path', NAME],
  ['models', 'id', TRACE],
  ['model_artifacts', 'id', NAME],
]

/** Of a backup that somebody else made no more is kept for the list. */
const [LONGEST_KEY, MOST_DROPPED] = [100, 100]

/** Settings that name a program, or an address to which keys and text are sent, with the default that asks nobody. */
const RUNS_OR_SENDS: Readonly<Record<string, unknown>> = (({ training, providers }) => ({
  'training.python': training.python,
  'training.ray': training.ray,
  'providers.anthropic': providers.anthropic,
  'providers.nim': providers.nim,
  'providers.openai': providers.openai,
}))(Settings.parse({}))

/**
 * Makes the database of a backup harmless before it is moved into place. Returns what the user has to confirm.
 * Throws a sentence where it names files outside the data directory or holds code.
 */
export function makeHarmless(db: Database, home: string, schema: WholeSchema): Restored {
  const refuse = (why: string) => new Error(`its database ${why}, which Bash Gym never writes`)
  const code = db
    .prepare<[], { type: string; name: string; sql: string }>("SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')")
    .all()
    .find(({ type, sql }) => type === 'trigger' || !schema.migrations.some((step) => step.sql.includes(sql)))
  if (code) throw refuse(`contains a ${code.type} ("${code.name}")`)
  for (const [table, column, form] of FILE_NAMES)
    for (const { value } of rowsOf<{ value: unknown }>(db, table, `SELECT DISTINCT "${column}" AS value FROM "${table}"`))
      if (typeof value !== 'string' || !form.test(value) || value.includes('..'))
        throw refuse(`names "${String(value).slice(0, 200)}" as ${table}.${column}`)

  return db.transaction((): Restored => {
    rebaseModels(db, home, refuse)
    const settings: Restored['settings'] = []
    const droppedSettings: string[] = []
    for (const { key, value } of rowsOf<{ key: string; value: string }>(db, 'settings', 'SELECT key, value FROM settings ORDER BY key')) {
      const setting = usableSetting(key, value)
      const isRisky = Object.hasOwn(RUNS_OR_SENDS, key)
      if (setting && !isRisky) continue
      db.prepare('DELETE FROM settings WHERE key = ?').run(key)
      if (!setting) droppedSettings.push(key.slice(0, LONGEST_KEY))
      else if (JSON.stringify(setting.value) !== JSON.stringify(RUNS_OR_SENDS[key])) settings.push({ key, value: setting.value })
    }
    const restored = { settings, droppedSettings: droppedSettings.slice(0, MOST_DROPPED), pausedRuns: pauseRuns(db) }
    saveRestored(db, restored)
    return restored
  })()
}

/** Nothing where an older database has no such table. */
function rowsOf<T>(db: Database, table: string, sql: string): T[] {
  const exists = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table)
  return exists ? db.prepare<[], T>(sql).all() : []
}

/** Models lie below this data directory, wherever the other one was. */
function rebaseModels(db: Database, home: string, refuse: (why: string) => Error): void {
  const rows = rowsOf<{ no: number; id: string; folder: string | null; artifact: string; path: string }>(
    db,
    'model_artifacts',
    `SELECT m.no, m.id, m.origin ->> '$.folder' AS folder, a.id AS artifact, a.path FROM models m JOIN model_artifacts a ON a.model_no = m.no`,
  )
  for (const { no, id, folder, artifact, path: file } of rows) {
    if (folder === null || !path.isAbsolute(folder) || path.normalize(file) !== file || !isWithin(folder, file) || file === folder)
      throw refuse(`names "${file}" as a file of a model`)
    const place = fileBelow(placeBelow(home, 'models', id), path.relative(folder, file).split(path.sep).join('/'))
    db.prepare('UPDATE model_artifacts SET path = ? WHERE model_no = ? AND id = ?').run(place, no, artifact)
  }
  for (const { id } of rowsOf<{ id: string }>(db, 'models', 'SELECT id FROM models'))
    db.prepare("UPDATE models SET origin = json_set(origin, '$.folder', ?) WHERE id = ?").run(placeBelow(home, 'models', id), id)
}

/** Waiting runs are paused until the user resumes them; a run that was at work has no process here that could be followed or ended. */
function pauseRuns(db: Database): number {
  if (rowsOf(db, 'runs', 'SELECT 1 FROM runs LIMIT 1').length === 0) return 0
  const error = { code: 'restored', message: 'It was running when the backup was made. Start it again.', row: null, logTail: '' }
  db.prepare(
    `UPDATE runs SET state = 'failed', error = ?, ended_at = coalesce(started_at, created_at) WHERE state IN ('preparing', 'running', 'pausing')`,
  ).run(JSON.stringify(error))
  db.prepare('UPDATE runs SET handle = NULL, wish = NULL').run()
  return db.prepare("UPDATE runs SET state = 'paused', queue_place = NULL WHERE state = 'queued'").run().changes
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
