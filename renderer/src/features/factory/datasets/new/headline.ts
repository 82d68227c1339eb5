import { parseFilter } from '#contracts/filter.ts'
import { markWord } from '#renderer/ui/tier-mark.tsx'
import { plural } from '#renderer/ui/format.ts'
import type { Draft } from './recipe.ts'

/** A recipe in one line: "Gold (verified) and silver → train and validation". */
export function headlineOf(
  draft: Pick<Draft, 'kind' | 'query' | 'traceIds' | 'tiers' | 'repos' | 'unverified' | 'include' | 'val' | 'test'>,
): string {
  return `${sourcesOf(draft)} → ${splitsOf(draft)}`
}

function sourcesOf({ query, traceIds, tiers, repos, unverified, include }: Parameters<typeof headlineOf>[0]): string {
  const words = tiers.map((tier) => (tier === 'gold' && !unverified ? 'gold (verified)' : markWord(tier).toLowerCase()))
  const tierText = words.length === 0 ? null : joinWords(words)
  if (traceIds.length > 0) return `${plural(traceIds.length, 'selected session')}${tierText === null ? '' : `, only ${tierText}`}`
  if (tierText !== null) return tierText.charAt(0).toUpperCase() + tierText.slice(1)
  if (query.trim() === '' && repos.trim() === '') return include.length > 0 ? 'Imported rows' : 'Sessions of every tier'
  const namesTiers = parseFilter(query).terms.some(({ field }) => field === 'tier')
  return namesTiers ? 'Sessions that match the filter' : 'Sessions that match the filter, of every tier'
}

function splitsOf({ val, test }: Pick<Draft, 'val' | 'test'>): string {
  const isOn = (share: string, defaultShare: number) => (share.trim() === '' ? defaultShare : Number(share)) > 0
  return joinWords(['train', ...(isOn(val, 0.1) ? ['validation'] : []), ...(isOn(test, 0) ? ['test'] : [])])
}

const joinWords = (words: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(words).replace(', and ', ' and ')
