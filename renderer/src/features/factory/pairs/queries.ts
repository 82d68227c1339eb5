import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { PairSource, ReviewState } from '#contracts/entities/example.ts'
import { pairKeys } from '#renderer/api/pairs.ts'
import { api } from '#renderer/api/client.ts'
import { cursorQuery, BY_CURSOR } from '#renderer/ui/lists/pages.ts'

export interface PairFilter {
  state: ReviewState | null
  source: PairSource | null
  q: string
  trace: string | null
}

/** Reads the URL and ignores invalid parts. */
export const filterOf = (search: URLSearchParams): PairFilter => ({
  state: ReviewState.safeParse(search.get('state')).data ?? null,
  source: PairSource.safeParse(search.get('source')).data ?? null,
  q: search.get('q') ?? '',
  trace: search.get('trace'),
})

/** The open pair; null if there is none. */
export const openIdOf = (search: URLSearchParams): string | null => {
  const id = search.get('id')
  return id !== null && /^pr_[0-9a-f]{24}$/.test(id) ? id : null
}

const PAGE = 100

/** The filter as query parameters. */
export const queryOf = ({ state, source, q, trace }: PairFilter) => ({
  ...(state && { state: [state] }),
  ...(source && { source: [source] }),
  ...(q && { q }),
  ...(trace && { trace }),
})

export const usePairs = (filter: PairFilter) =>
  useInfiniteQuery({
    queryKey: [...pairKeys.all, 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      api.listPairs({
        query: {
          limit: PAGE,
          ...queryOf(filter),
          ...cursorQuery(pageParam),
        },
        signal,
      }),
    ...BY_CURSOR,
    placeholderData: (previous) => previous,
  })

export const usePair = (id: string) =>
  useQuery({ queryKey: [...pairKeys.all, 'one', id], queryFn: ({ signal }) => api.getPair({ params: { id }, signal }) })
