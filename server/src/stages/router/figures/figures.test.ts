import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Student } from '#contracts/entities/router.ts'
import type { Passed } from '#server/adapters/llm-proxy/index.ts'
import { CLIENT_ENDED } from '#server/adapters/llm-proxy/index.ts'
import { RouterSettings } from '#contracts/settings/router.ts'
import { openCore } from '#server/testing/core.ts'
import { traceId } from '../../capture/index.ts'
import { addSessions, addVerdict } from '../../loop/testing-sessions.ts'
import type { RouteChoice } from '../proxy/conversations.ts'
import { createDecisions } from '../proxy/store.ts'
import { createDrift } from '../routing/drift.ts'
import { createRouting } from '../routing/service.ts'
import { costOfAnswer } from './cost.ts'
import { readFigures } from './read.ts'

const PRICES = [{ model: 'claude-unit', inputPerMTok: 1, outputPerMTok: 0, cacheReadPerMTok: 0.1, cacheWritePerMTok: 1 }]
const MILLION = 1_000_000
let core: ReturnType<typeof openCore>
let decisions: ReturnType<typeof createDecisions>

beforeEach(() => {
  core = openCore()
  decisions = createDecisions(core, { prices: () => PRICES, studentUsd: () => 0 })
})
afterEach(() => core.close())

const HERE = { id: 'm', name: 'Mine', isProven: true }
const student = (more: Partial<RouteChoice> = {}): RouteChoice => ({
  to: 'student',
  cause: 'strategy',
  reason: '',
  strategy: 'confidence_based',
  student: HERE,
  confidence: 0.75,
  complexity: 0,
  isAsked: true,
  fallback: false,
  ...more,
})
function add(session: string, choice: RouteChoice | null, more: Partial<Passed> = {}) {
  const usage = { input: MILLION, output: 0, cacheRead: null, cacheWrite: null }
  return decisions.add(
    {
      at: core.now(),
      path: '/v1/messages',
      session,
      agent: null,
      model: choice?.student && !choice.fallback ? 'gym-mine' : 'claude-unit',
      status: 200,
      firstByteMs: 10,
      ms: 100,
      usage,
      asksForCheck: null,
      error: null,
      ...more,
    },
    choice,
    'claude-unit',
  )
}
const sessions = (verification: string, ...names: string[]) =>
  addSessions(
    core.db,
    names.map((name) => ({ id: traceId('claude-code', name), tier: 'gold', verification })),
  )
const figures = () => readFigures(core.db, core.now())
const outcomes = () => decisions.list(undefined, 100, {}).items.map(({ outcome }) => outcome)

test('a decision has the outcome of its session, and one that was reported of itself before that', () => {
  sessions('passed', 'a')
  sessions('failed', 'b')
  sessions('none', 'c')
  for (const session of ['a', 'b', 'c', 'not captured']) add(session, student())
  core.db.prepare('UPDATE traces SET quality = .82 WHERE id = ?').run(traceId('claude-code', 'c'))
  expect(outcomes()).toEqual([null, { value: 0.82, from: 'score' }, { value: 0, from: 'verification' }, { value: 1, from: 'verification' }])
  core.db.prepare('INSERT INTO trace_answer_scores (trace_id, score) VALUES (?, .5)').run(traceId('claude-code', 'c'))
  const [last] = decisions.list(undefined, 1, {}).items
  expect(decisions.report(last!.id!, 0)).toMatchObject({ outcome: { value: 0, from: 'report' }, traceId: null })
  expect(outcomes().slice(0, 2)).toEqual([
    { value: 0, from: 'report' },
    { value: 0.5, from: 'grade' },
  ])
  for (const id of ['999', 'x']) expect(() => decisions.report(id, 1)).toThrow('There is no such decision')
})

test('a job that the student was asked for in vain is counted once: as paid for, with nothing saved and no time of Claude', () => {
  add('a', student())
  const again = add('a', student())
  // of the second request all but nothing is new: it would have been read from the cache of Claude
  expect([again.costUsd, again.teacherUsd]).toEqual([0, 0.1])
  const lost = add('b', student({ to: 'teacher', fallback: true }), { ms: 120_000 })
  expect(lost).toMatchObject({ selectedModel: 'teacher', fallback: true, costUsd: 1, teacherUsd: null })
  add('c', null, { ms: 300 })
  const { requests, student: counts, saved, pictures } = figures()
  expect([requests, counts, saved]).toEqual([4, { answers: 2, failed: 0, fallbacks: 1 }, { usd: 1.1, answers: 2, unpriced: 0 }])
  expect(pictures.byModel).toEqual([
    {
      model: 'gym-mine',
      name: 'Mine',
      isStudent: true,
      requests: 2,
      firstTokenMs: { p50: 10, p95: 10 },
      latencyMs: { p50: 100, p95: 100 },
    },
    {
      model: 'claude-unit',
      name: 'claude-unit',
      isStudent: false,
      requests: 1,
      firstTokenMs: { p50: 10, p95: 10 },
      latencyMs: { p50: 300, p95: 300 },
    },
  ])
  expect(pictures.unit).toBe('hour')
  const sums = pictures.over.reduce(
    (all, { teacher, student: own, fallbacks }) => [all[0]! + teacher, all[1]! + own, all[2]! + fallbacks],
    [0, 0, 0],
  )
  expect(sums).toEqual([1, 2, 1])
  for (const [by, n] of [
    ['teacher', 1],
    ['student', 2],
    ['fallback', 1],
  ] as const)
    expect(decisions.list(undefined, 10, { by }).total).toBe(n)
  expect(decisions.list(undefined, 10, { model: 'claude-unit', from: new Date(core.now() - 60_000).toISOString() }).items).toHaveLength(2)
})

