import { lookup } from '#contracts/lookup.ts'
import type { api } from '#renderer/api/client.ts'
import { PII_TYPES, PrivacyAction, type PiiType } from '#contracts/entities/privacy.ts'
import { TraceId } from '#contracts/entities/common.ts'

/** Bands of confidence, the highest first; `below` is exclusive. */
export const BANDS = [
  { low: 0.9, below: null, label: '0.9 and up' },
  { low: 0.7, below: 0.9, label: '0.7 to 0.9' },
  { low: 0.5, below: 0.7, label: '0.5 to 0.7' },
  { low: 0, below: 0.5, label: 'below 0.5' },
] as const
export type Band = (typeof BANDS)[number]

export const VIEWS = ['findings', 'decisions'] as const

/** The page's state in its URL. */
export interface ReviewUrl {
  view: (typeof VIEWS)[number]
  types: PiiType[]
  action: PrivacyAction | null
  band: Band | null
  project: string | null
  file: string | null
  detector: string | null
  /** Digest of a value, to list every place it occurs in. */
  value: string | null
  trace: string | null
  /** How the chart's bars are divided. */
  by: 'action' | 'confidence'
  /** The open finding. */
  id: string | null
}

/** Reads the URL and ignores invalid parts. */
export function parseUrl(search: string): ReviewUrl {
  const values = new URLSearchParams(search)
  const action = PrivacyAction.safeParse(values.get('action'))
  const trace = TraceId.safeParse(values.get('trace'))
  const typeNames = (values.get('type') ?? '').split(',')
  return {
    view: VIEWS.find((view) => view === values.get('view')) ?? 'findings',
    types: PII_TYPES.filter((type) => typeNames.includes(type)),
    action: action.success ? action.data : null,
    band: BANDS.find(({ low }) => String(low) === values.get('confidence')) ?? null,
    project: values.get('project'),
    file: values.get('file'),
    detector: values.get('detector'),
    value: values.get('value'),
    trace: trace.success ? trace.data : null,
    by: values.get('by') === 'confidence' ? 'confidence' : 'action',
    id: values.get('id'),
  }
}

export function formatUrl(state: ReviewUrl): string {
  const values = new URLSearchParams()
  const set = (name: string, value: string | null) => value && values.set(name, value)
  if (state.view !== 'findings') set('view', state.view)
  set('type', state.types.join(','))
  set('action', state.action)
  set('confidence', state.band && String(state.band.low))
  for (const name of ['project', 'file', 'detector', 'value', 'trace'] as const) set(name, state[name])
  if (state.by !== 'action') set('by', state.by)
  set('id', state.id)
  const text = values.toString()
  return text ? `/privacy?${text}` : '/privacy'
}

export const NO_FILTER = {
  types: [],
  action: null,
  band: null,
  project: null,
  file: null,
  detector: null,
  value: null,
  trace: null,
} as const

export type FindingQuery = NonNullable<NonNullable<Parameters<typeof api.listFindings>[0]>['query']>

export function queryOf(state: ReviewUrl): FindingQuery {
  const { types, action, band } = state
  return {
    ...chartQueryOf(state),
    ...(types.length > 0 && { type: types }),
    ...(action && { action }),
    ...(band && { minConfidence: band.low, ...(band.below !== null && { belowConfidence: band.below }) }),
  }
}

/** The query without type, action and confidence. The chart uses it, so that values that are not selected stay visible. */
export function chartQueryOf(state: ReviewUrl): FindingQuery {
  const query: FindingQuery = lookup()
  for (const name of ['project', 'file', 'detector', 'value', 'trace'] as const) {
    const value = state[name]
    if (value !== null) query[name] = value
  }
  return query
}

export const isFiltered = (state: ReviewUrl): boolean => Object.keys(queryOf(state)).length > 0
