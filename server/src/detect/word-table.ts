/**
 * A hash map of lower-case words. A look-up needs no slice of the text: the scan computes the hash letter by letter.
 */
const SIZE = 1 << 13

export class WordTable<T> {
  /** For each slot the index + 1 of its newest word; 0 if empty. */
  readonly #first = new Uint16Array(SIZE)
  /** For each slot a bit set of the lengths of its words; it rules out most words of a text. */
  readonly #lengths = new Uint32Array(SIZE)
  readonly #next: number[] = []
  readonly #words: string[] = []
  readonly #values: T[] = []

  add(word: string, value: T, merge: (old: T, value: T) => T): void {
    let hash = 0
    for (let at = 0; at < word.length; at += 1) hash = hashStep(hash, word.charCodeAt(at))
    const place = this.#place(word, 0, word.length, hash)
    if (place >= 0) {
      this.#values[place] = merge(this.#values[place]!, value)
      return
    }
    const index = slot(hash)
    this.#next.push(this.#first[index]!)
    this.#words.push(word)
    this.#values.push(value)
    this.#first[index] = this.#words.length
    this.#lengths[index]! |= 1 << Math.min(word.length, 31)
  }

  /** The value of the word from `start` to `end`, in either case; `hash` is computed from its lower-case letters. */
  find(text: string, start: number, end: number, hash: number): T | undefined {
    const length = end - start
    if (((this.#lengths[slot(hash)]! >>> (length < 31 ? length : 31)) & 1) === 0) return undefined
    const place = this.#place(text, start, end, hash)
    return place < 0 ? undefined : this.#values[place]
  }

  #place(text: string, start: number, end: number, hash: number): number {
    for (let next = this.#first[slot(hash)]!; next !== 0; next = this.#next[next - 1]!) {
      const word = this.#words[next - 1]!
      if (word.length === end - start && isSame(word, text, start)) return next - 1
    }
    return -1
  }
}

function isSame(word: string, text: string, start: number): boolean {
  for (let at = 0; at < word.length; at += 1) if (word.charCodeAt(at) !== lower(text.charCodeAt(start + at))) return false
  return true
}

/** Lower case of the letters of Latin-1; others stay. */
export const lower = (code: number) => ((code >= 65 && code <= 90) || (code >= 0xc0 && code <= 0xde) ? code + 32 : code)
export const hashStep = (hash: number, code: number) => (Math.imul(hash, 31) + code) | 0
const slot = (hash: number) => (hash ^ (hash >>> 13)) & (SIZE - 1)
