import { mix32, wordHashes } from './word-hashes.ts'

/** Sorted, unique hashes of the shingles of a text, `size` words each. A shorter text is one shingle; an empty text has none. */
export function shinglesOf(text: string, size: number): Uint32Array {
  const words = wordHashes(text)
  if (words.length === 0) return new Uint32Array()
  const hashes = new Uint32Array(Math.max(1, words.length - size + 1))
  for (let start = 0; start < hashes.length; start += 1) {
    let value = 0
    for (let at = start; at < Math.min(start + size, words.length); at += 1) value = mix32(Math.imul(value, 31) + words[at]!)
    hashes[start] = value
  }
  hashes.sort()
  let count = 0
  for (const value of hashes) if (count === 0 || hashes[count - 1] !== value) hashes[count++] = value
  return hashes.slice(0, count)
}

/** |A ∩ B| / |A ∪ B| of two sorted lists without repeats; 1 if both are empty. */
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
