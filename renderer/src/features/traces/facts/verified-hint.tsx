import type { Trace } from '#contracts/entities/trace.ts'
import { tracesHref } from '#renderer/app/links.ts'
import { TextLink } from '#renderer/ui/link.tsx'

/** What it means that a session is gold by its figures alone. */
export function VerifiedHint({ trace }: { trace: Pick<Trace, 'unverified'> }) {
  if (!trace.unverified) return null
  return (
    <p className="text-xs text-second">
      No test, build or lint passed, so data sets leave this session out by default.{' '}
      <TextLink href={tracesHref('is:unverified')}>All gold without verification</TextLink>
    </p>
  )
}
