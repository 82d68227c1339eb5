import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
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

test('samples are listed, opened, searched, and their bytes come back', async () => {
  const { traces, bring, list } = open()
  const { sessions } = await bring()
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
})

test('the timeline of a long session comes in parts, and what changes between them comes after', async () => {
  const session = randomUUID()
  const lines = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const uuid = `0000-${from + index}`
      const message = { role: 'user', content: `Say ${from + index}` }
      return `${JSON.stringify({ type: 'user', uuid, parentUuid: null, sessionId: session, isSidechain: false, cwd: '/work', version: '2.1.50', timestamp: new Date(Date.UTC(2026, 0, 1) + (from + index) * 1000).toISOString(), message })}\n`
    }).join('')
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-timeline-'))
  closers.push(() => fs.rmSync(folder, { recursive: true }))
  const file = path.join(folder, `${session}.jsonl`)
  const { traces, bring, list } = open()
  const whole = (id: string, since?: number, between = async () => {}) => follow(traces, id, since, between)
  fs.writeFileSync(file, lines(0, 6000))
  await bring(folder)
  const { id } = (await list()).items[0]!
  const all = await whole(id)
  expect(all.parts).toEqual([2500, 2500, 1000])
  expect(all.rows.map(({ label }) => label)).toEqual(Array.from({ length: 6000 }, (_, index) => `Say ${index}`))

  const torn = await whole(id, undefined, async () => {
    fs.appendFileSync(file, lines(6000, 10))
    await bring(folder)
  })
  const late = await whole(id, torn.rev)
  expect(late.total).toBe(6010)
  const known = new Map([...torn.rows, ...late.rows].map((row) => [row.id, row]))
  expect([...known.values()]).toEqual((await whole(id)).rows)
  expect(() => traces.timeline(id, { cursor: 'nonsense' })).toThrow(expect.objectContaining({ code: 'invalid_request' }))
})

/** All parts of a timeline as a client reads them; something happens `between` the first and the second. */
async function follow(traces: ReturnType<typeof open>['traces'], id: string, since: number | undefined, between: () => Promise<void>) {
  const first = traces.timeline(id, { since })
  const parts = [first]
  for (let part = first; part.nextCursor !== null; parts.push(part)) {
    if (part === first) await between()
    part = traces.timeline(id, { since, cursor: part.nextCursor })
  }
  return {
    rev: first.rev,
    total: parts.at(-1)!.total,
    parts: parts.map(({ rows }) => rows.length),
    rows: parts.flatMap(({ rows }) => rows),
  }
}

test('a cursor that is no place in a session is refused, for steps and transcript alike', async () => {
  const { traces, bring, list } = open()
  await bring()
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

test('two windows that change the tags of a session lose none', async () => {
  const { traces, bring, list } = open()
  await bring()
  const id = (await list('', 'title')).items[0]!.id
  traces.changeTags(id, { addTags: ['first'] }, 'user')
  traces.changeTags(id, { addTags: ['second'] }, 'user') // of a window that has not heard of the first
  expect(traces.changeTags(id, { addTags: ['third', 'third'], removeTags: ['second', 'never there'] }, 'user').tags).toEqual([
    'first',
    'third',
  ])
})

test('rebuild keeps what the user did, and every id', async () => {
  const { core, traces, bring, list } = open()
  await bring()
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

test('a rebuild makes the same rows of the archive as the import made beside it', async () => {
  const { core, traces, bring } = open()
  await bring()
  const everything = () => [
    core.db.prepare(`SELECT t.id AS of, e.* FROM entries e JOIN traces t ON t.no = e.trace`).all(),
    core.db.prepare(`SELECT t.id AS of, r.* FROM responses r JOIN traces t ON t.no = r.trace`).all(),
    core.db.prepare(`SELECT t.id AS of, f.* FROM trace_facets f JOIN traces t ON t.no = f.trace`).all(),
    core.db.prepare(`SELECT t.id AS of, d.* FROM trace_details d JOIN traces t ON t.no = d.trace`).all(),
    core.db.prepare('SELECT * FROM traces').all(),
  ]
  // Numbers that are given in the order of writing.
  const given = new Set(['no', 'trace', 'rowid', 'rev', 'derived_version', 'index_pending', 'index_pending_bytes'])
  const rows = () =>
    everything()
      .flat()
      .map((row) => JSON.stringify(Object.entries(row as object).filter(([column]) => !given.has(column))))
      .toSorted()
  const imported = rows()
  expect(imported.length).toBeGreaterThan(100)
  await traces.rebuild({ signal: new AbortController().signal, progress: () => {} })
  expect(rows()).toEqual(imported)
})

test('every count of Home is the total of its query', async () => {
  const { traces, bring, list } = open()
  await bring()
  const home = await traces.home()
  for (const one of home.shortfalls) expect([one.id, (await list(one.query)).total]).toEqual([one.id, one.count])
  expect((await list(home.inbox.query)).total).toBe(home.inbox.count)
  const none = SHORTFALLS.filter(({ id }) => !home.shortfalls.some((one) => one.id === id))
  for (const one of none) expect([one.id, (await list(one.query)).total]).toEqual([one.id, 0])
})

test('a forgotten session is gone from lists, search and archive', async () => {
  const { core, traces, bring, list } = open()
  await bring()
  await traces.settleSearch()
  const { items, total } = await list()
  await traces.forget(items[0]!.id)
  expect((await list()).total).toBe(total - 1)
  await traces.settleSearch()
  expect(core.db.prepare('SELECT count(*) AS n FROM search_gone').get()).toEqual({ n: 0 })
  expect(core.messages.at(-1)).toMatchObject({ type: 'trace:removed' })
})
