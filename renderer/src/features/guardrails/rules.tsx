import type { GuardOverview, GuardRule } from '#contracts/entities/guardrail.ts'
import { useGuardOverview, useGuardRules } from '#renderer/api/guardrails.ts'
import { useSettings } from '#renderer/api/settings.ts'
import { useChange } from '#renderer/app/use-setting.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { SwitchRow } from '#renderer/ui/form-rows.tsx'
import { formatCount, formatPercent } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { Moderation } from './moderation.tsx'
import { OwnRules } from './own-rules.tsx'
import { Topics } from './topics.tsx'
import { TYPE_WORDS, VERDICT_WORDS } from './words.ts'

export function RulesTab() {
  const rules = useGuardRules()
  const overview = useGuardOverview()
  return (
    <>
      <Fetched query={useSettings()} what="settings" bars={['h-40 w-full']}>
        {() => (
          <>
            <Switches overview={overview.data} />
            <Moderation />
            <OwnRules rules={rules.data?.items.filter(({ isOwn }) => isOwn) ?? []} />
            <Topics />
          </>
        )}
      </Fetched>
      <Section title="All rules" note="False alarms: the share of the events you judged that you called wrong">
        <Fetched query={rules} what="rules" bars={['h-60 w-full']}>
          {({ items }) => <RuleTable rules={items} />}
        </Fetched>
      </Section>
    </>
  )
}

function Switches({ overview }: { overview: GuardOverview | undefined }) {
  const { settings, offline, change } = useChange()
  const { injectionDetection, codeSafety, piiFiltering, newSessions } = settings.guardrails
  const off = offline !== null
  return (
    <Section title="What is checked" note="Commands in sandboxes and of agent runs always are">
      <div>
        <SwitchRow
          label="Injection in tool results"
          hint={
            <>
              Wording that speaks to the agent, in what tools of captured sessions returned, and in requests through the proxy. Nothing is
              changed or stopped. {overview ? figuresOf(overview.secondSet) : null}
            </>
          }
          checked={injectionDetection}
          disabled={off}
          onChange={(next) => change('Injection in tool results', { guardrails: { injectionDetection: next } })}
        />
        <SwitchRow
          label="Commands of sessions"
          hint="Judged after they ran, so that you see what was dangerous. Nothing is stopped."
          checked={codeSafety}
          disabled={off}
          onChange={(next) => change('Commands of sessions', { guardrails: { codeSafety: next } })}
        />
        <SwitchRow
          label="New sessions without being asked"
          hint="A few seconds after a session is new or changed, the two checks above run in the background. Else press Check sessions on Events."
          checked={newSessions}
          disabled={off}
          onChange={(next) => change('New sessions without being asked', { guardrails: { newSessions: next } })}
        />
        <SwitchRow
          label="Secrets and personal data"
          hint="In texts that are checked as input or output. What leaves this machine is cleared by Settings → Privacy, whatever is chosen here."
          checked={piiFiltering}
          disabled={off}
          onChange={(next) => change('Secrets and personal data', { guardrails: { piiFiltering: next } })}
        />
      </div>
    </Section>
  )
}

const figuresOf = ({ attacks, found, ordinary, falseAlarms }: GuardOverview['secondSet']) =>
  `Of ${attacks} attacks that the rules were not made with they find ${found} (recall ${formatPercent(found / attacks)}); ${falseAlarms} of ${ordinary} ordinary texts is a false alarm (precision ${formatPercent(found / (found + falseAlarms))}). Rules catch known wording only.`

const RuleTable = ({ rules }: { rules: readonly GuardRule[] }) => (
  <Table
    caption="All rules"
    rows={rules}
    keyOf={({ id }) => id}
    columns={[
      {
        id: 'rule',
        label: 'Rule',
        className: 'w-full min-w-64',
        cell: ({ id, reason }) => (
          <span className="flex flex-col">
            <span>{reason}</span>
            <span className="font-mono text-xs text-second">{id}</span>
          </span>
        ),
      },
      { id: 'type', label: 'About', className: 'whitespace-nowrap', cell: ({ type }) => TYPE_WORDS[type] },
      { id: 'native', label: 'On this machine', cell: ({ native }) => <Verdict verdict={native} /> },
      { id: 'sandbox', label: 'In a sandbox', cell: ({ sandbox, type }) => (type === 'code' ? <Verdict verdict={sandbox} /> : '') },
      { id: 'events', label: 'Events', numeric: true, cell: ({ events }) => formatCount(events) },
      {
        id: 'wrong',
        label: 'False alarms',
        numeric: true,
        cell: ({ judged, wrong }) => (judged === 0 ? 'not judged' : `${formatPercent(wrong / judged)} of ${formatCount(judged)}`),
      },
    ]}
  />
)

const Verdict = ({ verdict }: { verdict: GuardRule['native'] }) =>
  verdict === 'allow' ? <span className="text-second">allow</span> : <Badge tone={VERDICT_WORDS[verdict].tone}>{verdict}</Badge>
