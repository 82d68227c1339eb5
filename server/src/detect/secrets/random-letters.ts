import { GIVEN_NAMES, TECHNICAL_WORDS } from '../word-lists/index.ts'

/** Passwords and keys of letters alone: recognised by pairs of letters that are rare in words. */

/** Log frequency of each pair of letters in words and names; 26 × 26. */
const FOLLOWS = (() => {
  const counts = new Float64Array(26 * 26).fill(0.5)
  const all = new Float64Array(26).fill(13)
  for (const word of [...TECHNICAL_WORDS, ...GIVEN_NAMES])
    for (let at = 1; at < word.length; at += 1) {
      const first = word.charCodeAt(at - 1) - 97
      const second = word.charCodeAt(at) - 97
      if (first < 0 || first > 25 || second < 0 || second > 25) continue
      counts[26 * first + second]! += 1
      all[first]! += 1
    }
  return counts.map((count, index) => Math.log2(count / all[Math.floor(index / 26)]!))
})()

/** Mean logarithm of the pairs of a text of letters. Words score about -3.7, random letters about -6. */
function likelihood(letters: string): number {
  let sum = 0
  for (let at = 1; at < letters.length; at += 1) sum += FOLLOWS[26 * (letters.charCodeAt(at - 1) - 97) + letters.charCodeAt(at) - 97]!
  return sum / (letters.length - 1)
}

/** Below every word, compound and identifier of the measured source trees, and above most random texts. */
const LEAST = -5.1
const CASE_CHANGES = /[a-z](?=[A-Z])/g

/** `aaabbbccc`, `ABCDEFGH`: a letter like the one before it, or its neighbour in the alphabet, at every second place. */
function isSequence(letters: string): boolean {
  let near = 0
  for (let at = 1; at < letters.length; at += 1) if (Math.abs(letters.charCodeAt(at) - letters.charCodeAt(at - 1)) <= 1) near += 1
  return near * 3 >= letters.length
}

/** `kWbTqZpLmXcV`, `qzkwmvbtrpxl`: ten letters or more, in combinations that no word or identifier has. */
export function isRandomLetters(value: string): boolean {
  if (value.length < 10 || value.length > 200 || !/^[A-Za-z]+$/.test(value)) return false
  const letters = value.toLowerCase()
  if (new Set(letters).size < 7 || isSequence(letters)) return false
  const isMixed = /[a-z]/.test(value) && /[A-Z]/.test(value)
  // an identifier of many short words has a capital every four letters or more
  if (isMixed && (value.match(CASE_CHANGES)?.length ?? 0) * 3.5 < value.length) return likelihood(letters) < LEAST - 0.5
  return likelihood(letters) < LEAST
}

/** How often two neighbours are of different kinds: small letter, capital, digit. Random characters change at every second place. */
export function changesOf(value: string): number {
  let count = 0
  let before = ''
  for (const char of value) {
    const kind = /[a-z]/.test(char) ? 'a' : /[A-Z]/.test(char) ? 'A' : /\d/.test(char) ? '0' : before
    if (before !== '' && kind !== before) count += 1
    before = kind
  }
  return count
}

/** `hT7.kQ9w2Zx`: random letters and digits with dots, unlike `config.oauth2Token`. A capital and the letters after it count as one. */
export function isRandomDotted(value: string): boolean {
  if (!/^[\w$]+(?:\.[\w$]+)+$/.test(value) || !/[a-z]/.test(value) || !/[A-Z]/.test(value) || !/\d/.test(value)) return false
  const letters = value.replaceAll(/[._$]/g, '')
  return 5 * changesOf(letters.replaceAll(/[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())) >= 2 * (letters.length - 1)
}
