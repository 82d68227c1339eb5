import { expect, it } from 'vitest'
import { linesOf, readAll, source } from './testing.ts'

const record = (uuid: string, content: unknown) => ({
  type: 'assistant',
  uuid,
  sessionId: 's',
  timestamp: '2026-01-05T10:00:00Z',
  message: { id: uuid, role: 'assistant', content },
})
const DEEP = 20_000

it('reports the lines of too deep values, invalid UTF-8 and contradicting records, and still reads every row', () => {
  const deep = `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`
  const call = JSON.stringify(record('b', [{ type: 'tool_use', id: 't', name: 'X', input: 'DEEP' }])).replace('"DEEP"', deep)
  const bytes = Buffer.concat([
    linesOf(record('a', [{ type: 'text', text: 'one' }])),
    Buffer.from(`${call}\n`),
    Buffer.from(`${JSON.stringify(record('c', [{ type: 'text', text: 'Gr@@e' }]))}\n`.replace('@@', '\u00fc\u00df'), 'latin1'),
    linesOf(record('a', [{ type: 'text', text: 'another' }])),
  ])
  const { trace, entries, errors } = readAll([{ ...source('main-00000000', 'main'), bytes }])
  expect(entries.map(({ kind }) => kind).toSorted()).toEqual(['call', 'text', 'text', 'text'])
  expect(trace.problems.map(({ kind, line }) => [kind, line])).toEqual([
    ['too-deep', 2],
    ['invalid-utf8', 3],
    ['contradiction', expect.toBeOneOf([1, 4])],
  ])
  expect(errors.map(({ line }) => line)).toEqual([2, 3, 4])
  expect(() => structuredClone(JSON.parse(JSON.stringify({ trace, entries })))).not.toThrow()
})
