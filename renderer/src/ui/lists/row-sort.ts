/** Orders are told by a key, upward, or by `-` and the key, downward. */
const keyOf = (sort: string): string => (sort.startsWith('-') ? sort.slice(1) : sort)

/** A press on a header that begins with `first`; the second press turns it round. */
export function nextSort<Sort extends string>(current: Sort, first: Sort): Sort {
  const key = keyOf(first)
  if (keyOf(current) !== key) return first
  return (current === key ? `-${key}` : key) as Sort // a key and its downward form are both in the list
}

export function sortDirection(current: string, first: string): 'ascending' | 'descending' | 'none' {
  if (keyOf(current) !== keyOf(first)) return 'none'
  return current.startsWith('-') ? 'descending' : 'ascending'
}
