import fs from 'node:fs'
import { fileWriter, parquetWriteRows } from 'hyparquet-writer'
import type { BasicType } from 'hyparquet-writer'
import type { SplitName } from '#contracts/entities/dataset.ts'
import type { Cleared } from '#server/stages/privacy/index.ts'
import type { DataRow, RowMetadata } from '../curate/candidate.ts'

const ROWS_PER_GROUP = 1000

/**
 * Columns of a Parquet file (docs/data-sets.md). Messages, tools and rewards are JSON text, because tools with different
 * arguments have no common columns.
 */
export const PARQUET_COLUMNS: readonly { name: string; type: BasicType; nullable: boolean }[] = [
  { name: 'example_id', type: 'STRING', nullable: false },
  { name: 'split', type: 'STRING', nullable: false },
  { name: 'trace_id', type: 'STRING', nullable: true },
  { name: 'repo', type: 'STRING', nullable: true },
  { name: 'tier', type: 'STRING', nullable: true },
  { name: 'quality', type: 'DOUBLE', nullable: true },
  { name: 'messages', type: 'STRING', nullable: true },
  { name: 'prompt', type: 'STRING', nullable: true },
  { name: 'completion', type: 'STRING', nullable: true },
  { name: 'label', type: 'BOOLEAN', nullable: true },
  { name: 'chosen', type: 'STRING', nullable: true },
  { name: 'rejected', type: 'STRING', nullable: true },
  { name: 'extra', type: 'STRING', nullable: true },
  { name: 'tools', type: 'STRING', nullable: false },
  { name: 'metadata', type: 'STRING', nullable: false },
]

type StoredRow = DataRow & { metadata: RowMetadata }

/** Writes the rows and returns their number. For workers. */
export function writeParquet(file: string, rows: Iterable<Cleared<StoredRow>>, split: SplitName): number {
  let count = 0
  function* records(): Generator<Record<string, unknown>> {
    for (const row of rows) {
      count += 1
      yield recordOf(row, split)
    }
  }
  void parquetWriteRows({ writer: fileWriter(file), rows: records(), columns: [...PARQUET_COLUMNS], rowGroupSize: ROWS_PER_GROUP })
  fs.chmodSync(file, 0o600)
  const handle = fs.openSync(file, 'r+')
  fs.fsyncSync(handle)
  fs.closeSync(handle)
  return count
}

function recordOf({ metadata, ...row }: StoredRow, split: SplitName): Record<string, unknown> {
  const json = (name: string) => (Object.hasOwn(row, name) ? JSON.stringify(row[name as keyof typeof row]) : null)
  return {
    example_id: metadata.exampleId,
    split,
    trace_id: metadata.traceId,
    repo: metadata.repo,
    tier: metadata.tier,
    quality: metadata.quality,
    messages: json('messages'),
    prompt: json('prompt'),
    completion: json('completion'),
    label: 'label' in row ? row.label : null,
    chosen: json('chosen'),
    rejected: json('rejected'),
    extra: extraOf(row),
    tools: json('tools') ?? '[]',
    metadata: JSON.stringify(metadata),
  }
}

const KNOWN_COLUMNS = new Set(['messages', 'prompt', 'completion', 'label', 'chosen', 'rejected', 'tools'])

/** Additional columns of RLVR rows, as one JSON object. */
function extraOf(row: object): string | null {
  const otherColumns = Object.entries(row).filter(([name]) => !KNOWN_COLUMNS.has(name))
  return otherColumns.length > 0 ? JSON.stringify(Object.fromEntries(otherColumns)) : null
}
