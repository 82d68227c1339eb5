import { expect, test, vi } from 'vitest'
import type { TimelineRow } from '#contracts/entities/step.ts'
import { api } from '#renderer/api/client.ts'
import { readTimeline } from './queries.ts'

const row = (id: string): TimelineRow => ({
  id,
  position: id,
  kind: 'prompt',
  agent: 'main',
  tool: null,
  at: null,
  durationMs: null,
  success: null,
  label: id,
  abandoned: false,
})
const { signal } = new AbortController()

test('if a session changes between pages, the result has the first revision and the last total', async () => {
  const ask = vi
    .spyOn(api, 'getTimeline')
    .mockResolvedValueOnce({ rev: 7, total: 3, rows: [row('a'), row('b')], nextCursor: 'b' })
    .mockResolvedValueOnce({ rev: 8, total: 4, rows: [row('c'), row('d')], nextCursor: null })
  const { rows, ...facts } = await readTimeline('t', 5, signal)
  expect(facts).toEqual({ rev: 7, total: 4 })
  expect(rows.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
  expect(ask.mock.calls.map(([{ query }]) => query)).toEqual([
    { since: 5, cursor: '' },
    { since: 5, cursor: 'b' },
  ])
})

test('if one page fails, the whole read fails', async () => {
  vi.spyOn(api, 'getTimeline')
    .mockResolvedValueOnce({ rev: 7, total: 3, rows: [row('a')], nextCursor: 'a' })
    .mockRejectedValueOnce(new Error('gone'))
  await expect(readTimeline('t', undefined, signal)).rejects.toThrow('gone')
})
