import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { SHORTFALLS } from './home.ts'
import { openCore } from '#server/testing/core.ts'
import { wireSamples } from './testing-samples.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

function open() {
  const core = openCore()
  const app = wireSamples(core)
  closers.push(
    () => core.close(),
    () => app.close(),
  )
  return app
}

test('samples are listed, opened and searched, and their bytes can be read', async () => {
  const { traces, importFolder, list } = open()
  const { sessions } = await importFolder()
  const all = await list()
  expect(all.total).toBe(sessions.new)
  const trace = all.items.find(({ counts }) => counts.toolCalls > 2)!
  const steps = await traces.steps(trace.id, undefined, 100)
  expect(steps.total).toBe(trace.counts.toolCalls)
  expect(steps.items.map(({ seq }) => seq)).toEqual(steps.items.map(({ seq }) => seq).toSorted((a, b) => a - b))
  const first = await traces.step(trace.id, steps.items[0]!.id)
  expect(first.tool).toBe(steps.items[0]!.tool)
  const { rev, total, rows } = traces.timeline(trace.id)
  expect(rows.length).toBeGreaterThanOrEqual(steps.total)
  expect(traces.timeline(trace.id, { since: rev })).toEqual({ rev, total, rows: [], nextCursor: null })
  const raw: Buffer[] = []
  for await (const bytes of traces.raw(trace.id, {}).stream) raw.push(Buffer.from(bytes))
  expect(Buffer.concat(raw).length).toBe(traces.detail(trace.id).raw.bytes)
  let tar = 0
  for await (const bytes of traces.raw(trace.id, { all: true }).stream) tar += bytes.length
  expect(tar % 512).toBe(0)

  await traces.settleSearch()
  expect(traces.searchStatus()).toBeNull()
  const command = steps.items.find((step) => step.command)?.command
  const word = /[a-z]{4,}/.exec(command ?? '')![0]
  expect((await list(`"${word}"`)).items.map(({ id }) => id)).toContain(trace.id)
  const [hit, ...others] = await traces.lists.hitLines(`tier:gold -other "${word}"`, [trace.id], new AbortController().signal)
  expect([hit!.traceId, hit!.line.match.toLowerCase(), others]).toEqual([trace.id, word, []])
  expect(await traces.lists.hitLines('tier:gold', [trace.id], new AbortController().signal)).toEqual([])
})

test('the timeline of a long session is paged, and changes since a revision can be read', async () => {
  const session = randomUUID()
  const record = (index: number, more: object) =>
    `${JSON.stringify({ uuid: `0000-${index}`, parentUuid: null, sessionId: session, isSidechain: false, cwd: '/work', version: '2.1.50', timestamp: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(), ...more })}\n`
  const user = (index: number, content: unknown) => record(index, { type: 'user', message: { role: 'user', content } })
  const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'make' } }
  const message = {
    id: 'msg_1',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [call],
    usage: { input_tokens: 1, output_tokens: 1 },
  }
  const folder = newFolder()
  const file = path.join(folder, `${session}.jsonl`)
  const prompts = Array.from({ length: 5998 }, (_, index) => user(index + 2, `Say ${index + 2}`))
  fs.writeFileSync(file, [user(0, 'Say 0'), record(1, { type: 'assistant', requestId: 'req_1', message }), ...prompts].join(''))
  const { traces, importFolder, list } = open()
  await importFolder(folder)
  const { id } = (await list()).items[0]!

  const first = traces.timeline(id)
  expect(first).toMatchObject({ total: 6000, rows: { length: 2500 } })
  expect(first.rows[1]).toMatchObject({ label: 'make', success: null })
  const second = traces.timeline(id, { cursor: first.nextCursor! })
  const third = traces.timeline(id, { cursor: second.nextCursor! })
  expect([second.rows.length, third.rows.length, third.nextCursor]).toEqual([2500, 1000, null])
  const labels = [first, second, third].flatMap(({ rows }) => rows.map(({ label }) => label))
  expect(labels).toEqual(['Say 0', 'make', ...prompts.map((_, index) => `Say ${index + 2}`)])

  fs.appendFileSync(file, user(6000, [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'made' }]))
  await importFolder(folder)
  const later = traces.timeline(id, { cursor: first.nextCursor! })
  const since = traces.timeline(id, { since: first.rev })
  expect(since.rows).toMatchObject([{ id: first.rows[1]!.id, success: true }])
  expect(later.rev).toBe(since.rev)
  expect(traces.timeline(id, { since: later.rev }).rows).toEqual([]) // the revision of the first page is the one to keep
  expect(() => traces.timeline(id, { cursor: 'nonsense' })).toThrow(expect.objectContaining({ code: 'invalid_request' }))
})

