import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Agreement, AnswerRun } from '#contracts/entities/answer.ts'
import { useAgreement, useAnswerRuns } from '#renderer/api/answers.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { DASH, formatCount } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { useChosenSessions } from '#renderer/stores/chosen-sessions.ts'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { Page, Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { TabLinks } from '#renderer/ui/tab-links.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { EVALUATOR_TABS } from '../tabs.ts'
import { GradeSessions } from './grade-sessions.tsx'
import { CompareShadow } from './compare-shadow.tsx'
import { AGREEMENT_TONES, agreementText, answersHref, metricWord, RUBRICS_HREF, RUN_STATES } from './words.ts'

/** `/evaluator/answers`; with `?q=` the form for the sessions of this filter is open, with `?from=selection` that for the selected ones. */
export function AnswerRuns() {
  const [search] = useSearchState()
  const [, go] = useLocation()
  const query = search.get('q')
  const chosen = useChosenSessions(({ ids }) => ids)
  const selected = search.get('from') === 'selection' && chosen.length > 0 ? chosen : null
  const [isMaking, setMaking] = useState(query !== null || selected !== null)
  const offline = useOfflineReason()
  const list = useAnswerRuns({ kind: 'sessions' })
  const { rows, more } = useRows(list)
  const make = (
    <Button look="primary" reason={offline} onClick={() => setMaking(true)}>
      Grade sessions …
    </Button>
  )
  return (
    <Page
      title="Evaluator"
      summary={
        <>
          A model grades the work of your sessions by <TextLink href={RUBRICS_HREF}>rubrics</TextLink>. No tier and no verdict depends on
          it, and your own labels show whether it can be relied on.
        </>
      }
      tabs={<TabLinks {...EVALUATOR_TABS} current="answers" />}
      actions={rows.length === 0 ? null : make}
    >
      <Fetched query={{ ...list, refetch: list.refetch }} what="runs" bars={['h-8 w-full', 'h-8 w-full']}>
        {() =>
          rows.length === 0 ? (
            <EmptyState title="No answers were graded yet" action={make}>
              Choose sessions, metrics and a model. You see every text, what was replaced in it and the cost before anything is sent.
            </EmptyState>
          ) : (
            <>
              <Table caption="Runs" columns={RUNS} rows={rows} keyOf={({ id }) => id} />
              {list.hasNextPage ? <Button onClick={more}>Show more</Button> : null}
            </>
          )
        }
      </Fetched>
      <AgreementTable />
      {search.get('from') === 'shadow' ? <CompareShadow onClose={() => go('/evaluator/answers')} /> : null}
      {isMaking ? <GradeSessions query={query ?? ''} selected={selected} onClose={() => setMaking(false)} /> : null}
    </Page>
  )
}

function AgreementTable() {
  const { data } = useAgreement()
  return (
    <Section title="Agreement with your labels" note="From 30 labels on. Below κ .6 the grades of a model should not be relied on.">
      {data === undefined || data.items.length === 0 ? (
        <p className="text-sm text-second">Not measured: you have labelled no graded answer yet. Open a run and choose Label.</p>
      ) : (
        <Table
          caption="Agreement"
          columns={AGREEMENT}
          rows={data.items}
          keyOf={({ metric, model, rubric, scale }) => `${metric} ${model} ${rubric} ${scale}`}
        />
      )}
    </Section>
  )
}

const AGREEMENT: Column<Agreement>[] = [
  { id: 'metric', label: 'Metric', cell: ({ metric, rubric }) => `${metricWord(metric)}${rubric === 0 ? '' : `, version ${rubric}`}` },
  { id: 'model', label: 'Model', cell: ({ model }) => <Visible text={model} /> },
  { id: 'scale', label: 'Labels', cell: ({ scale }) => (scale === 'five' ? '1 to 5' : 'yes or no') },
  {
    id: 'kappa',
    label: 'Agreement',
    cell: (row) => <Badge tone={AGREEMENT_TONES[row.state]}>{agreementText(row)}</Badge>,
  },
  { id: 'ac1', label: 'AC1', numeric: true, cell: ({ ac1 }) => (ac1 === null ? DASH : ac1.toFixed(2)) },
]

/** Runs of sessions, and of own sets. */
export const RUNS: Column<AnswerRun>[] = [
  {
    id: 'title',
    label: 'Run',
    cell: ({ id, title }) => (
      <TextLink href={answersHref(id)}>
        <Visible text={title} />
      </TextLink>
    ),
  },
  { id: 'model', label: 'Graded by', cell: ({ labels }) => (labels.model === null ? DASH : <Visible text={labels.model} />) },
  { id: 'state', label: 'State', cell: ({ state }) => <Badge tone={RUN_STATES[state].tone}>{RUN_STATES[state].label}</Badge> },
  {
    id: 'means',
    label: 'Scores',
    cell: ({ metrics, cases }) =>
      [
        ...(cases?.rate == null ? [] : [`${cases.passed} of ${cases.passed + cases.failed} passed`]),
        ...metrics.map(({ metric, mean }) => `${metricWord(metric)} ${mean === null ? DASH : mean.toFixed(2)}`),
      ].join(', ') || DASH,
  },
  { id: 'done', label: 'Asked', numeric: true, cell: ({ done, total }) => `${formatCount(done)} of ${formatCount(total)}` },
  { id: 'made', label: 'Made', numeric: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-second" /> },
]
