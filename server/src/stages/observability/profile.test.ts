import { expect, test } from 'vitest'
import type { Profile, Span } from '#contracts/entities/profile.ts'
import { openCore } from '#server/testing/core.ts'
import { costOf } from '#server/prices/prices.ts'
import { createTraces } from '../traces/index.ts'
import { testChange, testId } from '../traces/testing.ts'
import { fixtureSources, main, newReader, sampleSources, type Fed } from '../traces/readers/claude-code/testing.ts'
import { withoutPrompts } from './cleared-profile.ts'
import { exportOf } from './exports/index.ts'
import { readProfile } from './profile.ts'

const capture = {
  rebuildSources: async () => ({ traces: 0, problems: [], damaged: [] }),
  markDerived: () => {},
  derivePending: async () => ({ records: 0, steps: 0, errors: [] }),
  forget: async () => {},
  totals: () => ({ bytes: 1, rawBytes: 2 }),
}

/** The profile of a session as it is stored. */
async function profileOf(sources: Fed[]): Promise<Profile> {
  const core = openCore()
  const traces = createTraces(core, {
    capture,
    analysers: [],
    onDerived: () => {},
    getScore: () => null,
    prices: () => [],
    derive: async () => {
      const reader = newReader([], 'profiled')
      for (const one of sources) reader.feed(one, 0, one.bytes)
      return reader.output(null)
    },
  })
  await traces.onArchived(testChange('profiled', { reason: 'import' }))
  const profile = readProfile(core.db, testId('profiled'), [])!
  await traces.close()
  await core.close()
  return profile
}

const at = (seconds: number) => new Date(Date.parse('2026-10-01T12:00:00Z') + seconds * 1000).toISOString()
const user = (seconds: number | null, content: unknown, more: object = {}) => record('user', seconds, { role: 'user', content }, more)
const usage = (input: number, output: number, cacheRead = 0, cacheWrite = 0) => ({
  input_tokens: input,
  output_tokens: output,
  cache_read_input_tokens: cacheRead,
  cache_creation_input_tokens: cacheWrite,
})
const answer = (seconds: number | null, id: string, block: object, tokens = usage(10, 20), more: object = {}) =>
  record(
    'assistant',
    seconds,
    { id, role: 'assistant', model: 'claude-sonnet-4-5-20250929', content: [block], usage: tokens, stop_reason: 'tool_use' },
    { requestId: `req_${id}`, ...more },
  )
const text = (words: string) => ({ type: 'text', text: words })
const call = (id: string, command: string, name = 'Bash') => ({ type: 'tool_use', id, name, input: { command } })
const result = (seconds: number | null, id: string, more: object = {}) =>
  user(seconds, [{ type: 'tool_result', tool_use_id: id, content: 'done', ...more }])

let number = 0
function record(type: string, seconds: number | null, message: object, more: object) {
  number += 1
  return {
    type,
    uuid: `u${number}`,
    parentUuid: number === 1 ? null : `u${number - 1}`,
    ...(seconds !== null && { timestamp: at(seconds) }),
    version: '2.1.300',
    message,
    ...more,
  }
}
function session(make: () => object[]): Fed {
  number = 0
  return main(...make())
}

const lines = ({ spans }: Profile) =>
  spans.map(({ kind, name, startedAt, durationMs }) => [
    kind,
    name,
    startedAt === null ? null : (Date.parse(startedAt) - Date.parse(at(0))) / 1000,
    durationMs === null ? null : durationMs / 1000,
  ])
const byKind = (spans: readonly Span[], kind: Span['kind']) => spans.filter((span) => span.kind === kind)

