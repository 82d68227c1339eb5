import fs from 'node:fs'
import path from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ImportResult } from '#contracts/entities/capture.ts'
import type { Agent } from '#contracts/entities/common.ts'
import { loadConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/open.ts'
import { traceId } from '#server/stages/capture/index.ts'
import { newFolder } from '#server/testing/folders.ts'
import { bytesOf, expectedOf, FILES, OTHER_AGENTS } from './readers/dialects/testing.ts'
import { openCore, resultOf } from '#server/testing/core.ts'
import { readTranscriptFile } from './transcript-file.ts'
import { wireSamples } from './testing-samples.ts'

const agents = ['codex', 'gemini', 'opencode'] as const
const none = { new: 0, grown: 0, unchanged: 0, failed: 0 }
let root: string
let excluded: string[]
let database: string
let app: ReturnType<typeof wireSamples>
let close: () => Promise<void>

beforeEach(() => {
  excluded = []
  root = newFolder()
  database = path.join(root, '.local/share/opencode/opencode.db')
  fs.mkdirSync(path.join(root, 'home'))
  const core = openCore({ dataDir: path.join(root, 'home') })
  app = wireSamples(
    { ...core, config: loadConfig({ dataDir: path.join(root, 'home') }, { HOME: root }) },
    { settings: () => ({ paused: false, excludedProjects: excluded }) },
  )
  close = () => core.close()
})
afterEach(async () => {
  await app.close()
  await close()
})

type Row = Record<string, string | number | null>

function writeRows(rows: { table: string; row: Row }[]): void {
  fs.mkdirSync(path.dirname(database), { recursive: true })
  const db = openDatabase(database)
  for (const { table, row } of rows) {
    const columns = Object.keys(row)
    db.exec(`CREATE TABLE IF NOT EXISTS ${table} (${columns.map((name) => `"${name}"`).join(', ')}, PRIMARY KEY (id))`)
    db.prepare(`INSERT OR REPLACE INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`).run(...Object.values(row))
  }
  db.close()
}

const sampleRows = (): { table: string; row: Row }[] =>
  bytesOf(FILES.opencode)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { table: string; row: Row })

/** Adds the sessions of all three agents to the user's home folder. */
function fillHome(): void {
  fs.cpSync(path.join(OTHER_AGENTS, 'codex/sessions'), path.join(root, '.codex/sessions'), { recursive: true })
  fs.cpSync(path.join(OTHER_AGENTS, 'gemini/tmp'), path.join(root, '.gemini/tmp'), { recursive: true })
  writeRows(sampleRows())
}

const importSessions = async (request: { paths?: string[]; agent?: Agent } = {}) =>
  resultOf<ImportResult>(app.core, app.capture.startImport(request))

const idOf = (agent: Agent) => traceId(agent, expectedOf(agent).sessionId)

it('imports the sessions of all three agents once, with steps and text', async () => {
  fillHome()
  expect(await importSessions()).toMatchObject({ sessions: { ...none, new: 3 }, steps: 3, errors: [] })
  const { items } = await app.list()
  expect(new Set(items.map(({ id }) => id))).toEqual(new Set(agents.map(idOf)))
  for (const agent of agents) {
    const expected = expectedOf(agent)
    const id = idOf(agent)
    expect(app.traces.trace(id)).toMatchObject({
      agent,
      sessionId: expected.sessionId,
      counts: { prompts: 1, toolCalls: 1, failedToolCalls: 1 },
      tokens: { input: expected.tokens.input_without_cached, output: expected.tokens.output, cacheRead: expected.tokens.cached },
      models: [expected.model],
    })
    const [step] = (await app.traces.steps(id, undefined, 10)).items
    expect(step).toMatchObject({ command: expected.command, exitCode: expected.exitCode, success: false, text: 'Running.' })
    expect(step!.output).toContain('hi\n')
    expect(step!.input).toMatchObject(agent === 'codex' ? { cmd: expected.command } : { command: expected.command })
    const texts = (await app.traces.transcript(id, { limit: 100 })).items.flatMap((item) => (item.kind === 'text' ? [item.text] : []))
    expect(texts.at(-1)).toBe(expected.finalText)
  }
  await app.traces.settleSearch()
  expect((await app.list('"Running"')).total).toBe(3)
  expect(await importSessions()).toMatchObject({ sessions: { ...none, unchanged: 3 }, bytes: 0, errors: [] })
  const readRows = () => app.core.db.prepare('SELECT id, ord, kind, label, success FROM entries ORDER BY id').all()
  const before = readRows()
  await app.traces.rebuild({ signal: new AbortController().signal, progress: () => {} })
  expect(readRows()).toEqual(before)
  expect(await importSessions()).toMatchObject({ sessions: { ...none, unchanged: 3 }, bytes: 0 })
})

