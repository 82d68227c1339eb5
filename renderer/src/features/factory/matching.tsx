import { useQuery } from '@tanstack/react-query'
import { api } from '#renderer/api/client.ts'
import { traceKeys } from '#renderer/api/traces.ts'
import { tracesHref } from '#renderer/app/links.ts'
import { plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'

/** How many sessions a filter of the trace list matches now. */
export function Matching({ filter }: { filter: string }) {
  const facets = useQuery({
    queryKey: traceKeys.facetsOf(filter ? { q: filter } : {}),
    queryFn: ({ signal }) => api.getTraceFacets({ query: filter ? { q: filter } : {}, signal }),
    placeholderData: (previous) => previous,
  })
  if (facets.error) return <span className="text-bad">{facets.error.message}</span>
  if (!facets.data) return <>…</>
  return (
    <>
      <TextLink href={tracesHref(filter)}>{plural(facets.data.total, 'session')}</TextLink> now.
    </>
  )
}
