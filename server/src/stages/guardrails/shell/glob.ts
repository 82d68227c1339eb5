/** Whether a name fits a shell pattern (`*`, `?`, `[…]`). Steps back to the last star only, so it takes at most pattern × name. */
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

/** How much of the pattern one character takes; 0 if it does not fit. */
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
  if (set.startsWith('[:')) return true // a class of characters: over-estimated
  for (let index = 0; index < set.length; index++) {
    if (set[index + 1] === '-' && index + 2 < set.length) {
      if (char >= set[index]! && char <= set[index + 2]!) return true
      index += 2
    } else if (set[index] === char) return true
  }
  return false
}

export const hasGlob = (text: string): boolean => /[*?[]/.test(text)
