import { formatValue, plural } from '../format.ts'
import type { Line } from './plot.ts'

/** One sentence about a curve, from its points. */
export function sentenceOf(line: Pick<Line, 'label' | 'series'>, count: number): string {
  const { series } = line
  const steps = series.x('step')
  let first = -1
  let newest = -1
  let least = -1
  let most = -1
  for (let at = 0; at < series.size; at += 1) {
    if (Number.isNaN(series.last[at]!)) continue
    if (first < 0) first = at
    newest = at
    if (least < 0 || series.lo[at]! < series.lo[least]!) least = at
    if (most < 0 || series.hi[at]! > series.hi[most]!) most = at
  }
  if (newest < 0) return `${line.label}: no value yet`
  if (first === newest) return `${line.label} ${formatValue(series.last[newest])} at step ${steps[newest]!}`
  const points = count > series.size ? `${plural(count, 'point')}, drawn in ${series.size} parts` : plural(series.size, 'point')
  return `${line.label} ${formatValue(series.last[newest])} at step ${steps[newest]!}, from ${formatValue(series.last[first])} at step ${steps[first]!}; minimum ${formatValue(series.lo[least])} (${steps[least]!}), maximum ${formatValue(series.hi[most])} (${steps[most]!}), ${points}`
}

/** "not a number at steps 12, 40 and 7 more", or null. */
export function brokenSentence(steps: readonly number[]): string | null {
  if (steps.length === 0) return null
  const named = steps.slice(0, 3).join(', ')
  return `not a number at step${steps.length > 1 ? 's' : ''} ${named}${steps.length > 3 ? ` and ${steps.length - 3} more` : ''}`
}
