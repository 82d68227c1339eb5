import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseFilter } from '#contracts/filter.ts'
import { useConnection } from '#renderer/api/connection.ts'
import { traceKeys } from '#renderer/api/traces.ts'
import { aTrace } from '#renderer/features/traces/fixtures.ts'
import { showOverlay, useOverlays } from '#renderer/stores/overlays.ts'
import { showPart, testQueries } from '#renderer/app/testing-page.tsx'
import { Palette } from './palette.tsx'

const fix = aTrace({ id: 'a'.repeat(26), title: 'Fix the failing test' })
const docs = aTrace({ id: 'b'.repeat(26), title: 'Write the docs' })

/** The runs and models of the server, which returns all of them for any search. */
const RUNS = [
  { id: 'r'.repeat(26), name: 'Careful, everyday', createdAt: '2026-11-20T10:00:00.000Z' },
  { id: 's'.repeat(26), name: 'Bold', createdAt: '2026-11-20T10:00:00.000Z' },
]
const MODELS = [{ id: 'm'.repeat(26), name: 'Everyday, careful', createdAt: '2026-11-20T10:00:00.000Z' }]

/** The session searches that were sent; the test answers them. */
let asked: { q: string; answer: (...traces: object[]) => Promise<void>; refuse: () => Promise<void> }[]

beforeEach(() => {
  asked = []
  const queries = testQueries()
  useConnection.setState({ state: 'online' })
  window.history.replaceState(null, '', '/')
  vi.stubGlobal('fetch', (path: string) => {
    const { pathname, searchParams } = new URL(path, 'http://x')
    const q = searchParams.get('q') ?? ''
    if (pathname === '/api/training') return Promise.resolve(Response.json({ items: RUNS, nextCursor: null, total: RUNS.length }))
    if (pathname === '/api/models') return Promise.resolve(Response.json({ items: MODELS, nextCursor: null, total: MODELS.length }))
    const answered = Promise.withResolvers<Response>()
    const settle = async (response: Response) => {
      answered.resolve(response)
      await waitFor(() => expect(queries.isFetching({ queryKey: traceKeys.search(q) })).toBe(0))
    }
    asked.push({
      q,
      answer: (...items) => settle(Response.json({ items, nextCursor: null, total: items.length })),
      refuse: () => settle(Response.json({ error: { code: 'invalid', message: 'The filter does not end.' } }, { status: 400 })),
    })
    return answered.promise
  })
  showPart(<Palette />, queries)
  act(() => showOverlay('palette'))
})
afterEach(() => act(() => showOverlay(null)))

const field = () => screen.getByRole('combobox')
const type = (value: string) => fireEvent.change(field(), { target: { value } })
const press = (key: string) => fireEvent.keyDown(field(), { key })
const request = (q: string) => {
  const found = asked.find((one) => one.q === q)
  if (!found) throw new Error(`No request for "${q}", only for ${asked.map((one) => `"${one.q}"`).join(', ')}`)
  return found
}
const shown = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
/** The marked row, which the field must name too. Null when there is none. */
function marked(): string | null {
  const rows = screen.queryAllByRole('option', { selected: true })
  expect(rows.length).toBeLessThan(2)
  expect(field().getAttribute('aria-activedescendant')).toBe(rows[0]?.id ?? null)
  return rows[0]?.textContent ?? null
}
const place = () => window.location.pathname + window.location.search
const isOpen = () => useOverlays.getState().open === 'palette'

