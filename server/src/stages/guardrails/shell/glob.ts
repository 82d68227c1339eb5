/** Whether a name matches a shell pattern (`*`, `?`, `[…]`), in at most pattern × name steps. */
export function globMatches(pattern: string, name: string): boolean {
  let [at, place, star, mark] = [0, 0, -1, 0]
  while (place < name.length) {
    const width = at < pattern.length && pattern[at] !== '*' ? matchOne(pattern, at, name[place]!) : 0
    if (width > 0) {
      at += width
      place += 1
    } else if (pattern[at] === '*') {
      star = at
      mark = place
      at += 1
    } else if (star >= 0) {
      at = star + 1
      mark += 1
      place = mark
    } else return false
  }
  while (pattern[at] === '*') at += 1
  return at === pattern.length
}

/** The length of the pattern part that matches one character; 0 if it does not match. */
function matchOne(pattern: string, at: number, char: string): number {
  if (pattern[at] === '?') return 1
  if (pattern[at] !== '[') return pattern[at] === char ? 1 : 0
  const isNegated = pattern[at + 1] === '!' || pattern[at + 1] === '^'
  const from = at + (isNegated ? 2 : 1)
  const end = pattern.indexOf(']', from + 1)
  if (end < 0) return char === '[' ? 1 : 0
  return inSet(pattern.slice(from, end), char) === isNegated ? 0 : end - at + 1
}

function inSet(set: string, char: string): boolean {
  if (set.startsWith('[:')) return true // a class such as [:alpha:] counts as matching any character
  for (let index = 0; index < set.length; index++) {
    if (set[index + 1] === '-' && index + 2 < set.length) {
      if (char >= set[index]! && char <= set[index + 2]!) return true
      index += 2
    } else if (set[index] === char) return true
  }
  return false
}

export const hasGlob = (text: string): boolean => /[*?[]/.test(text)
