import { ScrollRegion } from '../scroll-region.tsx'
import { formatValue } from '../format.ts'
import type { Line } from './plot.ts'

/** Maximum number of rows; of more, every n-th is shown. */
const ROWS = 200

/** The points of the lines, by step. */
export function ChartTable({ title, lines, height }: { title: string; lines: readonly Line[]; height: number }) {
  const steps = [...new Set(lines.flatMap(({ series }) => [...series.x('step').subarray(0, series.size)]))].toSorted((a, b) => a - b)
  const every = Math.ceil(steps.length / ROWS)
  const shown = steps.filter((_, at) => at % every === 0 || at === steps.length - 1)
  return (
    <ScrollRegion label={`${title} as table`} className="overflow-auto" style={{ height }}>
      <table className="w-full border-collapse font-mono text-xs">
        <caption className="sr-only">
          {title}, {every > 1 ? `1 of every ${every} points` : 'every point'}
        </caption>
        <thead className="sticky top-0 bg-panel text-second">
          <tr>
            <th scope="col" className="py-1 pr-3 text-right font-normal">
              step
            </th>
            {lines.map((line) => (
              <th key={line.id} scope="col" className="py-1 pr-3 text-right font-normal">
                {line.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((step) => (
            <tr key={step} className="border-t border-line">
              <td className="py-0.5 pr-3 text-right text-second">{step}</td>
              {lines.map((line) => (
                <td key={line.id} className="py-0.5 pr-3 text-right">
                  {exactly(line, step)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function exactly({ series }: Line, step: number): string {
  const at = series.indexOf('step', step)
  if (at >= series.size || series.x('step')[at] !== step) return ''
  return Number.isNaN(series.last[at]!) ? 'NaN' : formatValue(series.last[at])
}
