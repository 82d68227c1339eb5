import { expect, test, vi } from 'vitest'
import { type CliDeps, runCli } from './run.ts'

const stop = new AbortController().signal

/** Runs `bashgym traces …` with a client that records its requests. */
async function traces(...args: string[]) {
  const listTraces = vi.fn<(input: { query: { q?: string } }) => Promise<unknown>>(() =>
    Promise.resolve({ items: [], nextCursor: null, total: 0 }),
  )
  const connection = { client: { listTraces, getCapture: () => Promise.resolve({ indexing: null }) }, close: () => Promise.resolve() }
  const command = { name: 'other', usage: 'other', summary: '', run: () => Promise.resolve() }
  // `traces` uses only the connection
  const parts = { connect: () => Promise.resolve(connection), serve: command, restore: command, scoreFile: vi.fn() } as unknown as CliDeps
  let notes = ''
  const code = await runCli(['traces', ...args], parts, { out: () => undefined, note: (text) => (notes += text) }, stop)
  return { code, notes, query: listTraces.mock.calls[0]?.[0].query.q }
}

test('accepts a filter that begins with a minus', async () => {
  expect(await traces('--query', '-tag:private')).toMatchObject({ code: 0, query: '-tag:private' })
  expect(await traces('--query=-tag:private', '--limit', '3')).toMatchObject({ code: 0, query: '-tag:private' })
  expect(await traces('--query', '-"free text" tier:gold', '--json')).toMatchObject({ code: 0, query: '-"free text" tier:gold' })
})

test('reports a missing value of an option', async () => {
  expect(await traces('--query', '--json')).toMatchObject({ code: 2, query: undefined })
  expect(await traces('--query')).toMatchObject({ code: 2 })
  expect(await traces('--limit', '-5')).toMatchObject({ code: 2, notes: expect.stringContaining('--limit must be a whole number') })
})
