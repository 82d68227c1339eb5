import { normalSpace } from '#server/likeness/normal-space.ts'
import { shinglesOf } from '#server/likeness/shingles.ts'
import { mix32 } from '#server/likeness/word-hashes.ts'

/** Words of a shingle. */
export const SHINGLE = 5
/** Hash functions of a signature; its estimate of a Jaccard index j has a standard deviation of √(j(1 − j) / 128). */
export const SIGNATURE = 128

const MULTIPLIERS = Int32Array.from({ length: SIGNATURE }, (_, index) => mix32(index * 2 + 1) | 1)
const OFFSETS = Int32Array.from({ length: SIGNATURE }, (_, index) => mix32(index * 2 + 2))

/** MinHash (Broder 1997): writes the minimum of each hash function over the shingles to `into` at `offset`. */
export function sign(shingles: Uint32Array, into: Int32Array, offset: number): void {
  const signed = Int32Array.from(shingles) // V8 keeps 32-bit integers in registers, but not larger ones
  for (let index = 0; index < SIGNATURE; index += 1) {
    const multiplier = MULTIPLIERS[index]!
    const mask = OFFSETS[index]!
    let minimum = 0x7f_ff_ff_ff
    for (let at = 0; at < signed.length; at += 1) {
      // Fold the upper bits down: they depend on all lower bits, which the lower ones do not.
      const product = Math.imul(signed[at]! ^ mask, multiplier)
      const value = product ^ (product >>> 15)
      if (value < minimum) minimum = value
    }
    into[offset + index] = minimum
  }
}

/**
 * Bands for a similarity threshold t, with as few false candidates as possible while two texts of similarity t share a band
 * with probability 1 − (1 − t^rows)^bands ≥ .999.
 */
export function bandsFor(threshold: number): { bands: number; rows: number } {
  for (const rows of [32, 16, 8, 4, 2]) {
    const bands = SIGNATURE / rows
    if (1 - (1 - threshold ** rows) ** bands >= 0.999) return { bands, rows }
  }
  return { bands: SIGNATURE, rows: 1 }
}

export function signatureOf(text: string): Int32Array {
  const signature = new Int32Array(SIGNATURE)
  sign(shinglesOf(normalSpace(text), SHINGLE), signature, 0)
  return signature
}

/** An estimate of the Jaccard index of two texts. */
export const likenessOf = (a: Int32Array, b: Int32Array): number =>
  a.reduce((same, value, at) => same + Number(value === b[at]), 0) / SIGNATURE
