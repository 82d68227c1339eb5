import { afterEach, expect, test } from 'vitest'
import type { DeriveOutput } from './derived.ts'
import { createDeriving } from './deriving.ts'
import { createDecisions } from './decisions/service.ts'
import { createDecisionStore } from './decisions/store.ts'
import { entryValues } from './rows.ts'
import { createSessions } from './sessions.ts'
import { createTraceStore } from './store.ts'
import { openCore } from '#server/testing/core.ts'
import { packed, testChange, testEntry, testId, testOutput } from './testing.ts'
import type { TestSession } from './testing.ts'

const NOW = 1_770_000_000_000
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

function open() {
  const core = openCore({ now: () => NOW })
  const store = createTraceStore(core.db)
  const decisionStore = createDecisionStore(core.db, core.now)
  const decisions = createDecisions(core, store, decisionStore)
  const sessions = createSessions(core, store, () => null)
  const answers = new Map<string, DeriveOutput>()
  const deriving = createDeriving({
    core,
    store,
    sessions,
    analysers: [],
    onDerived: () => {},
    prices: () => [],
    applyTier: decisions.applyTier,
    derive: async (input) => answers.get(input.traceId)!,
    onWritten: () => {},
  })
  closers.push(async () => {
    await deriving.close()
    sessions.close()
    await core.close()
  })
  const derive = (session: TestSession, reason: 'live' | 'import' = 'import') => {
    answers.set(testId(session.session), packed(testOutput(session)).output)
    return deriving.onArchived(testChange(session.session, { reason, jobId: reason === 'import' ? 'job' : null }))
  }
  return { core, store, decisions, derive, deriving }
}

test('a derived session has its counts and cost', async () => {
  const { store, derive } = open()
  expect(await derive({ session: 'a' })).toEqual({ records: 3, steps: 3, errors: [] })
  const trace = store.trace(testId('a'))
  expect(trace).toMatchObject({
    repo: 'api',
    counts: { toolCalls: 3 },
    tokens: { input: 1000, output: 200 },
    tier: 'pending',
    turnCount: 1,
  })
  expect(trace.costUsd).toBeCloseTo(0.003 + 0.003, 9)
})

test('deriving again rewrites no row and publishes nothing', async () => {
  const { core, store, derive } = open()
  await derive({ session: 'a' })
  const rows = () => core.db.prepare('SELECT rowid, rev, * FROM entries ORDER BY rowid').all()
  const before = rows()
  const messageCount = core.messages.length
  await derive({ session: 'a' })
  expect(rows()).toEqual(before)
  expect(core.messages.length).toBe(messageCount)
  expect(store.countSteps(store.require(testId('a')))).toBe(3)
})

test('a long session is written in slices and shown only when complete', async () => {
  const { core, store, derive } = open()
  const id = testId('long')
  const entries = Array.from({ length: 3000 }, (_, index) => testEntry(id, index + 1))
  const visibleCounts = new Set<number>()
  const watch = setInterval(() => {
    const row = store.find(id)
    visibleCounts.add(row ? store.countSteps(row) : 0)
  }, 0)
  await derive({ session: 'long', entries: entries.slice(0, 1800) })
  await derive({ session: 'long', entries, version: 'v2' })
  clearInterval(watch)
  expect([...visibleCounts].filter((count) => ![0, 1800, 3000].includes(count))).toEqual([])
  expect(store.countSteps(store.require(id))).toBe(3000)
  expect(core.db.prepare('SELECT index_pending AS n FROM traces').get()).toEqual({ n: 3000 })
})

test('on a full disk every session of a transaction fails for that reason, and all are written once there is space', async () => {
  const { core, store, derive } = open()
  const sessions = ['a', 'b', 'c'].map((session) => ({
    session,
    entries: Array.from({ length: 60 }, (_, index) => testEntry(testId(session), index + 1, { label: 'x'.repeat(400) })),
  }))
  const [{ page_count: pages }] = core.db.pragma('page_count') as [{ page_count: number }]
  core.db.pragma(`max_page_count = ${pages}`)
  const outcomes = await Promise.allSettled(sessions.map((session) => derive(session)))
  expect(outcomes.map((one) => one.status === 'rejected' && (one.reason as { code?: string }).code)).toEqual(Array(3).fill('SQLITE_FULL'))
  core.db.pragma('max_page_count = 4294967294')
  await Promise.all(sessions.map((session) => derive(session)))
  expect(sessions.map(({ session }) => store.countSteps(store.require(testId(session))))).toEqual([60, 60, 60])
})

test('deletes rows that the reader no longer returns, also from search', async () => {
  const { core, store, derive } = open()
  const id = testId('a')
  await derive({ session: 'a', entries: [1, 2, 3].map((index) => testEntry(id, index)) })
  await derive({ session: 'a', entries: [1, 3].map((index) => testEntry(id, index)) })
  expect(store.steps(store.require(id), '', 10).map((step) => step.seq)).toEqual([1, 3])
  expect(core.db.prepare('SELECT rowid FROM search_gone').all()).toHaveLength(1)
})

