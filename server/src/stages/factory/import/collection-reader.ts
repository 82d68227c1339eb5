import path from 'node:path'
import type { RowReader, RowSource } from '../curate/candidate.ts'
import { readLines } from '#server/adapters/outside-rows/lines.ts'
import type { CollectedRow } from './import.job.ts'

/** Rows of imported collections, in the order of their files. */
export const collectionSource = (files: readonly string[]): RowSource => ({
  kinds: ['sft', 'dpo', 'kto', 'rlvr', 'prompts'],
  module: new URL('./collection-reader.ts', import.meta.url).href,
  plan: () => [...files],
})

export const reader: RowReader = {
  *rows(piece) {
    const file = piece as string // from the plan above
    const collection = path.basename(file, '.jsonl')
    let number = 0
    for (const { text } of readLines(file)) {
      number += 1
      const { row, metadata } = JSON.parse(text) as CollectedRow // written by the import
      const { quality, repo, traceId } = metadata
      yield {
        kind: 'row',
        candidate: {
          id: `${collection}:${number}`,
          traceIds: [],
          group: typeof traceId === 'string' ? `${collection}:${traceId}` : null,
          stepIds: [],
          segmentId: null,
          repo: typeof repo === 'string' ? repo : null,
          tier: null,
          quality: typeof quality === 'number' ? quality : null,
          scoreVersion: null,
          at: null,
          row,
        },
      }
    }
    yield { kind: 'counted', segments: 0, candidateCount: number }
  },
}
