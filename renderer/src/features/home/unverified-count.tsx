import { OWN_WORK } from '#contracts/filter.ts'
import { tracesHref } from '#renderer/app/links.ts'
import { useUnverified } from '#renderer/api/traces.ts'
import { formatCount } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { TierMark } from '#renderer/ui/tier-mark.tsx'

/** The number of gold sessions without a passed verification, as a link to them. */
export function UnverifiedCount() {
  const unverified = useUnverified(OWN_WORK)
  if (!unverified) return null
  return (
    <span className="inline-flex items-center gap-1">
      <TierMark mark="gold" unverified />
      <TextLink href={tracesHref(unverified.q)}>{formatCount(unverified.count)} unverified</TextLink>
    </span>
  )
}
