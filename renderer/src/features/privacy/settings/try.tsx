import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Finding } from '#contracts/entities/privacy.ts'
import { api } from '#renderer/api/client.ts'
import { privacyKeys } from '#renderer/api/privacy.ts'
import { piiWord, strategyWord } from '#renderer/app/words/privacy.ts'
import { formatScore } from '#renderer/app/words/score.ts'
import { TextArea } from '#renderer/ui/field.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { splitAtFindings } from './split-at-findings.ts'

/** Filters the text after this pause in typing. */
const PAUSE_MS = 300
const MAX_CHARS = 100_000

/** Shows a text before and after the gate, without storing it. */
export function PrivacyTry() {
  const [text, setText] = useState('')
  const [settledText, setSettledText] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettledText(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const preview = useQuery({
    queryKey: privacyKeys.preview(settledText),
    queryFn: async ({ signal }) => ({ text: settledText, ...(await api.previewPrivacy({ body: { text: settledText }, signal })) }),
    enabled: settledText.trim() !== '',
    placeholderData: (previous) => previous,
    gcTime: 0,
  })
  const current = settledText.trim() === '' ? undefined : preview.data
  return (
    <Section title="Try it" note="A text before and after the privacy filter, under the current policy; nothing is stored">
      <TextArea
        aria-label="Text to try"
        placeholder="Paste a command, some output or a log line"
        maxLength={MAX_CHARS}
        spellCheck={false}
        value={text}
        onChange={setText}
        className="min-h-24 w-full font-mono text-xs"
      />
      {preview.error ? <ErrorState title="Couldn't filter the text" error={preview.error} retry={() => void preview.refetch()} /> : null}
      {current ? (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <Side title="Before">
              {splitAtFindings(current.text, current.findings).map(({ start, text: part, finding }) =>
                finding ? <FindingMark key={start} text={part} finding={finding} /> : <span key={start}>{part}</span>,
              )}
            </Side>
            <Side title="After">{current.after}</Side>
          </div>
          <p role="status" className="text-sm text-second">
            {current.findings.length === 0 ? 'No findings.' : `${plural(current.findings.length, 'finding')}: `}
            {current.findings
              .map(({ type, detector, confidence }) => `${piiWord(type)} (${detector}, ${formatScore(confidence)})`)
              .join(', ')}
            {current.findings.length > 0 ? '. ' : ''}
            {Object.entries(current.report.actions)
              .map(([action, count]) => `${strategyWord(action)}: ${formatCount(count)}`)
              .join(', ')}
            {current.report.belowThreshold > 0 ? ` Below the threshold and unchanged: ${formatCount(current.report.belowThreshold)}.` : ''}
          </p>
        </>
      ) : null}
    </Section>
  )
}

const Side = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <div className="flex min-w-0 flex-col gap-1">
    <h3 className="text-xs font-semibold">{title}</h3>
    <section
      aria-label={title}
      // a scrolled region must be reachable by keyboard
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="focus-inset max-h-60 min-h-16 overflow-auto rounded border border-line bg-panel p-2 font-mono text-xs break-words whitespace-pre-wrap"
    >
      {children}
    </section>
  </div>
)

const FindingMark = ({ text, finding }: { text: string; finding: Finding }) => (
  <mark title={piiWord(finding.type)} className="rounded-sm bg-warn/25 text-text outline outline-warn">
    {text}
  </mark>
)
