import type { FilePeek } from '#contracts/entities/dataset.ts'
import { rowsOf } from '#server/adapters/outside-rows/index.ts'
import { readRow } from './shapes.ts'

const ROWS = 5
const LONGEST = 300

/** What the first rows of an outside file hold, and whether they can be read with these columns. */
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
      rows.push(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cut(value)])))
    }
    if (read === ROWS) break
  }
  return { columns: [...names], rows, kind, problem: read === 0 ? 'The file contains no rows.' : problem }
}

/** Values as they are while they are short; longer ones as the beginning of their text. */
function cut(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text === undefined || text.length <= LONGEST ? value : `${text.slice(0, LONGEST)}…`
}
