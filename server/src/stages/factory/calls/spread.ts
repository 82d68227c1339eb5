/** At most `most` items, in their order: one of each kind in turn, within a kind by their draw, so that no kind crowds out another. */
export function spread<Item>(
  items: readonly Item[],
  { most, kindOf, drawOf }: { most: number; kindOf: (item: Item) => string; drawOf: (item: Item, at: number) => string },
): Item[] {
  const drawn = items
    .map((item, at) => ({ item, at, draw: drawOf(item, at) }))
    .toSorted((a, b) => (a.draw < b.draw ? -1 : a.draw > b.draw ? 1 : a.at - b.at))
  const kinds = [...Map.groupBy(drawn, ({ item }) => kindOf(item)).values()]
  const turns = Math.max(0, ...kinds.map(({ length }) => length))
  const inTurn = Array.from({ length: turns }, (_, turn) => kinds.flatMap((kind) => kind[turn] ?? [])).flat()
  return inTurn
    .slice(0, most)
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
