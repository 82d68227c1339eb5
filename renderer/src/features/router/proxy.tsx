import { useState } from 'react'
import type { RouteDecision, RouterProxy, RouteStats, Routing } from '#contracts/entities/routing.ts'
import { useRouteDecisions, useRouteStats } from '#renderer/api/routing.ts'
import { useChange } from '#renderer/app/use-setting.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { NumberRow, SwitchRow } from '#renderer/ui/form-rows.tsx'
import { DASH, formatCount, plural } from '#renderer/ui/format.ts'
import { NoteLine } from '#renderer/ui/note-line.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { ShadowSection } from './shadow.tsx'
import { CAUSE_WORDS } from './words.ts'

const GIVEN_UP = [
  'While Bash Gym is closed, Claude Code in such a terminal has no API, until you unset the variable.',
  'Behind any such address Claude Code leaves out some of its own features, such as Remote Control, usage and plan look-ups, and resuming a cut answer.',
  'In auto mode Claude Code has no check of its own to fall back on; Haiku 4.5 cannot be in auto mode.',
]

/** The way through which requests pass, and what passed. */
export function ProxySection({ proxy, student }: { proxy: RouterProxy; student: Routing['student'] }) {
  const { settings, offline, change } = useChange()
  const [asking, setAsking] = useState(false)
  const { proxyPort } = settings.router
  return (
    <>
      <Section title="Proxy" note="What is Claude's passes as it is: the same bytes, your own key, and figures beside it">
        <div>
          <SwitchRow
            label="Pass requests through"
            hint={`To ${proxy.upstream}`}
            checked={proxy.isOn}
            disabled={offline !== null}
            onChange={(on) => (on ? setAsking(true) : change('Proxy', { router: { proxy: false } }))}
          />
          <Port
            key={proxyPort}
            port={proxyPort}
            off={offline !== null}
            onChange={(port) => change('Port', { router: { proxyPort: port } })}
          />
        </div>
        {proxy.problem === null ? null : (
          <ul>
            <NoteLine level="warning" message={proxy.problem} />
          </ul>
        )}
        {proxy.address === null ? null : (
          <>
            <p className="text-sm">In a terminal whose Claude Code is to pass through:</p>
            <CodeBlock text={`export ANTHROPIC_BASE_URL=${proxy.address}`} label="Line that sets the address" />
            <p className="text-sm">To undo it there:</p>
            <CodeBlock text="unset ANTHROPIC_BASE_URL" label="Line that undoes it" />
          </>
        )}
        <Confirm
          open={asking}
          onOpenChange={setAsking}
          title="Pass requests through Bash Gym?"
          action="Switch on"
          danger={false}
          onConfirm={() => change('Proxy', { router: { proxy: true } })}
        >
          <p>Nothing changes until you set the address in a terminal. There, Claude Code gives this up:</p>
          <ul className="list-disc pl-5">
            {GIVEN_UP.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Confirm>
      </Section>
      <WhatPassed />
      {student ? <ShadowSection student={student} /> : null}
    </>
  )
}

function Port({ port, off, onChange }: { port: number; off: boolean; onChange: (port: number) => void }) {
  const [text, setText] = useState(String(port))
  const typed = /^\d{4,5}$/.test(text) ? Number(text) : 0
  const isValid = typed >= 1024 && typed <= 65_535
  return (
    <div className="flex items-end gap-2">
      <div className="flex-1">
        <NumberRow
          label="Port"
          hint="On this machine only"
          value={text}
          placeholder={String(port)}
          onChange={setText}
          {...(isValid ? {} : { error: 'From 1024 to 65535.' })}
        />
      </div>
      {typed !== port && isValid ? (
        <Button className="mb-3" reason={off ? 'Not connected.' : null} onClick={() => onChange(typed)}>
          Save port
        </Button>
      ) : null}
    </div>
  )
}

const ms = (value: number | null): string => (value === null ? DASH : `${formatCount(Math.round(value))} ms`)
const both = (figures: RouteStats['latencyMs']): string =>
  figures === null ? 'not measured' : `${ms(figures.p50)}, 95 % within ${ms(figures.p95)}`

const COLUMNS: Column<RouteDecision>[] = [
  { id: 'at', label: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
  {
    id: 'to',
    label: 'Answered by',
    cell: ({ model, status, selectedModel, student, fallback }) => (
      <>
        {selectedModel === 'student' ? student!.name : (model ?? (status === null ? 'nobody' : 'not named'))}
        {fallback ? <Badge tone="warn">instead of {student!.name}</Badge> : null}
      </>
    ),
  },
  { id: 'why', label: 'Why', cell: ({ cause, fallback, reason }) => (fallback ? reason : CAUSE_WORDS[cause]) },
  { id: 'status', label: 'Answer', cell: ({ status, error }) => [status ?? '', error ?? ''].filter(Boolean).join(', ') },
  { id: 'first', label: 'First byte', numeric: true, cell: ({ firstTokenMs }) => ms(firstTokenMs) },
  { id: 'whole', label: 'Whole', numeric: true, cell: ({ latencyMs }) => ms(latencyMs) },
  { id: 'tokens', label: 'Tokens', numeric: true, cell: ({ tokens }) => (tokens === null ? DASH : formatCount(tokens)) },
]

function WhatPassed() {
  const stats = useRouteStats()
  const decisions = useRouteDecisions()
  return (
    <Section title="What passed" note="Of the last 30 days; no text and no key is stored">
      <Fetched query={stats} what="figures" bars={['h-16 w-full']}>
        {({ requests, failed, sessions, tokens, firstTokenMs, latencyMs, student }) =>
          requests === 0 ? (
            <p className="text-sm text-second">Nothing has passed yet.</p>
          ) : (
            <>
              <Facts>
                <Fact name="Requests">
                  {formatCount(requests)} in {plural(sessions, 'session')}, {formatCount(failed)} failed
                </Fact>
                {student.answers + student.failed + student.fallbacks === 0 ? null : (
                  <Fact name="Your model">
                    {plural(student.answers, 'answer')}, {formatCount(student.failed)} failed, {formatCount(student.fallbacks)} answered by
                    Claude instead
                  </Fact>
                )}
                <Fact name="Tokens">{tokens === null ? 'not measured' : formatCount(tokens)}</Fact>
                <Fact name="First byte">{both(firstTokenMs)}</Fact>
                <Fact name="Whole answer">{both(latencyMs)}</Fact>
              </Facts>
              <Fetched query={decisions} what="requests" bars={['h-24 w-full']}>
                {({ items }) => <Table caption="The newest requests" rows={items} keyOf={({ id }) => id ?? ''} columns={COLUMNS} />}
              </Fetched>
            </>
          )
        }
      </Fetched>
    </Section>
  )
}
