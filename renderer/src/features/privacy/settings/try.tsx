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
import { marked } from './marked.ts'

/** Typing is over when nothing came for this long. */
const PAUSE_MS = 300
const MAX_CHARS = 100_000

/** A text before and after the gate. Nothing of it is stored. */
export function PrivacyTry() {
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const preview = useQuery({
    queryKey: privacyKeys.preview(asked),
    queryFn: async ({ signal }) => ({ text: asked, ...(await api.previewPrivacy({ body: { text: asked }, signal })) }),
    enabled: asked.trim() !== '',
    placeholderData: (previous) => previous,
    gcTime: 0,
  })
  const shown = asked.trim() === '' ? undefined : preview.data
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
      {shown ? (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <Side title="Before">
              {marked(shown.text, shown.findings).map(({ start, text: part, finding }) =>
                finding ? <Found key={start} text={part} finding={finding} /> : <span key={start}>{part}</span>,
              )}
            </Side>
            <Side title="After">{shown.after}</Side>
          </div>
          <p role="status" className="text-sm text-second">
            {shown.findings.length === 0 ? 'No findings.' : `${plural(shown.findings.length, 'finding')}: `}
            {shown.findings
              .map(({ type, detector, confidence }) => `${piiWord(type)} (${detector}, ${formatScore(confidence)})`)
              .join(', ')}
            {shown.findings.length > 0 ? '. ' : ''}
            {Object.entries(shown.report.actions)
              .map(([action, count]) => `${strategyWord(action)}: ${formatCount(count)}`)
              .join(', ')}
            {shown.report.belowThreshold > 0 ? ` Below the threshold and unchanged: ${formatCount(shown.report.belowThreshold)}.` : ''}
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
      // it scrolls, so the keys of the browser must reach it
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="focus-inset max-h-60 min-h-16 overflow-auto rounded border border-line bg-panel p-2 font-mono text-xs break-words whitespace-pre-wrap"
    >
      {children}
    </section>
  </div>
)

const Found = ({ text, finding }: { text: string; finding: Finding }) => (
  <mark title={piiWord(finding.type)} className="rounded-sm bg-warn/25 text-text outline outline-warn">
    {text}
  </mark>
)