it("does not change OpenCode's database, even while OpenCode has it open", async () => {
  writeRows(sampleRows())
  const agentDb = openDatabase(database)
  agentDb.exec("UPDATE session SET title = 'Another title', time_updated = time_updated + 1")
  const bytes = fs.readFileSync(database)
  expect(await importSessions()).toMatchObject({ sessions: { ...none, new: 1 }, errors: [] })
  expect(app.traces.trace(idOf('opencode')).title).toBe('Another title')
  expect(fs.readFileSync(database).equals(bytes)).toBe(true)
  agentDb.close()
})

it('reads only new bytes, and appends a changed row of the database', async () => {
  const rows = sampleRows()
  const toolIndex = rows.findIndex(({ row }) => String(row.data).includes('toolu_'))
  const runningRow = {
    ...rows[toolIndex]!.row,
    data: String(rows[toolIndex]!.row.data).replace('"status":"completed"', '"status":"running"'),
  }
  writeRows(rows.slice(0, toolIndex).concat({ table: 'part', row: runningRow }))
  const chat = path.join(root, '.gemini/tmp/project/chats/session-1.jsonl')
  const chatBytes = bytesOf(FILES.gemini)
  fs.mkdirSync(path.dirname(chat), { recursive: true })
  fs.writeFileSync(chat, chatBytes.subarray(0, 2000))
  expect(await importSessions()).toMatchObject({ sessions: { ...none, new: 2 }, errors: [] })
  expect(app.traces.trace(idOf('opencode')).counts).toMatchObject({ toolCalls: 1, failedToolCalls: 0 })

  writeRows(
    rows
      .slice(toolIndex)
      .map(({ table, row }, index) => ({ table, row: index === 0 ? { ...row, time_updated: Number(row.time_updated) + 1 } : row })),
  )
  fs.appendFileSync(chat, chatBytes.subarray(2000))
  expect(await importSessions()).toMatchObject({ sessions: { ...none, grown: 2 }, errors: [] })
  for (const agent of ['opencode', 'gemini'] as const) {
    expect(app.traces.trace(idOf(agent)).counts).toMatchObject({ prompts: 1, toolCalls: 1, failedToolCalls: 1 })
  }
  const [source] = app.traces.detail(idOf('opencode')).sources
  expect(source).toMatchObject({ generation: 1, originalPath: `${fs.realpathSync(database)}#${expectedOf('opencode').sessionId}` })
  expect(await importSessions()).toMatchObject({ sessions: { ...none, unchanged: 2 }, bytes: 0 })
})

it('keeps a child session of OpenCode with the session that started it', async () => {
  const rows = sampleRows()
  const child = (value: string) => value.replaceAll(/(ses|msg|prt)_1?/g, '$1_9').replace('toolu_', 'toolu_9')
  const children = rows
    .filter(({ table }) => table !== 'project')
    .map(({ table, row }) => {
      const copy = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? child(value) : value]))
      return { table, row: table === 'session' ? { ...copy, parent_id: String(row.id) } : copy }
    })
  writeRows([...rows, ...children])
  expect(await importSessions({ agent: 'opencode' })).toMatchObject({ sessions: { ...none, new: 1 }, steps: 2, errors: [] })
  expect(app.traces.trace(idOf('opencode')).counts).toMatchObject({ prompts: 1, toolCalls: 2, subagents: 1 })
})

it('identifies the agent of a file by its content, and refuses a wrong agent', async () => {
  const files = [...Object.values(FILES), 'opencode/opencode-export.json'].map((file) => path.join(OTHER_AGENTS, file))
  expect(await importSessions({ paths: [files[0]!], agent: 'gemini' })).toMatchObject({
    sessions: { ...none, failed: 1 },
    errors: [{ message: expect.stringContaining('This is a codex session, not gemini') }],
  })
  expect(await importSessions({ paths: [files[0]!], agent: 'codex' })).toMatchObject({ sessions: { ...none, new: 1 }, errors: [] })
  expect(await importSessions({ paths: files })).toMatchObject({ sessions: { new: 2, unchanged: 1 }, errors: [] })
  // Rows and export are the same session: two sources of one trace, without duplicates.
  expect(app.traces.trace(idOf('opencode')).counts).toMatchObject({ prompts: 1, toolCalls: 1, failedToolCalls: 1 })
  expect(() => app.capture.startImport({ agent: 'cursor' })).toThrow(/cursor sessions cannot be imported/)
})

