import { useState } from 'react'
import type { Routing } from '#contracts/entities/routing.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useEndAlarm, useRouting, useRouteOf } from '#renderer/api/routing.ts'
import { useSettings } from '#renderer/api/settings.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { TextArea } from '#renderer/ui/field.tsx'
import { formatCount, formatPercent, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { useSettled } from '#renderer/ui/use-settled.ts'
import { WhatPassed } from './proxy.tsx'
import { RulesSection } from './rules.tsx'
import { SavingsSection } from './savings.tsx'
import { ShadowSection } from './shadow.tsx'
import { StrategyForm } from './strategy-form.tsx'
import { STRATEGY_WORDS } from './words.ts'

/** A grade counts as the part that it is. */
const counted = (passed: number): string => formatCount(Math.round(passed * 10) / 10)

const KIND_WORDS = { solved_tasks: 'Solved tasks', next_calls: 'Next calls' } as const

/** `/router`: where conversations would go, and why. */
export default function RouterPage() {
  const status = useRouting()
  const settings = useSettings()
  return (
    <Page title="Router" summary="How much of your work your own model may take: never more than an exam proves" narrow>
      <Fetched query={status} what="router" bars={['h-32 w-full', 'h-24 w-full']}>
        {(data) => (
          <>
            <Now status={data} />
            <Fetched query={settings} what="settings" bars={['h-40 w-full']}>
              {() => <StrategyForm variable={data.strategyVariable} strategy={data.strategy} />}
            </Fetched>
            <TryPrompt />
            <WhatPassed proxy={data.proxy} />
            <SavingsSection />
            <Fetched query={settings} what="settings" bars={['h-24 w-full', 'h-24 w-full']}>
              {() => (
                <>
                  {data.student ? <ShadowSection student={data.student} /> : null}
                  <RulesSection />
                </>
              )}
            </Fetched>
            {data.reports.length > 0 ? <Reports status={data} /> : null}
          </>
        )}
      </Fetched>
    </Page>
  )
}

function Now({ status: { share, student, note, isOverridden, evidence, strategy, alarm } }: { status: Routing }) {
  return (
    <Section title="Share of the student" note="Of jobs of one prompt that pass the proxy; conversations with you stay with Claude">
      <div className="flex flex-col gap-3">
        {alarm === null ? null : <Alarm reason={alarm.reason} at={alarm.at} />}
        <p className="flex flex-wrap items-baseline gap-2">
          <span className="text-2xl font-semibold tabular-nums">{share === null ? 'By prompt' : formatPercent(share)}</span>
          <span className="text-sm text-second">of new jobs</span>
          {isOverridden ? <Badge tone="warn">Not proven, allowed by you</Badge> : null}
        </p>
        <p className="text-sm">
          {alarm === null ? note : null} <TextLink href="/settings/router">{student ? 'Change it' : 'Choose a model'}</TextLink>
        </p>
        <Facts>
          <Fact name="Strategy">{STRATEGY_WORDS[strategy].label}</Fact>
          <Fact name="Student">{student?.name ?? 'none'}</Fact>
          {evidence.map(({ kind, passed, items, sessions, low, high, used }) => (
            <Fact key={kind} name={KIND_WORDS[kind]}>
              {counted(passed)} of {items} right in {plural(sessions, 'session')}: {formatPercent(low)} to {formatPercent(high)} with 95 %
              confidence{used.items === 0 ? '' : `; of these ${counted(used.passed)} of ${used.items} at work, not in an exam`}
            </Fact>
          ))}
          {student && evidence.length === 0 ? <Fact name="Proof">not measured</Fact> : null}
        </Facts>
      </div>
    </Section>
  )
}

/** Why the share was taken back, and the way to give it again. */
function Alarm({ reason, at }: NonNullable<Routing['alarm']>) {
  const end = useEndAlarm()
  const offline = useOfflineReason()
  return (
    <div role="alert" className="flex flex-col items-start gap-2 rounded border border-warn p-3 text-sm">
      <p>
        {reason} A newer exam that proves it ends this, too.{' '}
        <span className="text-second">
          <RelativeTime at={at} />
        </span>
      </p>
      <Button reason={offline} busy={end.isPending} onClick={() => end.mutate()}>
        Give the share back
      </Button>
    </div>
  )
}

/** Asks where a prompt would go; nothing is sent or stored. */
function TryPrompt() {
  const [text, setText] = useState('')
  const prompt = useSettled(text)
  const route = useRouteOf(prompt)
  const decision = prompt.trim() === '' ? undefined : route.data
  return (
    <Section title="Try a prompt" note="Nothing is sent or stored">
      <TextArea
        aria-label="Prompt to try"
        placeholder="The first prompt of a conversation"
        value={text}
        onChange={setText}
        className="min-h-24 w-full"
      />
      {route.error ? <ErrorState title="Couldn't ask the router" error={route.error} retry={() => void route.refetch()} /> : null}
      <p role="status" className="text-sm">
        {decision ? (
          <>
            <b>{decision.selectedModel === 'student' ? `Your model, ${decision.student!.name}.` : 'Claude.'}</b> {decision.reason}{' '}
            Complexity {decision.taskComplexity}, confidence{' '}
            {decision.confidence === null ? 'not measured' : formatPercent(decision.confidence)}.
          </>
        ) : null}
      </p>
    </Section>
  )
}

const Reports = ({ status: { reports } }: { status: Routing }) => (
  <Section title="Reported results" note="The newest first">
    <Table
      caption="Reported results"
      rows={reports.map((report, no) => ({ ...report, no }))}
      keyOf={({ no }) => String(no)}
      columns={[
        { id: 'at', label: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
        { id: 'rate', label: 'Right', numeric: true, cell: ({ successRate }) => formatPercent(successRate) },
        { id: 'samples', label: 'Answers', numeric: true, cell: ({ samples }) => samples },
        { id: 'share', label: 'Share after it', numeric: true, cell: ({ rate }) => formatPercent(rate) },
      ]}
    />
  </Section>
)
