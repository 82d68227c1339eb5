import type { LengthReport } from '#contracts/entities/preview.ts'
import { formatCompact, formatCount } from '#renderer/ui/format.ts'

const WIDTH = 1000
const HEIGHT = 180
const BASE = 156
const TOP = 32

/** Rows by length. Bars beyond the max length are hatched. */
export function LengthBars({ report }: { report: LengthReport }) {
  const { bins, width, maxTokens } = report
  const end = Math.max((bins.at(-1)?.from ?? 0) + width, maxTokens === null ? 0 : maxTokens * 1.05)
  const largest = Math.max(1, ...bins.map(({ rows }) => rows))
  const x = (tokens: number) => (tokens / end) * WIDTH
  const limitX = maxTokens === null ? null : x(maxTokens)
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="100%" role="img" aria-label="Rows by length in tokens" className="max-w-[1240px]">
      <defs>
        <pattern id="behind" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="6" height="6" fill="var(--raised)" />
          <rect width="2.5" height="6" fill="var(--bad)" />
        </pattern>
      </defs>
      {bins.map(({ from, rows }) => {
        const barHeight = (rows / largest) * (BASE - TOP)
        const exceedsLimit = maxTokens !== null && from >= maxTokens
        return (
          <g key={from}>
            {rows > 0 && x(width) >= 20 ? (
              <text x={x(from + width / 2)} y={BASE - barHeight - 5} fontSize={12} fill="var(--second)" textAnchor="middle">
                {formatCompact(rows)}
              </text>
            ) : null}
            <rect
              x={x(from) + 1}
              y={BASE - barHeight}
              width={Math.max(1, x(width) - 2)}
              height={barHeight}
              fill={exceedsLimit ? 'url(#behind)' : 'var(--accent)'}
            >
              <title>{`${formatCount(from)} to ${formatCount(from + width - 1)} tokens: ${formatCount(rows)}`}</title>
            </rect>
          </g>
        )
      })}
      <line x1={0} x2={WIDTH} y1={BASE} y2={BASE} stroke="var(--edge)" />
      {ticksOf(end).map((tokens) => (
        <text key={tokens} x={x(tokens)} y={HEIGHT - 6} fontSize={12} fill="var(--second)" textAnchor={tokens === 0 ? 'start' : 'middle'}>
          {formatCompact(tokens)}
        </text>
      ))}
      {limitX === null ? null : (
        <>
          <line x1={limitX} x2={limitX} y1={0} y2={BASE} stroke="var(--bad)" strokeWidth={2} strokeDasharray="6 4" />
          <text x={limitX - 6} y={12} fontSize={12} fill="var(--bad)" textAnchor="end">
            {`max length ${formatCount(maxTokens)}`}
          </text>
        </>
      )}
    </svg>
  )
}

/** Four to nine round lengths for the axis; the last label fits inside the chart. */
function ticksOf(end: number): number[] {
  const size = 10 ** Math.floor(Math.log10(end / 4))
  const step = size * (end / 4 / size >= 5 ? 5 : end / 4 / size >= 2 ? 2 : 1)
  return Array.from({ length: Math.floor((end * 0.97) / step) + 1 }, (_, index) => index * step)
}
