/**
 * A set of lower-case words asked by hash, so that a text is passed over with one multiplication a letter and one look a
 * word. A hit is only a hint: the caller compares the word itself.
 */
const SIZE = 1 << 15

export class WordTable<T> {
  readonly #seen = new Uint8Array(SIZE)
  readonly #words = new Map<string, T>()

  add(word: string, value: T, merge: (old: T, value: T) => T): void {
    const old = this.#words.get(word)
    this.#words.set(word, old === undefined ? value : merge(old, value))
    let hash = 0
    for (let at = 0; at < word.length; at += 1) hash = step(hash, word.charCodeAt(at))
    this.#seen[slot(hash)] = 1
  }

  may(hash: number): boolean {
    return this.#seen[slot(hash)] === 1
  }

  get(word: string): T | undefined {
    return this.#words.get(word)
  }
}

export const step = (hash: number, lower: number) => (Math.imul(hash, 31) + lower) | 0
const slot = (hash: number) => (hash ^ (hash >>> 15)) & (SIZE - 1)
