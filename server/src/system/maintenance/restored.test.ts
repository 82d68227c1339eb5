import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { Settings } from '#contracts/entities/settings.ts'
import { createApp, inProcessClient } from '#server/app.ts'
import { overHttp } from '#server/cli/connect.ts'
import { loadConfig, pathsOf } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { schema } from '#server/schema.ts'
import { type Database, openDatabase } from '#server/db/open.ts'
import { openGym } from '#server/stages/gym/testing-gym.ts'
import { startTestServer, testConfig } from '#server/testing/server.ts'
import { newFolder } from '#server/testing/folders.ts'
import { writeBackup } from './backup.ts'
import { restoreBackup } from './restore.ts'
import { describeRestored } from './restored.ts'

let dir: string
beforeEach(() => (dir = newFolder()))

/** A row with a value for each column that must have one; `values` are given as they are. */
function insert(db: Database, table: string, values: Record<string, unknown>): void {
  const columns = db.pragma(`table_info(${table})`) as { name: string; type: string; notnull: number; dflt_value: unknown; pk: number }[]
  const needed = columns.filter(({ notnull, dflt_value, pk, name }) => notnull && dflt_value === null && !(pk && name === 'no'))
  const row = { ...Object.fromEntries(needed.map(({ name, type }) => [name, type === 'TEXT' ? '{}' : 0])), ...values }
  db.pragma('foreign_keys = OFF')
  const names = Object.keys(row)
  db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`).run(row)
}

async function aBackup(change: (db: Database) => void, extra: (dataDir: string) => void = () => {}): Promise<string> {
  const from = fs.mkdtempSync(path.join(dir, 'from-'))
  const paths = pathsOf(from)
  for (const folder of [paths.archive, paths.datasets, paths.backups]) fs.mkdirSync(folder)
  const db = openDatabase(paths.database)
  migrate(db, { schema, backupDir: paths.backups })
  change(db)
  extra(from)
  const file = path.join(dir, `${path.basename(from)}.tar`)
  await writeBackup({ db, paths, config: { ...loadConfig({ dataDir: from }, {}), dataDir: from }, now: Date.now }, file, '0.1.0')
  db.close()
  fs.rmSync(from, { recursive: true })
  return file
}
const newDataDir = () => fs.mkdtempSync(path.join(dir, 'home-'))
const ID = 'a'.repeat(26)
const RUN = { name: 'a', strategy: 'sft', base_model: 'b', live: '{}', created_at: 1 }

describe('a backup from somebody else', () => {
  const outside = '../../outside'
  it.each<[string, (db: Database) => void]>([
    ['a data set', (db) => insert(db, 'datasets', { id: outside, name: 'a', version: 1 })],
    ['imported rows', (db) => insert(db, 'row_collections', { id: outside })],
    ['a run', (db) => insert(db, 'runs', { id: outside, ...RUN, state: 'queued' })],
    ['a checkpoint', (db) => insert(db, 'run_checkpoints', { path: outside })],
    ['a model', (db) => insert(db, 'models', { id: outside })],
    ['an export', (db) => insert(db, 'model_artifacts', { id: outside })],
    ['a session', (db) => insert(db, 'traces', { id: outside })],
    ['the agent of a session', (db) => insert(db, 'traces', { id: ID, agent: outside })],
    ['an archived session', (db) => insert(db, 'archived_traces', { trace_id: outside, agent: 'codex' })],
    ['an archived file', (db) => insert(db, 'sources', { trace_id: ID, name: outside })],
    [
      'the file of a model',
      (db) => {
        insert(db, 'models', { no: 1, id: ID, origin: JSON.stringify({ folder: `/home/x/models/${ID}` }) })
        insert(db, 'model_artifacts', { model_no: 1, id: 'adapter', path: '/home/x/.ssh' })
      },
    ],
    [
      'a view of another content under our name',
      (db) => db.exec('DROP VIEW session_heads; CREATE VIEW session_heads AS SELECT key AS id FROM settings'),
    ],
    ['a trigger', (db) => db.exec('CREATE TRIGGER t AFTER INSERT ON settings BEGIN DELETE FROM datasets; END')],
  ])('is refused where it names %s outside the data directory, or holds code', async (_what, change) => {
    const dataDir = newDataDir()
    const file = await aBackup(change)
    await expect(restoreBackup(dataDir, file, { replace: false, schema })).rejects.toMatchObject({
      code: 'backup_invalid',
      message: expect.stringContaining('Nothing was changed'),
    })
    expect(fs.readdirSync(dataDir)).toEqual([])
  })

  it('runs and sends nothing until the user has confirmed it, and says so', async () => {
    const dataDir = newDataDir()
    const mark = path.join(dir, 'it-ran')
    const program = path.join(dir, 'python')
    fs.writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 })
    const victim = path.join(dir, 'precious.part-0123456789abcdef')
    fs.mkdirSync(victim)
    const ray = { address: 'http://127.0.0.1:9', tokenFile: '', python: '', gpus: 0 }
    const anthropic = { baseUrl: 'http://127.0.0.1:9', model: 'm' }
    const file = await aBackup(
      (db) => {
        const put = db.prepare('INSERT INTO settings (key, value, updated_at) VALUES (?, ?, 1)')
        for (const [key, value] of [
          ['training.python', program],
          ['training.ray', ray],
          ['providers.anthropic', anthropic],
          ['appearance.theme', 'dark'],
        ] as const)
          put.run(key, JSON.stringify(value))
        const asked = JSON.stringify({ request: { engine: 'local' } })
        insert(db, 'runs', { id: ID, ...RUN, asked, state: 'queued', queue_place: 1 })
        insert(db, 'runs', {
          id: 'b'.repeat(26),
          ...RUN,
          asked,
          state: 'running',
          handle: JSON.stringify({ pid: process.pid }),
          wish: 'cancel',
        })
      },
      (from) => fs.writeFileSync(path.join(from, 'datasets', '.exporting-abc'), victim),
    )
    const { toConfirm } = await restoreBackup(dataDir, file, { replace: false, schema })
    expect(describeRestored(toConfirm).join('\n')).toContain(program)
    expect(describeRestored(toConfirm).at(-1)).toMatch(/Use again.*: 2 training runs \(1 was queued or running\)\.$/)
    const db = openDatabase(path.join(dataDir, 'bashgym.db'))
    expect(db.prepare('SELECT key FROM settings').all()).toEqual([{ key: 'appearance.theme' }])
    expect(db.prepare('SELECT state, handle, wish FROM runs ORDER BY no').all()).toEqual([
      { state: 'paused', handle: null, wish: null },
      { state: 'failed', handle: null, wish: null },
    ])
    db.prepare('DELETE FROM runs').run() // their rows here are too bare for a server
    db.close()

    const { remove, ...config } = testConfig({ dataDir })
    const server = await startTestServer({ config })
    expect((await server.client.getSettings()).settings.training.python).toBe('')
    const { settings, waiting } = await server.client.getRestored()
    expect([settings.map(({ key }) => key), waiting]).toEqual([
      ['providers.anthropic', 'training.python', 'training.ray'],
      [{ kind: 'training-run', count: 2, active: 1 }],
    ])
    await server.client.getTrainingEnvironment()
    expect([fs.existsSync(mark), fs.existsSync(victim)]).toEqual([false, true])

    await server.client.patchSettings({ body: { providers: { anthropic } } })
    await server.client.discardRestored({ params: { key: 'training.ray' } })
    expect((await server.client.getRestored()).settings).toEqual([{ key: 'training.python', value: program }])
    expect((await server.client.getSettings()).settings.training.ray.address).toBe('')
    await server.close()
    remove()
  })
})

/** Makes `settings` a table whose index knows no row, so that a search through it finds none. */
function hideSettings(db: Database): void {
  db.exec(`CREATE TABLE other (key TEXT PRIMARY KEY);
    CREATE TABLE bare (key TEXT PRIMARY KEY, value TEXT NOT NULL, updated_at INTEGER NOT NULL);
    INSERT INTO bare SELECT * FROM settings; DROP TABLE settings; ALTER TABLE bare RENAME TO settings`)
  const roots = db.prepare("SELECT name, rootpage FROM sqlite_schema WHERE name LIKE 'sqlite_autoindex_%'")
  const root = new Map((roots.all() as { name: string; rootpage: number }[]).map(({ name, rootpage }) => [name, rootpage]))
  db.unsafeMode(true)
  db.pragma('writable_schema = ON')
  const swap = db.prepare('UPDATE sqlite_schema SET rootpage = @page WHERE name = @name')
  swap.run({ page: root.get('sqlite_autoindex_other_1'), name: 'sqlite_autoindex_settings_1' })
  swap.run({ page: root.get('sqlite_autoindex_settings_1'), name: 'sqlite_autoindex_other_1' })
  db.pragma('writable_schema = RESET')
}

it.each<[string, (db: Database) => void]>([
  [
    'tables in another case',
    (db) =>
      db.exec(`ALTER TABLE settings RENAME TO a; ALTER TABLE a RENAME TO SETTINGS;
        ALTER TABLE runs RENAME TO b; ALTER TABLE b RENAME TO RUNS`),
  ],
  ['an index that leaves rows out', hideSettings],
])('%s: nothing that runs or sends is hidden', async (_what, hide) => {
  const dataDir = newDataDir()
  const openai = { baseUrl: 'http://127.0.0.1:9', model: 'm' }
  const file = await aBackup((db) => {
    for (const [key, value] of Object.entries({
      'access.trustedFolders': ['/etc'],
      'training.python': '/tmp/evil',
      'providers.openai': openai,
      'capture.followLinks': true,
    }))
      insert(db, 'settings', { key, value: JSON.stringify(value) })
    insert(db, 'runs', { id: ID, ...RUN, asked: JSON.stringify({ request: { engine: 'local' } }), state: 'queued', queue_place: 1 })
    hide(db)
  })
  const { toConfirm } = await restoreBackup(dataDir, file, { replace: false, schema })
  expect(toConfirm).toEqual({
    settings: [
      { key: 'access.trustedFolders', value: ['/etc'] },
      { key: 'capture.followLinks', value: true },
      { key: 'providers.openai', value: openai },
      { key: 'training.python', value: '/tmp/evil' },
    ],
    droppedSettings: [],
    waiting: [{ kind: 'training-run', count: 1, active: 1 }],
    isNoted: false,
  })
  const db = openDatabase(path.join(dataDir, 'bashgym.db'))
  expect(db.prepare('SELECT key FROM settings').all()).toEqual([])
  expect(db.prepare('SELECT state FROM runs').all()).toEqual([{ state: 'paused' }])
  const ours = openDatabase(path.join(dir, 'ours.db'))
  migrate(ours, { schema, backupDir: dir })
  const structure = 'SELECT type, name, sql FROM sqlite_schema ORDER BY type, name'
  expect(db.prepare(structure).all()).toEqual(ours.prepare(structure).all())
  for (const one of [db, ours]) one.close()
})

it.each([
  ['training', '{"python":"/tmp/evil"}'],
  ['training.python.x', '"/tmp/evil"'],
  ['training.ray.address', '{"address":"http://evil"}'],
  ['providers', '{"openai":{"baseUrl":"http://evil","model":"m"}}'],
  ['scoring.policy', '"a policy of another version"'],
  ['appearance.theme', 'no JSON'],
])('a setting that this version does not know or cannot use (%s) is dropped and listed', async (key, value) => {
  const dataDir = newDataDir()
  const { toConfirm } = await restoreBackup(dataDir, await aBackup((db) => insert(db, 'settings', { key, value })), {
    replace: false,
    schema,
  })
  expect(toConfirm).toEqual({ settings: [], droppedSettings: [key], waiting: [], isNoted: false })
  expect(describeRestored(toConfirm).join()).toContain(key)
  const app = await createApp(loadConfig({ dataDir }, {}))
  const { settings } = await inProcessClient(app).getSettings()
  expect((await inProcessClient(app).getRestored()).droppedSettings).toEqual([key])
  expect(await inProcessClient(app).discardRestored({ params: { key: 'dropped' } })).toMatchObject({ droppedSettings: [] })
  await app.close()
  expect(settings).toEqual(Settings.parse({}))
})

it('no file that a backup names is read again by itself', async () => {
  const dataDir = newDataDir()
  const file = await aBackup((db) => insert(db, 'followed_files', { path: '/home/x/private/diary.jsonl' }))
  await restoreBackup(dataDir, file, { replace: false, schema })
  const db = openDatabase(path.join(dataDir, 'bashgym.db'))
  expect(db.prepare('SELECT * FROM followed_files').all()).toEqual([])
  db.close()
})

/** Tables that are kept although they have a state: nothing acts on it. */
const RESULTS = [
  'exam_answers',
  'exam_attempts',
  'example_reviews',
  'exams',
  'pair_reviews',
  'rollout_episodes',
  'shell_candidates',
  'trace_checks',
]

it('every own table has a decision, and every table with a state that is acted upon waits', () => {
  const db = openDatabase(path.join(dir, 'empty.db'))
  migrate(db, { schema, backupDir: dir })
  const decisions = [...schema.afterRestore]
  expect(decisions.map(([table]) => table).toSorted()).toEqual([...schema.own].toSorted())
  const withState = decisions.flatMap(([table, decision]) => {
    const columns = (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name)
    return 'keeps' in decision && columns.some((name) => name === 'state' || name === 'status') ? [table] : []
  })
  expect(withState.toSorted()).toEqual(RESULTS)
  db.close()
})

it('no spelling of a state stays active, from a backup of an earlier version too', async () => {
  const ended = "('review', 'done', 'failed', 'stopped', 'unverified', 'cancelled', 'interrupted', 'paused', 'completed', 'budget')"
  const tables = ['tasks', 'task_batches', 'rollout_sets', 'shell_generations', 'augment_runs', 'runs']
  const states = ['queued', 'QUEUED', 'running', 'waiting', 'preparing', 'working', 'needs_you', 'verifying', 'pausing', 'anything']
  const file = await aBackup((db) => {
    for (const table of tables)
      for (const [n, state] of states.entries()) insert(db, table, { id: String.fromCharCode(97 + n).repeat(26), state })
    db.exec('DROP TABLE restored_items')
    db.pragma('user_version = 29')
  })
  const dataDir = newDataDir()
  const { toConfirm } = await restoreBackup(dataDir, file, { replace: false, schema })
  expect(toConfirm.waiting.map(({ count }) => count)).toEqual(tables.map(() => states.length))
  const db = openDatabase(path.join(dataDir, 'bashgym.db'))
  for (const table of tables)
    expect([table, db.prepare(`SELECT state FROM ${table} WHERE state NOT IN ${ended}`).all()]).toEqual([table, []])
  db.close()
})

it('a row cannot claim an id that another request could contain by chance', async () => {
  const file = await aBackup((db) => insert(db, 'task_batches', { id: 'local', state: 'done' }))
  await expect(restoreBackup(newDataDir(), file, { replace: false, schema })).rejects.toMatchObject({ code: 'backup_invalid' })
})

it('asks the owner, outside the browser, with everything that a restored row names', async () => {
  const dataDir = newDataDir()
  const request = { prompt: 'x', agent: 'shell', endpoint: { kind: 'url', dialect: 'openai', baseUrl: 'http://127.0.0.1:9' }, directory: '/home/x/.ssh', network: ['evil.example:443'] } // prettier-ignore
  const file = await aBackup((db) => insert(db, 'tasks', { id: ID, state: 'review', title: 'fix it', request: JSON.stringify(request) }))
  await restoreBackup(dataDir, file, { replace: false, schema })
  const { remove, ...config } = testConfig({ dataDir })
  const server = await startTestServer({ config })
  const { url } = await server.client.createSignInLink()
  const { key } = await server.client.openSession({ body: { secret: new URL(url).hash.replace('#secret=', '') } })
  const browser = overHttp(server.url, key).client
  await expect(browser.allowRestoredItem({ params: { id: ID }, body: {} })).rejects.toMatchObject({
    code: 'confirmation_required',
    details: {
      confirmation: {
        changes: [
          { what: 'Use again, from a restored backup: agent run', to: 'fix it' },
          { what: 'Address', to: 'http://127.0.0.1:9' },
          { what: 'Folder', to: '/home/x/.ssh' },
          { what: 'Allowed address', to: 'evil.example:443' },
        ],
      },
    },
  })
  await expect(server.client.messageTask({ params: { id: ID }, body: { text: 'go on' } })).rejects.toMatchObject({ code: 'restored_waits' })
  expect(await server.client.allowRestoredItem({ params: { id: ID }, body: {} })).toMatchObject({ started: false })
  expect(await server.client.getRestored()).toMatchObject({ waiting: [] })
  await expect(server.client.messageTask({ params: { id: ID }, body: { text: 'go on' } })).rejects.toMatchObject({ code: 'task_refused' })
  await server.close()
  remove()
})

it('shows the commands of a row first, whatever else it names, and does not use a row that names too much', async () => {
  const repositories = (count: number) => Array.from({ length: count }, (_, n) => ({ repositoryUrl: `https://example.org/${n}` }))
  const evil = { verify: 'EVIL-CHECK', setup: ['EVIL-SETUP'] }
  const dataDir = newDataDir()
  const file = await aBackup((db) => {
    insert(db, 'task_batches', { id: ID, state: 'done', request: JSON.stringify({ tasks: [...repositories(500), evil] }) })
    insert(db, 'task_batches', { id: 'b'.repeat(26), state: 'done', request: JSON.stringify({ tasks: [...repositories(1001), evil] }) })
    insert(db, 'rollout_sets', { no: 7, id: 'c'.repeat(26), state: 'done' })
    insert(db, 'rollout_tasks', { set_no: 7, task: JSON.stringify({ setup: ['EVIL-SETUP'], check: 'EVIL-CHECK' }) })
  })
  await restoreBackup(dataDir, file, { replace: false, schema })
  const { remove, ...config } = testConfig({ dataDir })
  const server = await startTestServer({ config })
  const { items } = await server.client.listRestoredItems({ query: {} })
  const names = (id: string) => items.find((item) => item.id === id)!.names
  const commands = [{ what: 'Check command', value: 'EVIL-CHECK' }, { what: 'Set-up command', value: 'EVIL-SETUP' }] // prettier-ignore
  expect(names(ID).slice(0, 2)).toEqual(commands)
  expect(names(ID)).toHaveLength(502)
  expect(names('c'.repeat(26))).toEqual(commands)
  const tooMuch = 'b'.repeat(26)
  expect(names(tooMuch).slice(0, 3)).toEqual([{ what: 'Not shown', value: '1 more, so it cannot be used again' }, ...commands])
  await expect(server.client.allowRestoredItem({ params: { id: tooMuch }, body: {} })).rejects.toMatchObject({ code: 'restored_waits' })
  await server.close()
  remove()
})

