import fs from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FILTER_EXAMPLES, parseFilter } from '#contracts/filter.ts'
import { TraceSort } from '#contracts/routes/traces.ts'
import { createTraces } from './index.ts'
import type { DerivedTrace } from './index.ts'
import { openSearch } from './search/schema.ts'
import { tokensOf as searchTokensOf } from './search/tokens.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { testChange, testEntry, testId, testOutput } from './testing.ts'
import type { TestSession } from './testing.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const DAY = 86_400_000
let core: TestCore
let traces: ReturnType<typeof createTraces>

function tokensOf(index: number): DerivedTrace['tokensByModel'] {
  return index % 4 === 0 ? {} : { 'claude-opus-4-5': { input: 1000 * (index % 4), output: 10, cacheRead: 0, cacheWrite: null } }
}

/** Sessions with many equal and some unknown values. */
const sessions: TestSession[] = Array.from({ length: 23 }, (_, index) => {
  const session = `s${index}`
  const id = testId(session)
  const isKnown = index % 4 !== 0
  return {
    session,
    entries: [
      testEntry(id, 1, index % 3 ? {} : { success: false, exitCode: index % 2, isError: true }),
      testEntry(id, 2, { tool: index % 2 ? 'Edit' : 'Bash', file: 'src/a.ts' }),
    ],
    trace: {
      title: isKnown ? `Title ${index % 3}` : null,
      repo: ['api', 'web app', null][index % 3] ?? null,
      startedAt: isKnown ? NOW - (index % 5) * DAY - 3_600_000 : null,
      endedAt: isKnown ? NOW - (index % 5) * DAY : null,
      models: [index % 2 ? 'claude-opus-4-5' : 'claude-sonnet-4-5-20250929'],
      tokensByModel: tokensOf(index),
      files: index % 2 ? [{ path: 'src/Store.ts', reads: 1, edits: 1, writes: 0, firstStepId: `${id}:x` }] : [],
      counts: {
        prompts: 1,
        abandonedTurns: 0,
        toolCalls: index % 7,
        failedToolCalls: 0,
        rejectedToolCalls: 0,
        subagents: 0,
        commits: index % 2,
      },
    },
  }
})

const capture = {
  rebuildSources: async () => ({ traces: 0, problems: [], damaged: [] }),
  markDerived: () => {},
  derivePending: async () => ({ records: 0, steps: 0, errors: [] }),
  forget: async () => {},
  totals: () => ({ bytes: 1, rawBytes: 2 }),
}

beforeAll(async () => {
  core = openCore({ now: () => NOW })
  const outputs = new Map(sessions.map((one) => [testId(one.session), testOutput(one)]))
  traces = createTraces(core, {
    capture,
    analysers: [],
    onDerived: (id) => {
      const index = sessions.findIndex((one) => testId(one.session) === id)
      if (index % 2)
        traces.setPolicyScore(id, {
          tier: index % 3 ? 'gold' : 'failed',
          quality: (index % 3) / 2,
          successRate: 1,
          verification: index % 3 ? 'passed' : 'failed',
          tierReason: null,
          scoreVersion: 1,
        })
    },
    getScore: () => null,
    prices: () => [],
    derive: async ({ traceId }) => outputs.get(traceId)!,
  })
  for (const { session } of sessions) await traces.onArchived(testChange(session, { reason: 'import' }))
  traces.changeTags(testId('s1'), { addTags: ['refactor', 'Two words'] }, 'user')
  traces.changeTags(testId('s2'), { addTags: ['refactor', 'private'] }, 'user')
  const search = openSearch(core.paths.search)
  const rows = core.db.prepare<[], { rowid: number; trace: number }>('SELECT rowid, trace FROM entries ORDER BY rowid').all()
  rows.forEach(({ rowid, trace }, index) => {
    search.prepare('INSERT INTO places (rowid, trace) VALUES (?, ?)').run(rowid, trace)
    const text = `needle${index} shared words of Größe NEAR "quoted" npm-run`
    search.prepare('INSERT INTO docs (rowid, text) VALUES (?, ?)').run(rowid, searchTokensOf(text))
  })
  search.close()
})
afterAll(async () => {
  await traces.close()
  await core.close()
})

const list = (q: string, limit = 100) => traces.lists.list({ q, sort: 'title', limit })
const numbersOf = async (q: string) => (await list(q)).items.map(({ sessionId }) => Number(sessionId.slice(1))).toSorted((a, b) => a - b)
const indicesWhere = (matches: (index: number) => boolean) => sessions.map((_, index) => index).filter(matches)

