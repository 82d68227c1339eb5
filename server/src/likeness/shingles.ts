import { mix32, wordHashes } from './word-hashes.ts'

/** Hashes of the shingles of a text, so many words each, sorted and each once. A text of fewer words is one shingle; an empty one has none. */
export function shinglesOf(text: string, size: number): Uint32Array {
  const words = wordHashes(text)
  if (words.length === 0) return new Uint32Array()
  const found = new Uint32Array(Math.max(1, words.length - size + 1))
  for (let start = 0; start < found.length; start += 1) {
    let value = 0
    for (let at = start; at < Math.min(start + size, words.length); at += 1) value = mix32(Math.imul(value, 31) + words[at]!)
    found[start] = value
  }
  found.sort()
  let kept = 0
  for (const value of found) if (kept === 0 || found[kept - 1] !== value) found[kept++] = value
  return found.slice(0, kept)
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
