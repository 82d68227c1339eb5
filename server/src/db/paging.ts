import { AppError } from '#contracts/errors.ts'

export const invalidCursor = () =>
  new AppError('invalid_request', { message: 'This cursor is not valid.', hint: 'Use `nextCursor` of the previous page.' })

/** Parses the cursor of a list in descending order of a number; the page has the rows below it. Throws `invalid_request`. */
export function numberBefore(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER
  if (!/^\d{1,15}$/.test(cursor)) throw invalidCursor()
  return Number(cursor)
}

/** Makes a page. The caller selects one row more than `limit`, which shows whether there is a next page. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string | number,
): { items: Row[]; nextCursor: string | null } {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: rows.length > limit && last !== undefined ? String(cursorOf(last)) : null }
}
