import type { BenchmarkName } from '#contracts/entities/benchmark.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import type { TextsReader } from '../../factory/index.ts'
import { readingOf } from './sets/index.ts'

export interface ItemTextsInput {
  database: string
  benchmark: BenchmarkName
  setNo: number
  /** Null: all of the set. */
  chosen: readonly number[] | null
}

/** What the items of a run ask, in a worker. */
export const reader: TextsReader<ItemTextsInput> = function* ({ database, benchmark, setNo, chosen }) {
  const reading = readingOf(benchmark)
  const isChosen = chosen && new Set(chosen)
  const items = readOnlyOfThread(database).prepare<[number], { no: number; id: string; body: string }>(
    'SELECT no, id, body FROM benchmark_items WHERE set_no = ? ORDER BY no',
  )
  for (const { no, id, body } of items.iterate(setNo)) if (isChosen?.has(no) ?? true) yield { id, text: reading.text(JSON.parse(body)) } // written by addItems
}
