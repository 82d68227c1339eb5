import { X } from 'lucide-react'
import { stepHref } from '#renderer/app/links.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { formatCount, formatInstant, formatUsd } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import type { SpanRow } from './rows.ts'
import { KIND_WORDS, NOT_MEASURED, timeWord, TOKEN_SERIES } from './words.ts'

/** What is known of one span. */
export function SpanFacts({ traceId, row: { span }, onClose }: { traceId: string; row: SpanRow; onClose: () => void }) {
  const { tokens } = span
  return (
    <aside aria-label="Span" className="flex w-80 shrink-0 flex-col gap-3 overflow-y-auto border-l border-line p-4">
      <div className="flex items-start gap-2">
        <h2 className="min-w-0 flex-1 text-base font-semibold break-words">
          <Visible text={span.name} />
        </h2>
        <IconButton icon={X} size="small" label="Close" onClick={onClose} />
      </div>
      {span.label === null ? null : (
        <p className="font-mono text-xs break-words text-second">
          <Visible text={span.label} />
        </p>
      )}
      <Facts>
        <Fact name="Kind">{KIND_WORDS[span.kind]}</Fact>
        <Fact name="Started">{span.startedAt === null ? NOT_MEASURED : formatInstant(span.startedAt)}</Fact>
        <Fact name="Duration">{timeWord(span.durationMs)}</Fact>
        {span.error === undefined ? null : (
          <Fact name="Error">
            <span className="text-bad">{span.error}</span>
          </Fact>
        )}
        {tokens
          ? TOKEN_SERIES.map(({ id, label }) => (
              <Fact key={id} name={label}>
                {tokens[id] === null ? 'not recorded' : formatCount(tokens[id])}
              </Fact>
            ))
          : null}
        {span.kind === 'llm' ? <Fact name="Cost">{span.costUsd === null ? 'not known' : formatUsd(span.costUsd)}</Fact> : null}
        {span.reportedUsd === undefined ? null : <Fact name="Reported">{formatUsd(span.reportedUsd)} by Claude Code</Fact>}
      </Facts>
      {span.entryId === null ? null : (
        <p className="text-sm">
          <TextLink href={stepHref(traceId, span.entryId)}>Show it in the session</TextLink>
        </p>
      )}
    </aside>
  )
}
