import { mix32 } from '#server/likeness/word-hashes.ts'

/** Words of a shingle. */
export const SHINGLE = 5
/** Hash functions of a signature; its estimate of a Jaccard index j has a standard deviation of √(j(1 − j) / 128). */
export const SIGNATURE = 128

const MULTIPLIERS = Int32Array.from({ length: SIGNATURE }, (_, index) => mix32(index * 2 + 1) | 1)
const OFFSETS = Int32Array.from({ length: SIGNATURE }, (_, index) => mix32(index * 2 + 2))

/** MinHash (Broder 1997): the least value of each hash function over the shingles, written to `into` at `offset`. */
export function sign(shingles: Uint32Array, into: Int32Array, offset: number): void {
  const signed = Int32Array.from(shingles) // arithmetic on 32-bit integers stays in registers, on larger ones it does not
  for (let index = 0; index < SIGNATURE; index += 1) {
    const multiplier = MULTIPLIERS[index]!
    const mask = OFFSETS[index]!
    let least = 0x7f_ff_ff_ff
    for (let at = 0; at < signed.length; at += 1) {
      // Upper bits of a product depend on all bits below them; folding them down makes the lower ones do so too.
      const product = Math.imul(signed[at]! ^ mask, multiplier)
      const value = product ^ (product >>> 15)
      if (value < least) least = value
    }
    into[offset + index] = least
  }
}

/**
 * Bands for a threshold: as few chance meetings as possible while two texts that are just alike enough meet with
 * probability 1 − (1 − t^rows)^bands ≥ .999.
 */
export function bandsFor(threshold: number): { bands: number; rows: number } {
  for (const rows of [32, 16, 8, 4, 2]) {
    const bands = SIGNATURE / rows
    if (1 - (1 - threshold ** rows) ** bands >= 0.999) return { bands, rows }
  }
  return { bands: SIGNATURE, rows: 1 }
}
