import type { Dataset, FunnelStage } from '#contracts/entities/dataset.ts'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { dropWords } from '../words.ts'

export interface FunnelRow extends FunnelStage {
  /** Shares of the largest stage of the same unit, 0 to 1. */
  keptShare: number
  lostShare: number
}

/** Stages with the widths of their bars. Each unit (sessions, segments, rows) has its own scale. */
export function funnelRows(funnel: readonly FunnelStage[]): FunnelRow[] {
  const scale = (unit: FunnelStage['unit']) => (unit === 'sessions' || unit === 'segments' ? unit : 'rows')
  const widest = new Map<string, number>()
  for (const { unit, in: entered, out } of funnel) widest.set(scale(unit), Math.max(widest.get(scale(unit)) ?? 0, entered, out))
  return funnel.map((stage) => {
    const largest = widest.get(scale(stage.unit)) || 1
    return { ...stage, keptShare: stage.out / largest, lostShare: Math.max(0, stage.in - stage.out) / largest }
  })
}

/** Why a stage has more rows after it than before. */
export function addedSentence({ parts, splitSegments, variants, imported }: NonNullable<FunnelStage['added']>): string {
  const reasons = [
    splitSegments > 0 ? `${plural(splitSegments, 'long segment')} split into ${formatCount(splitSegments + parts)} examples` : null,
    variants > 0 ? plural(variants, 'generated variant') : null,
    imported > 0 ? plural(imported, 'imported row') : null,
  ].filter((reason) => reason !== null)
  return reasons.length === 0 ? 'no segment split' : reasons.join(', ')
}

/** A summary of the funnel in one sentence. */
export function funnelSentence({ funnel, counts }: Pick<Dataset, 'funnel' | 'counts'>): string {
  const rows = counts.train + counts.val + counts.test
  const first = funnel[0]
  const lost = funnel.flatMap(({ dropped }) => dropped).filter(({ reason }) => reason !== 'not selected')
  const total = lost.reduce((sum, { count }) => sum + count, 0)
  const largest = lost.toSorted((a, b) => b.count - a.count)[0]
  return [
    first && first.in > 0 ? `${first.out} of ${first.in} ${first.unit} became ${rows} rows` : `${rows} rows`,
    total === 0
      ? 'nothing was excluded'
      : `${total} excluded${largest ? `, most of them for "${dropWords(largest.reason)}" (${largest.count})` : ''}`,
  ].join('; ')
}