it('of a privacy policy, the stricter part of the default and the backup holds until the user decides', async () => {
  const file = await aBackup((db) => {
    const values = { types: ['date'], confidenceThreshold: 0.9, allowed: ['sk-mine'], strategies: { api_key: 'mask' } }
    for (const [name, value] of Object.entries(values)) insert(db, 'settings', { key: `privacy.${name}`, value: JSON.stringify(value) })
    insert(db, 'settings', { key: 'prices', value: JSON.stringify([{ model: 'm', inputPerMTok: 0, outputPerMTok: 0 }]) })
  })
  const dataDir = newDataDir()
  const { toConfirm } = await restoreBackup(dataDir, file, { replace: false, schema })
  expect(toConfirm.settings.map(({ key }) => key)).toEqual(['prices', 'privacy.allowed', 'privacy.confidenceThreshold', 'privacy.strategies', 'privacy.types']) // prettier-ignore
  const app = await createApp(loadConfig({ dataDir }, {}))
  const { privacy, prices } = (await inProcessClient(app).getSettings()).settings
  const { privacy: defaults } = Settings.parse({})
  expect([privacy, prices]).toEqual([{ ...defaults, types: [...defaults.types, 'date'] }, []])
  await app.close()
})

it('pauses the waiting runs, and others start', async () => {
  const before = await openGym()
  await before.client.patchQueue({ body: { paused: true } })
  const { id } = await before.client.startRun({ body: before.request({ steps: 2 }) })
  before.core.db.prepare("DELETE FROM run_queue WHERE name = 'paused'").run() // it waited behind another one
  const file = path.join(dir, 'waiting.tar')
  await writeBackup(before.core, file, '0.1.0')
  const dataDir = newDataDir()
  await restoreBackup(dataDir, file, { replace: false, schema })
  fs.cpSync(before.core.paths.models, path.join(dataDir, 'models'), { recursive: true })
  await before.close()

  const after = await openGym({ dataDir })
  expect(await after.client.getRun({ params: { id } })).toMatchObject({ state: 'paused', canResume: true })
  const next = await after.client.startRun({ body: after.request({ steps: 2 }) })
  await after.until(next.id, 'completed')
  expect(after.gym.run(id).state).toBe('paused')
  await after.gym.stage.startAgain!['training-run']!(id)
  await after.until(id, 'completed', 'failed')
  await after.close()
})
