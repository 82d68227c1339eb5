import { tracesHref } from '#renderer/app/links.ts'
import { useUnverified } from '#renderer/api/traces.ts'
import { formatCount } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'

/** Number of unverified gold sessions in a filter, as a link. */
export function UnverifiedCount({ filter }: { filter: string }) {
  const unverified = useUnverified(filter)
  return unverified ? <TextLink href={tracesHref(unverified.q)}>{formatCount(unverified.count)} unverified</TextLink> : null
}
