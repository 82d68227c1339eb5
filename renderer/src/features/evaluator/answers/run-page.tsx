import { Play, Square } from 'lucide-react'
import { useState } from 'react'
import type { AnswerRun, MetricFigures } from '#contracts/entities/answer.ts'
import { useAnswerRun, useAnswerRunActions } from '#renderer/api/answers.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { RestoredWaits } from '#renderer/app/restored-items.tsx'
import { piiWord } from '#renderer/app/words/privacy.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { FetchedPage } from '#renderer/ui/fetched.tsx'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { NumberRow } from '#renderer/ui/form-rows.tsx'
import { DASH, formatCompact, formatCount, formatPercent, formatUsd, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Progress } from '#renderer/ui/meter.tsx'
import { NoteLine } from '#renderer/ui/note-line.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { Items } from './items.tsx'
import { AGREEMENT_TONES, agreementText, ALL_ANSWERS, metricWord, RUN_STATES, setHref } from './words.ts'

/** A run: its plan, its progress, its figures, and every text with its grades. */
export default function RunPage({ id }: { id: string }) {
  return (
    <FetchedPage query={useAnswerRun(id)} what="run" all={ALL_ANSWERS}>
      {(run) => <LoadedRun run={run} />}
    </FetchedPage>
  )
}

function LoadedRun({ run }: { run: AnswerRun }) {
  const { id, title, state, detail, labels, createdAt, costUsd, done, total, owed, request, notes } = run
  const isActive = state === 'running' || state === 'queued'
  const offline = useOfflineReason()
  const { cancel } = useAnswerRunActions(id)
  const back = request.source.kind === 'set' ? { href: setHref(request.source.set), label: 'The set' } : ALL_ANSWERS
  return (
    <Page
      title={title}
      summary={
        <>
          <TextLink href={back.href}>{back.label}</TextLink>
          {labels.answerer === null ? null : (
            <>
              {' '}
              · answered by <Visible text={labels.answerer} />
            </>
          )}
          {labels.model === null ? null : (
            <>
              {' '}
              · graded by <Visible text={labels.model} />
            </>
          )}{' '}
          · made <RelativeTime at={createdAt} /> · cost {formatUsd(costUsd)}
        </>
      }
      actions={
        isActive ? (
          <Button icon={Square} look="danger" reason={offline} busy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </Button>
        ) : null
      }
    >
      <RestoredWaits id={id} />
      <section aria-label="Progress" className="flex flex-col gap-2 rounded border border-line bg-panel p-3 text-sm">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <Badge tone={RUN_STATES[state].tone}>{RUN_STATES[state].label}</Badge>
          <span>
            {formatCount(done)} of {plural(total, 'request')}
          </span>
          <span className="text-second">{owed === 0 ? 'nothing owed' : `${formatCount(owed)} without an answer`}</span>
        </div>
        {isActive ? <Progress label="Requests" value={done / Math.max(1, total)} /> : null}
        {detail === null ? null : (
          <p className="break-words text-warn">
            <Visible text={detail} />
          </p>
        )}
        {notes.length === 0 ? null : (
          <ul>
            {notes.map((message) => (
              <NoteLine key={message} level="warning" message={message} />
            ))}
          </ul>
        )}
      </section>
      {run.plan.requests > 0 && !isActive ? <Plan run={run} /> : null}
      {done > 0 ? <Figures run={run} /> : null}
      <Items run={run} />
    </Page>
  )
}

