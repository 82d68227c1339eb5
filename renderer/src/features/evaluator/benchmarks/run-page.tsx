import { RotateCcw, Square } from 'lucide-react'
import { figureInterval, figureText } from '#contracts/benchmark-words.ts'
import type { BenchmarkFigure, BenchmarkResult, BenchmarkRun } from '#contracts/entities/benchmark.ts'
import { useBenchmarkActions, useBenchmarkRun } from '#renderer/api/benchmarks.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { RestoredWaits } from '#renderer/app/restored-items.tsx'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { FetchedPage } from '#renderer/ui/fetched.tsx'
import { IntervalDot } from '#renderer/ui/figures/interval-dot.tsx'
import { formatCount, formatUsd, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Progress } from '#renderer/ui/meter.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { Rows } from './rows.tsx'
import { ALL_BENCHMARKS, RUN_WORDS } from './words.ts'

type Run = BenchmarkRun & { result: BenchmarkResult }

export default function RunPage({ id }: { id: string }) {
  return (
    <FetchedPage query={useBenchmarkRun(id)} what="run" named="run of a benchmark" all={ALL_BENCHMARKS}>
      {(run) => <LoadedRun run={run} />}
    </FetchedPage>
  )
}

function LoadedRun({ run }: { run: Run }) {
  const { id, title, label, state, detail, createdAt, costUsd, counts, total, owed } = run
  const verdicts = total - owed + counts.error
  return (
    <Page
      title={title}
      summary={
        <>
          <TextLink href={ALL_BENCHMARKS.href}>{ALL_BENCHMARKS.label}</TextLink> · <Visible text={label} /> · started{' '}
          <RelativeTime at={createdAt} /> · cost {formatUsd(costUsd)}
        </>
      }
      actions={<Actions run={run} />}
    >
      <RestoredWaits id={id} />
      <section aria-label="Progress" className="flex flex-col gap-2 rounded border border-line bg-panel p-3 text-sm">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <Badge tone={RUN_WORDS[state].tone}>{RUN_WORDS[state].label}</Badge>
          <span>
            {formatCount(verdicts)} of {plural(total, 'answer')}
          </span>
          <span className="text-second">{owed === 0 ? 'nothing owed' : `${formatCount(owed)} owed`}</span>
        </div>
        {state === 'running' ? <Progress label="Answers" value={verdicts / Math.max(1, total)} /> : null}
        {detail === null ? null : (
          <p className="break-words text-warn">
            <Visible text={detail} />
          </p>
        )}
      </section>
      <Figures run={run} />
      <Rows run={run} />
    </Page>
  )
}

function Actions({ run: { id, state, owed } }: { run: Run }) {
  const offline = useOfflineReason()
  const { cancel, resume } = useBenchmarkActions(id)
  if (state === 'running')
    return (
      <Button icon={Square} look="danger" reason={offline} busy={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel
      </Button>
    )
  return owed === 0 ? null : (
    <Button icon={RotateCcw} look="primary" reason={offline} busy={resume.isPending} onClick={() => resume.mutate()}>
      Repeat what is owed
    </Button>
  )
}

function Figures({ run: { result, counts, set, benchmark } }: { run: Run }) {
  const { figures, interval, notScored, suspicious, contamination, harness, metric, versions, notes } = result
  return (
    <Section title="Figures" note={`${metric}; intervals: ${interval}`}>
      {figures.length === 0 ? (
        <p className="text-sm text-second">Not measured.</p>
      ) : (
        <Table caption="Figures" columns={COLUMNS} rows={figures} keyOf={({ name }) => name} />
      )}
      <Facts>
        <Fact name="Answers">
          {formatCount(counts.pass)} right, {formatCount(counts.fail)} wrong, {formatCount(counts.truncated)} cut off,{' '}
          {formatCount(counts.timeout)} out of time, {formatCount(notScored)} not scored, {formatCount(counts.error)} without a verdict
        </Fact>
        {suspicious === 0 ? null : <Fact name="Suspicious">{plural(suspicious, 'right answer')} to look at</Fact>}
        <Fact name="Contamination">
          {contamination === null
            ? 'not checked yet'
            : contamination.items === null
              ? `not verified: ${contamination.reason}`
              : `${formatCount(contamination.items)} of ${formatCount(contamination.of)} items are in the training data. ${contamination.reason ?? ''}`}
        </Fact>
        <Fact name="Set">
          <Visible text={set.source} /> · revision {set.revision ?? 'not verified'}
        </Fact>
        <Fact name="Hash of the items" mono>
          {set.sha256}
        </Fact>
        <Fact name="Scored by">
          {harness}
          {benchmark === 'bbq' ? '; a bias score of 0 is no bias, +1 always with the stereotype' : ''}
        </Fact>
        <Fact name="Versions">
          {Object.entries(versions)
            .map(([name, value]) => `${name} ${value}`)
            .join(', ')}
        </Fact>
      </Facts>
      {notes.map((note) => (
        <p key={note} className="text-sm text-second">
          {note}
        </p>
      ))}
    </Section>
  )
}

const COLUMNS: Column<BenchmarkFigure>[] = [
  { id: 'name', label: 'Figure', cell: ({ name }) => name },
  { id: 'value', label: 'Value', numeric: true, cell: (figure) => figureText(figure) },
  { id: 'interval', label: '95 % interval', numeric: true, cell: (figure) => figureInterval(figure) },
  { id: 'n', label: 'Items', numeric: true, cell: ({ n }) => formatCount(n) },
  {
    id: 'shown',
    label: <span className="sr-only">From 0 to 100 %</span>,
    cell: (figure) =>
      figure.value === null || figure.name.startsWith('bias') ? null : (
        <span className="block w-48">
          <IntervalDot
            at={figure.value}
            interval={figure.low === null || figure.high === null ? null : [figure.low, figure.high]}
            ticks={[]}
            label={`${figure.name}: ${figureText(figure)}, interval ${figureInterval(figure)}`}
          />
        </span>
      ),
  },
]
