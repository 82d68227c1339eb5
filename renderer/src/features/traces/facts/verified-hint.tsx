import type { Trace } from '#contracts/entities/trace.ts'
import { tracesHref } from '#renderer/app/links.ts'
import { TextLink } from '#renderer/ui/link.tsx'

/** Explains that a gold session was not verified. */
export function VerifiedHint({ trace }: { trace: Pick<Trace, 'unverified'> }) {
  if (!trace.unverified) return null
  return (
    <p className="text-xs text-second">
      No test, build or lint passed, so data sets exclude this session by default.{' '}
      <TextLink href={tracesHref('is:unverified')}>All gold without verification</TextLink>
    </p>
  )
}