test('requests last from what they answer to their last block, calls to their result, and the user is waited for', async () => {
  const profile = await profileOf([
    session(() => [
      user(0, 'fix it'),
      answer(2, 'm1', text('looking')),
      answer(3, 'm1', call('t1', 'npm test')),
      answer(4, 'm1', call('t2', 'ls')),
      result(9, 't1'),
      result(5, 't2'),
      answer(12, 'm2', text('done')),
      user(72, 'thanks, now again'),
      answer(75, 'm3', text('again')),
    ]),
  ])
  expect(lines(profile)).toEqual([
    ['agent', 'claude-code', 0, 75],
    ['llm', 'claude-sonnet-4-5-20250929', 0, 4],
    ['tool', 'Bash', 3, 6],
    ['tool', 'Bash', 4, 1],
    ['llm', 'claude-sonnet-4-5-20250929', 9, 3],
    ['wait', 'waiting for you', 12, 60],
    ['llm', 'claude-sonnet-4-5-20250929', 72, 3],
  ])
  expect(profile.summary).toMatchObject({
    durationMs: 75_000,
    waitingMs: 60_000,
    workingMs: 15_000,
    llmCalls: { count: 3, totalTokens: 90 },
    tokens: { input: 30, output: 60, cacheRead: 0, cacheWrite: 0 },
    toolCalls: 2,
    unmeasured: 0,
  })
  const summed = byKind(profile.spans, 'llm').reduce((sum, { costUsd }) => sum + costUsd!, 0)
  expect(summed).toBeCloseTo(profile.summary.costUsd!, 12)
  expect(summed).toBeCloseTo(costOf({ 'claude-sonnet-4-5-20250929': { input: 30, output: 60, cacheRead: 0, cacheWrite: 0 } }, [])!, 12)
})

test('what collectors get has no prompt', async () => {
  const profile = await profileOf([
    session(() => [
      user(0, 'fix it'),
      answer(2, 'm1', call('t1', 'npm test')),
      result(5, 't1'),
      answer(7, 'm2', text('done')),
      user(72, 'now again'),
      answer(75, 'm3', text('again')),
    ]),
  ])
  expect(profile.spans[0]!.label).toBe('fix it')
  const sent = JSON.stringify(withoutPrompts(profile))
  expect(sent).toContain('npm test')
  expect(sent).not.toMatch(/fix it|now again|done/)
})

test('times that are missing or go back are not measured, and a call without a result has no end', async () => {
  const profile = await profileOf([
    session(() => [
      user(100, 'go'),
      answer(90, 'm1', call('t1', 'a')),
      result(80, 't1'),
      answer(null, 'm2', call('t2', 'b')),
      result(120, 't2'),
      answer(130, 'm3', call('t3', 'c')),
    ]),
  ])
  expect(lines(profile).slice(1)).toEqual([
    ['llm', 'claude-sonnet-4-5-20250929', 90, null],
    ['tool', 'Bash', 90, null],
    ['llm', 'claude-sonnet-4-5-20250929', 100, null],
    ['tool', 'Bash', null, null],
    ['llm', 'claude-sonnet-4-5-20250929', 120, 10],
    ['tool', 'Bash', 130, null],
  ])
  expect(profile.spans.at(-1)!.error).toBe('no result')
  expect(profile.summary.unmeasured).toBe(5)
})

test('a sub-agent is inside the call that started it, and a refused call waited for the user', async () => {
  const sources = sampleSources('subagent')
  const profile = await profileOf(sources)
  const agents = byKind(profile.spans, 'agent')
  const [caller] = byKind(profile.spans, 'tool')
  expect(agents.map(({ parentId }) => parentId)).toEqual([null, caller!.id])
  const inside = profile.spans.filter(({ parentId }) => parentId === agents[1]!.id)
  expect(new Set(inside.map(({ kind }) => kind))).toEqual(new Set(['llm', 'tool']))
  for (const { startedAt, durationMs } of inside) {
    expect(Date.parse(startedAt!)).toBeGreaterThanOrEqual(Date.parse(caller!.startedAt!))
    expect(durationMs).toBeGreaterThanOrEqual(0)
  }
  const denied = await profileOf(fixtureSources('2.1.329-denied'))
  const refused = denied.spans.find(({ error }) => error?.startsWith('refused'))!
  const within = denied.spans.find(({ parentId }) => parentId === refused.id)!
  expect([within.durationMs, within.kind]).toEqual([refused.durationMs, refused.error === 'refused by you' ? 'wait' : 'guard'])
})

