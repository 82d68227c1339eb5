import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import { AppError, type ErrorCode } from '#contracts/errors.ts'

export interface Page<Item> {
  items: Item[]
  nextCursor: string | null
  total: number
}
export type Pages<Item> = Page<Item> | InfiniteData<Page<Item>>

/** Replaces the row with the same id on every page; the order stays, so nothing moves under the pointer. */
export function withRow<Item extends { id: string }>(
  data: Pages<Item> | undefined,
  row: Partial<Item> & { id: string },
): Pages<Item> | undefined {
  return mapPages(data, (page) =>
    page.items.some(({ id }) => id === row.id)
      ? { ...page, items: page.items.map((item) => (item.id === row.id ? { ...item, ...row } : item)) }
      : page,
  )
}

/** Removes the row; the total decreases only if the row was listed. */
export function withoutRow<Item extends { id: string }>(data: Pages<Item> | undefined, id: string): Pages<Item> | undefined {
  const isListed = data && pagesOf(data).some((page) => page.items.some((item) => item.id === id))
  if (!isListed) return data
  return mapPages(data, (page) => ({ ...page, items: page.items.filter((item) => item.id !== id), total: Math.max(0, page.total - 1) }))
}

export const pagesOf = <Item>(data: Pages<Item>): Page<Item>[] => ('pages' in data ? data.pages : [data])

function mapPages<Item>(data: Pages<Item> | undefined, change: (page: Page<Item>) => Page<Item>): Pages<Item> | undefined {
  if (!data) return data
  if (!('pages' in data)) return change(data)
  const pages = data.pages.map(change)
  return pages.every((page, index) => page === data.pages[index]) ? data : { ...data, pages }
}

/** Removes a row from the cache. A page that still shows it shows "not found" without a request. */
export function forget(queries: QueryClient, queryKey: QueryKey, code: ErrorCode): void {
  const open = queries.getQueryCache().find({ queryKey, type: 'active' })
  open?.setState({ data: undefined, error: new AppError(code), status: 'error', fetchStatus: 'idle' })
  queries.removeQueries({ queryKey, predicate: (query) => query !== open })
}
