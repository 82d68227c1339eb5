import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ArchiveFinding, FoundValue } from '#contracts/entities/privacy.ts'
import { api } from '#renderer/api/client.ts'
import { privacyKeys } from '#renderer/api/privacy.ts'
import { cursorQuery, BY_CURSOR } from '#renderer/ui/lists/pages.ts'
import { queryOf, chartQueryOf, type ReviewUrl } from './url-state.ts'

const PAGE = 100

/** A row of the list: a value with its newest place, or one place of the value that the list is limited to. */
export interface ListedFinding extends ArchiveFinding {
  /** Null for one place. */
  group: Pick<FoundValue, 'places' | 'sessions' | 'actions'> | null
}

/** Findings grouped by value; the places of one value one by one. */
export function useFindings(url: ReviewUrl) {
  const query = queryOf(url)
  return useInfiniteQuery({
    queryKey: privacyKeys.values(query),
    queryFn: async ({ pageParam, signal }) => {
      const page = { query: { ...query, limit: PAGE, ...cursorQuery(pageParam) }, signal }
      if (url.value !== null) {
        const found = await api.listFindings(page)
        return { ...found, places: found.total, items: found.items.map((finding): ListedFinding => ({ ...finding, group: null })) }
      }
      const found = await api.listFoundValues(page)
      return { ...found, items: found.items.map(({ example, ...group }): ListedFinding => ({ ...example, group })) }
    },
    ...BY_CURSOR,
    // after a filter change, the previous rows stay (dimmed) until the new ones arrive
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
/** Counts for the chart, including types, actions and confidences that are not selected. */
export const useChartFacets = (url: ReviewUrl) => useFacetsOf(chartQueryOf(url))

/** The line around a finding, with everything found in it masked. */
export const useFindingLine = (id: string) =>
  useQuery({
    queryKey: privacyKeys.line(id),
    queryFn: ({ signal }) => api.getFindingLine({ params: { id }, signal }),
    staleTime: Infinity,
    retry: false,
  })

/**
 * The value and the text around it. Removed from the cache as soon as it is hidden, so that no secret stays in memory.
 */
export const useFindingContext = (id: string) =>
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

/** The number of places with a value; null until it is counted. */
export function usePlaceCount(value: string): number | null {
  return useFacetsOf({ value }).data?.total ?? null
}

/** A finding with its current action, even if the list does not contain it. */
export const useFinding = (id: string | null) =>
  useQuery({
    queryKey: privacyKeys.findings({ id }),
    queryFn: async ({ signal }) => (await api.listFindings({ query: { id: id ?? '', limit: 1 }, signal })).items[0] ?? null,
    enabled: id !== null,
  })