test.each(['fix-test', 'subagent'])('every response of the sample %s is one span with its tokens', async (sample) => {
  const { spans, summary } = await profileOf(sampleSources(sample))
  const requests = byKind(spans, 'llm').filter(({ tokens }) => tokens !== undefined)
  const sum = requests.reduce(
    (total, { tokens }) => total + Object.values(tokens!).reduce<number>((all, count) => all + (count ?? 0), 0),
    0,
  )
  expect(requests.length).toBe(summary.llmCalls.count)
  expect(sum).toBe(summary.llmCalls.totalTokens)
  expect(requests.every(({ startedAt }) => startedAt !== null)).toBe(true)
  const known = new Set<string>()
  for (const { id, parentId } of spans) {
    expect(known.has(id)).toBe(false)
    expect(parentId === null || known.has(parentId)).toBe(true)
    known.add(id)
  }
})

test('each rule names the span that shows it', async () => {
  const profile = await profileOf([
    session(() => [
      user(0, 'build'),
      answer(1, 'm1', call('t1', 'make'), usage(10, 5, 0, 120_000)),
      result(61, 't1'),
      answer(62, 'm2', call('t2', 'make'), usage(10, 5, 120_000, 10)),
      result(92, 't2', { is_error: true, content: 'Exit code 2' }),
      answer(93, 'm3', call('t3', 'make'), usage(10, 5, 120_000, 10)),
      result(123, 't3', { is_error: true, content: 'Exit code 2' }),
      answer(124, 'm4', call('t4', 'make'), usage(10, 5, 120_000, 10)),
      result(154, 't4'),
      answer(155, 'm5', text('built'), usage(10, 5, 120_000, 10)),
      user(1155, 'again'),
      answer(1160, 'm6', text('no'), usage(10, 5, 0, 130_000)),
    ]),
  ])
  const found = profile.summary.bottlenecks.map(({ rule, spanId }) => {
    const span = profile.spans.find(({ id }) => id === spanId)!
    return [rule, span.kind, span.label ?? span.id]
  })
  expect(found).toEqual([
    ['mostly_waiting', 'wait', 'again'],
    ['slow_tool', 'tool', 'make'],
    ['cache_lost_after_pause', 'llm', 'llm:m6'],
    ['context_over_half', 'llm', 'llm:m6'],
    ['repeated_command', 'tool', 'make'],
  ])
  expect(profile.summary.bottlenecks[1]!.text).toBe('Bash takes 94 % of the working time: 2 min 30 s in 4 calls.')
})

test('exports keep ids, parents and times; spans that overlap are on tracks of their own', async () => {
  const profile = await profileOf(sampleSources('subagent'))
  const perfetto = exportOf('perfetto', profile, '1') as { traceEvents: { ph: string; tid: number; ts?: number; dur?: number }[] }
  const events = perfetto.traceEvents.filter(({ ph }) => ph === 'X')
  expect(events.length).toBe(profile.spans.filter(({ durationMs }) => durationMs !== null).length)
  for (const track of Map.groupBy(events, ({ tid }) => tid).values()) {
    const open: number[] = []
    for (const { ts, dur } of track) {
      while (open.length > 0 && open.at(-1)! <= ts!) open.pop()
      expect(ts! + dur!).toBeLessThanOrEqual(open.at(-1) ?? Infinity)
      open.push(ts! + dur!)
    }
  }
  const otlp = exportOf('otlp', profile, '1') as { resourceSpans: { scopeSpans: { spans: Record<string, unknown>[] }[] }[] }
  const { spans } = otlp.resourceSpans[0]!.scopeSpans[0]!
  const ids = new Set(spans.map(({ spanId }) => spanId))
  expect(ids.size).toBe(spans.length)
  expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined).length).toBe(1)
  for (const { spanId, traceId, parentSpanId, startTimeUnixNano, endTimeUnixNano } of spans) {
    expect([spanId, traceId]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), expect.stringMatching(/^[0-9a-f]{32}$/)])
    expect(parentSpanId === undefined || ids.has(parentSpanId)).toBe(true)
    expect(BigInt(endTimeUnixNano as string)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano as string))
  }
})
