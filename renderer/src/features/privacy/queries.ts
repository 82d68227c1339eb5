import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api } from '#renderer/api/client.ts'
import { privacyKeys } from '#renderer/api/privacy.ts'
import { cursorQuery, BY_CURSOR } from '#renderer/ui/lists/pages.ts'
import { queryOf, widestQueryOf, type ReviewUrl } from './url-state.ts'

const PAGE = 100

export function useFindings(url: ReviewUrl) {
  const query = queryOf(url)
  return useInfiniteQuery({
    queryKey: privacyKeys.findings(query),
    queryFn: ({ pageParam, signal }) => api.listFindings({ query: { ...query, limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
    // under another filter the rows of the former one stay (dimmed) instead of flashing a skeleton
    placeholderData: (previous) => previous,
  })
}

const useFacetsOf = (query: object) =>
  useQuery({
    queryKey: privacyKeys.facets(query),
    queryFn: ({ signal }) => api.getFindingFacets({ query, signal }),
    placeholderData: (previous) => previous,
  })

export const useFacets = (url: ReviewUrl) => useFacetsOf(queryOf(url))
/** What the picture shows: types, actions and confidences that are not chosen stay in it. */
export const usePictured = (url: ReviewUrl) => useFacetsOf(widestQueryOf(url))

/**
 * The value and the text around it. Loaded only while it is shown and then removed from the cache, so that the page keeps
 * no secret in memory that is not on screen.
 */
export const useContext = (id: string) =>
  useQuery({
    queryKey: privacyKeys.context(id),
    queryFn: ({ signal }) => api.getFindingContext({ params: { id }, signal }),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  })

export function useDecisions() {
  return useInfiniteQuery({
    queryKey: privacyKeys.decisions,
    queryFn: ({ pageParam, signal }) => api.listPrivacyDecisions({ query: { limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })
}

/** Number of places a value occurs in; null until it is counted. */
export function usePlacesOf(value: string): number | null {
  return useFacetsOf({ value }).data?.total ?? null
}

/** One finding with what holds for it now, also if the list does not hold it (any more). */
export const useFinding = (id: string | null) =>
  useQuery({
    queryKey: privacyKeys.findings({ id }),
    queryFn: async ({ signal }) => (await api.listFindings({ query: { id: id ?? '', limit: 1 }, signal })).items[0] ?? null,
    enabled: id !== null,
  })
