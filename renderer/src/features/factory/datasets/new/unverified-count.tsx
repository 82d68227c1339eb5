import { useUnverified } from '#renderer/api/unverified.ts'
import { formatCount } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'

/** Gold of a filter that no verification confirmed, as a link to it. */
export function UnverifiedCount({ filter }: { filter: string }) {
  const unverified = useUnverified(filter)
  return unverified ? <TextLink href={unverified.href}>{formatCount(unverified.count)} unverified</TextLink> : null
}
