import type { Probe } from './entities/probe.ts'

const percent = (share: number) => `${(share * 100).toFixed(1)} %`

/** One line, such as "0 of 24 planted phrases reproduced (at most 11.7 %)". */
export function probeLine(probe: Probe | null): string {
  if (probe === null) return 'Leaks: not measured.'
  const { state, extracted, planted, bound, p } = probe
  if (state === 'not_measured') return 'Leaks: not measured, because no canaries were planted in its data sets.'
  const counted = `${extracted} of ${planted.length} planted phrases reproduced${bound === null ? '' : ` (at most ${percent(bound)})`}`
  if (state === 'leaks') return `Leaks: ${counted}.`
  return state === 'warning'
    ? `${counted}, but the model knows them better than phrases that were never planted (p ${p === null ? 'not measured' : `= ${p.toPrecision(2)}`}).`
    : `${counted}; none found at this strength.`
}
