import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import { keys } from './keys.ts'
import { tracesHref } from './links.ts'

/** Sessions of a filter that are gold although no verification passed: how many, and the list of them; null where there are none. */
export function useUnverified(filter = ''): { count: number; href: string } | null {
  const q = `${filter} is:unverified`.trim()
  const facets = useQuery({ queryKey: keys.traceFacetsOf({ q }), queryFn: ({ signal }) => api.getTraceFacets({ query: { q }, signal }) })
  return facets.data?.total ? { count: facets.data.total, href: tracesHref(q) } : null
}
