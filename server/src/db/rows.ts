import { AppError, type ErrorCode } from '#contracts/errors.ts'
import type { Database } from '#server/db/open.ts'
import { numberBefore, pageOf } from '#server/db/paging.ts'

export type Raw = Record<string, string | number | null>

interface Table<Row> {
  table: string
  /** Default: all. */
  columns?: string
  toRow: (raw: Raw) => Row
  /** The error for an unknown id, and the noun in its message. */
  missing: { code: ErrorCode; what: string }
  /** A condition of the list, with named parameters. */
  where?: string
}

/** Reads a table whose rows have an id and a rising number. */
export function createRows<Row extends { no: number }>(db: Database, { table, columns = '*', toRow, missing, where = 'true' }: Table<Row>) {
  const byId = db.prepare<[string], Raw>(`SELECT ${columns} FROM ${table} WHERE id = ?`)
  const page = db.prepare<[Raw], Raw>(`SELECT ${columns} FROM ${table} WHERE ${where} AND no < @before ORDER BY no DESC LIMIT @limit`)
  const count = db.prepare<[Raw], { n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${where}`)
  const rowOf = (raw: Raw | undefined): Row | null => (raw ? toRow(raw) : null)
  const get = (id: string): Row | null => rowOf(byId.get(id))
  const require = (id: string): Row => {
    const row = get(id)
    if (!row) throw new AppError(missing.code, { message: `There is no ${missing.what} with the id "${id}".` })
    return row
  }
  /** Newest first. Throws `invalid_request` for a cursor that is not valid. */
  const list = ({ cursor, limit }: { cursor?: string | undefined; limit: number }, values: Raw = {}) => {
    const rows = page.all({ ...values, before: numberBefore(cursor), limit: limit + 1 }).map(toRow)
    return { ...pageOf(rows, limit, ({ no }) => no), total: count.get(values)!.n }
  }
  return { rowOf, get, require, list }
}

/** Reads the cursor of a list that is numbered from 0: the page starts after it. Throws `invalid_request`. */
export const numberAfter = (cursor: string | undefined): number => (cursor === undefined ? -1 : numberBefore(cursor))
