import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DeriveOutput, EntryRow, ResponseRow } from '../../derived.ts'
import { conversations, sessionOf } from '../../testing-conversations.ts'
import { main, newReader, readAll, sampleSources, SESSION, source, type Fed } from './testing.ts'

/** The database content after a list of outputs. */
class StoredRows {
  private readonly entries = new Map<string, EntryRow>()
  private readonly responses = new Map<string, ResponseRow>()
  private version: string | null = null

  apply(output: DeriveOutput): void {
    if (output.complete !== (this.version === null)) throw new Error('Growth must give only what changed.')
    for (const id of output.removed) this.entries.delete(id)
    for (const row of output.entries) this.entries.set(row.id, row)
    for (const row of output.responses) this.responses.set(row.key, row)
    this.version = output.version
  }

  get since(): string | null {
    return this.version
  }

  rows() {
    return {
      entries: [...this.entries.values()].toSorted((a, b) => (a.ord < b.ord ? -1 : 1)),
      responses: [...this.responses.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    }
  }
}

/** Feeds the sources in pieces, in the order that `picks` says, with an output after each `pause`-th piece. */
function feedInPieces(sources: Fed[], picks: number[], sizes: number[], pause: number): { stored: StoredRows; last: DeriveOutput } {
  const reader = newReader()
  const stored = new StoredRows()
  const unfinished = sources.map((one) => ({ one, at: 0 }))
  let step = 0
  while (unfinished.length > 0) {
    const index = picks[step % picks.length]! % unfinished.length
    const next = unfinished[index]!
    const size = sizes[step % sizes.length]!
    reader.feed(next.one, next.at, Buffer.from(next.one.bytes.subarray(next.at, next.at + size)))
    next.at += size
    if (next.at >= next.one.bytes.length) unfinished.splice(index, 1)
    step += 1
    if (step % pause === 0) stored.apply(reader.output(stored.since))
  }
  const last = reader.output(stored.since)
  stored.apply(last)
  return { stored, last }
}

const samples = ['fix-test', 'subagent', 'older/1.0.128/subagent-task', 'older/2.1.50/subagent-task', 'older/2.1.197/subagent-task']

describe('feeding', () => {
  it('a session with rewinds, retries, compactions and copies has the same rows however it grows', () => {
    fc.assert(
      fc.property(conversations, fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 5 }), (acts, sizes) => {
        const bytes = Buffer.from(
          sessionOf(SESSION, acts)
            .lines.map((line) => `${line}\n`)
            .join(''),
        )
        const one = { ...source('main-00000000', 'main'), bytes }
        const whole = readAll([one])
        const { stored, last } = feedInPieces([one], [0], sizes, 1)
        expect(stored.rows().entries).toEqual(whole.entries)
        expect(last.trace).toEqual(whole.trace)
      }),
      { numRuns: 60 },
    )
  })
  it.each(samples)('%s has the same rows however it is split, in any order of sources', (sample) => {
    const sources = sampleSources(sample)
    const whole = readAll(sources)
    fc.assert(
      fc.property(
        fc.array(fc.nat(5), { minLength: 1, maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 40 }),
        (picks, sizes, pause) => {
          const { stored, last } = feedInPieces(sources, picks, sizes, pause)
          expect(stored.rows().entries).toEqual(whole.entries)
          expect(stored.rows().responses).toEqual(whole.responses)
          expect(last.trace).toEqual(whole.trace)
        },
      ),
      { numRuns: 25 },
    )
  })

  it('never renumbers existing entries when a single file grows', () => {
    const [file] = sampleSources('fix-test')
    const lines = file!.bytes.toString().trimEnd().split('\n')
    const reader = newReader()
    const ordById = new Map<string, string>()
    let offset = 0
    for (const line of lines) {
      const bytes = Buffer.from(`${line}\n`)
      reader.feed(file!, offset, bytes)
      offset += bytes.length
      for (const { id, ord } of reader.output(null).entries) {
        expect(ordById.get(id) ?? ord).toBe(ord)
        ordById.set(id, ord)
      }
    }
  })

  it('merges two files of one session by uuid, whatever their order and names', () => {
    const record = (uuid: string, parentUuid: string | null, second: number, text: string) => ({
      type: 'user',
      uuid,
      parentUuid,
      timestamp: `2026-11-21T04:00:0${second}.000Z`,
      message: { content: text },
    })
    const shared = [record('a', null, 0, 'first'), record('b', 'a', 1, 'second')]
    const left = main(...shared, record('c', 'b', 2, 'left'))
    const right = { ...main(...shared, record('d', 'b', 3, 'right')), ...source('main-ffffffff', 'main') }
    const expectedLabels = ['first', 'second', 'left', 'right']
    for (const files of [
      [left, right],
      [right, left],
    ]) {
      const output = readAll(files)
      expect(output.entries.map(({ label }) => label)).toEqual(expectedLabels)
      expect(output.trace.problems).toEqual([])
      expect(output.trace.counts.prompts).toBe(4)
    }
    const swapped = readAll([
      { ...left, ...source('main-ffffffff', 'main') },
      { ...right, ...source('main-00000000', 'main') },
    ])
    expect(swapped.entries.map(({ id, ord }) => [id, ord])).toEqual(readAll([left, right]).entries.map(({ id, ord }) => [id, ord]))
  })

  it('keeps both records that share a uuid but differ, and reports them as a problem', () => {
    const record = (text: string) => ({
      type: 'user',
      uuid: 'a',
      parentUuid: null,
      timestamp: '2026-11-21T04:00:00.000Z',
      message: { content: text },
    })
    const left = main(record('one'))
    const right = { ...main(record('two')), ...source('main-ffffffff', 'main') }
    const [first, second] = [readAll([left, right]), readAll([right, left])]
    expect(new Set(first.entries.map(({ label }) => label))).toEqual(new Set(['one', 'two']))
    expect(first.entries).toEqual(second.entries)
    expect(first.trace.problems).toMatchObject([
      { kind: 'contradiction', message: 'Two different records have the uuid a; both are kept.' },
    ])
  })

  it('keeps every row when a shorter file replaces the transcript', () => {
    const [file] = sampleSources('fix-test')
    const newer = { ...file!, generation: 2, bytes: file!.bytes.subarray(0, file!.bytes.indexOf(10, 20_000) + 1) }
    const output = readAll([file!, newer])
    expect(output.trace.counts).toMatchObject({ prompts: 1, toolCalls: 10 })
    expect(output.entries.map(({ ord }) => ord)).toEqual(readAll([file!]).entries.map(({ ord }) => ord))
    expect(output.trace.problems).toEqual([])
  })
})