describe('the palette', () => {
  it('marks the first session as soon as sessions are shown, and Enter opens it', async () => {
    await request('').answer()
    type('fail')
    expect(shown()).toEqual([])
    await request('fail').answer(fix, docs)
    expect(marked()).toContain('Fix the failing test')
    press('Enter')
    expect(place()).toBe(`/traces?id=${fix.id}`)
    expect(isOpen()).toBe(false)
  })

  it('ignores Enter while a search runs and nothing is shown', async () => {
    await request('').answer(fix, docs)
    type('words in the transcript only')
    expect(screen.getByText('Searching sessions …')).toBeTruthy()
    expect(marked()).toBeNull()
    press('Enter')
    expect(place()).toBe('/')
    expect(isOpen()).toBe(true)
    await request('words in the transcript only').answer(docs)
    expect(marked()).toContain('Write the docs')
  })

  it('shows hits whose title lacks the words, because the server searches whole sessions', async () => {
    await request('').answer(fix, docs)
    type('subagent')
    await request('subagent').answer(docs)
    expect(shown()).toEqual([expect.stringContaining('Write the docs')])
  })

  it('keeps matching sessions of the previous answer until the new answer replaces them', async () => {
    await request('').answer(docs, fix)
    type('fail')
    expect(marked()).toContain('Fix the failing test')
    await request('fail').answer(docs)
    expect(shown()).toHaveLength(1)
    expect(marked()).toContain('Write the docs')
  })

  it('keeps the marked row when results arrive, also before that row', async () => {
    type('archive')
    expect(marked()).toBe('Check the archive')
    await request('archive').answer(fix)
    expect(marked()).toBe('Check the archive')
    press('ArrowDown')
    expect(marked()).toBe('Storage')
    press('ArrowDown')
    expect(marked()).toContain('Fix the failing test')
    type('failing')
    await request('failing').answer(fix)
    type('fail')
    expect(marked()).toContain('Fix the failing test')
    await request('fail').answer(docs, fix)
    expect(marked()).toContain('Fix the failing test')
  })

  it('moves through the list with the arrow keys and skips disabled entries', async () => {
    await request('').answer(fix)
    act(() => useConnection.setState({ state: 'offline' }))
    expect(marked()).toBe('Home')
    press('ArrowUp')
    expect(marked()).toContain('Fix the failing test')
    press('ArrowDown')
    expect(marked()).toBe('Home')
    type('import sess')
    expect(screen.getByRole('option', { name: /Import sessions/ }).getAttribute('aria-disabled')).toBe('true')
    expect(marked()).toBeNull()
    press('Enter')
    expect(isOpen()).toBe(true)
  })

  it.each([
    ['dataset', ['Data sets', 'New data set', 'Import rows from a file']],
    ['storage', ['Storage']],
    ['export', ['Data sets', 'Models']],
    ['transcripts', ['Traces']],
    ['sign out', ['Signed-in browsers']],
  ])('finds pages, actions and settings by common words: %s', (word, found) => {
    type(word)
    const shown = screen.getAllByRole('option').map((one) => one.textContent)
    expect(shown).toEqual(expect.arrayContaining(found))
  })

  it('reports that nothing matches, and why a search failed', async () => {
    type('nothing')
    await request('nothing').answer()
    expect(screen.getByRole('status').textContent).toBe('No matches.')
    type('refused')
    await request('refused').refuse()
    expect(screen.getByRole('status').textContent).toContain('The filter does not end.')
  })

  it('searches for the words as typed, not as a query', async () => {
    type('fix: tier:gold -x "a')
    expect(parseFilter(request(String.raw`"fix:" "tier:gold" "-x" "\"a"`).q)).toMatchObject({
      errors: [],
      terms: ['fix:', 'tier:gold', '-x', '"a'].map((text) => ({ field: 'text', negated: false, value: { text } })),
    })
    await request(String.raw`"fix:" "tier:gold" "-x" "\"a"`).answer()
    expect(screen.getByRole('status').textContent).toBe('No matches.')
  })

  it('finds runs and models by the words of their names, in any order', async () => {
    type('everyday careful')
    await request('everyday careful').answer()
    await waitFor(() => expect(shown()).toHaveLength(2))
    expect(shown()).toEqual([expect.stringContaining('Careful, everyday'), expect.stringContaining('Everyday, careful')])
    press('ArrowDown')
    press('Enter')
    expect(place()).toBe(`/models/${MODELS[0]?.id}`)
  })

  it('offers to start a run and to compare', async () => {
    type('compare')
    await request('compare').answer()
    expect(shown()).toEqual(['Compare runs', 'Compare models', 'Batches'])
    type('new run')
    await request('new run').answer()
    expect(marked()).toBe('New run')
    press('Enter')
    expect(place()).toBe('/training/new')
  })
})
