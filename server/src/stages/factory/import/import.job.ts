import fs from 'node:fs'
import { LONG_NUMBERS, type DatasetKind, type RowError, type ColumnUse } from '#contracts/entities/dataset.ts'
import type { JobContext } from '#server/workers/thread.ts'
import type { DataRow } from '../curate/candidate.ts'
import { createUseCounts } from './uses.ts'
import { createLineFile } from '../versions/lines.ts'
import { rowsOf } from '#server/adapters/outside-rows/index.ts'
import { readRow } from './shapes.ts'

export interface ImportInput {
  file: string
  /** The output: one `CollectedRow` per line. */
  to: string
  kind: DatasetKind | null
  columns: Record<string, string>
  skipInvalid: boolean
}

export interface ImportOutput {
  /** Null if nothing was stored, because of errors or because there are no rows. */
  stored: { kind: DatasetKind; rows: number; bytes: number; sha256: string } | null
  read: number
  errors: RowError[]
  errorCount: number
  columns: string[]
  columnUses: ColumnUse[]
}

/** A line of a collection's file. */
export interface CollectedRow {
  row: DataRow
  metadata: Record<string, unknown>
}

const MAX_ERRORS = 200
const PROGRESS_EVERY = 200

/** Reads an outside file and writes its rows in our format. Continues after invalid rows, to report all errors at once. */
export default async function importRows(
  input: ImportInput,
  { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
): Promise<ImportOutput> {
  const file = createLineFile(input.to)
  const errors: RowError[] = []
  const columns = new Set<string>()
  const uses = createUseCounts()
  let kind = input.kind
  let read = 0
  let errorCount = 0
  try {
    for await (const value of rowsOf(input.file)) {
      read += 1
      if (read % PROGRESS_EVERY === 0) {
        signal.throwIfAborted()
        progress({ phase: 'import', done: read, total: null, unit: 'rows' })
      }
      if (columns.size < 200 && typeof value.row === 'object' && value.row !== null)
        for (const name of Object.keys(value.row)) columns.add(name)
      const result =
        value.error === null ? readRow(value.row, input.columns, kind ?? undefined) : { errors: [{ field: '', message: value.error }] }
      if ('errors' in result) {
        errorCount += 1
        for (const error of result.errors) if (errors.length < MAX_ERRORS) errors.push({ row: read, ...error })
        continue
      }
      kind ??= result.kind
      uses.add(result.uses)
      if (value.error === null && value.isExact === false) uses.add(new Map([[LONG_NUMBERS, 'text']]))
      file.write({ row: result.row, metadata: result.metadata } satisfies CollectedRow)
    }
    const { rows, bytes, sha256 } = file.close()
    const isStored = rows > 0 && (errorCount === 0 || input.skipInvalid)
    if (!isStored) fs.rmSync(input.to)
    return {
      stored: isStored ? { kind: kind!, rows, bytes, sha256 } : null,
      read,
      errors,
      errorCount,
      columns: [...columns],
      columnUses: isStored ? uses.list() : [],
    }
  } catch (error) {
    file.abandon()
    fs.rmSync(input.to, { force: true })
    throw error
  }
}
