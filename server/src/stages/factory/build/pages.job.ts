import type { Dataset, DatasetComparison, DatasetRow, DroppedRow, SplitName } from '#contracts/entities/dataset.ts'
import type { RowLine } from './assemble.job.ts'
import { inVersion } from './folder.ts'
import { openLines, readLines } from './lines.ts'

export type PageInput =
  | { what: 'rows'; folder: string; split?: SplitName; traceId?: string; from: number; limit: number }
  | { what: 'dropped'; folder: string; stage?: string; reason?: string; from: number; limit: number }
  | { what: 'compare'; a: string; b: string; from: number; limit: number }

export interface Page<T> {
  items: T[]
  /** Byte or place to go on from; null at the end. */
  next: number | null
  total: number
}
export type Compared = Pick<DatasetComparison, 'counts' | 'items'> & { next: number | null }

/** Pages of a version's files; they may be long, so a worker reads them. */
export default function pages(input: PageInput): Page<DatasetRow> | Page<DroppedRow> | Compared {
  if (input.what === 'compare') return compare(input)
  const paths = inVersion(input.folder)
  if (input.what === 'dropped') {
    const { stage, reason } = input
    return pageOf<DroppedRow>(
      paths.dropped,
      input,
      (row) => (stage === undefined || row.stage === stage) && (reason === undefined || row.reason === reason),
    )
  }
  const { split, traceId } = input
  const page = pageOf<RowLine>(
    paths.rows,
    input,
    (row) => (split === undefined || row.split === split) && (traceId === undefined || row.traceId === traceId),
  )
  const open = new Map<SplitName, ReturnType<typeof openLines>>()
  const textOf = (row: RowLine) => {
    let file = open.get(row.split)
    if (!file) open.set(row.split, (file = openLines(paths.split(row.split))))
    return file.at(row)
  }
  try {
    const items = page.items.map((row): DatasetRow => ({
      index: row.index,
      split: row.split,
      traceId: row.traceId,
      exampleId: row.exampleId,
      stepIds: row.stepIds,
      row: JSON.parse(textOf(row)) as Record<string, unknown>, // written by assemble
    }))
    return { ...page, items }
  } finally {
    for (const file of open.values()) file.close()
  }
}

/** All lines are looked at, for the total; what is asked for starts at the byte `from`. */
function pageOf<T>(file: string, { from, limit }: { from: number; limit: number }, fits: (row: T) => boolean): Page<T> {
  const items: T[] = []
  let next: number | null = null
  let total = 0
  for (const { text, offset } of readLines(file)) {
    const row = JSON.parse(text) as T // written by assemble
    if (!fits(row)) continue
    total += 1
    if (offset < from) continue
    if (items.length < limit) items.push(row)
    else next ??= offset
  }
  return { items, next, total }
}

function compare({ a, b, from, limit }: PageInput & { what: 'compare' }): Compared {
  const before = rowsById(a)
  const after = rowsById(b)
  const counts: Compared['counts'] = { added: 0, removed: 0, changed: 0, moved: 0, same: 0 }
  const changes: Compared['items'] = []
  const place = ({ index, split }: RowLine) => ({ index, split })
  for (const id of [...new Set([...before.keys(), ...after.keys()])].toSorted()) {
    const [old, now] = [before.get(id), after.get(id)]
    const change = !old ? 'added' : !now ? 'removed' : old.hash !== now.hash ? 'changed' : old.split !== now.split ? 'moved' : null
    counts[change ?? 'same'] += 1
    if (change === null) continue
    changes.push({ exampleId: id, traceId: (now ?? old)!.traceId, change, a: old ? place(old) : null, b: now ? place(now) : null })
  }
  return { counts, items: changes.slice(from, from + limit), next: from + limit < changes.length ? from + limit : null }
}

const rowsById = (folder: string): Map<string, RowLine> =>
  new Map([...readLines(inVersion(folder).rows)].map(({ text }) => JSON.parse(text) as RowLine).map((row) => [row.exampleId, row]))

/** Where two recipes differ, by path. */
export function recipeDifferences(a: Dataset['options'], b: Dataset['options']): DatasetComparison['recipe'] {
  const [left, right] = [flat(a), flat(b)]
  return [...new Set([...left.keys(), ...right.keys()])]
    .toSorted()
    .filter((path) => JSON.stringify(left.get(path)) !== JSON.stringify(right.get(path)))
    .map((path) => ({ path, a: left.get(path) ?? null, b: right.get(path) ?? null }))
}

function flat(value: unknown, path = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map([[path, value]])
  return new Map(Object.entries(value).flatMap(([key, inner]) => [...flat(inner, path ? `${path}.${key}` : key)]))
}
