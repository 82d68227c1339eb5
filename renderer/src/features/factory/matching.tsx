import { useTraceFacets } from '#renderer/api/traces.ts'
import { tracesHref } from '#renderer/app/links.ts'
import { plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'

/** The number of sessions that a trace filter matches now. */
export function Matching({ filter }: { filter: string }) {
  const facets = useTraceFacets(filter)
  if (facets.error) return <span className="text-bad">{facets.error.message}</span>
  if (!facets.data) return <>…</>
  return (
    <>
      <TextLink href={tracesHref(filter)}>{plural(facets.data.total, 'session')}</TextLink> now.
    </>
  )
}
