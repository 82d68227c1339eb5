import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { formatCount } from '../format.ts'

export interface Series {
  id: string
  label: string
  color: string
}
export type BarRow = { label: string } & Record<string, number | string>

/** Counts over a few dozen periods, stacked. Load it lazily: recharts is about 100 kB. */
export default function StackedBars({
  rows,
  series,
  unit,
  height = 200,
  onOpen,
}: {
  rows: BarRow[]
  series: readonly Series[]
  unit: string
  height?: number
  onOpen?: (index: number) => void
}) {
  return (
    <div style={{ height }}>
      <ResponsiveContainer width="100%" height="100%">
        <BarChart
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
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="label"
            tick={{ fontSize: 12, fill: 'var(--second)' }}
            tickLine={false}
            axisLine={{ stroke: 'var(--edge)' }}
            minTickGap={24}
          />
          <YAxis
            width={60}
            tickFormatter={formatCount}
            allowDecimals={false}
            tick={{ fontSize: 12, fill: 'var(--second)' }}
            tickLine={false}
            axisLine={false}
            label={{
              value: unit,
              angle: -90,
              position: 'insideLeft',
              style: { fontSize: 12, fill: 'var(--second)', textAnchor: 'middle' },
            }}
          />
          <Tooltip
            cursor={{ fill: 'var(--raised)' }}
            isAnimationActive={false}
            contentStyle={{
              background: 'var(--raised)',
              border: '1px solid var(--line)',
              borderRadius: 6,
              fontSize: 12,
              color: 'var(--text)',
            }}
            itemStyle={{ color: 'var(--text)', padding: 0 }}
          />
          {series.map(({ id, label, color }) => (
            <Bar key={id} dataKey={id} name={label} stackId="all" fill={color} isAnimationActive={false} />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  )
}
