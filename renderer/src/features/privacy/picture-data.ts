import { lookup } from '#contracts/lookup.ts'
import type { PiiType, PrivacyAction } from '#contracts/entities/privacy.ts'
import { PII_ORDER, actionWord, piiWord } from '#renderer/app/words/privacy.ts'
import { formatCount, formatPercent, plural } from '#renderer/ui/format.ts'
import { BANDS, type ReviewUrl } from './url-state.ts'

export interface Cell {
  type: PiiType
  action: PrivacyAction
  confidence: number
  count: number
}

export interface Part {
  id: string
  label: string
  color: string
}

const ACTION_PARTS: readonly Part[] = [
  { id: 'redact', label: actionWord('redact'), color: 'var(--series-1)' },
  { id: 'replace', label: actionWord('replace'), color: 'var(--series-4)' },
  { id: 'keep', label: actionWord('keep'), color: 'var(--series-2)' },
]
const BAND_PARTS: readonly Part[] = BANDS.map(({ low, label }, index) => ({
  id: String(low),
  label,
  color: `var(--series-${[1, 4, 6, 2][index]})`,
}))

export const partsOf = (by: ReviewUrl['by']): readonly Part[] => (by === 'action' ? ACTION_PARTS : BAND_PARTS)

/** A bar of the chart. */
export interface TypeRow {
  type: PiiType
  total: number
  counts: Record<string, number>
}

/** The bars, the longest first. */
export function rowsOf(cells: readonly Cell[], by: ReviewUrl['by']): TypeRow[] {
  const rows = PII_ORDER.map((type) => {
    const counts: Record<string, number> = lookup()
    let total = 0
    for (const cell of cells) {
      if (cell.type !== type) continue
      const part = by === 'action' ? cell.action : String(cell.confidence)
      counts[part] = (counts[part] ?? 0) + cell.count
      total += cell.count
    }
    return { type, total, counts }
  })
  return rows.filter(({ total }) => total > 0).toSorted((a, b) => b.total - a.total)
}

/** Counts of one dimension, filtered by the other two. */
export function countsOf(
  cells: readonly Cell[],
  state: Pick<ReviewUrl, 'types' | 'action' | 'band'>,
  dimension: 'type' | 'action' | 'confidence',
) {
  const counts = new Map<string, number>()
  for (const cell of cells) {
    if (dimension !== 'type' && state.types.length > 0 && !state.types.includes(cell.type)) continue
    if (dimension !== 'action' && state.action !== null && cell.action !== state.action) continue
    if (dimension !== 'confidence' && state.band !== null && cell.confidence !== state.band.low) continue
    const value = String(cell[dimension])
    counts.set(value, (counts.get(value) ?? 0) + cell.count)
  }
  return [...counts].map(([value, count]) => ({ value, count })).toSorted((a, b) => b.count - a.count)
}

/** "1,204 findings of 9 types, mostly E-mail address (41 %); 12 of them kept." */
export function pictureSentence(rows: readonly TypeRow[], by: ReviewUrl['by']): string {
  const total = rows.reduce((sum, row) => sum + row.total, 0)
  const [first] = rows
  if (!first) return 'No findings.'
  const sum = (part: string) => rows.reduce((all, { counts }) => all + (counts[part] ?? 0), 0)
  const low = sum('0')
  const remainder = by === 'action' ? `${formatCount(sum('keep'))} of them kept` : `${formatCount(low)} with confidence below 0.5`
  return `${plural(total, 'finding')} of ${plural(rows.length, 'type')}, mostly ${piiWord(first.type)} (${formatPercent(first.total / total)}); ${remainder}.`
}
