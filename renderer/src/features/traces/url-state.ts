import { TraceSort } from '#contracts/routes/traces.ts'
import { parseFilter } from '#contracts/filter.ts'
import { TraceId } from '#contracts/entities/common.ts'
import type { z } from 'zod'

export type SortKey = z.infer<typeof TraceSort>

/** Everything of the screen that a copied link restores. The bar, the facets and the list read and write this one state. */
export interface TracesUrl {
  q: string
  sort: SortKey
  /** The open trace. */
  id: string | null
  tab: OpenTab
  /** The selected step or item of the open trace. */
  item: string | null
}

export const OPEN_TABS = ['transcript', 'facts', 'diff', 'raw'] as const
export type OpenTab = (typeof OPEN_TABS)[number]

/** Last active first, so a running session is at the top. */
export const DEFAULT_SORT: SortKey = '-endedAt'

/** Reads a location's search part. Invalid values are dropped, so an old or mistyped link still opens the list. */
export function parseUrl(search: string): TracesUrl {
  const values = new URLSearchParams(search)
  const sort = TraceSort.safeParse(values.get('sort'))
  const id = TraceId.safeParse(values.get('id'))
  const tab = OPEN_TABS.find((known) => known === values.get('tab'))
  return {
    q: values.get('q') ?? '',
    sort: sort.success ? sort.data : DEFAULT_SORT,
    id: id.success ? id.data : null,
    tab: tab ?? 'transcript',
    item: id.success ? values.get('item') : null,
  }
}

/** The search part of a link, without defaults: `/traces?q=tier%3Agold&id=…`. */
export function formatUrl(state: TracesUrl): string {
  const values = new URLSearchParams()
  if (state.q.trim()) values.set('q', state.q.trim())
  if (state.sort !== DEFAULT_SORT) values.set('sort', state.sort)
  if (state.id) {
    values.set('id', state.id)
    if (state.tab !== 'transcript') values.set('tab', state.tab)
    if (state.item) values.set('item', state.item)
  }
  const text = values.toString()
  return text ? `/traces?${text}` : '/traces'
}

/** The query of the list route. Terms that cannot be parsed are ignored (the filter bar says so). */
export function filterOf({ q }: Pick<TracesUrl, 'q'>): { q?: string } {
  const { errors } = parseFilter(q)
  const text = errors
    .toReversed()
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), q)
    .trim()
  return text ? { q: text } : {}
}

/** `unread`: there is text, but no valid term, so every session is listed. */
export function filterStateOf(state: Pick<TracesUrl, 'q'>): 'none' | 'unread' | 'applied' {
  if (filterOf(state).q !== undefined) return 'applied'
  return state.q.trim() === '' ? 'none' : 'unread'
}
