import { createHash } from 'node:crypto'
import path from 'node:path'
import type { BenchmarkName } from '#contracts/entities/benchmark.ts'
import { AppError } from '#contracts/errors.ts'
import { rowsOf } from '#server/adapters/outside-rows/index.ts'
import { readOutsideLines } from '#server/adapters/outside-rows/lines.ts'
import { sum } from '#server/statistics/means.ts'
import { hash32 } from '#server/likeness/word-hashes.ts'
import { benchmarkOf } from './sets/index.ts'
import { WrongRow } from './sets/types.ts'

export interface ReadInput {
  benchmark: BenchmarkName
  part: string
  files: string[]
  own: boolean
  /** Null: all. */
  limit: number | null
  seed: number
}

export interface RowsInput extends ReadInput {
  /** Of the set as it was planned. */
  sha256: string
  /** Of the items that are asked, by their place among them. */
  from: number
  to: number
}

/** What is known of a set. Its rows stay in the worker: a set of 60,000 would keep the main thread busy. */
export interface ReadSet {
  sha256: string
  /** All of the set. */
  count: number
  /** How many are asked. */
  items: number
  /** Their numbers, rising; null: all. */
  chosen: number[] | null
  /** Characters of what is asked. */
  chars: number
}

export interface StoredItem {
  no: number
  id: string
  /** JSON. */
  body: string
}

interface Refused {
  refused: { message: string; hint: string | null }
}
export type ReadOutcome = ReadSet | Refused
export type ReadRows = StoredItem[] | Refused

interface Whole extends Pick<ReadSet, 'sha256' | 'count' | 'chars'> {
  items: StoredItem[]
}

/** The set that this thread read last, while its rows are fetched. */
let last: { key: string; set: Whole } | null = null
const keyOf = ({ benchmark, part, files, own, limit, seed }: ReadInput): string =>
  JSON.stringify([benchmark, part, files, own, limit, seed])

/** Reads and checks the files of a benchmark; with `from` and `to`, some of its rows. Calls with one key, so that it is read once. */
export default async function readSetJob(input: ReadInput | RowsInput): Promise<ReadOutcome | ReadRows> {
  try {
    const key = keyOf(input)
    const set = 'from' in input && last?.key === key ? last.set : await readSet(input)
    last = { key, set }
    if (!('from' in input)) {
      const { items, ...known } = set
      return { ...known, items: items.length, chosen: items.length === set.count ? null : items.map(({ no }) => no) }
    }
    if (set.sha256 !== input.sha256)
      throw new AppError('benchmark_files_refused', { message: 'The files changed while they were read.', hint: 'Start the run again.' })
    if (input.to >= set.items.length) last = null
    return set.items.slice(input.from, input.to)
  } catch (error) {
    last = null
    // errors lose their hint between threads
    if (error instanceof AppError) return { refused: { message: error.message, hint: error.hint ?? null } }
    throw error
  }
}

/** Throws `benchmark_files_refused` with what to do. */
async function readSet({ benchmark, part, files, own, limit, seed }: ReadInput): Promise<Whole> {
  const { about, reading } = benchmarkOf(benchmark)
  const published = about.parts.find(({ name }) => name === part)!.items // the caller checked the part
  const name = files.map((file) => path.basename(file)).join(' and ')
  const refuse = (message: string, hint: string) => new AppError('benchmark_files_refused', { message: `${name}: ${message}`, hint })
  const again = about.hub === null ? (about.way ?? '') : `Fetch ${about.source} again, at revision ${about.revision ?? 'main'}.`
  const columns = await Promise.all(files.map((file) => valuesOf(file, about.hub === null, refuse, again)))
  const [values = [], ...others] = columns
  for (const other of others)
    if (other.length !== values.length)
      throw refuse(`they have ${values.length} and ${other.length} rows.`, `One of them is not whole. ${again}`)
  const seen = new Map<string, number>()
  const hash = createHash('sha256')
  const items = values.map((value, no) => {
    try {
      const { id: given, row } = reading!.read([value, ...others.map((other) => other[no])], part)
      const id = given === '' ? String(no) : given
      const before = seen.get(id)
      if (before !== undefined) throw refuse(`rows ${before + 1} and ${no + 1} both have the id "${id}".`, `Remove one of them. ${again}`)
      seen.set(id, no)
      hash.update(JSON.stringify([id, row]))
      return { no, id, row }
    } catch (error) {
      if (!(error instanceof WrongRow)) throw error
      throw refuse(`row ${no + 1} ${error.message}, so it is not a row of ${about.title}, ${part}.`, `It may be another version. ${again}`)
    }
  })
  if (items.length === 0) throw refuse('it has no rows.', again)
  if (!own && items.length !== published)
    throw refuse(
      `it has ${items.length} items, and ${about.title} (${part}) has ${published}.`,
      `It is not whole, or another version. ${again} To run items of your own in this format, say so (--own).`,
    )
  const asked = chosen(items, limit, seed)
  return {
    sha256: hash.digest('hex'),
    count: items.length,
    chars: sum(asked.map(charsOf)),
    items: asked.map(({ no, id, row }) => ({ no, id, body: JSON.stringify(row) })),
  }

  function charsOf({ id, row }: { id: string; row: unknown }): number {
    const { system = '', messages, tools = [] } = reading!.ask(row, id)
    return JSON.stringify([system, messages, tools]).length
  }
}

/** Values of a file; texts where the difference of `10` and `10.0` matters. */
async function valuesOf(
  file: string,
  asTexts: boolean,
  refuse: (message: string, hint: string) => AppError,
  again: string,
): Promise<unknown[]> {
  if (asTexts) {
    const texts = [...readOutsideLines(file)].flatMap(({ text }) => (text.trim() === '' ? [] : text))
    for (const [index, text] of texts.entries())
      try {
        JSON.parse(text)
      } catch {
        throw refuse(`line ${index + 1} is not valid JSON.`, `The file is damaged or not whole. ${again}`)
      }
    return texts
  }
  const values: unknown[] = []
  for await (const { line, row, error } of rowsOf(file)) {
    if (error !== null) throw refuse(`line ${line}: ${error}`, `The file is damaged or not whole. ${again}`)
    values.push(row)
  }
  return values
}

/** Drawn by the seed from the ids, so that the same items are asked of every model. */
function chosen<Item extends { no: number; id: string }>(items: readonly Item[], limit: number | null, seed: number): Item[] {
  if (limit === null || limit >= items.length) return [...items]
  return items
    .map((item) => ({ item, rank: hash32(item.id, seed) }))
    .toSorted((a, b) => a.rank - b.rank || a.item.no - b.item.no)
    .slice(0, limit)
    .map(({ item }) => item)
    .toSorted((a, b) => a.no - b.no)
}
