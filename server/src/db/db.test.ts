import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { keepLogsShort } from './checkpoint.ts'
import { migrate } from './migrate.ts'
import { schema } from '#server/schema.ts'
import { checkpointOnce, type Database, openDatabase, openReadOnly } from './open.ts'

let folder: string
let db: Database
const file = () => path.join(folder, 'bashgym.db')
const backupDir = () => path.join(folder, 'backups')
beforeEach(() => {
  folder = newFolder()
  db = openDatabase(file())
})
afterEach(() => db.close())
const version = () => db.pragma('user_version', { simple: true })

test('an empty database goes through every version, and a second time through none', () => {
  expect(migrate(db, { schema, backupDir: backupDir() })).toEqual(schema.migrations.map((_, index) => index + 1))
  expect(migrate(db, { schema, backupDir: backupDir() })).toEqual([])
  expect(fs.existsSync(backupDir())).toBe(false)
})

test('every table is marked derived, own or plumbing, once', () => {
  migrate(db, { schema, backupDir: backupDir() })
  const names = db
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
  const marked = [...schema.tables.keys()]
  expect(marked.toSorted()).toEqual(names.map(({ name }) => name))
})

test('every table is STRICT', () => {
  migrate(db, { schema, backupDir: backupDir() })
  const loose = db
    .prepare<[], { name: string }>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'",
    )
    .all()
  expect(loose).toEqual([])
})

test('a newer database is refused with a message naming the versions, and stays unchanged', () => {
  db.pragma('user_version = 99')
  expect(() => migrate(db, { schema, backupDir: backupDir() })).toThrow(expect.objectContaining({ code: 'data_dir_newer' }) as Error)
  expect(version()).toBe(99)
})

/** One row in each of the user's own tables that this version has, read back. */
function fillOwn(): Map<string, unknown> {
  const values: Record<string, unknown> = { TEXT: '{}', INTEGER: 1, REAL: 0.5, BLOB: Buffer.from([1]) }
  db.pragma('foreign_keys = OFF')
  for (const table of schema.own) {
    const columns = db
      .prepare<[string], { name: string; type: string }>('SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden = 0')
      .all(table)
    if (columns.length === 0) continue
    const marks = columns.map(() => '?').join(', ')
    db.prepare(`INSERT INTO ${table} VALUES (${marks})`).run(columns.map(({ type }) => values[type]))
  }
  db.pragma('foreign_keys = ON')
  return ownRows(db)
}

const ownRows = (of: Database) =>
  new Map(
    schema.own.flatMap((table): [string, unknown][] => {
      const isThere = of.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table)
      return isThere ? [[table, of.prepare(`SELECT * FROM ${table}`).get()]] : []
    }),
  )

test.each(schema.migrations.map((_, index) => index).slice(1))(
  'from version %i, own rows come through and a copy of them is kept',
  (from) => {
    migrate(db, { schema: { ...schema, migrations: schema.migrations.slice(0, from) }, backupDir: backupDir() })
    const filled = fillOwn()
    expect(filled.size).toBeGreaterThan(0)
    migrate(db, { schema, backupDir: backupDir() })
    expect(version()).toBe(schema.migrations.length)
    const now = ownRows(db)
    expect(Object.fromEntries(now)).toMatchObject(Object.fromEntries(filled))
    const [copy] = fs.readdirSync(backupDir())
    const kept = openReadOnly(path.join(backupDir(), copy!))
    expect(ownRows(kept)).toEqual(filled)
    kept.close()
    expect(fs.statSync(path.join(backupDir(), copy!)).mode & 0o777).toBe(0o600)
  },
)

