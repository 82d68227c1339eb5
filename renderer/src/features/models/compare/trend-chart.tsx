import { useState } from 'react'
import { useLocation } from 'wouter'
import { modelHref } from '#renderer/app/links.ts'
import { Figure } from '#renderer/ui/figures/figure.tsx'
import { Scatter } from '#renderer/ui/figures/pictures.tsx'
import { formatDay, formatInstant, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { Section } from '#renderer/ui/page.tsx'
import type { Model } from '#contracts/entities/model.ts'
import type { Measure } from '../figures.ts'
import { datasetsWithSeveral, familyOf, type Trend, trendsOf, type TrendPoint } from './trend.ts'

/** One figure of all models of one data set over time. Starts with the data set of `first`. Shows nothing if no data set has two models. */
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

function TrendChart({ title, points, measure }: { title: string; points: readonly TrendPoint[]; measure: Measure }) {
  const [, go] = useLocation()
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return null
  return (
    <Figure
      title={title}
      summary={`${plural(points.length, 'model')}, from ${measure.format(first.value)} to ${measure.format(last.value)}.`}
      table={{
        caption: title,
        columns: [
          { id: 'name', label: 'Model', cell: ({ id, name }: TrendPoint) => <TextLink href={modelHref(id)}>{name}</TextLink> },
          { id: 'at', label: 'Created', cell: ({ at }) => formatInstant(at) },
          { id: 'value', label: measure.label, numeric: true, cell: ({ value }) => measure.format(value) },
        ],
        rows: points,
        keyOf: ({ id }) => id,
      }}
    >
      <Scatter
        joined
        height={HEIGHT}
        points={points.map(({ id, name, at, value }) => ({ id, label: `${name}, ${formatInstant(at)}`, x: at, y: value }))}
        formatX={formatDay}
        formatY={measure.format}
        onOpen={(id) => go(modelHref(id))}
      />
    </Figure>
  )
}
