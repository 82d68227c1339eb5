import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnalyticsBy, AnalyticsRow } from '#contracts/entities/profile.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { createTraces } from './index.ts'
import { testChange, testEntry, testId, testOutput, type TestSession } from './testing.ts'

const DAY = 86_400_000
const MONDAY = Date.parse('2026-03-02T12:00:00Z')
const SONNET = 'claude-sonnet-4-5'
let core: TestCore
let traces: ReturnType<typeof createTraces>
const outputs = new Map<string, ReturnType<typeof testOutput>>()

/** Calls of one session by their durations in seconds; null: no result. */
const calls = (session: string, tool: string, seconds: readonly (number | null)[]) =>
  seconds.map((duration, index) =>
    testEntry(testId(session), index + 1, {
      tool,
      at: MONDAY,
      endedAt: duration === null ? null : MONDAY + duration * 1000,
      success: duration === null ? null : duration < 10,
    }),
  )
const tokens = (input: number) => ({ input, output: 10, cacheRead: 0, cacheWrite: 0 })

const SESSIONS: TestSession[] = [
  {
    session: 'a',
    entries: calls('a', 'Bash', [1, 2, 3, 10]),
    trace: { repo: 'api', startedAt: MONDAY, endedAt: MONDAY + 100_000, waitingMs: 40_000, tokensByModel: { [SONNET]: tokens(1000) } },
  },
  {
    session: 'b',
    entries: calls('b', 'Bash', [4, null]),
    trace: {
      repo: 'API',
      startedAt: MONDAY + 6 * DAY,
      endedAt: MONDAY + 6 * DAY + 50_000,
      waitingMs: 0,
      tokensByModel: { [SONNET]: tokens(500), 'some-model': tokens(7) },
    },
  },
  {
    session: 'c',
    entries: calls('c', 'Read', [-1]),
    trace: { repo: null, startedAt: null, endedAt: null, waitingMs: null, tokensByModel: {} },
  },
]

const withModels = (one: TestSession): TestSession => ({ ...one, trace: { ...one.trace, models: Object.keys(one.trace!.tokensByModel!) } })

beforeAll(async () => {
  core = openCore()
  for (const one of SESSIONS) outputs.set(testId(one.session), testOutput(withModels(one)))
  traces = createTraces(core, {
    capture: {
      rebuildSources: async () => ({ traces: 0, problems: [], damaged: [] }),
      markDerived: () => {},
      derivePending: async () => ({ records: 0, steps: 0, errors: [] }),
      forget: async () => {},
      totals: () => ({ bytes: 1, rawBytes: 2 }),
    },
    analysers: [],
    onDerived: () => {},
    getScore: () => null,
    prices: () => [],
    derive: async ({ traceId }) => outputs.get(traceId)!,
  })
  for (const { session } of SESSIONS) await traces.onArchived(testChange(session, { reason: 'import' }))
})
afterAll(async () => {
  await traces.close()
  await core.close()
})

async function rows<Field extends keyof AnalyticsRow>(by: AnalyticsBy, q: string, fields: readonly Field[]) {
  const { items } = await traces.analytics(by, q)
  return items.map((row) => fields.map((field) => row[field]))
}

test('time and failures by repository, whatever its case, unknown times left out', async () => {
  expect(await rows('repo', '', ['key', 'sessions', 'durationMs', 'waitingMs', 'workingMs', 'toolCalls', 'failedToolCalls'])).toEqual([
    ['api', 2, 150_000, 40_000, 110_000, 6, 1],
    [null, 1, null, null, null, 1, 0],
  ])
})

test('tokens and cost by model; what has no price is counted, not added as nothing', async () => {
  expect(await rows('model', '', ['key', 'sessions', 'tokens', 'unpriced'])).toEqual([
    [SONNET, 2, { input: 1500, output: 20, cacheRead: 0, cacheWrite: 0 }, 0],
    ['some-model', 1, tokens(7), 1],
  ])
  const { items } = await traces.analytics('model', '')
  expect(items[0]!.costUsd).toBeCloseTo((1500 * 3 + 20 * 15) / 1e6, 12)
  expect(items[1]!.costUsd).toBeNull()
})

test('percentiles of tools are of measured calls only, and follow a session that grew', async () => {
  const fields = ['key', 'toolCalls', 'failedToolCalls', 'durationMs', 'p50Ms', 'p95Ms'] as const
  expect(await rows('tool', '', fields)).toEqual([
    ['Bash', 6, 1, 20_000, 3000, 10_000],
    ['Read', 1, 0, null, null, null],
  ])
  expect(await rows('tool', 'repo:api calls:<3', fields)).toEqual([['Bash', 2, 0, 4000, 4000, 4000]])
  outputs.set(testId('b'), testOutput({ ...withModels(SESSIONS[1]!), entries: calls('b', 'Bash', [4, 5]), version: 'v2' }))
  await traces.onArchived(testChange('b', { isNew: false }))
  expect(await rows('tool', 'repo:api calls:<3', fields)).toEqual([['Bash', 2, 0, 9000, 4000, 5000]])
})

test('a week is Monday to Sunday, and every group lists exactly its sessions', async () => {
  expect(await rows('week', '', ['key', 'sessions'])).toEqual([
    ['2026-03-02', 2],
    [null, 1],
  ])
  for (const by of ['repo', 'model', 'tool', 'week'] as const) {
    const { items } = await traces.analytics(by, 'repo:api,web')
    for (const { query, sessions } of items) expect(await traces.lists.count({ q: query! })).toBe(sessions)
  }
})
