import { useCallback, useMemo } from 'react'

/** A part of a long list, as the server answers it. */
interface Page<Row> {
  items: readonly Row[]
  /** Of all rows, also those that are not here. */
  total?: number
}

/** A list that is read part by part, as the query library tells of it. */
interface Paged<Row> {
  data: { pages: readonly Page<Row>[] } | undefined
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => Promise<unknown>
}

/** Of a query: each part begins where the one before it ended. */
export const BY_CURSOR = {
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined,
}

/** Where a part begins, as a call takes it; the first needs no word. */
export const after = (cursor: string): { cursor?: string } => (cursor === '' ? {} : { cursor })

/** Rows of all parts, each once: a row that moved between two reads may come twice. */
export function rowsOf<Row extends { id: string }>(pages: readonly Pick<Page<Row>, 'items'>[]): Row[] {
  const seen = new Set<string>()
  return pages.flatMap(({ items }) => items).filter(({ id }) => (seen.has(id) ? false : seen.add(id)))
}

const totalOf = <Row>({ data }: Paged<Row>): number => data?.pages.at(-1)?.total ?? 0

/** Reads the next part, unless it is being read or there is none. */
function useMore<Row>({ hasNextPage, isFetchingNextPage, fetchNextPage }: Paged<Row>): () => void {
  return useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
}

/** What has been read of a list that never changes, how many rows it has in all, and how to read on. */
export function usePages<Row>(list: Paged<Row>) {
  const rows = useMemo(() => list.data?.pages.flatMap(({ items }) => items) ?? [], [list.data])
  return { rows, total: totalOf(list), more: useMore(list) }
}

/** The same of a list that may change between two reads. */
export function useRows<Row extends { id: string }>(list: Paged<Row>) {
  const rows = useMemo(() => rowsOf(list.data?.pages ?? []), [list.data])
  return { rows, total: totalOf(list), more: useMore(list) }
}