it('reads a compressed rollout, and imports two copies of it as one session', async () => {
  const folder = path.join(root, '.codex/archived_sessions')
  fs.mkdirSync(folder, { recursive: true })
  const name = path.basename(FILES.codex)
  fs.writeFileSync(path.join(folder, `${name}.zst`), zstdCompressSync(bytesOf(FILES.codex)))
  expect(await importSessions()).toMatchObject({ sessions: { ...none, new: 1 }, records: 21, errors: [] })
  expect(await importSessions()).toMatchObject({ sessions: { ...none, unchanged: 1 }, bytes: 0 })
  const rows = async () => (await app.traces.transcript(idOf('codex'), { limit: 100 })).total
  const before = await rows()
  fs.cpSync(path.join(OTHER_AGENTS, 'codex/sessions'), path.join(root, '.codex/sessions'), { recursive: true })
  expect(await importSessions()).toMatchObject({ sessions: { grown: 1 }, errors: [] })
  expect(await rows()).toBe(before)
})

it('reports a database that is not from OpenCode, and lists every place in a scan', async () => {
  fillHome()
  const scan = await app.capture.scan()
  expect(scan.places.slice(1).map(({ agent, sessions }) => [agent, sessions])).toEqual([
    ['codex', 1],
    ['gemini', 1],
    ['opencode', 1],
  ])
  expect(scan).toMatchObject({ sessions: 3, projects: 1, notArchived: 3, atRisk: 0, nextCleanup: null })
  await importSessions()
  expect(await app.capture.scan()).toMatchObject({ sessions: 3, notArchived: 0 })
  const other = path.join(root, 'other/opencode.db')
  fs.mkdirSync(path.dirname(other))
  openDatabase(other).close()
  expect(await importSessions({ paths: [other] })).toMatchObject({
    sessions: { ...none, failed: 1 },
    errors: [{ file: other, message: expect.stringContaining('no table "session"') }],
  })
})

