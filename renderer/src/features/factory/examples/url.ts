import type { z } from 'zod'
import { Tier } from '#contracts/entities/common.ts'
import { ReviewState } from '#contracts/entities/example.ts'
import { ExampleSort, type ExampleFilter } from '#contracts/routes/factory.ts'

export type SortKey = z.infer<typeof ExampleSort>

/** Everything of the review that a copied link restores. */
export interface ExamplesUrl {
  filter: ExampleFilter
  sort: SortKey
  /** The open example. */
  id: string | null
  picture: 'lengths' | 'repos'
  /** Training length: longer examples are beyond the line. */
  cut: number
}

export const CUTS = [2048, 4096, 8192, 16_384, 32_768] as const
const DEFAULT_CUT = 8192

/** Reads a location's search part; what does not fit is dropped. */
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
    minTokens: whole(values.get('min')),
    maxTokens: whole(values.get('max')),
  }
  return {
    filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
    sort: ExampleSort.safeParse(values.get('sort')).data ?? '-createdAt',
    id: /^[a-z2-7]{26}$/.test(values.get('id') ?? '') ? values.get('id') : null,
    picture: values.get('picture') === 'repos' ? 'repos' : 'lengths',
    cut: CUTS.find((known) => String(known) === values.get('cut')) ?? DEFAULT_CUT,
  }
}

const whole = (text: string | null): number | undefined => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined)

/** Names of the address that narrow the list. */
export const FILTER_NAMES = ['state', 'tier', 'trace', 'repo', 'flag', 'q', 'min', 'max'] as const
export const NO_FILTER: Record<string, null> = Object.fromEntries(FILTER_NAMES.map((name) => [name, null]))
