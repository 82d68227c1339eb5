import type { Probe } from './entities/probe.ts'

const percent = (share: number) => `${(share * 100).toFixed(1)} %`

/** One line, such as "0 of 24 planted phrases reproduced (at most 11.7 %); none found at this strength." */
export function probeLine(probe: Probe | null): string {
  if (probe === null) return 'Leaks: not measured.'
  const { state, extracted, planted, bound, p, places } = probe
  if (state === 'not_measured')
    return 'Leaks: not measured, because no canaries were planted in its data sets, and nothing was replaced there.'
  const ofPlaces = places && `${places.reproduced} of ${places.tried} replaced places reproduced (at most ${percent(places.bound)})`
  const ofPhrases =
    planted.length === 0
      ? null
      : `${extracted} of ${planted.length} planted phrases reproduced${bound === null ? '' : ` (at most ${percent(bound)})`}`
  const counted = [ofPhrases, ofPlaces].filter((part) => part !== null).join(', ')
  if (state === 'leaks') return `Leaks: ${counted}.`
  return state === 'warning'
    ? `${counted}, but the model knows them better than phrases that were never planted (p ${p === null ? 'not measured' : `= ${p.toPrecision(2)}`}).`
    : `${counted}; none found at this strength.`
}
