/** Options of a command whose value is the next word. A long option with `=` includes its value. */
export type ValueOptions = ReadonlySet<string>

export const options = (list: string): ValueOptions => new Set(list.split(/\s+/).filter(Boolean))
export const NO_VALUES: ValueOptions = new Set()

/**
 * How many words an option has, including itself; 0 if the word is not an option. Short options can be combined (`-it X`).
 * In that case the last letter decides, and an earlier letter with a value uses the rest of the word (`-k5`).
 */
function optionLength(words: readonly string[], index: number, values: ValueOptions): 0 | 1 | 2 {
  const word = words[index]
  if (word === undefined || word === '-' || word === '--' || !word.startsWith('-')) return 0
  if (values.has(word)) return 2
  if (word.startsWith('--')) return 1
  for (let at = 1; at < word.length; at++) {
    if (!/[a-zA-Z]/.test(word[at]!)) return 1 // the rest is a value: `-j8`, `-j$(nproc)`
    if (values.has(`-${word[at]}`)) return at === word.length - 1 ? 2 : 1
  }
  return 1
}

/** Index of the first word that is neither an option nor its value; skips one `--`. */
export function skipOptions(words: readonly string[], from: number, values: ValueOptions): number {
  let index = from
  while (index < words.length) {
    if (words[index] === '--') return index + 1
    const length = optionLength(words, index, values)
    if (length === 0) return index
    index += length
  }
  return words.length
}

/** The words that are neither options nor their values, and all words after `--`. */
export function positionals(words: readonly string[], values: ValueOptions): string[] {
  const found: string[] = []
  for (let index = 0; index < words.length;) {
    if (words[index] === '--') return [...found, ...words.slice(index + 1)]
    const length = optionLength(words, index, values)
    if (length === 0) found.push(words[index]!)
    index += length || 1
  }
  return found
}

/** The name of a program without its folder. */
export function withoutFolder(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1)
}

export const isAssignment = (word: string): boolean => /^[A-Za-z_]\w*\+?=/.test(word)
