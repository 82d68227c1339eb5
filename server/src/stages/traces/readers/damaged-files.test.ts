import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Agent } from '#contracts/entities/common.ts'
import type { DeriveOutput } from '../derived.ts'
import { createReader } from './create.ts'
import { bytesOf, FILES, mainSource } from './dialects/testing.ts'
import { linesOf, main, readAll, sampleSources, source } from './claude-code/testing.ts'

const read = (agent: Agent, bytes: Buffer, file?: string): DeriveOutput => {
  const reader = createReader(agent, { traceId: 't', sessionId: 's', analysers: [] })
  reader.feed(mainSource(file), 0, bytes)
  return reader.output(null)
}

/** What the records of a file gave, whatever the numbers of their lines. */
function factsOf({ entries, responses }: DeriveOutput): string[] {
  return [
    ...entries.map(({ kind, label, tool, toolUseId }) => JSON.stringify([kind, label, tool, toolUseId])),
    ...responses.map(({ model, input, output }) => JSON.stringify([model, input, output])),
  ]
}

/** Those of `few` that are not in `many`. */
function missing(few: string[], many: string[]): string[] {
  const rest = [...many]
  return few.filter((fact) => {
    const at = rest.indexOf(fact)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
}

type Damage = { kind: 'nul' | 'cut' | 'overwrite' | 'newline'; from: number; length: number }
const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom('nul', 'cut', 'overwrite', 'newline'),
  from: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  length: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 3000 })),
})

function damaged(bytes: Buffer, { kind, from, length }: Damage): { bytes: Buffer; start: number; end: number } {
  const start = Math.floor(from * bytes.length)
  const end = Math.min(bytes.length, start + (kind === 'newline' ? 0 : length))
  const middle = {
    nul: Buffer.alloc(end - start),
    cut: Buffer.alloc(0),
    overwrite: Buffer.alloc(end - start, '"{x'),
    newline: Buffer.from('\n'),
  }
  return { bytes: Buffer.concat([bytes.subarray(0, start), middle[kind], bytes.subarray(end)]), start, end }
}

/** The file without the records that the damage touched; a newline alone belongs to none. */
function untouched(bytes: Buffer, start: number, end: number): Buffer {
  const kept: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const newline = bytes.indexOf(10, at)
    const lineEnd = newline < 0 ? bytes.length : newline
    const isTouched = start === end ? at < start && start < lineEnd : at < end && start < lineEnd
    if (!isTouched) kept.push(bytes.subarray(at, lineEnd), Buffer.from('\n'))
    at = lineEnd + 1
  }
  return Buffer.concat(kept)
}

const SESSIONS: [Agent, () => Buffer][] = [
  ['claude-code', () => sampleSources('fix-test').find(({ kind }) => kind === 'main')!.bytes],
  ['codex', () => bytesOf(FILES.codex)],
  ['gemini', () => bytesOf(FILES.gemini)],
  ['opencode', () => bytesOf(FILES.opencode)],
]

describe.each(SESSIONS)('a damaged file of %s', (agent, open) => {
  const bytes = open()
  it('loses only the records that the damage touches', () => {
    fc.assert(
      fc.property(damage, (one) => {
        const broken = damaged(bytes, one)
        const expected = factsOf(read(agent, untouched(bytes, broken.start, broken.end)))
        expect(missing(expected, factsOf(read(agent, broken.bytes)))).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('loses nothing when two records stand in one line, or the last has no newline, and says nothing about it', () => {
    const whole = factsOf(read(agent, bytes))
    const first = bytes.indexOf(10)
    const joined = Buffer.concat([bytes.subarray(0, first), bytes.subarray(first + 1)])
    for (const changed of [joined, bytes.subarray(0, bytes.lastIndexOf('}') + 1)]) {
      const output = read(agent, changed)
      expect(factsOf(output).toSorted()).toEqual(whole.toSorted())
      expect(output.errors).toEqual([])
    }
  })

  it('has the same rows when the last record was read before its newline came', () => {
    const reader = createReader(agent, { traceId: 't', sessionId: 's', analysers: [] })
    const end = bytes.lastIndexOf('}') + 1
    const cuts = [bytes.indexOf(10), end - 20, end, bytes.length]
    for (const [index, cut] of cuts.entries()) {
      const from = cuts[index - 1] ?? 0
      reader.feed(mainSource(), from, bytes.subarray(from, cut))
      reader.output(null)
    }
    const { entries, responses } = reader.output(null)
    const whole = read(agent, bytes)
    expect({ entries, responses }).toEqual({ entries: whole.entries, responses: whole.responses })
  })
})

it('the inside of a cut record is not taken for a record', () => {
  const progress = {
    type: 'progress',
    uuid: 'p',
    parentUuid: null,
    sessionId: 's',
    data: { message: { type: 'user', uuid: 'in', message: { role: 'user', content: 'inside' } } },
  }
  const text = linesOf(progress).toString()
  const cut = text.slice(0, text.indexOf('inside') + 9) // after the inner object
  const whole = { type: 'user', uuid: 'w', parentUuid: 'p', sessionId: 's', message: { role: 'user', content: 'whole' } }
  const output = readAll([{ ...source('main-00000000', 'main'), bytes: Buffer.concat([Buffer.from(cut), linesOf(whole)]) }])
  expect(output.entries.map(({ label }) => label)).toEqual(['whole'])
  expect(output.errors).toMatchObject([{ line: 1, message: expect.stringContaining('One whole record in it was read.') as string }])
  expect(readAll([main(whole)]).errors).toEqual([])
})

describe('a damaged document', () => {
  const message = (id: string, content: string, more = {}) => ({
    id,
    timestamp: '2026-01-01T00:00:00.000Z',
    type: 'user',
    content,
    ...more,
  })
  const document = (...messages: object[]) =>
    Buffer.from(
      JSON.stringify({ sessionId: 's', projectHash: 'p', startTime: '2026-01-01T00:00:00.000Z', messages, lastUpdated: 'x' }, null, 2),
    )

  it.each([
    ['is cut in its last message', (text: string) => text.slice(0, text.indexOf('three') + 2), ['one', 'two']],
    ['has NUL bytes in a message', (text: string) => text.replace('two', '\0\0\0'), ['one', 'three']],
    ['has NUL bytes at its end', (text: string) => `${text}\0\0\0`, ['one', 'two', 'three']],
  ])('that %s keeps its other messages, and is reported', (_, change, prompts) => {
    const bytes = Buffer.from(change(document(message('1', 'one'), message('2', 'two'), message('3', 'three')).toString()))
    const output = read('gemini', bytes, '/home/dev/session-1.json')
    expect(output.entries.map(({ label }) => label)).toEqual(prompts)
    expect(output.trace.problems).toMatchObject([
      { kind: 'unreadable', message: expect.stringContaining('whole messages were read') as string },
    ])
  })
})
