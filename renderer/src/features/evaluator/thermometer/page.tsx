import { Play, Settings2, ThermometerSnowflake } from 'lucide-react'
import { useState } from 'react'
import type { Thermometer, ThermometerReading } from '#contracts/entities/thermometer.ts'
import { intervalText, READING_REASONS, READING_SHOWS, signed } from '#contracts/exam-words.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useReadings, useThermometer, useThermometerActions } from '#renderer/api/thermometer.ts'
import { examRunHref } from '#renderer/app/links.ts'
import { Badge, type Tone } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { Figure } from '#renderer/ui/figures/figure.tsx'
import { Scatter } from '#renderer/ui/figures/pictures.tsx'
import { DASH, formatDay, formatInstant, formatPercent, formatUsd, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { Page, Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { TabLinks } from '#renderer/ui/tab-links.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { Items } from '../items.tsx'
import { EVALUATOR_TABS } from '../tabs.ts'
import { itemWord, STATE_WORDS } from '../words.ts'
import { SwitchOn } from './switch-on.tsx'

/** `/evaluator/thermometer`; `?reading=` is the one whose items are shown. */
export default function ThermometerPage() {
  const state = useThermometer()
  const list = useReadings()
  const { rows, more } = useRows(list)
  const [isOpen, setOpen] = useState(false)
  const offline = useOfflineReason()
  const { off, read } = useThermometerActions()
  const isReading = rows.some(({ run }) => run.state === 'queued' || run.state === 'running')
  const { isOn = false, request = null } = state.data ?? {}
  const form = (
    <Button look={isOn ? 'plain' : 'primary'} icon={Settings2} reason={offline} onClick={() => setOpen(true)}>
      {isOn ? 'Change …' : 'Switch on …'}
    </Button>
  )
  return (
    <Page
      title="Evaluator"
      summary="Does Claude, or another model, still do your work as well as before? One exam on a schedule, each time compared with its own last run."
      tabs={<TabLinks {...EVALUATOR_TABS} current="thermometer" />}
      actions={
        rows.length === 0 && !isOn ? null : (
          <>
            {isOn ? (
              <>
                <Button icon={ThermometerSnowflake} reason={offline} busy={off.isPending} onClick={() => off.mutate()}>
                  Switch off
                </Button>
                <Button
                  icon={Play}
                  reason={offline ?? (isReading ? 'A reading is being taken.' : null)}
                  busy={read.isPending}
                  onClick={() => read.mutate()}
                >
                  Take a reading
                </Button>
              </>
            ) : null}
            {form}
          </>
        )
      }
    >
      <Fetched query={{ ...state, refetch: state.refetch }} what="the thermometer" bars={['h-8 w-full']}>
        {(thermometer) => (rows.length === 0 && !thermometer.isOn ? null : <Status {...thermometer} />)}
      </Fetched>
      <Fetched query={{ ...list, refetch: list.refetch }} what="readings" bars={['h-44 w-full', 'h-8 w-full']}>
        {() =>
          rows.length === 0 ? (
            isOn ? null : (
              <EmptyState title="The thermometer is off" action={form}>
                Switched on, it runs one of your exams every week or month, and after new versions of Claude Code or new models. Nothing is
                sent before you have seen the cost and who gets what.
              </EmptyState>
            )
          ) : (
            <>
              <Curve readings={rows} />
              <Table caption="Readings" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
              {list.hasNextPage ? <Button onClick={more}>Show more</Button> : null}
              <Changed readings={rows} />
            </>
          )
        }
      </Fetched>
      {isOpen ? <SwitchOn before={request} isOn={isOn} onClose={() => setOpen(false)} /> : null}
    </Page>
  )
}

const Status = ({ isOn, nextAt, problem }: Thermometer) => (
  <section aria-label="Schedule" className="flex flex-col gap-1 rounded border border-line bg-panel p-3 text-sm">
    <p className="flex flex-wrap items-center gap-3">
      <Badge tone={isOn ? 'accent' : 'neutral'}>{isOn ? 'On' : 'Off'}</Badge>
      {isOn
        ? nextAt === null
          ? 'No date; readings follow new versions.'
          : `The next date is ${formatInstant(nextAt)}.`
        : 'Nothing is asked.'}
    </p>
    {problem === null ? null : (
      <p className="break-words text-warn">
        The reading that was due could not start, and is tried again: <Visible text={problem} />
      </p>
    )}
  </section>
)

const HEIGHT = 200

/** The level over time, oldest first, with 95 % intervals. */
function Curve({ readings }: { readings: readonly ThermometerReading[] }) {
  const points = readings.toReversed().flatMap((reading) => {
    const { run, at, level } = reading
    if (level === null || run.state !== 'completed') return []
    const span = level.low === null || level.high === null ? null : ([level.low, level.high] as const)
    return [{ id: run.id, label: `${run.labels.model}, ${formatInstant(at)}`, x: Date.parse(at), y: level.mean, span, reading }]
  })
  const [, change] = useSearchState()
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return null
  const show = (value: number) => formatPercent(value, 1)
  return (
    <Figure
      title="Score over time"
      summary={`${plural(points.length, 'reading')}, from ${show(first.y)} to ${show(last.y)}; the lines are 95 % intervals over sessions.`}
      table={{
        caption: 'Score over time',
        columns: [
          { id: 'at', label: 'At', cell: ({ reading }: (typeof points)[number]) => formatInstant(reading.at) },
          { id: 'score', label: 'Score', numeric: true, cell: ({ y }) => show(y) },
          {
            id: 'interval',
            label: '95 %',
            numeric: true,
            cell: ({ span }) => (span === null ? DASH : `${show(span[0])} to ${show(span[1])}`),
          },
        ],
        rows: points,
        keyOf: ({ id }) => id,
      }}
    >
      <Scatter joined height={HEIGHT} points={points} formatX={formatDay} formatY={show} onOpen={(id) => change({ reading: id })} />
    </Figure>
  )
}

const TONES: Readonly<Record<'rise' | 'fall' | 'nothing', Tone>> = { rise: 'ok', fall: 'bad', nothing: 'neutral' }

const COLUMNS: Column<ThermometerReading>[] = [
  {
    id: 'at',
    label: 'Reading',
    cell: ({ run, at }) => (
      <TextLink href={examRunHref(run.examId, run.id)}>
        <RelativeTime at={at} />
      </TextLink>
    ),
  },
  { id: 'why', label: 'Why', cell: ({ reason }) => READING_REASONS[reason] },
  {
    id: 'model',
    label: 'Model',
    cell: ({ run, client }) => (
      <>
        <Visible text={run.labels.model} />
        {client === null ? null : <span className="block text-xs text-second">Claude Code {client}</span>}
      </>
    ),
  },
  {
    id: 'state',
    label: 'State',
    cell: ({ run: { state, detail } }) => (
      <span title={detail ?? undefined}>
        <Badge tone={STATE_WORDS[state].tone}>{STATE_WORDS[state].label}</Badge>
      </span>
    ),
  },
  { id: 'level', label: 'Score', numeric: true, cell: ({ level }) => (level === null ? DASH : formatPercent(level.mean, 1)) },
  {
    id: 'change',
    label: 'Since the one before',
    cell: ({ run, change, notes }) => (
      <span className="flex flex-col gap-1">
        {change === null ? null : (
          <span>
            <Badge tone={TONES[change.shows]}>{READING_SHOWS[change.shows]}</Badge> {change.delta === null ? DASH : signed(change.delta)}
            <span className="block text-xs text-second">
              95 %: {intervalText(change.intervals.bootstrap)} by bootstrap, {intervalText(change.intervals.clustered)} by clusters, on{' '}
              {plural(change.items, itemWord(run.kind))}
            </span>
          </span>
        )}
        {notes.map((note) => (
          <span key={note} className="text-xs text-second">
            <Visible text={note} />
          </span>
        ))}
      </span>
    ),
  },
  {
    id: 'items',
    label: 'What changed',
    cell: ({ run, change }) =>
      change === null ? (
        DASH
      ) : (
        <TextLink href={`?reading=${run.id}`}>{`${plural(change.losses, 'item')} fell, ${change.wins} rose`}</TextLink>
      ),
  },
  { id: 'cost', label: 'Cost', numeric: true, cell: ({ run }) => formatUsd(run.costUsd) },
]

/** The items of one reading beside its answers before. */
function Changed({ readings }: { readings: readonly ThermometerReading[] }) {
  const [search] = useSearchState()
  const wanted = search.get('reading')
  const shown = readings.find(({ run }) => run.id === wanted) ?? readings.find(({ change }) => change !== null)
  if (shown === undefined || shown.change === null)
    return (
      <Section title="What changed">
        <p className="text-sm text-second">Nothing to compare yet: the next reading is compared with this one.</p>
      </Section>
    )
  return (
    <>
      <p className="text-sm text-second">
        {shown.run.labels.model}, {formatInstant(shown.at)}, beside its answers of {formatInstant(shown.change.at)}:{' '}
        {plural(shown.change.losses, 'item')} fell, {shown.change.wins} rose, {shown.change.ties} stayed.
      </p>
      <Items key={shown.run.id} run={shown.run} />
    </>
  )
}
