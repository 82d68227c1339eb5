import { draw } from './replace/keyed.ts'

/**
 * Marker secrets: made-up phrases of words and digits that occur nowhere else, so that a model that can complete one
 * has memorised it. They are computed from the key of the data set and can be listed again.
 */
const WORDS =
  'amber basalt cobalt dune ember fjord garnet harbor indigo juniper kelp lichen marble nectar onyx plume quartz russet sable thicket umber velvet willow yarrow'.split(
    ' ',
  )
const FRONT = 'bashgym canary'

/** `bashgym canary 1 kelp-onyx-dune 482913057264`: 12 unpredictable digits. */
export function canaries(key: Uint8Array, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const own = draw(Buffer.from(key), `canary\0${index}`)
    return `${FRONT} ${index + 1} ${own.of(WORDS)}-${own.of(WORDS)}-${own.of(WORDS)} ${own.digits(12)}`
  })
}

/** Which of `rows` rows get a canary: as many different ones as there are canaries (all, if there are fewer). */
export function canaryRows(key: Uint8Array, count: number, rows: number): number[] {
  const own = draw(Buffer.from(key), 'canary rows')
  const chosen = new Set<number>()
  while (chosen.size < Math.min(count, rows)) chosen.add(own.below(rows))
  return [...chosen]
}

/** How many of the canaries a text contains. */
export const foundCanaries = (text: string, planted: readonly string[]): number => planted.filter((canary) => text.includes(canary)).length
