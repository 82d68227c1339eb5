import { useState, type ReactNode } from 'react'
import type { GuardCheck, TextDirection } from '#contracts/entities/guardrail.ts'
import { type CheckInput, useGuardCheck } from '#renderer/api/guardrails.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { TextArea } from '#renderer/ui/field.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { useSettled } from '#renderer/ui/use-settled.ts'
import { TYPE_WORDS, VERDICT_WORDS } from './words.ts'

const KINDS = [
  { id: 'native', label: 'Command on this machine' },
  { id: 'sandbox', label: 'Command in a sandbox' },
  { id: 'tool_result', label: 'Tool result' },
  { id: 'input', label: 'Input' },
  { id: 'output', label: 'Output' },
] as const
type Kind = (typeof KINDS)[number]['id']

const inputOf = (kind: Kind, text: string): CheckInput =>
  kind === 'native' || kind === 'sandbox' ? { command: text, profile: kind } : { text, direction: kind satisfies TextDirection }

/** Asks the engine that checks everything else. */
export function TestTab() {
  const [kind, setKind] = useState<Kind>('native')
  const [typed, setTyped] = useState('')
  const text = useSettled(typed)
  const check = useGuardCheck(inputOf(kind, text))
  const result = text.trim() === '' ? undefined : check.data
  const isCommand = kind === 'native' || kind === 'sandbox'
  return (
    <Section title="Test" note="The engine that checks everything else. Nothing is run or stored">
      <div className="max-w-full overflow-x-auto">
        <Segmented label="What it is" value={kind} options={KINDS} onChange={setKind} />
      </div>
      <TextArea
        aria-label={isCommand ? 'Command to check' : 'Text to check'}
        placeholder={isCommand ? 'A shell command' : 'A text, such as a page that a tool fetched'}
        value={typed}
        onChange={setTyped}
        className="min-h-28 w-full font-mono"
      />
      {check.error ? <ErrorState title="Couldn't check it" error={check.error} retry={() => void check.refetch()} /> : null}
      <div role="status" className="flex flex-col gap-3 text-sm">
        {result ? <Result source={text} result={result} /> : null}
      </div>
      {result?.parse ? <Parse parse={result.parse} /> : null}
    </Section>
  )
}

function Result({
  source,
  result: { verdict, rule, reason, score, spans, alternatives, moderation, unchecked },
}: {
  source: string
  result: GuardCheck
}) {
  const { word, tone } = VERDICT_WORDS[verdict]
  const others = unchecked.filter((type) => type !== 'moderation')
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-2">
        <Badge tone={tone}>{word}</Badge>
        <span>{reason}</span>
        {rule === null ? null : <span className="font-mono text-xs text-second">{rule}</span>}
        {score === null ? null : <span className="text-xs text-second">score {score}</span>}
      </p>
      {spans.length > 0 ? (
        <p className="max-h-60 overflow-y-auto rounded border border-line p-3 font-mono text-xs break-words whitespace-pre-wrap">
          {marked(source, spans)}
        </p>
      ) : null}
      {alternatives.length > 0 ? <p>Instead: {alternatives.join(' ')}</p> : null}
      {moderation ? (
        <p className="text-xs text-second">
          {TYPE_WORDS.moderation}: {moderation.verdict.replace('_', ' ')}. {moderation.reason}
        </p>
      ) : null}
      {others.length > 0 ? (
        <p className="text-xs text-second">Not looked for here: {others.map((type) => TYPE_WORDS[type].toLowerCase()).join(', ')}.</p>
      ) : null}
    </>
  )
}

const AROUND = 300

/** The text with its deciding parts marked; long stretches between them are left out. */
function marked(source: string, spans: GuardCheck['spans']): ReactNode[] {
  const parts: ReactNode[] = []
  let at = 0
  for (const { start, end, family } of spans.toSorted((a, b) => a.start - b.start)) {
    if (end <= at) continue
    parts.push(shortened(source.slice(at, start)))
    const part = source.slice(Math.max(at, start), end)
    parts.push(
      <mark key={`${start} ${family}`} title={family} className="rounded-sm bg-warn/20 text-text">
        {part.length > 2 * AROUND ? shortened(part) : part}
      </mark>,
    )
    at = end
  }
  parts.push(shortened(source.slice(at)))
  return parts
}

const shortened = (text: string): string => (text.length > 2 * AROUND ? `${text.slice(0, AROUND)} … ${text.slice(-AROUND)}` : text)

const Parse = ({ parse }: { parse: NonNullable<GuardCheck['parse']> }) => (
  <div className="flex flex-col gap-1">
    <h3 className="text-sm font-semibold">How it is read</h3>
    <Table
      caption="How it is read"
      rows={parse.map((entry, index) => ({ ...entry, index }))}
      keyOf={({ index }) => String(index)}
      columns={[
        { id: 'kind', label: 'Kind', cell: ({ kind }) => kind },
        {
          id: 'text',
          label: 'What would happen',
          className: 'w-full',
          cell: ({ text }) => <code className="font-mono text-xs break-all">{text}</code>,
        },
        { id: 'folder', label: 'Folder', cell: ({ folder }) => <span className="font-mono text-xs">{folder ?? 'unknown'}</span> },
        { id: 'user', label: 'As another user', cell: ({ isElevated }) => (isElevated ? 'yes' : 'no') },
      ]}
    />
  </div>
)
