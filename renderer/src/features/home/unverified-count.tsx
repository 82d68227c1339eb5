import { useUnverified } from '#renderer/api/unverified.ts'
import { formatCount } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'

/** Part of the gold that no verification confirmed, as a link to it. */
export function UnverifiedCount() {
  const unverified = useUnverified()
  return unverified ? <TextLink href={unverified.href}>{formatCount(unverified.count)} unverified</TextLink> : null
}
