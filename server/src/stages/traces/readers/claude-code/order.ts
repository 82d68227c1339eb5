/** Facts of a record for ordering. */
export interface Ordered {
  key: string
  parent: string | null
  at: number | null
}

/**
 * Merges the records of the files of one conversation. Each file's own order is kept, but no record is placed before its
 * parent. Between files, a record whose parent is placed comes first, then the earlier time, then the key; the path never
 * matters. A file that grows only appends.
 *
 * @param sources the records of each file in file order; a record that several files have is in each list
 */
export function mergeByChain<T extends Ordered>(sources: T[][]): T[] {
  const lists = sources.filter((list) => list.length > 0)
  if (lists.length === 1 && isChained(lists[0]!)) return lists[0]!
  const keys = new Set<string>()
  for (const list of lists) for (const record of list) keys.add(record.key)
  const placed = new Set<string>()
  const waiting = new Map<string, T[]>()
  const merged: T[] = []
  const next = lists.map(() => 0)
  const clock = lists.map(() => -Infinity)

  const place = (record: T): void => {
    const stack = [record]
    for (let current = stack.pop(); current; current = stack.pop()) {
      if (placed.has(current.key)) continue
      placed.add(current.key)
      merged.push(current)
      const children = waiting.get(current.key)
      if (!children) continue
      waiting.delete(current.key)
      stack.push(...children.toReversed())
    }
  }
  const isReady = (record: T): boolean => record.parent === null || placed.has(record.parent) || !keys.has(record.parent)

  for (;;) {
    let bestIndex = -1
    let best: Head | null = null
    for (const [index, list] of lists.entries()) {
      while (next[index]! < list.length && placed.has(list[next[index]!]!.key)) next[index]! += 1
      const head = list[next[index]!]
      if (!head) continue
      // Times in a file only increase: its records keep their order even if the clock was set back.
      clock[index] = Math.max(clock[index] ?? -Infinity, head.at ?? -Infinity)
      const candidate = { ready: isReady(head), clock: clock[index], key: head.key }
      if (best === null || comesFirst(candidate, best)) [bestIndex, best] = [index, candidate]
    }
    if (bestIndex < 0) break
    const head = lists[bestIndex]![next[bestIndex]!]!
    next[bestIndex]! += 1
    if (best?.ready) place(head)
    else addToList(waiting, head.parent!, head)
  }
  // The rest: records with circular parents, kept in the order they were found.
  for (const children of waiting.values()) for (const record of children) place(record)
  return merged
}

interface Head {
  ready: boolean
  clock: number
  key: string
}

const comesFirst = (a: Head, b: Head): boolean =>
  a.ready === b.ready ? a.clock < b.clock || (a.clock === b.clock && a.key < b.key) : a.ready

/** The common case in one pass: no record has a later parent, and there are no duplicates. */
function isChained(records: Ordered[]): boolean {
  const missing = new Set<string>()
  const seen = new Set<string>()
  for (const { key, parent } of records) {
    if (missing.has(key) || seen.has(key)) return false
    seen.add(key)
    if (parent !== null && !seen.has(parent)) missing.add(parent)
  }
  return true
}

export function addToList<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
