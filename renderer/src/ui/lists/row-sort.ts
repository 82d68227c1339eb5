/** An order is a key (ascending), or `-` and a key (descending). */
const keyOf = (sort: string): string => (sort.startsWith('-') ? sort.slice(1) : sort)

/** The order after a click on a header whose first order is `first`; a second click reverses it. */
export function nextSort<Sort extends string>(current: Sort, first: Sort): Sort {
  const key = keyOf(first)
  if (keyOf(current) !== key) return first
  return (current === key ? `-${key}` : key) as Sort // a key and its descending form are both in the list
}

export function sortDirection(current: string, first: string): 'ascending' | 'descending' | 'none' {
  if (keyOf(current) !== keyOf(first)) return 'none'
  return current.startsWith('-') ? 'descending' : 'ascending'
}