test('a run from before new tasks existed stays a run for variants, with its source', () => {
  const before = schema.migrations.findIndex(({ name }) => name === 'synthetic-tasks')
  migrate(db, { schema: { ...schema, migrations: schema.migrations.slice(0, before) }, backupDir: backupDir() })
  const plan = { selection: { filter: { state: ['accepted'] } }, variants: 3, maxOutputTokens: 1024 }
  db.prepare(
    `INSERT INTO augment_runs (id, job_id, state, plan, provider, model, budget, examples, total, progress, priced, created_at)
     VALUES ('aug_1', 'job', 'completed', ?, 'nim', 'm', '{}', '[]', 0, '{}', 0, 1)`,
  ).run(JSON.stringify(plan))
  migrate(db, { schema, backupDir: backupDir() })
  const [kept] = db.prepare<[], { plan: string }>('SELECT plan FROM augment_runs').all()
  expect(JSON.parse(kept!.plan)).toEqual({ make: 'variants', source: plan.selection, variants: 3, maxOutputTokens: 1024 })
})

test('a failed step leaves the previous version intact', () => {
  const list = [
    ...schema.migrations,
    { number: schema.migrations.length + 1, name: 'broken', sql: 'CREATE TABLE half (x TEXT) STRICT; SELECT x FROM nowhere' },
  ]
  expect(() => migrate(db, { schema: { ...schema, migrations: list }, backupDir: backupDir() })).toThrow(/nowhere/)
  expect(version()).toBe(schema.migrations.length)
  expect(db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'half'").get()).toBeUndefined()
})

test('a read-only connection cannot write', () => {
  migrate(db, { schema, backupDir: backupDir() })
  const reader = openReadOnly(file())
  expect(() => reader.exec('DELETE FROM settings')).toThrow(/readonly/)
  reader.close()
})

test('the database and its side files are 0600', () => {
  migrate(db, { schema, backupDir: backupDir() })
  for (const name of ['bashgym.db', 'bashgym.db-wal', 'bashgym.db-shm'])
    expect(fs.statSync(path.join(folder, name)).mode & 0o777).toBe(0o600)
})

test('the write-ahead log is emptied while the database stays open', async () => {
  db.exec('CREATE TABLE big (text TEXT)')
  db.prepare("INSERT INTO big SELECT hex(randomblob(4000)) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT i FROM n)").run() // prettier-ignore
  const log = `${file()}-wal`
  expect(fs.statSync(log).size).toBeGreaterThan(8e6)
  const stop = keepLogsShort([file()], async (database) => checkpointOnce(database, { truncate: true }), 10)
  await expect.poll(() => fs.statSync(log).size).toBe(0)
  stop()
  expect(db.prepare('SELECT count(*) AS n FROM big').get()).toEqual({ n: 2000 })
})

test('a run that was done only because its change was applied has the verdict of its checks', () => {
  const before = schema.migrations.findIndex(({ name }) => name === 'task verdicts')
  migrate(db, { schema: { ...schema, migrations: schema.migrations.slice(0, before) }, backupDir: backupDir() })
  const add = db.prepare("INSERT INTO tasks (id, state, title, request, facts, created_at) VALUES (?, 'done', '', '{}', ?, 1)")
  const applied = { handedBack: { at: 1 } }
  for (const [id, facts] of Object.entries({
    passed: { ...applied, verification: { status: 'passed' } },
    failed: { ...applied, verification: { status: 'failed' } },
    error: { ...applied, verification: { status: 'error' } },
    unchecked: { ...applied, verification: null },
    unchanged: { handedBack: null, verification: { status: 'passed' } },
  }))
    add.run(id, JSON.stringify(facts))
  migrate(db, { schema, backupDir: backupDir() })
  const rows = db.prepare<[], { id: string; state: string; facts: string }>('SELECT id, state, facts FROM tasks').all()
  expect(Object.fromEntries(rows.map(({ id, state }) => [id, state]))).toEqual({
    passed: 'done',
    failed: 'failed',
    error: 'unverified',
    unchecked: 'unverified',
    unchanged: 'done',
  })
  const { verification } = JSON.parse(rows[2]!.facts) as { verification: object }
  expect(verification).toEqual({
    status: 'error',
    before: null,
    knownFailures: [],
    newFailures: [],
    missing: [],
    parts: [],
    isDoubted: false,
  })
  expect(JSON.parse(rows[3]!.facts)).toEqual({ ...applied, verification: null })
})