it('keeps sub-threads of Codex and Gemini with the session that started them', async () => {
  const [codex, gemini] = [expectedOf('codex').sessionId, expectedOf('gemini').sessionId]
  const thread = '01a1fc6c-ffff-7262-9d81-2fa6c02fbd6d'
  const rollout = bytesOf(FILES.codex)
    .toString()
    .replaceAll('call_1', 'call_9')
    .replaceAll('resp_', 'resp_9')
    .replaceAll(/"(msg|fc|fco)_/g, '"$1_9')
  const [head, ...rest] = rollout.split('\n')
  const meta = JSON.parse(head!) as { payload: object }
  const source = { subagent: { thread_spawn: { parent_thread_id: codex, depth: 1 } } }
  const childMeta = JSON.stringify({
    ...meta,
    payload: { ...meta.payload, id: thread, session_id: thread, source, thread_source: 'subagent' },
  })
  fillHome()
  fs.rmSync(path.dirname(database), { recursive: true })
  fs.writeFileSync(
    path.join(root, '.codex/sessions/2026/11/21', `rollout-2026-11-21T04-46-00-${thread}.jsonl`),
    [childMeta, ...rest].join('\n'),
  )
  const folder = path.join(root, '.gemini/tmp/project/chats', gemini)
  fs.mkdirSync(folder)
  const chat = bytesOf(FILES.gemini).toString().replaceAll('"id":"', '"id":"9').replaceAll(gemini, 'helper')
  fs.writeFileSync(path.join(folder, 'helper.jsonl'), chat)
  expect(await importSessions()).toMatchObject({ sessions: { ...none, new: 2 }, steps: 4, errors: [] })
  for (const agent of ['codex', 'gemini'] as const) {
    expect(app.traces.trace(idOf(agent)).counts).toMatchObject({ prompts: 1, toolCalls: 2, failedToolCalls: 2, subagents: 1 })
  }
  expect(app.traces.detail(idOf('codex')).subagents).toMatchObject([{ id: thread, toolCalls: 1, tokens: { input: 800, cacheRead: 1600 } }])
})

it('imports nothing from excluded projects, for any agent', async () => {
  fillHome()
  excluded.push('/home/dev/project')
  expect(await importSessions()).toMatchObject({ sessions: none, errors: [] })
  expect((await app.list()).total).toBe(0)
})

it('reads the steps of a file without importing it', () => {
  const packed = path.join(root, 'rollout-1.jsonl.zst')
  fs.writeFileSync(packed, zstdCompressSync(bytesOf(FILES.codex)))
  for (const file of [...Object.values(FILES).map((name) => path.join(OTHER_AGENTS, name)), packed]) {
    expect(readTranscriptFile(file)).toEqual([expect.objectContaining({ command: 'echo hi; exit 3', exitCode: 3, success: false })])
  }
})

it('watches the folders of other agents', async () => {
  fillHome()
  await app.capture.start({ watch: true })
  await expect.poll(async () => (await app.list()).total, { timeout: 30_000 }).toBe(3)
  await app.capture.drain()
  const line = {
    timestamp: '2026-11-21T05:00:00.000Z',
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Again.' }] },
  }
  fs.appendFileSync(path.join(root, '.codex', FILES.codex.replace('codex/', '')), `${JSON.stringify(line)}\n`)
  await expect.poll(() => app.traces.trace(idOf('codex')).counts.prompts, { timeout: 30_000 }).toBe(2)
})

/** The sample as OpenCode before 1.2 kept it: one file for each row. */
function writeStorage(): string {
  const storage = path.join(root, '.local/share/opencode/storage')
  const write = (parts: (string | number | null | undefined)[], content: unknown) => {
    const file = `${path.join(storage, ...parts.map(String))}.json`
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, JSON.stringify(content))
  }
  for (const { table, row } of sampleRows()) {
    const { id, session_id: session, message_id: message } = row
    if (table === 'session')
      write(['session', row.project_id, id], { id, directory: row.directory, title: row.title, version: row.version })
    if (table === 'message') write(['message', session, id], { id, sessionID: session, ...(JSON.parse(String(row.data)) as object) })
    if (table === 'part') write(['part', message, id], { id, messageID: message, ...(JSON.parse(String(row.data)) as object) })
  }
  return storage
}

it('reads the older file storage of OpenCode as the same session; one damaged file costs only itself', async () => {
  const storage = writeStorage()
  expect(await importSessions({ agent: 'opencode' })).toMatchObject({ sessions: { ...none, new: 1 }, errors: [] })
  const expected = expectedOf('opencode')
  const trace = app.traces.trace(idOf('opencode'))
  expect(trace).toMatchObject({
    cwd: '/home/dev/project',
    counts: { prompts: expected.prompts, toolCalls: expected.toolCalls },
    tokens: { input: expected.tokens.input_without_cached, cacheRead: expected.tokens.cached },
  })
  expect(await importSessions({ paths: [storage] })).toMatchObject({ sessions: { ...none, unchanged: 1 }, errors: [] })
  const parts = path.join(storage, 'part', fs.readdirSync(path.join(storage, 'part')).at(-1)!)
  fs.writeFileSync(path.join(parts, fs.readdirSync(parts).at(-1)!), '{"type":"te\0\0\0')
  expect(await importSessions({ paths: [storage] })).toMatchObject({ sessions: { ...none, grown: 1 } })
  expect(app.traces.trace(idOf('opencode'))).toMatchObject({ problems: 1, counts: trace.counts })
})

const LATER = Date.parse('2026-05-01T10:00:00Z')
const codexLines = (id: string, from: number, records: [string, object][]) =>
  records
    .map(([type, payload], index) =>
      JSON.stringify({
        timestamp: new Date(from + index * 1000).toISOString(),
        type,
        payload: { ...payload, ...(type === 'session_meta' && { id }) },
      }),
    )
    .join('\n')
const spoken = (role: string, text: string): [string, object] => [
  'response_item',
  { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] },
]
const spent = (total: number, last: number): [string, object] => {
  const of = (input: number) => ({ input_tokens: input, cached_input_tokens: 0, output_tokens: input / 10, total_tokens: input * 1.1 })
  return ['event_msg', { type: 'token_count', info: { total_token_usage: of(total), last_token_usage: of(last) } }]
}

