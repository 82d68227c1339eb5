import { useQuery } from '@tanstack/react-query'
import { formatCount } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { api } from './client.ts'
import { keys } from './keys.ts'
import { tracesHref } from './links.ts'

const UNVERIFIED = 'is:unverified'

/** How many sessions of a filter are gold although no verification passed; a link to them, nothing where there are none. */
export function UnverifiedCount({ filter = '' }: { filter?: string }) {
  const q = `${filter} ${UNVERIFIED}`.trim()
  const facets = useQuery({ queryKey: keys.traceFacetsOf({ q }), queryFn: ({ signal }) => api.getTraceFacets({ query: { q }, signal }) })
  if (!facets.data?.total) return null
  return <TextLink href={tracesHref(q)}>{formatCount(facets.data.total)} unverified</TextLink>
}
