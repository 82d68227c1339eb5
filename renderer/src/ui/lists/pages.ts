import { useCallback, useMemo } from 'react'

interface Page<Row> {
  items: readonly Row[]
  /** Number of all rows, not only of this page. */
  total?: number
}

/** The part of an infinite query's result that is used. */
interface Paged<Row> {
  data: { pages: readonly Page<Row>[] } | undefined
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => Promise<unknown>
}

/** Options of an infinite query whose pages follow a cursor. */
export const BY_CURSOR = {
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined,
}

/** The cursor as a parameter of a call; the first page has none. */
export const cursorQuery = (cursor: string): { cursor?: string } => (cursor === '' ? {} : { cursor })

/** Rows of all pages, each once: a row that moved between two requests may come twice. */
export function rowsOf<Row extends { id: string }>(pages: readonly Pick<Page<Row>, 'items'>[]): Row[] {
  const seen = new Set<string>()
  return pages.flatMap(({ items }) => items).filter(({ id }) => (seen.has(id) ? false : seen.add(id)))
}

const totalOf = <Row>({ data }: Paged<Row>): number => data?.pages.at(-1)?.total ?? 0

function useMore<Row>({ hasNextPage, isFetchingNextPage, fetchNextPage }: Paged<Row>): () => void {
  return useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
}

/** The loaded rows of a list that never changes, the number of all its rows, and a function that loads more. */
export function usePages<Row>(list: Paged<Row>) {
  const rows = useMemo(() => list.data?.pages.flatMap(({ items }) => items) ?? [], [list.data])
  return { rows, total: totalOf(list), more: useMore(list) }
}

/** The same for a list that may change between two requests. */
export function useRows<Row extends { id: string }>(list: Paged<Row>) {
  const rows = useMemo(() => rowsOf(list.data?.pages ?? []), [list.data])
  return { rows, total: totalOf(list), more: useMore(list) }
}
