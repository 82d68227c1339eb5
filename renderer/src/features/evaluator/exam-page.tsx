import { useState } from 'react'
import type { Exam, ExamRun } from '#contracts/entities/exam.ts'
import { signed, VERDICT_WORDS } from '#contracts/exam-words.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useExam, useExamRuns } from '#renderer/api/exams.ts'
import { examRunHref } from '#renderer/app/links.ts'
import { VERDICT_TONES } from '#renderer/app/words/exams.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Fetched, FetchedPage } from '#renderer/ui/fetched.tsx'
import { DASH, formatCount, plural } from '#renderer/ui/format.ts'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { Page, Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { Funnel } from './funnel.tsx'
import { Making } from './making.tsx'
import { NewRun } from './new-run.tsx'
import { Tasks } from './tasks.tsx'
import { ALL_EXAMS, itemWord, STATE_WORDS } from './words.ts'

export default function ExamPage({ id }: { id: string }) {
  return (
    <FetchedPage query={useExam(id)} what="exam" all={ALL_EXAMS}>
      {(exam) => <LoadedExam exam={exam} />}
    </FetchedPage>
  )
}

function LoadedExam({ exam }: { exam: Exam }) {
  const [search] = useSearchState()
  const model = search.get('model')
  const [isStarting, setStarting] = useState(model !== null)
  const offline = useOfflineReason()
  const list = useExamRuns(exam.id)
  const { rows, more } = useRows(list)
  const run = (
    <Button look="primary" reason={offline ?? notReadyReason(exam)} onClick={() => setStarting(true)}>
      Run the exam …
    </Button>
  )
  return (
    <Page
      title={exam.name}
      summary={
        <>
          <TextLink href={ALL_EXAMS.href}>{ALL_EXAMS.label}</TextLink> · {plural(exam.items, itemWord(exam.kind))} of{' '}
          {plural(exam.sessions, 'session')} · made <RelativeTime at={exam.createdAt} />
        </>
      }
      actions={
        <>
          {model === null ? null : <ButtonLink href={`${ALL_EXAMS.href}?model=${model}&make=1`}>Make another exam</ButtonLink>}
          {rows.length === 0 ? null : run}
        </>
      }
    >
      <Making exam={exam} />
      <Section title="Runs">
        <Fetched query={{ ...list, refetch: list.refetch }} what="runs" bars={['h-8 w-full']}>
          {() =>
            rows.length === 0 ? (
              <EmptyState title="Nobody took this exam yet" action={run}>
                {exam.kind === 'solved_tasks'
                  ? 'Choose a model. Agents do every task with it and with its base, in sandboxes.'
                  : 'Choose a model. It and its base are asked for the next call of every item.'}
              </EmptyState>
            ) : (
              <>
                <Table caption="Runs" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
                {list.hasNextPage ? <Button onClick={more}>Show more</Button> : null}
              </>
            )
          }
        </Fetched>
      </Section>
      {exam.kind === 'solved_tasks' ? <Tasks exam={exam} /> : null}
      {exam.kind === 'solved_tasks' ? <Funnel exam={exam} /> : null}
      <Section title={exam.kind === 'solved_tasks' ? 'Identity' : 'What it asks'}>
        <Facts>
          {exam.kind === 'solved_tasks' ? null : (
            <>
              <Fact name="Tools">{exam.tools.map(({ tool, items }) => `${tool} ${formatCount(items)}`).join(', ')}</Fact>
              <Fact name="Left out">
                {exam.leftOut.length === 0
                  ? 'nothing'
                  : exam.leftOut.map(({ reason, count }) => `${formatCount(count)} ${reason}`).join(', ')}
              </Fact>
            </>
          )}
          <Fact name="Hash" mono>
            {exam.hash}
          </Fact>
        </Facts>
      </Section>
      {isStarting ? <NewRun exam={exam} model={model} onClose={() => setStarting(false)} /> : null}
    </Page>
  )
}

const notReadyReason = ({ state, items }: Exam): string | null =>
  state !== 'ready' ? 'It is not made yet.' : items === 0 ? 'It has no items.' : null

const COLUMNS: Column<ExamRun>[] = [
  {
    id: 'model',
    label: 'Model',
    cell: ({ id, examId, labels }) => (
      <TextLink href={examRunHref(examId, id)}>
        <Visible text={labels.model} />
      </TextLink>
    ),
  },
  { id: 'base', label: 'Against', cell: ({ labels }) => <Visible text={labels.base} /> },
  { id: 'state', label: 'State', cell: ({ state }) => <Badge tone={STATE_WORDS[state].tone}>{STATE_WORDS[state].label}</Badge> },
  {
    id: 'verdict',
    label: 'Verdict',
    cell: ({ verdict }) => (verdict === null ? DASH : <Badge tone={VERDICT_TONES[verdict]}>{VERDICT_WORDS[verdict]}</Badge>),
  },
  { id: 'delta', label: 'Difference', numeric: true, cell: ({ delta }) => (delta === null ? DASH : signed(delta)) },
  { id: 'started', label: 'Started', numeric: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-second" /> },
]
