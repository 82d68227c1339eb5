import { useState } from 'react'
import { ExamplesMade } from '#contracts/entities/example.ts'
import { traceHref, stepHref } from '#renderer/app/links.ts'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { reasonWords } from './words.ts'

/** How many examples were made, and what was excluded why. */
export function MakeResult({ result }: { result: unknown }) {
  const [open, setOpen] = useState<string | null>(null)
  const parsed = ExamplesMade.safeParse(result)
  if (!parsed.success) return null
  const { traces, examples, excluded, left, failed } = parsed.data
  return (
    <Section title="Result">
      <div role="status" className="flex flex-wrap items-center gap-3 text-sm">
        <p>
          <b>{plural(examples, 'example')}</b> from {plural(traces, 'session')}.
        </p>
        {examples > 0 ? <ButtonLink href="/factory/examples?state=proposed">Review examples</ButtonLink> : null}
      </div>
      {excluded.length === 0 && failed.length === 0 ? <p className="text-sm text-second">Nothing was excluded.</p> : null}
      <ul className="flex flex-col">
        {excluded.map(({ reason, count }) => (
          <Reason
            key={reason}
            label={reasonWords(reason).label}
            meaning={reasonWords(reason).meaning}
            count={count}
            places={left.filter((one) => one.reason === reason)}
            isOpen={open === reason}
            onToggle={() => setOpen(open === reason ? null : reason)}
          />
        ))}
        {failed.length > 0 ? (
          <Reason
            label="Could not be read"
            meaning="The session's transcript could not be read."
            count={failed.length}
            places={failed.map(({ traceId, message }) => ({ traceId, stepId: null, detail: message }))}
            isOpen={open === ' failed'}
            onToggle={() => setOpen(open === ' failed' ? null : ' failed')}
          />
        ) : null}
      </ul>
    </Section>
  )
}

interface Place {
  traceId: string
  stepId: string | null
  detail: string | null
}

function Reason({
  label,
  meaning,
  count,
  places,
  isOpen,
  onToggle,
}: {
  label: string
  meaning: string
  count: number
  places: readonly Place[]
  isOpen: boolean
  onToggle: () => void
}) {
  return (
    <li className="border-b border-line text-sm">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="focus-inset flex min-h-8 w-full items-center gap-3 text-left hover:bg-raised"
      >
        <span className="w-14 text-right font-mono">{formatCount(count)}</span>
        <span>{label}</span>
        <span className="text-xs text-second">{meaning}</span>
      </button>
      {isOpen ? (
        <ul className="max-h-60 overflow-y-auto pb-2 pl-17 text-xs">
          {places.map(({ traceId, stepId, detail }) => (
            <li key={`${traceId} ${stepId}`} className="flex min-h-6 items-center gap-3">
              <TextLink href={stepId === null ? traceHref(traceId) : stepHref(traceId, stepId)}>
                <span className="font-mono">{traceId.slice(0, 10)}</span>
              </TextLink>
              <span className="text-second">{detail}</span>
            </li>
          ))}
          {places.length < count ? <li className="text-second">and {formatCount(count - places.length)} more, not listed</li> : null}
        </ul>
      ) : null}
    </li>
  )
}
