import type { Line, Plot } from './plot.ts'
import { formatPlace } from './ticks.ts'
import { formatValue } from '../format.ts'
import type { View } from './view.ts'

/** Each line with its value at the crosshair, or its newest value. */
export function Legend({ lines, view, cursor, plot }: { lines: readonly Line[]; view: View; cursor: number | null; plot: Plot | null }) {
  const dots = [...new Set(lines.flatMap(({ beside }) => beside ?? []))]
  return (
    <ul className="flex min-h-5 flex-wrap gap-x-4 gap-y-0.5 px-1 text-xs">
      {lines
        .filter(({ beside }) => beside === undefined)
        .map((line) => (
          <li key={line.id} className="flex min-w-0 items-center gap-1.5">
            <svg width={14} height={4} aria-hidden className="shrink-0">
              <line x1={0} x2={14} y1={2} y2={2} stroke={`var(--${line.ink})`} strokeWidth={2} strokeDasharray={line.dash.join(' ')} />
            </svg>
            <span className="truncate text-second" title={line.label}>
              {line.label}
            </span>
            <span className="font-mono whitespace-nowrap">{valueAt(line, view, cursor, plot)}</span>
          </li>
        ))}
      {dots.length > 0 ? <li className="text-second">dots: {dots.join(', ')}</li> : null}
      <li aria-hidden className="ml-auto font-mono text-second">
        {cursor === null ? '' : `${view.axis.id} ${formatPlace(view.axis, cursor)}`}
      </li>
    </ul>
  )
}

function valueAt(line: Line, view: View, cursor: number | null, plot: Plot | null): string {
  const at = cursor === null ? line.series.size - 1 : line.series.nearest(view.axis.id, cursor)
  if (at === null || at < 0) return '–'
  if (Number.isNaN(line.series.last[at]!)) return 'NaN'
  const average = plot?.averageOf(line, view) ?? null
  const value = formatValue(line.series.last[at])
  return average && at < average.size ? `${formatValue(average.last[at])} (${value})` : value
}