test.each(TraceSort.options)('pages sorted by %s are complete, without duplicates, unknowns last', async (sort) => {
  const whole = (await traces.lists.list({ sort, limit: 100 })).items.map(({ id }) => id)
  expect(new Set(whole).size).toBe(sessions.length)
  for (const limit of [1, 2, 5, 22, 23]) {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await traces.lists.list({ sort, limit, cursor })
      expect(page.total).toBe(sessions.length)
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(seen).toEqual(whole)
  }
})

test.each(TraceSort.options)('the place of a session sorted by %s is its position in the list', async (sort) => {
  for (const q of ['', 'repo:api', 'shared']) {
    const { items } = await traces.lists.list({ q, sort, limit: 100 })
    expect(await Promise.all(items.map(({ id }) => traces.lists.place(id, { q, sort })))).toEqual(items.map((_, index) => index))
  }
  expect(await traces.lists.place(testId('s1'), { q: 'repo:api', sort })).toBeNull()
})

test('a cursor of another sort is refused with an explanation', async () => {
  const { nextCursor } = await traces.lists.list({ sort: 'title', limit: 2 })
  await expect(traces.lists.list({ sort: '-cost', limit: 2, cursor: nextCursor! })).rejects.toThrow(/does not belong/)
})

test.each<[string, (index: number) => boolean]>([
  ['tier:gold', (i) => i % 2 === 1 && i % 3 > 0],
  ['tier:gold,failed', (i) => i % 2 === 1],
  ['tier:gold tier:failed', (i) => i % 2 === 1],
  ['-tier:gold', (i) => !(i % 2 === 1 && i % 3 > 0)],
  ['repo:"web app"', (i) => i % 3 === 1],
  ['-repo:api', (i) => i % 3 !== 0],
  ['tool:edit', (i) => i % 2 === 1],
  ['exit:!0', (i) => i % 3 === 0 && i % 2 === 1],
  ['exit:0', (i) => i % 3 === 0 && i % 2 === 0],
  ['model:opus', (i) => i % 2 === 1],
  ['file:store', (i) => i % 2 === 1],
  ['tag:refactor -tag:private', (i) => i === 1],
  ['tag:"two words"', (i) => i === 1],
  ['age:<1.5d', (i) => i % 4 !== 0 && i % 5 <= 1],
  ['age:>2d', (i) => i % 4 !== 0 && i % 5 > 2],
  ['tokens:>1k', (i) => i % 4 !== 0 && i % 4 >= 1],
  ['quality:0.4..0.6', (i) => i % 2 === 1 && i % 3 === 1],
  ['-quality:>0', (i) => !(i % 2 === 1 && i % 3 > 0)],
  ['calls:6', (i) => i % 7 === 6],
  ['has:commit has:test-pass', (i) => i % 2 === 1 && i % 3 > 0],
  ['has:tag is:ended', (i) => i === 1 || i === 2],
  ['is:live', () => false],
  ['duration:1h', (i) => i % 4 !== 0],
  ['title', (i) => i % 4 !== 0],
])('%s finds exactly the sessions it describes', async (q, fits) => {
  expect(await numbersOf(q)).toEqual(indicesWhere(fits))
  expect((await list(q, 1)).total).toBe(indicesWhere(fits).length)
})

test('words find entries, the last one also as a prefix; phrases find words in order', async () => {
  expect(await numbersOf('needle12')).toEqual([6])
  expect(await numbersOf('shared needle12')).toEqual([6])
  expect((await numbersOf('needl')).length).toBe(sessions.length)
  expect((await numbersOf('needl shared')).length).toBe(0)
  expect((await numbersOf('"shared words"')).length).toBe(sessions.length)
  expect((await numbersOf('"words shared"')).length).toBe(0)
  expect((await numbersOf('grosse')).length).toBe(sessions.length)
  expect((await numbersOf('grö')).length).toBe(sessions.length)
  expect((await numbersOf('shared -"needle12"')).length).toBe(sessions.length - 1)
})

test('no text makes a query fail', async () => {
  const text = fc.string({ unit: fc.constantFrom(...Array.from('ab"*^(){}:+-\\,.\0é漢 '), 'NEAR', 'AND', ' OR ', 'NOT '), maxLength: 12 })
  const run = fc.assert(
    fc.asyncProperty(text, async (value) => {
      const quoted = `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`
      for (const q of [value, quoted, `-${quoted}`].filter((one) => parseFilter(one).errors.length === 0)) await list(q)
    }),
    { numRuns: 150 },
  )
  await expect(run).resolves.toBeUndefined()
})

