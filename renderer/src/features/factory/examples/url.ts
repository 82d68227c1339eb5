import type { z } from 'zod'
import { Tier } from '#contracts/entities/common.ts'
import { ReviewState } from '#contracts/entities/example.ts'
import { ExampleSort, type ExampleFilter } from '#contracts/routes/factory.ts'

export type SortKey = z.infer<typeof ExampleSort>

/** The page's state in its URL. */
export interface ExamplesUrl {
  filter: ExampleFilter
  sort: SortKey
  /** The open example. */
  id: string | null
  picture: 'lengths' | 'repos'
  /** Training length, shown as a line in the chart. */
  cut: number
}

export const CUTS = [2048, 4096, 8192, 16_384, 32_768] as const
const DEFAULT_CUT = 8192

/** Reads the URL and ignores invalid parts. */
export function readUrl(values: URLSearchParams): ExamplesUrl {
  const states = (values.get('state') ?? '').split(',').flatMap((word) => ReviewState.safeParse(word).data ?? [])
  const tiers = (values.get('tier') ?? '').split(',').flatMap((word) => Tier.safeParse(word).data ?? [])
  const text = (name: string) => values.get(name) || undefined
  const filter: Record<keyof ExampleFilter, unknown> = {
    state: states.length > 0 ? states : undefined,
    tier: tiers.length > 0 ? tiers : undefined,
    trace: /^[a-z2-7]{26}$/.test(values.get('trace') ?? '') ? text('trace') : undefined,
    repo: text('repo'),
    flag: text('flag'),
    q: text('q'),
    minTokens: parseWhole(values.get('min')),
    maxTokens: parseWhole(values.get('max')),
  }
  return {
    filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
    sort: ExampleSort.safeParse(values.get('sort')).data ?? '-createdAt',
    id: /^[a-z2-7]{26}$/.test(values.get('id') ?? '') ? values.get('id') : null,
    picture: values.get('picture') === 'repos' ? 'repos' : 'lengths',
    cut: CUTS.find((limit) => String(limit) === values.get('cut')) ?? DEFAULT_CUT,
  }
}

const parseWhole = (text: string | null): number | undefined => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined)

export const FILTER_NAMES = ['state', 'tier', 'trace', 'repo', 'flag', 'q', 'min', 'max'] as const
export const NO_FILTER: Record<string, null> = Object.fromEntries(FILTER_NAMES.map((name) => [name, null]))
