import { Download, RotateCcw, Square, Stamp } from 'lucide-react'
import type { ExamResult, ExamRun } from '#contracts/entities/exam.ts'
import { intervalText, neededText, signed, VERDICT_WORDS } from '#contracts/exam-words.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useExamRun, useExamRunActions } from '#renderer/api/exams.ts'
import { examHref } from '#renderer/app/links.ts'
import { RestoredWaits } from '#renderer/app/restored-items.tsx'
import { VERDICT_TONES } from '#renderer/app/words/exams.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { FetchedPage } from '#renderer/ui/fetched.tsx'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { DASH, formatCount, formatPercent, formatUsd, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Progress } from '#renderer/ui/meter.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { saveFrom } from '#renderer/ui/save-file.ts'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { Items } from './items.tsx'
import { Pictures } from './pictures.tsx'
import { ALL_EXAMS, itemWord, STATE_WORDS } from './words.ts'

type Run = ExamRun & { result: ExamResult }

export default function RunPage({ id, run }: { id: string; run: string }) {
  return (
    <FetchedPage query={useExamRun(id, run)} what="run" named="run of an exam" all={ALL_EXAMS}>
      {(loaded) => <LoadedRun run={loaded} />}
    </FetchedPage>
  )
}

function LoadedRun({ run }: { run: Run }) {
  const { labels, examId, examName, state, detail, createdAt, costUsd, items, owed, isReading } = run
  const wanted = isReading ? items : 2 * items
  const asked = wanted - openOf(run)
  const isActive = state === 'queued' || state === 'running'
  return (
    <Page
      title={labels.model}
      summary={
        <>
          {isReading ? 'beside' : 'against'} <Visible text={labels.base} /> · <TextLink href={examHref(examId)}>{examName}</TextLink> ·
          started <RelativeTime at={createdAt} /> · cost {formatUsd(costUsd)}
        </>
      }
      actions={<Actions run={run} />}
    >
      <RestoredWaits id={run.id} />
      <section aria-label="Progress" className="flex flex-col gap-2 rounded border border-line bg-panel p-3 text-sm">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <Badge tone={STATE_WORDS[state].tone}>{STATE_WORDS[state].label}</Badge>
          <span>
            {formatCount(asked)} of {plural(wanted, 'answer')}
          </span>
          <span className="text-second">
            {owed === 0 ? 'nothing owed' : `${plural(owed, 'item')} without a verdict${isReading ? '' : ' on both sides'}`}
          </span>
        </div>
        {isActive ? <Progress label="Answers" value={asked / Math.max(1, wanted)} /> : null}
        {detail === null ? null : (
          <p className="break-words text-warn">
            <Visible text={detail} />
          </p>
        )}
      </section>
      {isActive ? null : <Verdict run={run} />}
      <Figures run={run} />
      <Pictures run={run} />
      <Items run={run} />
    </Page>
  )
}

/** Answers that were not asked for yet. */
const openOf = ({ counts, isReading }: Run): number => counts.model.not_run + (isReading ? 0 : counts.base.not_run)

