import { mix32, wordHashes } from './text.ts'

/** Words of a shingle. */
const SHINGLE = 5
/** Hash functions of a signature; its estimate of a Jaccard index j has a standard deviation of √(j(1 − j) / 128). */
export const SIGNATURE = 128

const MULTIPLIERS = Int32Array.from({ length: SIGNATURE }, (_, index) => mix32(index * 2 + 1) | 1)
const OFFSETS = Int32Array.from({ length: SIGNATURE }, (_, index) => mix32(index * 2 + 2))

/** Hashes of the 5-word shingles of a text, each once. A text of fewer words is one shingle; an empty one has none. */
export function shinglesOf(text: string): Uint32Array {
  const words = wordHashes(text)
  if (words.length === 0) return new Uint32Array()
  const found = new Uint32Array(Math.max(1, words.length - SHINGLE + 1))
  for (let start = 0; start < found.length; start += 1) {
    let value = 0
    for (let at = start; at < Math.min(start + SHINGLE, words.length); at += 1) value = mix32(Math.imul(value, 31) + words[at]!)
    found[start] = value
  }
  found.sort()
  let kept = 0
  for (const value of found) if (kept === 0 || found[kept - 1] !== value) found[kept++] = value
  return found.slice(0, kept)
}

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

/** |A ∩ B| / |A ∪ B| of two sorted lists without repeats; 1 where both are empty. */
export function jaccard(a: Uint32Array, b: Uint32Array): number {
  let shared = 0
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      shared += 1
      i += 1
      j += 1
    } else if (a[i]! < b[j]!) i += 1
    else j += 1
  }
  const union = a.length + b.length - shared
  return union === 0 ? 1 : shared / union
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
