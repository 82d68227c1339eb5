import fs from 'node:fs'
import {
  BalanceBy,
  SplitName,
  type Dataset,
  type DatasetComparison,
  type DatasetGroups,
  type DatasetRow,
  type DroppedRow,
} from '#contracts/entities/dataset.ts'
import type { DataRow, RowMetadata } from '../curate/candidate.ts'
import { factsOf } from '../curate/facts.ts'
import { textOfRow } from '../curate/text.ts'
import type { RowLine } from './assemble.job.ts'
import { versionFiles } from './folder.ts'
import { indexOf, pageOf, type Page } from './line-index.ts'
import { openLines } from './lines.ts'
import { readLines } from '#server/adapters/outside-rows/lines.ts'

export type PageInput =
  | {
      what: 'rows'
      folder: string
      split?: SplitName
      traceId?: string
      group?: { by: BalanceBy; name: string }
      from: number
      limit: number
    }
  | { what: 'dropped'; folder: string; stage?: string; reason?: string; from: number; limit: number }
  | { what: 'groups'; folder: string }
  | { what: 'compare'; a: string; b: string; from: number; limit: number }

export type Compared = Pick<DatasetComparison, 'counts' | 'items'> & { next: number | null }

/** Reads pages of a version's files; in a worker, because the files may be long. */
export default function pages(input: PageInput): Page<DatasetRow> | Page<DroppedRow> | Compared | DatasetGroups {
  if (input.what === 'compare') return compare(input)
  if (input.what === 'groups') return cached(`${input.folder} groups`, () => groups(input.folder))
  const paths = versionFiles(input.folder)
  if (input.what === 'dropped') {
    const index = cached(paths.dropped, () => indexOf(paths.dropped, (line) => labelsOfDropped(JSON.parse(line) as DroppedRow)))
    return pageOf<DroppedRow>(paths.dropped, index, [input.stage, input.reason], input)
  }
  const openFiles = new Map<SplitName, ReturnType<typeof openLines>>()
  const textOf = (row: RowLine) => {
    let file = openFiles.get(row.split)
    if (!file) openFiles.set(row.split, (file = openLines(paths.split(row.split))))
    return file.at(row)
  }
  const { group } = input
  const labels = group ? [...labelsOfRow, (row: RowLine) => factsOfText(textOf(row))[group.by]] : labelsOfRow
  try {
    const name = group ? `${paths.rows} by ${group.by}` : paths.rows
    const index = cached(name, () =>
      indexOf(paths.rows, (line) => {
        const row = JSON.parse(line) as RowLine
        return labels.map((label) => label(row))
      }),
    )
    const page = pageOf<RowLine>(paths.rows, index, [input.split, input.traceId, group?.name], input)
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
    for (const file of openFiles.values()) file.close()
  }
}

const labelsOfRow: ((row: RowLine) => string | null)[] = [({ split }) => split, ({ traceId }) => traceId]
const labelsOfDropped = ({ stage, reason }: DroppedRow) => [stage, reason]

/** Results by name for the last few versions; never outdated, because the files of a version never change. */
const cache = new Map<string, unknown>()
const MAX_CACHED = 6

function cached<T>(name: string, make: () => T): T {
  const value = cache.has(name) ? (cache.get(name) as T) : make() // each name has values of one type
  cache.delete(name)
  cache.set(name, value)
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!)
  return value
}

function factsOfText(text: string) {
  const row = JSON.parse(text) as DataRow & { metadata: RowMetadata } // written by assemble
  const { repo, traceId } = row.metadata
  return factsOf({ row, repo, traceIds: traceId === null ? [] : [traceId] }, textOfRow(row).length)
}

/** Counts the written rows, so names that the gate replaced are counted as replaced. */
function groups(folder: string): DatasetGroups {
  const counts = new Map(BalanceBy.options.map((by) => [by, new Map<string, number>()]))
  let rows = 0
  for (const split of SplitName.options) {
    const file = versionFiles(folder).split(split)
    if (!fs.existsSync(file)) continue
    for (const { text } of readLines(file)) {
      const facts = factsOfText(text)
      rows += 1
      for (const [by, values] of counts) values.set(facts[by], (values.get(facts[by]) ?? 0) + 1)
    }
  }
  return {
    rows,
    groups: [...counts].map(([by, values]) => ({
      by,
      values: [...values].map(([name, count]) => ({ name, rows: count })).toSorted((a, b) => b.rows - a.rows || (a.name < b.name ? -1 : 1)),
    })),
  }
}

function compare({ a, b, from, limit }: PageInput & { what: 'compare' }): Compared {
  const { counts, changes } = cached(`${a} ${b}`, () => changesBetween(a, b))
  return { counts, items: changes.slice(from, from + limit), next: from + limit < changes.length ? from + limit : null }
}

function changesBetween(a: string, b: string): { counts: Compared['counts']; changes: Compared['items'] } {
  const before = rowsById(a)
  const after = rowsById(b)
  const counts: Compared['counts'] = { added: 0, removed: 0, changed: 0, moved: 0, same: 0 }
  const changes: Compared['items'] = []
  const place = ({ index, split }: RowLine) => ({ index, split })
  for (const id of [...new Set([...before.keys(), ...after.keys()])].toSorted()) {
    const [old, next] = [before.get(id), after.get(id)]
    const change = !old ? 'added' : !next ? 'removed' : old.hash !== next.hash ? 'changed' : old.split !== next.split ? 'moved' : null
    counts[change ?? 'same'] += 1
    if (change === null) continue
    changes.push({ exampleId: id, traceId: (next ?? old)!.traceId, change, a: old ? place(old) : null, b: next ? place(next) : null })
  }
  return { counts, changes }
}

const rowsById = (folder: string): Map<string, RowLine> =>
  new Map([...readLines(versionFiles(folder).rows)].map(({ text }) => JSON.parse(text) as RowLine).map((row) => [row.exampleId, row]))

/** The differences of two recipes, by path. */
export function recipeDifferences(a: Dataset['options'], b: Dataset['options']): DatasetComparison['recipe'] {
  const [left, right] = [flatten(a), flatten(b)]
  return [...new Set([...left.keys(), ...right.keys()])]
    .toSorted()
    .filter((path) => JSON.stringify(left.get(path)) !== JSON.stringify(right.get(path)))
    .map((path) => ({ path, a: left.get(path) ?? null, b: right.get(path) ?? null }))
}

function flatten(value: unknown, path = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map([[path, value]])
  return new Map(Object.entries(value).flatMap(([key, inner]) => [...flatten(inner, path ? `${path}.${key}` : key)]))
}