function Actions({ run }: { run: Run }) {
  const offline = useOfflineReason()
  const { id, examId, state, counts, result, isReading } = run
  const { cancel, resume, repeat, decide } = useExamRunActions(examId, id)
  if (state === 'queued' || state === 'running')
    return (
      <Button icon={Square} look="danger" reason={offline} busy={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel
      </Button>
    )
  const failed = counts.model.error + counts.base.error > 0
  const open = openOf(run) > 0
  const save = () =>
    void saveFrom(`certificate-${id}.json`, "Couldn't save the certificate", async () => {
      const certificate = await api.getExamCertificate({ params: { id: examId, run: id } })
      return new Blob([`${JSON.stringify(certificate, null, 2)}\n`], { type: 'application/json' })
    })
  return (
    <>
      {failed ? (
        <Button icon={RotateCcw} reason={offline} busy={repeat.isPending} onClick={() => repeat.mutate()}>
          Repeat what is owed
        </Button>
      ) : null}
      {open ? (
        <Button icon={RotateCcw} look="primary" reason={offline} busy={resume.isPending} onClick={() => resume.mutate()}>
          Resume
        </Button>
      ) : isReading ? null : (
        <Button
          icon={Stamp}
          look={result.decided ? 'plain' : 'primary'}
          reason={offline}
          busy={decide.isPending}
          onClick={() => decide.mutate()}
        >
          {result.decided ? 'Decide again' : 'Decide'}
        </Button>
      )}
      {result.decided ? (
        <Button icon={Download} reason={offline} onClick={save}>
          Certificate
        </Button>
      ) : null}
    </>
  )
}

function Verdict({ run: { result, isReading } }: { run: Run }) {
  const { verdict, reason, decided, notes, noiseFloor } = result
  const needed = neededText(result)
  return (
    <section aria-label="Verdict" className="flex flex-col gap-2 rounded border border-line bg-panel p-4">
      <h2 className="flex flex-wrap items-center gap-3 text-lg font-semibold">
        {isReading ? 'A reading' : VERDICT_WORDS[verdict]}
        {isReading ? null : <Badge tone={VERDICT_TONES[verdict]}>{decided ? 'decided' : 'not decided yet'}</Badge>}
      </h2>
      <p>{reason}</p>
      {needed === null ? null : <p>{needed}</p>}
      <p className="text-sm text-second">
        {noiseFloor === null ? '' : `Noise floor: ${signed(noiseFloor.delta)} (${intervalText(noiseFloor)}). `}
        {notes.join(' ')}
      </p>
    </section>
  )
}

function Figures({ run: { result, labels, kind, isReading } }: { run: Run }) {
  const { delta, intervals, wins, losses, ties, p, sessions, items, figures } = result
  const { bootstrap, clustered } = intervals
  const rows = (kind === 'solved_tasks' ? TASK_FIGURES : FIGURES).map(({ id, label }) => ({
    label,
    model: figures.model[id],
    base: figures.base[id],
  }))
  return (
    <Section title="Figures">
      <Facts>
        <Fact name="Difference">
          {delta === null ? DASH : signed(delta)} on {plural(items, itemWord(kind))} of {plural(sessions, 'session')}
        </Fact>
        <Fact name="Bootstrap over sessions, 95 %">{intervalText(bootstrap)}</Fact>
        <Fact name="Clustered t, 95 %">{intervalText(clustered)}</Fact>
        <Fact name="Items">
          won {formatCount(wins)}, lost {formatCount(losses)}, tied {formatCount(ties)}
          {p === null ? '' : `; sign test p = ${p.toPrecision(2)}`}
        </Fact>
      </Facts>
      <Table caption="Figures of both models" columns={figureColumns(labels, isReading)} rows={rows} keyOf={({ label }) => label} />
    </Section>
  )
}

const FIGURES = [
  { id: 'soft', label: 'Soft score' },
  { id: 'exact', label: 'Exact call' },
  { id: 'toolName', label: 'Right tool' },
  { id: 'argF1', label: 'Argument F1' },
] as const

const TASK_FIGURES = [
  { id: 'soft', label: 'Attempts that pass' },
  { id: 'exact', label: 'Tasks of which all attempts pass' },
] as const

interface FigureRow {
  label: string
  model: number | null
  base: number | null
}
const figureColumns = ({ model, base }: ExamRun['labels'], isReading: boolean): Column<FigureRow>[] => [
  { id: 'figure', label: 'Figure', cell: ({ label }) => label },
  {
    id: 'base',
    label: `${isReading ? 'Before' : 'Base'}: ${base}`,
    numeric: true,
    cell: (row) => (row.base === null ? DASH : formatPercent(row.base, 1)),
  },
  {
    id: 'model',
    label: `${isReading ? 'Now' : 'Candidate'}: ${model}`,
    numeric: true,
    cell: (row) => (row.model === null ? DASH : formatPercent(row.model, 1)),
  },
]
