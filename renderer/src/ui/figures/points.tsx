import { CartesianGrid, ErrorBar, ResponsiveContainer, Scatter, ScatterChart, Tooltip, XAxis, YAxis } from 'recharts'
import { GRID, WORDS, X_AXIS, Y_AXIS } from './plane.ts'

interface PlacedPoint {
  id: string
  label: string
  x: number
  y: number
  /** Its interval, drawn as a line. */
  span?: readonly [low: number, high: number] | null
}

export interface PointsProps {
  /** In the order of the joining line. */
  points: readonly PlacedPoint[]
  formatX: (x: number) => string
  formatY: (y: number) => string
  joined?: boolean
  /** In px. */
  height?: number
  onOpen?: (id: string) => void
}

/** Minimum and maximum; one of them if both are written alike. */
function endsOf(values: readonly number[], format: (value: number) => string): number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return format(least) === format(most) ? [least] : [least, most]
}

/** How far an interval reaches below and above its point. */
const reachOf = ({ y, span }: PlacedPoint): [number, number] => (span ? [y - span[0], span[1] - y] : [0, 0])

/** Values by two measures. The axes show only their ends. */
export default function Points({ points, formatX, formatY, joined = false, height, onOpen }: PointsProps & { height: number }) {
  const heights = points.flatMap(({ y, span }) => [y, ...(span ?? [])])
  return (
    <div style={{ height }}>
      <ResponsiveContainer width="100%" height="100%">
        <ScatterChart margin={{ top: 12, right: 16, bottom: 0, left: 0 }}>
          <CartesianGrid {...GRID} />
          <XAxis
            {...X_AXIS}
            type="number"
            dataKey="x"
            domain={['dataMin', 'dataMax']}
            ticks={endsOf(
              points.map(({ x }) => x),
              formatX,
            )}
            tickFormatter={formatX}
            interval={0}
            padding={{ left: 24, right: 24 }}
          />
          <YAxis
            {...Y_AXIS}
            type="number"
            dataKey="y"
            width={72}
            domain={[Math.min(...heights), Math.max(...heights)]}
            ticks={endsOf(heights, formatY)}
            tickFormatter={formatY}
            interval={0}
            padding={{ top: 6, bottom: 6 }}
          />
          <Tooltip
            cursor={{ stroke: 'var(--edge)' }}
            isAnimationActive={WORDS.isAnimationActive}
            content={({ payload }) => {
              const point = payload[0]?.payload as PlacedPoint | undefined // what the scatter was given
              return point ? (
                <div style={WORDS.contentStyle} className="px-2.5 py-1.5">
                  {point.label}: {formatY(point.y)}
                </div>
              ) : null
            }}
          />
          <Scatter
            data={points.map((point) => ({ ...point, reach: reachOf(point) }))}
            fill="var(--series-1)"
            isAnimationActive={false}
            {...(joined ? { line: { stroke: 'var(--series-1)', strokeWidth: 1.5 } } : {})}
            {...(onOpen ? { cursor: 'pointer', onClick: ({ payload }: { payload?: PlacedPoint }) => payload && onOpen(payload.id) } : {})}
          >
            <ErrorBar dataKey="reach" direction="y" width={3} stroke="var(--series-1)" isAnimationActive={false} />
          </Scatter>
        </ScatterChart>
      </ResponsiveContainer>
    </div>
  )
}
