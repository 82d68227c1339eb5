import { expect, it } from 'vitest'
import type { DeriveOutput } from '../../derived.ts'
import { callBody } from './bodies.ts'
import { asRecord } from './record.ts'
import { linesOf, main, readAll, sampleSources, source, type Fed } from './testing.ts'

const ODD: readonly unknown[] = [null, 5, 1.5, -1, 1e300, true, 'text', '', [], [null], [[]], {}, { type: 5 }, [{ type: 5 }]]

type Path = (string | number)[]

function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...at, key]))]
}

function withValue(record: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value
  const copy = (Array.isArray(record) ? [...(record as unknown[])] : { ...(record as object) }) as Record<string, unknown>
  copy[key] = withValue(copy[key], rest, value)
  return copy
}

const recordsOf = ({ bytes }: Fed): object[] =>
  bytes
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)

const specialRecords: object[] = [
  { type: 'attachment', uuid: 'a1', attachment: { type: 'hook_success', hookName: 'Stop', content: 'x' } },
  { type: 'attachment', uuid: 'a2', attachment: { type: 'queued_command', prompt: 'more', commandMode: 'prompt' } },
  { type: 'system', subtype: 'stop_hook_summary', uuid: 's1', hookErrors: ['e'] },
  { type: 'progress', uuid: 'p1', data: { agentId: 'a', type: 'x' }, toolUseID: 't', parentToolUseID: 't' },
  { type: 'summary', summary: 'T', leafUuid: 'a1' },
  {
    type: 'assistant',
    uuid: 'm1',
    version: '2.1.50',
    message: { id: 'm', usage: { output_tokens: 1 }, content: [{ type: 'tool_use', id: 'q', name: 'Bash', input: {} }] },
  },
  {
    type: 'user',
    uuid: 'u1',
    parentUuid: 'm1',
    toolDenialKind: 'user-rejected',
    permissionDecision: { decision: 'reject', source: 'config' },
    message: { content: [{ type: 'tool_result', tool_use_id: 'q', content: 'no', is_error: true }] },
  },
]

const isScalar = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** The calls exist, and every column has a valid value. */
function isSound({ trace, entries, responses }: DeriveOutput): boolean {
  const columns = entries.flatMap(({ location: _location, result: _result, spill: _spill, ...row }) => Object.values(row))
  const figures = responses.flatMap(({ input, output, cacheRead, cacheWrite }) => [input, output ?? 0, cacheRead, cacheWrite])
  const models = [...trace.models, ...responses.map(({ model }) => model)]
  return trace.counts.toolCalls > 0 && [...columns, ...models].every(isScalar) && figures.every((one) => Number.isSafeInteger(one))
}

it('a field of an unexpected type neither loses rows nor produces invalid columns', () => {
  const conversation = recordsOf(sampleSources('fix-test')[0]!).filter((record) =>
    /^(user|assistant)$/.test((record as { type: string }).type),
  )
  const records = [...conversation.slice(0, 6), ...specialRecords]
  const testedFields = new Set<string>()
  const unsound: string[] = []
  for (const [index, record] of records.entries()) {
    for (const path of pathsOf(record)) {
      const field = `${index < 6 ? '' : index}${(record as { type: string }).type}.${path.map((key) => (/^\d+$/.test(String(key)) ? '#' : key)).join('.')}`
      if (path.length === 0 || path.includes('toolUseResult') || testedFields.has(field)) continue
      testedFields.add(field)
      for (const odd of ODD) {
        const mutated = withValue(record, path, odd)
        if (!isSound(readAll([main(...records.with(index, mutated as object))]))) unsound.push(`${field} = ${JSON.stringify(odd)}`)
      }
    }
  }
  expect(unsound).toEqual([])
  expect(testedFields.size).toBeGreaterThan(100)
})

it('an input nested too deep is truncated at a safe depth', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`) as unknown
  const record = asRecord({ message: { content: [{ type: 'tool_use', id: 'q', name: 'X', input: deep }] } })!
  expect(JSON.stringify(callBody(record, 0))).toContain('nested too deep to be shown')
  expect(callBody(asRecord({ message: { content: [{ type: 'tool_use', input: { a: [1, { b: null }] } }] } })!, 0)).toEqual({
    a: [1, { b: null }],
  })
})

it('a result nested too deep still answers the call', () => {
  const line = (content: string) =>
    `{"type":"user","uuid":"u","message":{"content":[{"type":"tool_result","tool_use_id":"q","content":${content}}]}}\n`
  const bytes = Buffer.concat([linesOf(specialRecords[5]), Buffer.from(line(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`))])
  const { entries } = readAll([{ ...source('main-00000000', 'main'), bytes }])
  expect(entries.map(({ kind, answered }) => [kind, answered])).toEqual([['call', true]])
})

it('an impossible time is ignored', () => {
  const at = (timestamp: string) => ({ type: 'user', uuid: timestamp, timestamp, message: { content: 'x' } })
  const times = [
    '-000001-01-01T00:00:00Z',
    '1970-01-01T00:00:01Z',
    '2026-11-21T05:00:00Z',
    '9999-12-31T23:59:59Z',
    '+275760-09-13T00:00:00Z',
  ]
  const { trace } = readAll([main(...times.map(at))])
  expect([trace.startedAt, trace.endedAt]).toEqual([Date.parse(times[2]!), Date.parse(times[2]!)])
})