test('an error in a filter has the token and its position', async () => {
  await expect(list('api tier:purple')).rejects.toMatchObject({
    code: 'filter_invalid',
    details: { token: 'tier:purple', start: 4, end: 15, message: expect.stringContaining('Unknown tier value') as string },
  })
  await expect(list('teir:gold api cost:much')).rejects.toThrow(
    /^In the filter, at character 1: Unknown field "teir"\. Did you mean tier\? At character 15: "much" is not a number\./,
  )
})

test('facets count what the filter matches', async () => {
  const facets = await traces.lists.facets({ q: 'tool:edit' })
  expect(facets.total).toBe(11)
  expect(facets.tier.reduce((sum, { count }) => sum + count, 0)).toBe(11)
  expect(facets.tool).toContainEqual({ value: 'Edit', count: 11 })
  expect(facets.tag).toEqual(expect.arrayContaining([{ value: 'refactor', count: 1 }]))
  expect(facets.days!.reduce((sum, day) => sum + day.gold + day.failed + day.pending, 0)).toBe(11)
})

const byValue = (a: { value: string }, b: { value: string }) => (a.value < b.value ? -1 : 1)

test.each(['tier:gold', 'prompts:>=0', '-tool:edit', 'has:error'])(
  'tools and models in the facets of %s are counted as in the list',
  async (q) => {
    const facets = await traces.lists.facets({ q })
    const all = await traces.lists.facets({})
    for (const field of ['tool', 'model'] as const) {
      const counts = await Promise.all(
        all[field].map(async ({ value }) => ({ value, count: await traces.lists.count({ q: `${q} ${field}:${value}` }) })),
      )
      expect(facets[field].toSorted(byValue)).toEqual(counts.filter(({ count }) => count > 0).toSorted(byValue))
    }
  },
)

test('the sessions of a day in the facets are those that the filter lists', async () => {
  const { days } = await traces.lists.facets({})
  for (const { day, gold, silver, bronze, failed, pending } of days!) {
    expect((await list(`day:${day}`)).total).toBe(gold + silver + bronze + failed + pending)
  }
})

test('statistics over the archive count a record copied by a fork once', async () => {
  const before = await traces.stats()
  const fork = testOutput({ session: 'fork' })
  const origin = testOutput({ session: 's1' })
  fork.entries = fork.entries.slice(0, 2).map((row, index) => ({ ...row, sharedKey: testEntry(testId('s1'), index + 1).sharedKey }))
  fork.responses = origin.responses
  const forked = createTraces(core, {
    capture,
    analysers: [],
    onDerived: () => {},
    getScore: () => null,
    prices: () => [],
    derive: async () => fork,
  })
  await forked.onArchived(testChange('fork'))
  await forked.close()
  const after = await traces.stats()
  expect([after.traces - before.traces, after.toolCalls - before.toolCalls, after.tokens.input! - before.tokens.input!]).toEqual([1, 0, 0])
  expect(after.costUsd).toBe(before.costUsd)
})

test('a filter with the maximum of words and values is answered, a larger one is refused', async () => {
  const words = Array.from({ length: 100 }, (_, index) => `w${index}`)
  for (const q of [words.join(' '), words.map((word) => `-${word}`).join(' '), `file:${words.join(',')}`, `model:${words.join(',')}`])
    expect([q, typeof (await list(q)).total]).toEqual([q, 'number'])
  await expect(list(`${words.join(' ')} w`)).rejects.toMatchObject({ code: 'filter_invalid' })
})

test('every example of a filter on a screen, in a command or in the guide is valid', async () => {
  const guide = fs.readFileSync(new URL('../../../../docs/guide/traces.md', import.meta.url), 'utf8')
  const inGuide = [...guide.matchAll(/^\| ((?:`[^`]+` ?)+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, term = '']) => term),
  )
  expect(inGuide.length).toBeGreaterThan(8)
  for (const q of [...Object.values(FILTER_EXAMPLES), ...inGuide]) {
    expect({ q, ...parseFilter(q) }).toMatchObject({ q, errors: [] })
    expect((await list(q, 5)).total).toBeGreaterThanOrEqual(0)
  }
})