test('a cursor that is not a position in a session is refused, for steps and transcript', async () => {
  const { traces, importFolder, list } = open()
  await importFolder()
  const { id } = (await list()).items.find(({ counts }) => counts.toolCalls > 2)!
  const first = await traces.steps(id, undefined, 2)
  const next = await traces.steps(id, first.nextCursor!, 1)
  expect(next.items[0]!.seq).toBeGreaterThan(first.items[1]!.seq)
  for (const bad of ['nonsense', 'zzzzzzzz', `${first.nextCursor}0`, '~']) {
    const refused = { code: 'invalid_request', status: 400 }
    await expect(traces.steps(id, bad, 2)).rejects.toMatchObject(refused)
    await expect(traces.transcript(id, { cursor: bad, limit: 2 })).rejects.toMatchObject(refused)
    await expect(traces.transcript(id, { at: bad, limit: 2 })).rejects.toMatchObject(refused)
  }
})

test('tags that two windows add to a session are all kept', async () => {
  const { traces, importFolder, list } = open()
  await importFolder()
  const id = (await list('', 'title')).items[0]!.id
  traces.changeTags(id, { addTags: ['first'] }, 'user')
  traces.changeTags(id, { addTags: ['second'] }, 'user') // from a window that does not know the first
  expect(traces.changeTags(id, { addTags: ['third', 'third'], removeTags: ['second', 'never there'] }, 'user').tags).toEqual([
    'first',
    'third',
  ])
})

test('rebuild keeps user data and every id', async () => {
  const { core, traces, importFolder, list } = open()
  await importFolder()
  const ids = (await list('', 'title')).items.map(({ id }) => id)
  const [one, two] = ids as [string, string]
  traces.set(one, 'gold', 'user', 'kept')
  traces.changeTags(two, { addTags: ['kept'] }, 'user')
  traces.setNote(two, 'a note', 'user')
  const rows = () => core.db.prepare('SELECT id, ord, kind, label, location, result FROM entries ORDER BY trace, ord').all().length
  const before = { all: (await list('', 'title')).items, rows: rows(), epoch: core.events.epoch }
  await traces.rebuild({ signal: new AbortController().signal, progress: () => {} })
  expect((await list('', 'title')).items).toEqual(before.all)
  expect(rows()).toBe(before.rows)
  expect(core.events.epoch).not.toBe(before.epoch)
  expect(traces.trace(one)).toMatchObject({ tier: 'gold', tierSource: 'user' })
  expect(traces.trace(two)).toMatchObject({ tags: ['kept'], note: 'a note' })
})

test('a rebuild makes the same rows from the archive as the import', async () => {
  const { core, traces, importFolder } = open()
  await importFolder()
  const everything = () => [
    core.db.prepare(`SELECT t.id AS of, e.* FROM entries e JOIN traces t ON t.no = e.trace`).all(),
    core.db.prepare(`SELECT t.id AS of, r.* FROM responses r JOIN traces t ON t.no = r.trace`).all(),
    core.db.prepare(`SELECT t.id AS of, f.* FROM trace_facets f JOIN traces t ON t.no = f.trace`).all(),
    core.db.prepare(`SELECT t.id AS of, d.* FROM trace_details d JOIN traces t ON t.no = d.trace`).all(),
    core.db.prepare('SELECT * FROM traces').all(),
  ]
  // Numbers are assigned in the order of writing.
  const assignedColumns = new Set(['no', 'trace', 'rowid', 'rev', 'derived_version', 'index_pending', 'index_pending_bytes'])
  const rows = () =>
    everything()
      .flat()
      .map((row) => JSON.stringify(Object.entries(row as object).filter(([column]) => !assignedColumns.has(column))))
      .toSorted()
  const imported = rows()
  expect(imported.length).toBeGreaterThan(100)
  await traces.rebuild({ signal: new AbortController().signal, progress: () => {} })
  expect(rows()).toEqual(imported)
})

test('every count of Home is the total of its query', async () => {
  const { traces, importFolder, list } = open()
  await importFolder()
  const home = await traces.home()
  for (const one of home.shortfalls) expect([one.id, (await list(one.query)).total]).toEqual([one.id, one.count])
  expect((await list(home.inbox.query)).total).toBe(home.inbox.count)
  const none = SHORTFALLS.filter(({ id }) => !home.shortfalls.some((one) => one.id === id))
  for (const one of none) expect([one.id, (await list(one.query)).total]).toEqual([one.id, 0])
})

test('a deleted session is removed from lists, search and archive', async () => {
  const { core, traces, importFolder, list } = open()
  await importFolder()
  await traces.settleSearch()
  const { items, total } = await list()
  await traces.forget(items[0]!.id)
  expect((await list()).total).toBe(total - 1)
  await traces.settleSearch()
  expect(core.db.prepare('SELECT count(*) AS n FROM search_gone').get()).toEqual({ n: 0 })
  expect(core.messages.map(({ type }) => type)).toContain('trace:removed')
})
