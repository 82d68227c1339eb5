import type { FilePeek } from '#contracts/entities/dataset.ts'
import { rowsOf } from '#server/adapters/outside-rows/index.ts'
import { readRow } from './shapes.ts'

const PEEK_ROWS = 5
const MAX_CHARS = 300

/** The first rows of an outside file, and whether they can be imported with these columns. */
export default async function peek({ file, columns }: { file: string; columns: Record<string, string> }): Promise<FilePeek> {
  const names = new Set<string>()
  const rows: Record<string, unknown>[] = []
  let kind: FilePeek['kind'] = null
  let problem: string | null = null
  let read = 0
  for await (const { row, error } of rowsOf(file)) {
    read += 1
    const result = error === null ? readRow(row, columns) : { errors: [{ field: '', message: error }] }
    if ('errors' in result) {
      const [first] = result.errors
      problem ??= `Row ${read}${first?.field ? `, ${first.field}` : ''}: ${first?.message ?? 'unreadable'}`
    } else kind ??= result.kind
    if (typeof row === 'object' && row !== null && !Array.isArray(row)) {
      for (const name of Object.keys(row)) names.add(name)
      rows.push(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shorten(value)])))
    }
    if (read === PEEK_ROWS) break
  }
  return { columns: [...names], rows, kind, problem: read === 0 ? 'The file contains no rows.' : problem }
}

/** Replaces long values by the beginning of their text. */
function shorten(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text === undefined || text.length <= MAX_CHARS ? value : `${text.slice(0, MAX_CHARS)}…`
}
