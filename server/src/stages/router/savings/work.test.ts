import fc from 'fast-check'
import { expect, test } from 'vitest'
import { responseCost, priceOf } from '#server/prices/prices.ts'
import { createCache } from './cache.ts'
import { chanceOf, type Request, savedBy, type Work } from './work.ts'

const MODEL = 'claude-unit'
/** A dollar for a million tokens of new input, and nothing for output: figures are units of input. */
const UNITS = [{ model: MODEL, inputPerMTok: 1, outputPerMTok: 0 }]
const PRICES = [{ model: MODEL, inputPerMTok: 4, outputPerMTok: 20, cacheReadPerMTok: 0.4, cacheWritePerMTok: 5 }]
const MINUTE = 60_000

const request = (at: number, of: Partial<Request>): Request => ({
  at,
  model: MODEL,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  ...of,
})
const sure = { kind: 'solved_tasks', share: { value: 1, low: 1, high: 1 }, pace: null } as const
const costOf = (requests: readonly Request[], prices: typeof UNITS = PRICES) =>
  requests.reduce((sum, one) => sum + responseCost(one.model, one, priceOf(MODEL, prices))!, 0)

test('the recorded session of nine requests is 27.2 k units with a cache, not 116.5 k', () => {
  const contexts = [12_400, 12_500, 12_650, 12_800, 12_950, 13_100, 13_250, 13_350, 13_500]
  expect(contexts.reduce((sum, context) => sum + context, 0)).toBe(116_500)
  const send = createCache('short')
  const sent = contexts.map((context, no) => send({ at: no * 20_000, model: MODEL, context }))
  const units =
    costOf(
      sent.map(({ read, write }, at) => request(at, { cacheRead: read, cacheWrite: write })),
      UNITS,
    ) * 1e6
  expect(units).toBeCloseTo(13_500 * 1.25 + 103_000 * 0.1, 6)
  expect(units).toBeCloseTo(27_175, 6)
})

test.each([
  ['within five minutes it is read', 'short', [0, 5 * MINUTE], [0, 1000]],
  ['after them it is written again', 'short', [0, 5 * MINUTE + 1], [0, 0]],
  ['each reading starts them anew', 'short', [0, 4 * MINUTE, 8 * MINUTE], [0, 1000, 1000]],
  ['an hour if that was paid for', 'long', [0, 59 * MINUTE, 120 * MINUTE], [0, 1000, 0]],
] as const)('a cache: %s', (_, life, times, reads) => {
  const send = createCache(life)
  expect(times.map((at) => send({ at, model: MODEL, context: 1000 }).read)).toEqual(reads)
})

test('a change of model begins with an empty cache, and the way back finds what is still alive', () => {
  const send = createCache('short')
  const sent = [
    [0, 'a', 10],
    [1, 'b', 12],
    [2, 'a', 15],
    [3, 'b', 16],
  ] as const
  expect(sent.map(([at, model, context]) => send({ at, model, context }))).toEqual([
    { read: 0, write: 10 },
    { read: 0, write: 12 },
    { read: 10, write: 5 },
    { read: 12, write: 4 },
  ])
})

test('solved tasks prove conversations, next calls only single answers', () => {
  expect(chanceOf('solved_tasks', 0.9, 7)).toBe(0.9)
  expect(chanceOf('next_calls', 0.9, 7)).toBeCloseTo(0.9 ** 7)
})

const agent: Work = {
  requests: [
    request(10_000, { input: 10, output: 200, cacheRead: 4000, cacheWrite: 4000 }),
    request(20_000, { input: 10, output: 300, cacheRead: 8000, cacheWrite: 500 }),
  ],
  wallMs: 20_000,
  toolMs: 4000,
  parent: {
    spawn: request(8000, { input: 5, output: 100, cacheRead: 20_000, cacheWrite: 1000 }),
    after: request(30_000, { input: 5, output: 50, cacheRead: 21_000, cacheWrite: 400 }),
  },
}
const OWN = costOf(agent.requests)

