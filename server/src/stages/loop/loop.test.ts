import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { createLists } from '../traces/list.ts'
import { readLoop, withShares } from './read.ts'
import { addDataSet, addModel, addSessions, addVerdict } from './testing-sessions.ts'

let core: TestCore
beforeEach(() => (core = openCore()))
afterEach(() => core.close())

const lists = () => createLists(core, async () => undefined)
const loop = () => readLoop(lists())
const counts = async () => Object.fromEntries((await loop()).stages.map(({ id, sessions }) => [id, sessions]))
const ids = (letter: string, count: number) => Array.from({ length: count }, (_, index) => `${letter}${index}`)

test('an empty archive is 0 everywhere, and asks for nothing', async () => {
  const { stages, arrows, next } = await loop()
  expect(stages.map(({ id, sessions }) => [id, sessions])).toEqual([
    ['captured', 0],
    ['decided', 0],
    ['dataset', 0],
    ['trained', 0],
    ['proven', 0],
    ['used', 0],
  ])
  expect(arrows.every(({ share, isNarrowest }) => share === null && !isNarrowest)).toBe(true)
  expect(next).toBeNull()
})

test('each stage and arrow counts exactly the sessions that its query lists, and the narrowest arrow is marked', async () => {
  addSessions(core.db, [
    ...ids('g', 6).map((id) => ({ id, tier: 'gold' })),
    ...ids('u', 2).map((id) => ({ id, tier: 'gold', verification: 'none' })),
    ...ids('p', 2).map((id) => ({ id, tier: 'pending', verification: 'none' })),
    { id: 'run', tier: 'gold' },
  ])
  core.db.prepare("INSERT INTO trace_runs (trace_id, task_id, title) VALUES ('run', 't', '')").run()
  addDataSet(
    core.db,
    'a',
    [
      { id: 'g0', split: 'train' },
      { id: 'g1', split: 'val' },
      { id: 'g2', split: 'test' },
      { id: 'run', split: 'train' },
    ],
    1000,
  )
  addDataSet(core.db, 'b', [{ id: 'g3', split: 'train' }], 2000)
  addDataSet(core.db, 'gone', [{ id: 'g4', split: 'train' }], 3000)
  core.db.prepare("UPDATE datasets SET removed_at = 1 WHERE id = 'gone'").run()
  addModel(core.db, 'm', { datasetId: 'a', mix: [{ datasetId: 'b' }] }, 4000)
  addModel(core.db, 'older', { datasetId: null }, 500)

  core.db.prepare("INSERT INTO students (name, model_id, label, at) VALUES ('gym-m', 'm', 'Mine', 1)").run()
  const answered = core.db.prepare(
    `INSERT INTO entries (trace, id, rev, ord, kind, agent, is_error, answered, edits, output_bytes, location, shared, model)
     SELECT no, ?, 1, ?, 'text', 'a', 0, 1, 0, 0, '[]', 0, ? FROM traces WHERE id = ?`,
  )
  const texts = { p0: ['gym-m', 'gym-m'], p1: ['gym-stranger'], g0: ['claude-x'], run: ['gym-m'] }
  for (const [id, names] of Object.entries(texts))
    for (const [no, name] of names.entries()) answered.run(`${id}${no}`, `${id}${no}`, name, id)
  const step = core.db.prepare("INSERT INTO mod_steps (at, model_id, agent, ms, failed) VALUES (?, 'm', 'a', 1, ?)")
  for (const at of [5000, 6000, 7000]) step.run(at, at === 7000 ? 1 : 0)
  const passed = core.db.prepare('INSERT INTO route_decisions (at, ms, student_id, fallback) VALUES (?, 1, ?, ?)')
  passed.run(6500, 'm', 0)
  passed.run(8000, 'm', 1) // Claude answered
  passed.run(9000, null, 0)

  const { stages, arrows, next } = await loop()
  expect(stages.at(-1)).toMatchObject({ query: 'is:used -is:run', newestAt: new Date(6500).toISOString() })
  expect(stages.map(({ id, sessions, things }) => [id, sessions, things?.count ?? null])).toEqual([
    ['captured', 10, null],
    ['decided', 8, null],
    ['dataset', 4, 2],
    ['trained', 3, 2],
    ['proven', 0, 0],
    ['used', 1, 3],
  ])
  expect(stages.map(({ newestAt }) => newestAt).slice(2, 5)).toEqual([new Date(2000).toISOString(), new Date(4000).toISOString(), null])
  const queried = [...stages, ...arrows].flatMap(({ query, sessions }) => (query === null ? [] : [{ query, sessions }]))
  const counted = await Promise.all(queried.map(async ({ query }) => ({ query, sessions: await lists().count({ q: query }) })))
  expect(counted).toEqual(queried)
  expect(arrows.map(({ share }) => share)).toEqual([0.8, 0.5, 0.75, 0, null])
  expect(arrows.find(({ isNarrowest }) => isNarrowest)).toMatchObject({ from: 'trained', to: 'proven' })
  expect(next).toMatchObject({ rule: 'prove', href: '/evaluator?model=m' })
})

test('a model is proven while its newest verdict is that it is better', async () => {
  addSessions(core.db, [{ id: 'g', tier: 'gold' }])
  addDataSet(core.db, 'a', [{ id: 'g', split: 'train' }], 1)
  addModel(core.db, 'm', { datasetId: 'a' }, 2)
  addVerdict(core.db, 'm', 'ship', 3)
  expect(await counts()).toMatchObject({ trained: 1, proven: 1 })
  expect((await loop()).next).toMatchObject({ rule: 'use', href: '/models/m' })
  core.db.prepare("INSERT INTO model_answers (model_no, at, device, ms, tokens) VALUES (1, 4, 'cpu', 1, 1)").run()
  expect((await loop()).next).toBeNull()
  addVerdict(core.db, 'm', 'worse', 5)
  expect(await counts()).toMatchObject({ trained: 1, proven: 0 })
})

test('what the policy is unsure of is triaged last: pending sessions and gold without a check, but not what the user decided', async () => {
  addSessions(core.db, [
    { id: 'p', tier: 'pending', verification: 'none' },
    { id: 'u', tier: 'gold', verification: 'none' },
    { id: 'mine', tier: 'gold', verification: 'none', source: 'user' },
    { id: 'b', tier: 'bronze', verification: 'none' },
  ])
  addDataSet(core.db, 'a', [{ id: 'mine', split: 'train' }], 1)
  addModel(core.db, 'm', { datasetId: 'a' }, 2)
  addVerdict(core.db, 'm', 'not_proven', 3)
  expect((await loop()).next).toMatchObject({ rule: 'triage', count: 2 })
})

test('arrows that keep every session are not marked as narrow', () => {
  const arrow = { from: 'captured', to: 'decided', query: '', sessions: 4 } as const
  expect(withShares([arrow], new Map([['captured', 4]]))).toMatchObject([{ share: 1, isNarrowest: false }])
})