it('counts what a fork of a Codex session repeats once over the archive, and as one family', async () => {
  const folder = path.join(root, '.codex/sessions/2026/05/01')
  fs.mkdirSync(folder, { recursive: true })
  const meta: [string, object] = ['session_meta', { cwd: '/home/dev/app' }]
  const first = [
    spoken('user', 'Fix it'),
    spoken('assistant', 'Fixed.'),
    spent(1000, 1000),
    spent(1000, 1000),
    spoken('user', 'Fix it'),
    spent(3000, 2000),
  ]
  const [parent, fork] = ['01970000-0000-7000-8000-00000000000a', '01970000-0000-7000-8000-00000000000b']
  fs.writeFileSync(path.join(folder, `rollout-${parent}.jsonl`), codexLines(parent, LATER, [meta, ...first]))
  const own = codexLines(fork, LATER + 9e6, [['session_meta', { cwd: '/home/dev/app', forked_from_id: parent }]])
  const copied = codexLines(parent, LATER + 9e6, [meta, ...first, spoken('user', 'Document it'), spent(4000, 1000)])
  fs.writeFileSync(path.join(folder, `rollout-${fork}.jsonl`), `${own}\n${copied}\n`)
  expect(await importSessions({ agent: 'codex' })).toMatchObject({ sessions: { ...none, new: 2 }, errors: [] })
  const { tokens, prompts } = await app.traces.stats()
  expect({ input: tokens.input, output: tokens.output, prompts }).toEqual({ input: 4000, output: 400, prompts: 3 })
  expect(await app.traces.families()).toHaveLength(1)
  expect(app.traces.trace(traceId('codex', fork))).toMatchObject({ tokens: { input: 4000 }, counts: { prompts: 3 } })
})

const OLD_ITEMS = [
  {
    type: 'message',
    id: null,
    role: 'user',
    content: [{ type: 'input_text', text: '<environment_context>\nCurrent working directory: /home/dev/old\n' }],
  },
  { type: 'message', id: null, role: 'user', content: [{ type: 'input_text', text: 'List the files' }] },
  { type: 'function_call', name: 'shell', arguments: '{"command":["bash","-lc","ls"]}', call_id: 'call_1' },
  { type: 'function_call_output', call_id: 'call_1', output: '{"output":"a.txt\\n","metadata":{"exit_code":0}}' },
]
const OLD_HEAD = { id: '0d5b0000-0000-4000-8000-000000000001', timestamp: '2025-08-01T10:00:00.000Z', instructions: null }

it.each([
  [
    'lines without an envelope',
    'rollout-2025-08-01T10-00-00-0d5b.jsonl',
    [OLD_HEAD, { record_type: 'state' }, ...OLD_ITEMS].map((line) => JSON.stringify(line)).join('\n'),
  ],
  ['one document', 'rollout-2025-04-18-0d5b.json', JSON.stringify({ session: OLD_HEAD, items: OLD_ITEMS })],
])('reads Codex rollouts of 2025: %s', async (_, name, text) => {
  const folder = path.join(root, '.codex/sessions/2025')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, name), text)
  expect(await importSessions({ agent: 'codex' })).toMatchObject({ sessions: { ...none, new: 1 }, errors: [] })
  const id = traceId('codex', OLD_HEAD.id)
  expect(app.traces.trace(id)).toMatchObject({
    cwd: '/home/dev/old',
    title: 'List the files',
    counts: { prompts: 1, toolCalls: 1, failedToolCalls: 0 },
  })
  expect((await app.traces.steps(id, undefined, 10)).items[0]).toMatchObject({ command: 'ls', exitCode: 0, output: 'a.txt\n' })
})

it('excludes an old Codex rollout by the folder that its context names', async () => {
  excluded = ['/home/dev/old']
  const folder = path.join(root, '.codex/sessions')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'rollout-2025-04-18-0d5b.json'), JSON.stringify({ session: OLD_HEAD, items: OLD_ITEMS }))
  expect(await importSessions({ agent: 'codex' })).toMatchObject({ sessions: none })
})

it('a session file in which nothing was said is no session', async () => {
  const folder = path.join(root, '.codex/sessions')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(
    path.join(folder, 'rollout-x.jsonl'),
    codexLines('01970000-0000-7000-8000-00000000000c', LATER, [['session_meta', { cwd: '/x' }]]),
  )
  await importSessions({ agent: 'codex' })
  expect((await app.list()).total).toBe(0)
})
