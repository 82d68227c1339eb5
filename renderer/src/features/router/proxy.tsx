import type { RouteDecision, RouterProxy, RouteStats } from '#contracts/entities/routing.ts'
import { useRouteDecisions, useRouteStats } from '#renderer/api/routing.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { DASH, formatCount, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { CAUSE_WORDS } from './words.ts'

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

/** What the user's own model answered as an agent, and what passed the proxy. */
export function WhatPassed({ proxy }: { proxy: RouterProxy }) {
  const stats = useRouteStats()
  const decisions = useRouteDecisions()
  return (
    <>
      <Section title="The agent gym" note="Steps that your model answered inside Claude Code">
        <Fetched query={stats} what="figures" bars={['h-16 w-full']}>
          {({ mod }) => <GymFacts mod={mod} />}
        </Fetched>
      </Section>
      <Passed proxy={proxy} stats={stats} decisions={decisions} />
    </>
  )
}

function GymFacts({ mod: { steps, failed, agents, tokens, latencyMs } }: { mod: RouteStats['mod'] }) {
  if (steps + failed === 0)
    return (
      <p className="text-sm text-second">
        It has answered nothing yet. <TextLink href="/settings/router">Set it up</TextLink>
      </p>
    )
  return (
    <Facts>
      <Fact name="Steps">
        {formatCount(steps)} answered for {plural(agents, 'task')}, {formatCount(failed)} failed
      </Fact>
      <Fact name="Tokens">{tokens === null ? 'not measured' : formatCount(tokens)}</Fact>
      <Fact name="Answer">{both(latencyMs)}</Fact>
      <Fact name="Sessions">
        <TextLink href="/traces?q=is%3Aused">Those in which it answered</TextLink>
      </Fact>
    </Facts>
  )
}

type Props = { proxy: RouterProxy; stats: ReturnType<typeof useRouteStats>; decisions: ReturnType<typeof useRouteDecisions> }

function Passed({ proxy, stats, decisions }: Props) {
  return (
    <Section title="What passed the proxy" note="Of the last 30 days; no text and no key is stored">
      <p className="text-sm">
        The proxy is {proxy.problem ?? (proxy.isOn ? 'on.' : 'off.')}{' '}
        <TextLink href="/settings/router">{proxy.isOn ? 'Its address, and how to undo it' : 'Switch it on'}</TextLink>
      </p>
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
