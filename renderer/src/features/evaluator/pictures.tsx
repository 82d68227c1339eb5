import type { ExamPictures, ExamRun } from '#contracts/entities/exam.ts'
import { intervalText, signed } from '#contracts/exam-words.ts'
import { useExamPictures } from '#renderer/api/exams.ts'
import { stepHref, traceHref } from '#renderer/app/links.ts'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { Figure } from '#renderer/ui/figures/figure.tsx'
import { IntervalDot } from '#renderer/ui/figures/interval-dot.tsx'
import { Pairs } from '#renderer/ui/figures/pairs.tsx'
import { Scatter } from '#renderer/ui/figures/pictures.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import type { Column } from '#renderer/ui/table.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { itemWord } from './words.ts'

type Pair = ExamPictures['pairs'][number]
type Difference = ExamPictures['differences'][number]
type PowerPoint = ExamPictures['power'][number]

/** A run as pictures: item by item, difference by difference, and how many sessions would show what. */
export const Pictures = ({ run }: { run: ExamRun }) => (
  <Section title="Pictures">
    <Fetched query={useExamPictures(run.examId, run.id)} what="pictures" bars={['h-44 w-full', 'h-44 w-full']}>
      {(pictures) =>
        pictures.of === 0 ? (
          <p className="text-sm text-second">Nothing to draw yet: no item was answered by both models.</p>
        ) : (
          <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
            <PairsFigure run={run} pictures={pictures} />
            <div className="flex min-w-0 flex-col gap-6">
              <Differences differences={pictures.differences} />
              {pictures.power.length === 0 ? (
                <p className="text-sm text-second">
                  How many sessions would be needed is not measured: it takes two sessions that differ between the models.
                </p>
              ) : (
                <Power points={pictures.power} />
              )}
            </div>
          </div>
        )
      }
    </Fetched>
  </Section>
)

function PairsFigure({ run, pictures: { pairs, of } }: { run: ExamRun; pictures: ExamPictures }) {
  const lost = pairs.filter(({ model, base }) => model < base).length
  const won = pairs.filter(({ model, base }) => model > base).length
  const part = pairs.length < of ? ` of ${formatCount(of)}, evenly chosen` : ''
  return (
    <Figure
      title="Pair by pair"
      summary={`${plural(pairs.length, itemWord(run.kind))}${part}: a line from the score ${run.isReading ? 'before to that now' : 'of the base to that of the candidate'}; ${formatCount(lost)} lost, ${formatCount(won)} won.`}
      table={{ caption: 'Scores of both models', columns: PAIR_COLUMNS, rows: pairs, keyOf: ({ no }) => String(no) }}
    >
      <Pairs
        names={run.isReading ? READING : PAIR}
        pairs={pairs.map(({ no, base, model }) => ({ id: String(no), from: base, to: model }))}
      />
    </Figure>
  )
}

const PAIR = { from: 'base', to: 'candidate' }
const READING = { from: 'before', to: 'now' }
const PAIR_COLUMNS: Column<Pair>[] = [
  {
    id: 'item',
    label: 'Item',
    cell: ({ no, traceId, stepId }) => (
      <TextLink href={stepId === null ? traceHref(traceId) : stepHref(traceId, stepId)}>{`No. ${no + 1}`}</TextLink>
    ),
  },
  { id: 'base', label: 'Base', numeric: true, cell: ({ base }) => base.toFixed(2) },
  { id: 'model', label: 'Candidate', numeric: true, cell: ({ model }) => model.toFixed(2) },
  { id: 'difference', label: 'Difference', numeric: true, cell: ({ base, model }) => signed(model - base) },
]

const nameOf = ({ part, name }: Difference): string => (part === 'exam' ? 'This exam' : (name ?? 'No repository'))
const countOf = ({ part, n }: Difference): string => plural(n, part === 'benchmark' ? 'item' : 'session')

/** A forest plot: each difference on its interval, all on one scale with 0 in the middle. */
function Differences({ differences }: { differences: readonly Difference[] }) {
  const reach = Math.max(0.05, ...differences.flatMap(({ delta, low, high }) => [delta, low ?? 0, high ?? 0].map(Math.abs)))
  const at = (value: number) => (value / reach + 1) / 2
  return (
    <Figure
      title="Differences"
      summary={`Candidate minus base with 95 % intervals, from ${signed(-reach)} to ${signed(reach)}, 0 in the middle.`}
      table={{ caption: 'Differences', columns: DIFFERENCE_COLUMNS, rows: differences, keyOf: (row) => `${row.part} ${row.name}` }}
    >
      <ul className="flex flex-col gap-1 text-sm">
        {differences.map((row) => (
          <li key={`${row.part} ${row.name}`} className="grid grid-cols-[10rem_1fr_5rem] items-center gap-2">
            <span className="min-w-0">
              <span className="block truncate" title={nameOf(row)}>
                <Visible text={nameOf(row)} />
              </span>
              <span className="block text-xs text-second">{countOf(row)}</span>
            </span>
            <IntervalDot
              at={at(row.delta)}
              interval={row.low === null || row.high === null ? null : [at(row.low), at(row.high)]}
              ticks={MIDDLE}
              label={`${nameOf(row)}: ${signed(row.delta)}, interval ${intervalText(row)}`}
            />
            <span className="text-right font-mono text-xs tabular-nums">{signed(row.delta)}</span>
          </li>
        ))}
      </ul>
    </Figure>
  )
}

const MIDDLE = [0.5]
const DIFFERENCE_COLUMNS: Column<Difference>[] = [
  { id: 'what', label: 'Of', cell: (row) => <Visible text={nameOf(row)} /> },
  { id: 'n', label: 'Measured on', cell: countOf },
  { id: 'difference', label: 'Difference', numeric: true, cell: ({ delta }) => signed(delta) },
  { id: 'interval', label: '95 %', numeric: true, cell: intervalText },
]

const percentPoints = (difference: number) => `.${String(Math.round(difference * 100)).padStart(2, '0')}`

function Power({ points }: { points: readonly PowerPoint[] }) {
  const five = points.find(({ difference }) => difference === 0.05)
  return (
    <Figure
      title="Sessions needed"
      summary={`By how much the sessions of this run differ, ${five ? `${plural(five.sessions, 'session')} would show a difference of .05` : 'so many sessions would show a difference'} in 80 of 100 exams.`}
      table={{ caption: 'Sessions needed', columns: POWER_COLUMNS, rows: points, keyOf: ({ difference }) => String(difference) }}
    >
      <Scatter
        joined
        height={180}
        points={points.map(({ difference, sessions }) => ({
          id: String(difference),
          label: `Difference ${percentPoints(difference)}`,
          x: difference,
          y: sessions,
        }))}
        formatX={percentPoints}
        formatY={formatCount}
      />
    </Figure>
  )
}

const POWER_COLUMNS: Column<PowerPoint>[] = [
  { id: 'difference', label: 'Difference', numeric: true, cell: ({ difference }) => percentPoints(difference) },
  { id: 'sessions', label: 'Sessions', numeric: true, cell: ({ sessions }) => formatCount(sessions) },
]
