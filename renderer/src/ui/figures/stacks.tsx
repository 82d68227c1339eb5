import { Area, Bar, CartesianGrid, ComposedChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { formatCount } from '../format.ts'
import { GRID, unitLabel, WORDS, X_AXIS, Y_AXIS } from './plane.ts'

export interface StacksProps {
  /** One per period, in order. */
  rows: readonly ({ label: string } & Record<string, number | string>)[]
  /** From bottom to top; `id` is the key of its value in a row. */
  series: readonly { id: string; label: string; color: string }[]
  unit: string
  /** Of the values beside the y axis; default: whole numbers. */
  formatY?: (value: number) => string
  /** In px. */
  height?: number
  onOpen?: (index: number) => void
}

/** Counts over a few dozen periods, stacked. */
export default function Stacks({
  look,
  rows,
  series,
  unit,
  height,
  onOpen,
  formatY = formatCount,
}: StacksProps & { look: 'bars' | 'areas'; height: number }) {
  return (
    <div style={{ height }}>
      <ResponsiveContainer width="100%" height="100%">
        <ComposedChart
          data={rows}
          margin={{ top: 4, right: 0, bottom: 0, left: 0 }}
          barCategoryGap="18%"
          {...(onOpen
            ? {
                onClick: ({ activeIndex }: { activeIndex?: number | string | null | undefined }) =>
                  activeIndex !== undefined && activeIndex !== null && onOpen(Number(activeIndex)),
              }
            : {})}
        >
          <CartesianGrid {...GRID} />
          <XAxis {...X_AXIS} dataKey="label" minTickGap={24} />
          <YAxis {...Y_AXIS} width={60} tickFormatter={formatY} allowDecimals={false} label={unitLabel(unit)} />
          <Tooltip {...WORDS} cursor={look === 'bars' ? { fill: 'var(--raised)' } : { stroke: 'var(--edge)' }} />
          {series.map(({ id, label, color }) =>
            look === 'bars' ? (
              <Bar key={id} dataKey={id} name={label} stackId="all" fill={color} isAnimationActive={false} />
            ) : (
              <Area
                key={id}
                dataKey={id}
                name={label}
                stackId="all"
                stroke={color}
                fill={color}
                fillOpacity={0.35}
                isAnimationActive={false}
              />
            ),
          )}
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  )
}