test('what is right saves what it cost; what is wrong is done again with a cold cache, and asked for again', () => {
  expect(savedBy(agent, sure, PRICES).usd!.value).toBeCloseTo(OWN, 12)
  const never = savedBy(agent, { ...sure, share: { value: 0, low: 0, high: 0.5 } }, PRICES)
  const cold = (4000 * (5 - 0.4)) / 1e6
  const again = (21_405 * 0.4 + 100 * 20) / 1e6
  expect(never.usd!.value).toBeCloseTo(-(cold + again), 12)
  expect(never.usd!.high).toBeCloseTo(0.5 * OWN - 0.5 * (cold + again), 12)
  expect(never.tokens).toMatchObject({ value: -(21_405 + 100), high: 0.5 * 17_020 - 0.5 * 21_505 })
})

test('a slow model lets the cache of its parent end, which is taken off; a fast one does not', () => {
  const paced = (ms: number) => savedBy(agent, { ...sure, pace: { ms, n: 20, of: 'call' } }, PRICES)
  expect(paced(5000)).toMatchObject({ rereadUsd: 0, ms: { value: 20_000 - (2 * 5000 + 4000) } })
  const slow = paced(3 * MINUTE)
  expect(slow.rereadUsd).toBeCloseTo((21_405 * (5 - 0.4)) / 1e6, 12)
  expect(slow.usd!.value).toBeCloseTo(OWN - slow.rereadUsd, 12)
  expect(slow.ms!.value).toBe(20_000 - (6 * MINUTE + 4000))
  expect(savedBy(agent, sure, PRICES)).toMatchObject({ ms: null, rereadUsd: 0 })
})

test('an agent that stays with Claude writes what this one would have written for it', () => {
  const { usd, rereadUsd } = savedBy({ ...agent, left: [request(60_000, { cacheRead: 4000, cacheWrite: 100 })] }, sure, PRICES)
  expect(rereadUsd).toBeCloseTo((4000 * (5 - 0.4)) / 1e6, 12)
  expect(usd?.value).toBeCloseTo(OWN - rereadUsd, 12)
})

test('without a price there is no cost, and without counts no tokens', () => {
  expect(savedBy(agent, sure, [])).toMatchObject({ usd: null, tokens: { value: 17_020 } })
  const [first] = agent.requests
  expect(savedBy({ ...agent, requests: [{ ...first, output: null }] }, sure, PRICES)).toMatchObject({ usd: null, tokens: null })
})

test('it never saves more than the conversation cost, and a larger share never saves less', () => {
  const tokens = fc.integer({ min: 0, max: 200_000 })
  const counts = fc.record({ input: tokens, output: tokens, cacheRead: tokens, cacheWrite: tokens })
  const work = fc.record({
    requests: fc
      .tuple(counts, fc.array(counts, { maxLength: 5 }))
      .map(([first, more]): Work['requests'] => [request(0, first), ...more.map((of) => request(0, of))]),
    wallMs: fc.integer({ min: 0, max: 7_200_000 }),
    toolMs: fc.constant(0),
    parent: fc.option(fc.record({ spawn: counts.map((of) => request(0, of)), after: fc.option(counts.map((of) => request(9e5, of))) })),
  })
  const shares = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  const pace = fc.option(
    fc.record({ ms: fc.integer({ min: 1, max: 600_000 }), n: fc.constant(20), of: fc.constantFrom('call' as const, 'task' as const) }),
  )
  fc.assert(
    fc.property(work, shares, pace, fc.constantFrom('solved_tasks' as const, 'next_calls' as const), (of, two, speed, kind) => {
      const [low, high] = two.toSorted((a, b) => a - b) as [number, number]
      const { usd } = savedBy(of, { kind, share: { value: low, low, high }, pace: speed }, PRICES)
      const own = costOf(of.requests)
      expect(usd!.high).toBeLessThanOrEqual(own + 1e-9)
      expect(usd!.low).toBeLessThanOrEqual(usd!.high + 1e-9)
      expect(usd!.value).toBe(usd!.low)
    }),
  )
})
