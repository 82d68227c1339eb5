import { TriangleAlert } from 'lucide-react'
import type { Bottleneck } from '#contracts/entities/profile.ts'
import { profileHref } from '#renderer/app/links.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { RULE_WORDS } from './words.ts'

/** What slowed the session down; each opens the span that shows it. */
export const Bottlenecks = ({ traceId, found }: { traceId: string; found: readonly Bottleneck[] }) =>
  found.length === 0 ? (
    <p className="text-sm text-second">No rule found a bottleneck.</p>
  ) : (
    <ul aria-label="Bottlenecks" className="flex max-h-32 flex-col gap-1 overflow-y-auto text-sm">
      {found.map(({ rule, spanId, text }) => (
        <li key={rule} className="flex items-baseline gap-2">
          <TriangleAlert size={14} aria-hidden className="shrink-0 translate-y-0.5 text-warn" />
          <span className="min-w-0">
            <TextLink href={profileHref(traceId, spanId)} title={RULE_WORDS[rule].rule}>
              {RULE_WORDS[rule].name}
            </TextLink>{' '}
            <span className="text-second">
              <Visible text={text} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
