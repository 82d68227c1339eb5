// For browsers from Chromium 108 on: the few newer built-ins that the app uses, where the engine lacks them.

const add = (target: object, name: string, value: unknown) => {
  if (!(name in target)) Object.defineProperty(target, name, { value, writable: true, configurable: true })
}

add(Array.prototype, 'toSorted', function toSorted<T>(this: T[], compare?: (a: T, b: T) => number) {
  return Array.from(this).sort(compare) // oxlint-disable-line unicorn/no-array-sort -- this is what toSorted is made of
})
add(Array.prototype, 'toReversed', function toReversed<T>(this: T[]) {
  return Array.from(this).reverse() // oxlint-disable-line unicorn/no-array-reverse -- this is what toReversed is made of
})
add(Map, 'groupBy', <K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K) => {
  const groups = new Map<K, T[]>()
  let index = 0
  for (const item of items) {
    const key = keyOf(item, index++)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
})