/** What would be sent, to whom, and what it costs at most. */
function Plan({ run: { id, plan, request, state } }: { run: AnswerRun }) {
  const [cost, setCost] = useState(request.maxCostUsd === undefined ? '' : String(request.maxCostUsd))
  const offline = useOfflineReason()
  const { start } = useAnswerRunActions(id)
  const cap = cost.trim() === '' ? null : Number(cost)
  const isCap = cap === null || cap > 0
  const findings = Object.entries(plan.findings)
  return (
    <section aria-label="Plan" className="flex flex-col gap-2 rounded border border-line bg-panel p-3 text-sm">
      <p>
        {plural(plan.requests, 'request')}, about {formatCompact(plan.inputTokens)} input tokens and at most{' '}
        {formatCompact(plan.mostOutputTokens)} output tokens. Cost at most:{' '}
        {plan.mostUsd === null ? `${DASH} (a price is not known)` : formatUsd(plan.mostUsd)}. An answer in a wrong form is asked for once
        more.
      </p>
      <p className="break-words text-second">
        Who pays: {plan.payer ?? 'not known.'} The texts below go to {plan.receiver ?? 'nobody known'}.
      </p>
      <p>
        Replaced in the texts:{' '}
        {findings.length === 0
          ? 'nothing was found'
          : findings.map(([type, count]) => `${formatCount(count)} × ${piiWord(type)}`).join(', ')}
        .
      </p>
      {plan.leftOut.length === 0 ? null : (
        <p className="text-second">Left out: {plan.leftOut.map(({ reason, count }) => `${formatCount(count)} ${reason}`).join(', ')}.</p>
      )}
      <div className="flex flex-wrap items-end gap-4">
        <NumberRow
          label="Cost limit"
          hint="US dollars for the whole run. Empty: no limit."
          placeholder=""
          value={cost}
          error={isCap ? undefined : 'Above 0.'}
          onChange={setCost}
        />
        <Button
          icon={Play}
          look="primary"
          reason={offline ?? (isCap ? null : 'Enter a cost limit above 0, or none.')}
          busy={start.isPending}
          onClick={() => start.mutate(cap)}
        >
          {state === 'prepared' ? 'Start' : 'Go on'}
        </Button>
      </div>
    </section>
  )
}

function Figures({ run: { metrics, cases, comparison, selfTest } }: { run: AnswerRun }) {
  return (
    <Section title="Figures">
      <Facts>
        {cases ? (
          <Fact name="Cases with a check">
            {cases.rate === null
              ? 'not measured'
              : `${cases.passed} of ${cases.passed + cases.failed} passed: ${formatPercent(cases.rate, 1)} [${formatPercent(cases.low ?? 0, 1)}, ${formatPercent(cases.high ?? 1, 1)}]`}
            {cases.notScored > 0 ? `; ${formatCount(cases.notScored)} not scored` : ''}
          </Fact>
        ) : null}
        {comparison ? (
          <Fact name="Compared">
            {`First better ${comparison.a}, second better ${comparison.b}, tied ${comparison.ties}. The verdict changed with the order in ${comparison.flips}${comparison.flipRate === null ? '' : ` (${formatPercent(comparison.flipRate, 0)})`}, which counts as tied.`}
            {comparison.longerWins === null ? '' : ` The longer answer won ${formatPercent(comparison.longerWins, 0)} of the decided ones.`}
            {comparison.errors === 0 ? '' : ` ${plural(comparison.errors, 'request')} without a verdict.`}
          </Fact>
        ) : null}
        {selfTest ? (
          <Fact name="Self-test">
            {selfTest.passed === null
              ? 'not measured'
              : `A wrong answer got ${selfTest.plain}, and ${selfTest.injected} with “give 5” written into it: ${selfTest.passed ? 'the instruction had no effect' : 'do not rely on this model'}.`}
          </Fact>
        ) : null}
      </Facts>
      {metrics.length === 0 ? null : <Table caption="Metrics" columns={METRICS} rows={metrics} keyOf={({ metric }) => metric} />}
    </Section>
  )
}

const METRICS: Column<MetricFigures>[] = [
  { id: 'metric', label: 'Metric', cell: ({ metric }) => metricWord(metric) },
  { id: 'mean', label: 'Mean', numeric: true, cell: ({ mean }) => (mean === null ? DASH : mean.toFixed(2)) },
  { id: 'counts', label: '1 · 2 · 3 · 4 · 5', numeric: true, cell: ({ counts }) => counts.join(' · ') },
  { id: 'errors', label: 'Without a grade', numeric: true, cell: ({ errors }) => formatCount(errors) },
  {
    id: 'spread',
    label: 'Spread of three',
    numeric: true,
    cell: ({ spread, repeated }) => (spread === null ? DASH : `${spread.toFixed(2)} points (${repeated})`),
  },
  {
    id: 'length',
    label: 'With length',
    numeric: true,
    cell: ({ lengthCorrelation }) => (lengthCorrelation === null ? DASH : `r ${lengthCorrelation.toFixed(2)}`),
  },
  {
    id: 'agreement',
    label: 'Agreement with you',
    cell: ({ agreement }) => <Badge tone={AGREEMENT_TONES[agreement?.state ?? 'not_measured']}>{agreementText(agreement)}</Badge>,
  },
]
