import { useRef, useState } from 'react'
import { modelHref } from '#renderer/app/links.ts'
import { ChartFrame } from '#renderer/ui/figures/chart-frame.tsx'
import { formatDay, formatInstant, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { useWidth } from '#renderer/ui/use-width.ts'
import type { Model } from '#contracts/entities/model.ts'
import type { Measure } from '../figures.ts'
import { datasetsWithSeveral, familyOf, type Trend, trendsOf, type TrendPoint } from './trend.ts'

/** How models of one data set have come along, by one figure; of `first` until another is chosen. Nothing where no two of them were measured by the same. */
export function Trends({ models, first }: { models: readonly Model[]; first: Model | undefined }) {
  const datasets = datasetsWithSeveral(models)
  const [wanted, setWanted] = useState<string | null>(null)
  const [by, setBy] = useState<string | null>(null)
  const dataset = wanted ?? datasets.find((name) => first && name === familyOf(first)) ?? datasets[0]
  if (dataset === undefined) return null
  const trends = trendsOf(models, dataset)
  const ofFirst = ({ strategy }: Trend) => strategy === null || strategy === first?.lineage.strategy
  const trend = trends.find(({ id }) => id === by) ?? trends.find(ofFirst) ?? trends[0]
  return (
    <Section title="Over time" note="Models trained on one data set, by creation date">
      <div className="flex flex-wrap gap-2">
        {datasets.length > 1 ? (
          <Select label="Data set" value={dataset} options={datasets.map((value) => ({ value, label: value }))} onChange={setWanted} />
        ) : null}
        {trend ? (
          <Select
            label="Figure"
            className="min-w-56"
            value={trend.id}
            options={trends.map(({ id, label }) => ({ value: id, label }))}
            onChange={setBy}
          />
        ) : null}
      </div>
      {trend ? (
        <TrendChart title={`${trend.label} of models trained with ${dataset}`} points={trend.points} measure={trend.measure} />
      ) : (
        <p className="text-sm text-second">No two models of {dataset} have the same figure measured yet.</p>
      )}
    </Section>
  )
}

const HEIGHT = 180
const PAD = { left: 72, right: 16, top: 12, bottom: 28 }

function TrendChart({ title, points, measure }: { title: string; points: readonly TrendPoint[]; measure: Measure }) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return null
  const values = points.map(({ value }) => value)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const x = (at: number) =>
    PAD.left + (last.at === first.at ? 0.5 : (at - first.at) / (last.at - first.at)) * (width - PAD.left - PAD.right)
  const y = (value: number) => PAD.top + (high === low ? 0.5 : (high - value) / (high - low)) * (HEIGHT - PAD.top - PAD.bottom)
  return (
    <ChartFrame
      title={title}
      summary={`${plural(points.length, 'model')}, from ${measure.format(first.value)} to ${measure.format(last.value)}.`}
      table={
        <Table
          caption={title}
          columns={[
            { id: 'name', label: 'Model', cell: ({ id, name }: TrendPoint) => <TextLink href={modelHref(id)}>{name}</TextLink> },
            { id: 'at', label: 'Created', cell: ({ at }) => formatInstant(at) },
            { id: 'value', label: measure.label, numeric: true, cell: ({ value }) => measure.format(value) },
          ]}
          rows={points}
          keyOf={({ id }) => id}
        />
      }
    >
      <div ref={box}>
        {width > 0 ? (
          <svg width={width} height={HEIGHT} role="img" aria-label={title}>
            {(high === low ? [high] : [high, low]).map((value) => (
              <g key={value}>
                <line x1={PAD.left} x2={width - PAD.right} y1={y(value)} y2={y(value)} stroke="var(--line)" />
                <text x={PAD.left - 8} y={y(value) + 4} fontSize={12} textAnchor="end" fill="var(--second)">
                  {measure.format(value)}
                </text>
              </g>
            ))}
            {[first, last].map((point, index) => (
              <text
                key={point.id}
                x={x(point.at)}
                y={HEIGHT - 8}
                fontSize={12}
                textAnchor={index === 0 ? 'start' : 'end'}
                fill="var(--second)"
              >
                {index === 1 && formatDay(last.at) === formatDay(first.at) ? '' : formatDay(point.at)}
              </text>
            ))}
            <polyline
              points={points.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ')}
              fill="none"
              stroke="var(--series-1)"
              strokeWidth={1.5}
            />
            {points.map(({ id, name, at, value }) => (
              <circle key={id} cx={x(at)} cy={y(value)} r={4} fill="var(--series-1)">
                <title>{`${name}: ${measure.format(value)}, ${formatInstant(at)}`}</title>
              </circle>
            ))}
          </svg>
        ) : null}
      </div>
    </ChartFrame>
  )
}
