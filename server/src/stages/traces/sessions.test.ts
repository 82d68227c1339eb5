import { afterEach, expect, test } from 'vitest'
import { createSessions } from './sessions.ts'
import type { ClientState } from '#server/stages/capture/index.ts'
import type { ArchiveChange } from '#server/stages/capture/types.ts'
import { createTraceStore } from './store.ts'
import { openCore } from '#server/testing/core.ts'
import { testChange, testEntry, testId, testOutput } from './testing.ts'
import type { TestSession } from './testing.ts'
import { writeWhole } from './write.ts'

const START = 1_770_000_000_000
const MINUTE = 60_000
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

function open({ client = null, aheadMs = 0 }: { client?: ClientState | null; aheadMs?: number } = {}) {
  const clock = { now: START, client }
  const core = openCore({ now: () => clock.now })
  const store = createTraceStore(core.db)
  const sessions = createSessions(core, store, () => clock.client)
  closers.push(
    async () => sessions.close(),
    () => core.close(),
  )
  const id = testId('a')
  const grow = (over: Partial<TestSession> = {}, reason: ArchiveChange['reason'] = 'live') => {
    const output = testOutput({ session: 'a', ...over, trace: { endedAt: clock.now + aheadMs, state: 'live', ...over.trace } })
    const hooks = { costOf: () => null, stateOf: sessions.stateOf, afterTrace: () => {} }
    core.tx(() => writeWhole(store, hooks, { change: { ...testChange('a'), reason }, output, since: null }))
  }
  const end = () => sessions.onSignal({ traceId: id, sessionId: 'a', event: 'SessionEnd', at: clock.now, payload: {} })
  return { core, clock, sessions, grow, end, state: () => store.trace(id).state }
}

test('a session is live while it grows, and ends with the end event of the client', () => {
  const { core, grow, end, state } = open()
  grow()
  expect(state()).toBe('live')
  end()
  expect(state()).toBe('ended')
  expect(core.messages.at(-1)).toMatchObject({ type: 'trace:updated', payload: { trace: { state: 'ended' } } })
})

test('a session that continues after its end is live again', () => {
  const { clock, grow, end, state } = open()
  grow()
  end()
  clock.now += MINUTE
  grow()
  expect(state()).toBe('live')
})

test('half an hour without activity ends a session, unless its process still runs', () => {
  for (const client of [null, { isRunning: true } as const]) {
    const { clock, sessions, grow, state } = open({ client })
    grow()
    clock.now += 29 * MINUTE
    sessions.sweep()
    expect(state()).toBe('live')
    clock.now += 2 * MINUTE
    sessions.sweep()
    expect(state()).toBe(client ? 'live' : 'ended')
  }
})

test('a session that stops during a call was interrupted', () => {
  const { clock, sessions, grow, state } = open()
  grow({ entries: [testEntry(testId('a'), 1), testEntry(testId('a'), 2, { answered: false, success: null, result: null })] })
  clock.now += 31 * MINUTE
  sessions.sweep()
  expect(state()).toBe('interrupted')
})

test('a session whose clock was set back is live while it grows, and ends after half an hour without activity', () => {
  const { clock, sessions, grow, state } = open({ aheadMs: 400 * 24 * 60 * MINUTE })
  grow({}, 'import')
  expect(state(), 'nothing shows that an old session still runs').toBe('ended')
  for (const _ of [1, 2]) {
    grow()
    clock.now += 29 * MINUTE
    sessions.sweep()
    expect(state()).toBe('live')
  }
  clock.now += 2 * MINUTE
  sessions.sweep()
  expect(state()).toBe('ended')
})

test('a session whose client ended without an end event was interrupted, half a minute after its last record', () => {
  const { clock, sessions, grow, state } = open({ client: { isRunning: true } })
  grow()
  clock.now += 1000
  clock.client = { isRunning: false, endedAt: clock.now }
  clock.now += 28_000
  sessions.sweep()
  expect(state()).toBe('live')
  clock.now += 2000
  sessions.sweep()
  expect(state(), 'though every call was answered').toBe('interrupted')
  clock.now += 31 * MINUTE
  grow({ trace: { endedAt: START, state: 'ended' } }, 'rebuild')
  expect(state(), 'after a rebuild too').toBe('interrupted')
})

test('a session continued by another process is live again', () => {
  const { clock, sessions, grow, state } = open({ client: { isRunning: false, endedAt: START } })
  grow()
  clock.now += MINUTE
  sessions.sweep()
  expect(state()).toBe('interrupted')
  grow()
  clock.now += MINUTE
  sessions.sweep()
  expect(state(), 'its last record is younger than the process that we knew').toBe('live')
})
