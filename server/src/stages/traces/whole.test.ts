import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TranscriptItem } from '#contracts/entities/step.ts'
import { openReadOnly } from '#server/db/open.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import passages, { passagesOf } from './passages.job.ts'
import { wireSamples } from './testing-samples.ts'
import type { Passage } from './types.ts'
import { readWhole } from './whole.ts'

/** Like a module of another stage: returns every passage that contains the text of the options. */
export const reader = {
  read: (passage: Passage, wanted: string) => (passage.text.includes(wanted) ? [passage] : []),
}

let core: TestCore
let wired: ReturnType<typeof wireSamples<TestCore>>
let ids: string[]

beforeAll(async () => {
  core = openCore()
  wired = wireSamples(core)
  await wired.importFolder()
  ids = (await wired.list()).items.map(({ id }) => id)
})
afterAll(async () => {
  await wired.close()
  await core.close()
})

const whole = (id: string, options?: Parameters<typeof readWhole>[3]) =>
  readWhole(openReadOnly(core.paths.database), core.paths.archive, id, options)
const itemsOf = (id: string, options?: Parameters<typeof readWhole>[3]) => [...whole(id, options)!.items].flat()

describe('a whole session', () => {
  it('has every item of its pages, in order, in full', async () => {
    expect(ids.length).toBeGreaterThan(1)
    for (const id of ids) {
      const pages: TranscriptItem[] = []
      for (let cursor: string | undefined; ;) {
        const page = await wired.traces.transcript(id, { limit: 100, cursor })
        pages.push(...page.items)
        if (page.nextCursor === null) break
        cursor = page.nextCursor
      }
      const items = itemsOf(id)
      expect(items.map((item) => item.id)).toEqual(pages.map((item) => item.id))
      expect(items.every((item) => (item.kind === 'step' ? !item.step.outputTruncated : !item.truncated))).toBe(true)
    }
  })

  it('excludes sub-agents on request', () => {
    const id = ids.find((id) => itemsOf(id).some((item) => (item.kind === 'step' ? item.step.agent : item.agent) !== 'main'))!
    const main = itemsOf(id, { main: true })
    expect(main.length).toBeLessThan(itemsOf(id).length)
    expect(main.every((item) => (item.kind === 'step' ? item.step.agent : item.agent) === 'main')).toBe(true)
  })

  it('returns changes since a revision, knows its entries, and is null when deleted', () => {
    const read = whole(ids[0]!)!
    expect(itemsOf(ids[0]!, { afterRev: read.rev })).toEqual([])
    expect(read.has(itemsOf(ids[0]!)[0]!.id)).toBe(true)
    expect(read.has(`${ids[0]}:nothing`)).toBe(false)
    expect(whole('a'.repeat(26))).toBeNull()
  })
})

describe('passages', () => {
  const run = (traceId: string, options: unknown, more: { afterRev?: number; known?: string[] } = {}) =>
    passages(
      { database: core.paths.database, archive: core.paths.archive, traceId, afterRev: -1, module: import.meta.url, options, ...more },
      { signal: new AbortController().signal },
    )

  it('passes every text: messages, strings of inputs with their pointer, results', async () => {
    const output = (await run(ids[0]!, ''))!
    const items = itemsOf(ids[0]!)
    expect(output.entries).toEqual(items.map((item) => item.id))
    const found = output.found as Passage[]
    expect(output.chars).toBe(found.reduce((sum, { text }) => sum + text.length, 0))
    const step = items.find((item) => item.kind === 'step' && item.step.command !== null)!
    const passagesOfStep = found.filter(({ entryId }) => entryId === step.id)
    expect(passagesOfStep).toContainEqual(
      expect.objectContaining({ part: 'body', path: '/command', text: step.kind === 'step' && step.step.command }),
    )
    expect(await run('a'.repeat(26), '')).toBeNull()
  })

  it('reads only new entries, and reports deleted ones', async () => {
    const { rev } = (await run(ids[0]!, ''))!
    const [first] = itemsOf(ids[0]!)
    const next = await run(ids[0]!, '', { afterRev: rev, known: [first!.id, `${ids[0]}:gone`] })
    expect(next).toEqual({ rev, chars: 0, entries: [], deleted: [`${ids[0]}:gone`], found: [] })
  })

  it('escapes pointers, skips empty texts, reads lists', () => {
    const step = { id: 's', tool: 'X', file: null, at: null, input: { 'a/b': { '~': ['x', '', 1, null] } }, output: '' }
    const item = { kind: 'step', id: 's', position: '0', step } as unknown as TranscriptItem
    expect(passagesOf(item).map(({ path, text }) => [path, text])).toEqual([['/a~1b/~0/0', 'x']])
  })

  it('stops on request', async () => {
    const cancelled = AbortSignal.abort(new Error('enough'))
    const input = {
      database: core.paths.database,
      archive: core.paths.archive,
      traceId: ids[0]!,
      afterRev: -1,
      module: import.meta.url,
      options: '',
    }
    await expect(passages(input, { signal: cancelled })).rejects.toThrow('enough')
  })
})
