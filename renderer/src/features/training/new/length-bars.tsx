import type { RunPlan } from '#contracts/entities/run.ts'
import { formatCompact, formatCount, plural } from '#renderer/ui/format.ts'

const WIDTH = 300
const HEIGHT = 64

/** Rows by length in tokens; the bars above the max length are highlighted. */
export function LengthBars({ lengths, maxLength }: { lengths: RunPlan['lengths']; maxLength: number }) {
  const maxRows = Math.max(1, ...lengths.map(({ rows }) => rows))
  const width = WIDTH / Math.max(1, lengths.length)
  const limitIndex = lengths.findIndex(({ upTo }) => upTo >= maxLength)
  const longer = lengths.filter(({ upTo }, at) => upTo > maxLength && at !== limitIndex)
  return (
    <figure className="flex flex-col gap-0.5">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        width="100%"
        role="img"
        aria-label={`Rows by length: ${lengths.map(({ upTo, rows }) => `${formatCount(rows)} up to ${formatCount(upTo)} tokens`).join(', ')}`}
      >
        {lengths.map(({ upTo, rows }, at) => {
          const height = rows === 0 ? 0 : Math.max(1, (rows / maxRows) * (HEIGHT - 4))
          const isLonger = longer.some((one) => one.upTo === upTo)
          return (
            <rect
              key={upTo}
              x={at * width}
              y={HEIGHT - height}
              width={Math.max(1, width - 1)}
              height={height}
              fill={isLonger ? 'var(--warn)' : 'var(--series-1)'}
            >
              <title>{`${plural(rows, 'row')} up to ${formatCount(upTo)} tokens`}</title>
            </rect>
          )
        })}
        <line x1={0} x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} stroke="var(--edge)" />
      </svg>
      <figcaption className="flex justify-between font-mono text-xs text-second">
        <span>0</span>
        <span>tokens per row</span>
        <span>{formatCompact(lengths.at(-1)?.upTo)}</span>
      </figcaption>
    </figure>
  )
}