test('entries of an interrupted write are deleted, and those of complete sessions kept', async () => {
  const { core, store, derive } = open()
  await derive({ session: 'a' })
  core.tx(() => store.insertEntries(store.reserveNo(), 1, [entryValues(testId('cut'), testEntry(testId('cut'), 1))]))
  expect(store.sweep()).toBe(1)
  expect(core.db.prepare('SELECT count(*) AS n FROM entries').get()).toEqual({ n: 3 })
})

test('sessions of an import are published as one batch per transaction, a watched session separately', async () => {
  const { core, derive } = open()
  await Promise.all(['a', 'b', 'c'].map((session) => derive({ session })))
  expect(core.messages.map(({ type, payload }) => [type, 'added' in payload ? payload.added.length : 0])).toEqual([['trace:batch', 3]])
  await derive({ session: 'd' }, 'live')
  await derive({ session: 'd', trace: { title: 'Renamed' } }, 'live')
  expect(core.messages.slice(1).map(({ type }) => type)).toEqual(['trace:added', 'trace:updated'])
})

test('undo reverts any number of decisions, and the history keeps all', async () => {
  const { core, store, decisions, derive } = open()
  const id = testId('a')
  await derive({ session: 'a' })
  core.tx(() =>
    decisions.setPolicyScore(id, {
      tier: 'silver',
      quality: 0.6,
      successRate: 0.8,
      verification: 'none',
      tierReason: 'no run',
      scoreVersion: 1,
    }),
  )
  const gold = decisions.set(id, 'gold', 'user', 'clean work').decisionId
  decisions.set(id, 'failed', 'user', null)
  const unset = decisions.set(id, null, 'user', null).decisionId
  const tiers = [store.trace(id)]
  for (const decisionId of [unset, undefined, gold]) tiers.push(decisions.undo(id, 'user', decisionId))
  expect(tiers.map(({ tier, tierSource }) => `${tier} ${tierSource}`)).toEqual([
    'silver policy',
    'failed user',
    'gold user',
    'silver policy',
  ])
  expect(() => decisions.undo(id, 'user')).toThrow(/no decision on this trace to undo/)
  expect(decisions.history(id).map(({ tier, from, why }) => [tier, from, why])).toEqual([
    [null, 'failed', null],
    ['failed', 'gold', null],
    ['gold', 'silver', 'clean work'],
  ])
  expect(core.messages.map(({ type }) => type).filter((type) => type !== 'trace:batch')).toEqual([
    'trace:promoted',
    'trace:demoted',
    'trace:promoted',
    'trace:demoted',
    'trace:promoted',
    'trace:demoted',
  ])
})

test('a window undoes its own decision, not a later equal one of another window', async () => {
  const { core, decisions, derive } = open()
  const id = testId('a')
  await derive({ session: 'a' })
  const own = decisions.set(id, 'gold', 'user', null).decisionId
  const other = decisions.set(id, 'gold', 'user', 'Looked at it as well').decisionId
  const messageCount = core.messages.length
  expect(() => decisions.undo(id, 'user', own)).toThrow(/has since set this trace to gold/)
  expect(core.messages).toHaveLength(messageCount)
  decisions.undo(id, 'user', other)
  decisions.undo(id, 'user')
  expect(() => decisions.undo(id, 'user', own)).toThrow(/no decision on this trace to undo|already undid/)
  decisions.set(id, null, 'user', null)
  expect(() => decisions.undo(id, 'user', own)).toThrow(/Another window or command already undid this decision/)
})

test('a bulk action is undone as one, including tags', async () => {
  const { store, decisions, derive } = open()
  await Promise.all(['a', 'b'].map((session) => derive({ session })))
  const ids = ['a', 'b'].map(testId)
  decisions.changeTags(ids[0]!, { addTags: ['kept'] }, 'user')
  const tiers = decisions.bulk(ids, { action: 'tier', tier: 'gold' }, 'user')
  const tags = decisions.bulk(ids, { action: 'add-tag', tag: 'kept' }, 'user')
  expect([tiers.changed, tags.changed]).toEqual([2, 1])
  decisions.undoBulk(tags.bulkId, 'user')
  decisions.undoBulk(tiers.bulkId, 'user')
  expect(ids.map((id) => [store.trace(id).tier, store.trace(id).tags])).toEqual([
    ['pending', ['kept']],
    ['pending', []],
  ])
  expect(() => decisions.undoBulk(tags.bulkId, 'user')).toThrow(/no bulk change to undo/)
})

test('a large bulk action is published as one batch, and so is its undo', async () => {
  const { core, decisions, derive } = open()
  const sessions = Array.from({ length: 201 }, (_, index) => `s${index}`)
  await Promise.all(sessions.map((session) => derive({ session })))
  const messageCount = core.messages.length
  const { bulkId } = decisions.bulk(sessions.map(testId), { action: 'tier', tier: 'gold' }, 'user')
  decisions.undoBulk(bulkId, 'user')
  expect(core.messages.slice(messageCount).map(({ type, payload }) => [type, 'updated' in payload ? payload.updated.length : 0])).toEqual([
    ['trace:batch', 201],
    ['trace:batch', 201],
  ])
})
