import { draw } from './replace/keyed.ts'

/**
 * Made-up phrases of words and digits that occur nowhere else: a model that can complete one has memorised it. They are
 * computed from the key of the data set, so they need not be stored.
 */
const WORDS =
  'amber basalt cobalt dune ember fjord garnet harbor indigo juniper kelp lichen marble nectar onyx plume quartz russet sable thicket umber velvet willow yarrow'.split(
    ' ',
  )
const PREFIX = 'bashgym canary'

/** `bashgym canary 1 kelp-onyx-dune 482913057264`: 12 unpredictable digits. */
export function canaries(key: Uint8Array, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const random = draw(Buffer.from(key), `canary\0${index}`)
    return `${PREFIX} ${index + 1} ${random.of(WORDS)}-${random.of(WORDS)}-${random.of(WORDS)} ${random.digits(12)}`
  })
}

/** The indexes of the rows that get a canary: `count` different ones, or all rows if there are fewer. */
export function canaryRows(key: Uint8Array, count: number, rows: number): number[] {
  const random = draw(Buffer.from(key), 'canary rows')
  const chosen = new Set<number>()
  while (chosen.size < Math.min(count, rows)) chosen.add(random.below(rows))
  return [...chosen]
}

/** How many of the canaries a text contains. */
export const countCanaries = (text: string, planted: readonly string[]): number => planted.filter((canary) => text.includes(canary)).length
