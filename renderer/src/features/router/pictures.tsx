import type { RouteStats } from '#contracts/entities/routing.ts'
import { Figure } from '#renderer/ui/figures/figure.tsx'
import { IntervalDot } from '#renderer/ui/figures/interval-dot.tsx'
import { Areas } from '#renderer/ui/figures/pictures.tsx'
import { DASH, formatCount, formatPercent, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import type { Column } from '#renderer/ui/table.tsx'
import { decisionsHref } from './shown.ts'
import { ms } from './words.ts'

type Pictures = RouteStats['pictures']

const LENGTH_MS = { hour: 3_600_000, day: 86_400_000 } as const
const SERIES = [
  { id: 'teacher', label: 'Claude', color: 'var(--series-8)' },
  { id: 'fallbacks', label: 'Claude, after no answer of your model', color: 'var(--series-2)' },
  { id: 'student', label: 'your model', color: 'var(--series-1)' },
  { id: 'gym', label: 'the agent gym', color: 'var(--series-4)' },
] as const

export const Pictures = ({ pictures }: { pictures: Pictures }) => (
  <>
    <OverTime {...pictures} />
    <Calibration rows={pictures.calibration} />
    <Latency rows={pictures.byModel} />
  </>
)

/** In UTC, as the hours and days are. */
const labelOf = (at: string, unit: Pictures['unit']): string => (unit === 'day' ? at.slice(5, 10) : `${at.slice(11, 13)}:00`)

function OverTime({ unit, over }: Pick<Pictures, 'unit' | 'over'>) {
  const [, change] = useSearchState()
  if (over.length === 0) return null
  const spanOf = (at: string) => ({ from: at, to: new Date(Date.parse(at) + LENGTH_MS[unit]).toISOString() })
  const sum = (id: (typeof SERIES)[number]['id']) => over.reduce((all, one) => all + one[id], 0)
  const own = sum('student') + sum('gym')
  const all = own + sum('teacher') + sum('fallbacks')
  return (
    <Figure
      title="Who answered"
      summary={`By ${unit}, in UTC: your model ${formatCount(own)} of ${formatCount(all)} steps (${formatPercent(all === 0 ? 0 : own / all)}).`}
      legend={
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-second">
          {SERIES.map(({ id, label, color }) => (
            <li key={id} className="flex items-center gap-1.5">
              <span aria-hidden className="size-2.5 rounded-xs" style={{ background: color }} />
              {label}
            </li>
          ))}
        </ul>
      }
      table={{
        caption: 'Who answered',
        rows: over.filter((one) => SERIES.some(({ id }) => one[id] > 0)),
        keyOf: ({ at }) => at,
        columns: [
          {
            id: 'at',
            label: 'From, UTC',
            cell: ({ at }) => (
              <TextLink href={decisionsHref(spanOf(at))}>{at.slice(0, unit === 'day' ? 10 : 16).replace('T', ' ')}</TextLink>
            ),
          },
          ...SERIES.map(({ id, label }): Column<Pictures['over'][number]> => ({
            id,
            label,
            numeric: true,
            cell: (one) => formatCount(one[id]),
          })),
        ],
      }}
    >
      <Areas
        height={180}
        unit="steps"
        rows={over.map(({ at, ...counts }) => ({ label: labelOf(at, unit), ...counts }))}
        series={SERIES}
        onOpen={(index) => over[index] && change({ by: null, model: null, tenth: null, ...spanOf(over[index].at) })}
      />
    </Figure>
  )
}

const share = ({ right, n }: Pictures['calibration'][number]): number => right / n
const tenthOf = (tenth: number): string => `${tenth * 10} to ${tenth * 10 + 10} %`

/** The confidence of decisions against how they turned out. */
function Calibration({ rows }: { rows: Pictures['calibration'] }) {
  const n = rows.reduce((all, one) => all + one.n, 0)
  const title = 'Confidence against results'
  if (n === 0)
    return (
      <p className="text-sm">
        <span className="font-semibold">{title}.</span>{' '}
        <span className="text-second">
          Not measured: it needs conversations that your model answered alone and whose session was verified or graded, or answers that you
          called right or wrong.
        </span>
      </p>
    )
  const right = rows.reduce((all, one) => all + one.right, 0)
  const claimed = rows.reduce((all, one) => all + one.confidence * one.n, 0) / n
  const words = (row: Pictures['calibration'][number]) =>
    `${formatPercent(share(row))} of ${formatCount(row.n)} right (${formatPercent(row.low)} to ${formatPercent(row.high)})`
  return (
    <Figure
      title={title}
      summary={`Of ${plural(n, 'conversation')} ${formatPercent(right / n)} right, with a confidence of ${formatPercent(claimed)}. The dot is what was right with its 95 % interval, the mark the confidence.`}
      table={{
        caption: title,
        rows,
        keyOf: ({ tenth }) => String(tenth),
        columns: [
          { id: 'tenth', label: 'Confidence', cell: ({ tenth }) => <TextLink href={decisionsHref({ tenth })}>{tenthOf(tenth)}</TextLink> },
          { id: 'n', label: 'Conversations', numeric: true, cell: (row) => formatCount(row.n) },
          { id: 'right', label: 'Right', numeric: true, cell: words },
        ],
      }}
    >
      <div className="grid grid-cols-[max-content_minmax(0,1fr)_max-content] items-center gap-x-3 text-sm">
        {rows.map((row) => (
          <div key={row.tenth} className="col-span-3 grid grid-cols-subgrid items-center">
            <TextLink href={decisionsHref({ tenth: row.tenth })}>{tenthOf(row.tenth)}</TextLink>
            <IntervalDot
              at={share(row)}
              interval={[row.low, row.high]}
              ticks={[row.confidence]}
              label={`Confidence ${formatPercent(row.confidence)}: ${words(row)}`}
            />
            <span className="text-right tabular-nums">{words(row)}</span>
          </div>
        ))}
      </div>
    </Figure>
  )
}

/** How long answers take, of each model. */
function Latency({ rows }: { rows: Pictures['byModel'] }) {
  const [first] = rows
  const title = 'Time by model'
  if (first === undefined)
    return (
      <p className="text-sm">
        <span className="font-semibold">{title}.</span> <span className="text-second">Not measured: no request was answered whole.</span>
      </p>
    )
  const most = Math.max(...rows.map(({ latencyMs }) => latencyMs.p95))
  const place = (value: number) => (most === 0 ? 0 : value / most)
  const words = ({ p50, p95 }: { p50: number; p95: number }) => `${ms(p50)}, 95 % within ${ms(p95)}`
  return (
    <Figure
      title={title}
      summary={`Half of the whole answers of ${first.name} took at most ${ms(first.latencyMs.p50)}. The dot is the median, the line reaches to 95 %, the mark is the median of the first byte.`}
      table={{
        caption: title,
        rows,
        keyOf: ({ model }) => model,
        columns: [
          { id: 'model', label: 'Model', cell: ({ model, name }) => <TextLink href={decisionsHref({ model })}>{name}</TextLink> },
          { id: 'n', label: 'Requests', numeric: true, cell: ({ requests }) => formatCount(requests) },
          {
            id: 'first',
            label: 'First byte',
            numeric: true,
            cell: ({ firstTokenMs }) => (firstTokenMs === null ? DASH : words(firstTokenMs)),
          },
          { id: 'whole', label: 'Whole', numeric: true, cell: ({ latencyMs }) => words(latencyMs) },
        ],
      }}
    >
      <div className="grid grid-cols-[minmax(0,max-content)_minmax(0,1fr)_max-content] items-center gap-x-3 text-sm">
        {rows.map(({ model, name, requests, latencyMs, firstTokenMs }) => (
          <div key={model} className="col-span-3 grid grid-cols-subgrid items-center">
            <span className="min-w-0 break-words">
              <TextLink href={decisionsHref({ model })}>{name}</TextLink>
            </span>
            <IntervalDot
              at={place(latencyMs.p50)}
              interval={[place(latencyMs.p50), place(latencyMs.p95)]}
              ticks={firstTokenMs === null ? [] : [place(firstTokenMs.p50)]}
              label={`${name}, ${plural(requests, 'request')}: ${words(latencyMs)}`}
            />
            <span className="text-right tabular-nums">{words(latencyMs)}</span>
          </div>
        ))}
      </div>
    </Figure>
  )
}