test('the confidence of decisions is held against sessions that the student answered alone; each counts once', () => {
  const names = Array.from({ length: 10 }, (_, no) => `s${no}`)
  sessions('passed', ...names.slice(0, 8))
  sessions('failed', ...names.slice(8))
  for (const name of names) for (let request = 0; request < 3; request++) add(name, student())
  add('s0', student({ to: 'teacher', fallback: true })) // then Claude took over
  add('s1', { ...student({ to: 'teacher', cause: 'safety' }), student: null }) // a check of the client
  expect(figures().pictures.calibration).toEqual([
    { tenth: 7, confidence: 0.75, n: 9, right: 7, low: expect.closeTo(0.4526, 3) as number, high: expect.closeTo(0.9368, 3) as number },
  ])
  expect(decisions.list(undefined, 100, { tenth: 7 }).total).toBe(27)
  expect(decisions.list(undefined, 100, { tenth: 6 }).total).toBe(0)
})

test('the confidence of a kind of task counts the exam and what was measured at work', async () => {
  const settings = RouterSettings.parse({ override: 'x' })
  const chosen = { modelId: 'm', label: 'Mine', certificate: null, evidenceSince: null, unprovenClient: null, isUsable: true } as Student
  const proxy = async () => ({ isOn: false, address: null, upstream: '', problem: null, unchecked: [] })
  const routing = () => createRouting(core, { settings: () => settings, student: () => chosen, forced: null, proxy })
  const decide = () => routing().decide({ prompt: 'fix typo' })
  expect(decide()).toMatchObject({
    confidence: null,
    evidence: null,
    selectedModel: 'teacher',
    reason: expect.stringContaining('No data yet') as string,
  })
  const names = Array.from({ length: 20 }, (_, no) => `s${no}`)
  sessions('passed', ...names)
  for (const name of names) add(name, student())
  expect((await routing().status()).evidence).toEqual([
    expect.objectContaining({ kind: 'solved_tasks', passed: 20, items: 20, run: null, used: { passed: 20, items: 20 } }),
  ])
  expect(decide()).toMatchObject({ selectedModel: 'student', confidence: expect.closeTo(0.8389, 3) as number })

  // an exam of calls says more than some sessions, whichever kind they are
  const items = Array.from({ length: 20 }, (_, no) => ({ id: String(no), base: 0, candidate: no < 10 ? 1 : 0 }))
  addVerdict(core.db, 'm', 'not_proven', 1, { items, sessions: 20, forms: { metric: 'next_call.soft' } })
  expect((await routing().reported(decisions.report('1', 1))).evidence).toEqual([
    expect.objectContaining({ kind: 'next_calls', passed: 11, items: 21, sessions: 21, used: { passed: 1, items: 1 } }),
    expect.objectContaining({ kind: 'solved_tasks', passed: 20, run: null }),
  ])
  expect(decide().selectedModel).toBe('teacher')
  expect(routing().examsOf('m')).toMatchObject([{ kind: 'next_calls', passed: 10, items: 20 }])
})

test('an answer that the client did not wait for is no failure of the student', () => {
  const drift = createDrift(core, () => 0.7)
  for (let no = 0; no < 20; no++) add(`s${no}`, student(), { error: CLIENT_ENDED, status: null })
  drift.look('m', 'Mine')
  expect(drift.open('m')).toBeNull()
  expect(figures().student).toEqual({ answers: 0, failed: 0, fallbacks: 0 })
  for (let no = 0; no < 20; no++) add(`t${no}`, student(), { error: 'It broke.', status: 500 })
  drift.look('m', 'Mine')
  expect(drift.open('m')?.reason).toContain('20 of 20 requests')
})

test('an hour of cache costs more than five minutes of it', () => {
  const written = { input: MILLION, output: 0, cacheRead: null, cacheWrite: MILLION }
  const hour = costOfAnswer('claude-opus-4-5', { ...written, cacheWrite1h: MILLION }, [])!
  expect(hour / costOfAnswer('claude-opus-4-5', written, [])!).toBeCloseTo(2 / 1.25)
  expect(costOfAnswer('claude-opus-4-5', written, [], 'own')).toBeNull()
})

test('nothing is drawn of nothing', () => {
  expect(figures()).toMatchObject({
    requests: 0,
    saved: { usd: null, answers: 0, unpriced: 0 },
    latencyMs: null,
    pictures: { over: [], byModel: [], calibration: [] },
  })
})
