import { useMemo } from 'react'
import type { Model } from '#contracts/entities/model.ts'
import { modelHref } from '#renderer/app/links.ts'
import type { Marks } from '#renderer/app/use-marks.ts'
import { Figure } from '#renderer/ui/figures/figure.tsx'
import { IntervalDot } from '#renderer/ui/figures/interval-dot.tsx'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { DASH, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Select } from '#renderer/ui/select.tsx'
import type { ChangeSearch } from '#renderer/ui/use-search.ts'
import { ELSEWHERE, ELSEWHERE_WHY, intervalOf, measuresOf, type Measure } from '../figures.ts'
import { placed, scaleOf, type Standing } from './standings.ts'

/** Models sorted by one figure, best first. A share with a measuredStandings sample size has its 95 % interval. */
export function Leaderboard({
  models,
  by,
  change,
  marks,
}: {
  models: readonly Model[]
  by: string | null
  change: ChangeSearch
  marks: Marks
}) {
  const measures = useMemo(() => measuresOf(models), [models])
  const measure =
    measures.find(({ id }) => id === by) ?? measures.find(({ of }) => models.some((model) => of(model) !== null)) ?? measures[0]
  const standings = useMemo(() => (measure ? placed(models, measure) : []), [models, measure])
  if (!measure) return null
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-6 py-4">
      <div className="flex max-w-[1100px] flex-col gap-4">
        <div className="flex flex-wrap items-center gap-3 text-sm">
          <Select
            label="Sort by"
            className="min-w-64"
            value={measure.id}
            options={measures.map(({ id, label }) => ({ value: id, label }))}
            onChange={(id) => change({ by: id })}
          />
          <span className="text-xs text-second">
            {measure.better === 'lower' ? 'Lower is better.' : 'Higher is better.'} {measure.caution}
            {models.every(({ evaluations }) => evaluations.length === 0) ? ' No model has been evaluated on your work yet.' : ''}
          </span>
        </div>
        <Figure
          title={measure.label}
          summary={summaryOf(standings, measure)}
          table={{
            caption: `Models by ${measure.label}`,
            columns: [
              { id: 'name', label: 'Model', cell: ({ model }: Standing) => <TextLink href={modelHref(model.id)}>{model.name}</TextLink> },
              {
                id: 'value',
                label: measure.label,
                numeric: true,
                cell: ({ measured, isElsewhere }) => (measured ? measure.format(measured.value) : isElsewhere ? ELSEWHERE : DASH),
              },
              { id: 'n', label: 'n', numeric: true, cell: ({ measured }) => measured?.n ?? '' },
              { id: 'interval', label: '95 % interval', numeric: true, cell: (standing) => intervalWord(standing, measure) },
            ],
            rows: standings,
            keyOf: ({ model }) => model.id,
          }}
        >
          <Rows standings={standings} measure={measure} marks={marks} />
        </Figure>
      </div>
    </div>
  )
}

function summaryOf(standings: readonly Standing[], measure: Measure): string {
  const measuredStandings = standings.filter(({ measured }) => measured !== null)
  const best = measuredStandings[0]
  const elsewhere = standings.filter(({ isElsewhere }) => isElsewhere).length
  const others = standings.length - measuredStandings.length - elsewhere
  const missing = `${elsewhere === 0 ? '' : ` ${plural(elsewhere, 'model')} measured on other data.`}${others === 0 ? '' : ` ${plural(others, 'model')} not measured.`}`
  if (!best?.measured) return `Not measured for any of ${plural(standings.length, 'model')}.`
  if (measuredStandings.length === 1)
    return `${best.model.name} has ${measure.format(best.measured.value)}, the only model with this figure.${missing}`
  return `${best.model.name} leads with ${measure.format(best.measured.value)} among ${plural(measuredStandings.length, 'model')}.${missing}`
}

const intervalWord = ({ measured }: Pick<Standing, 'measured'>, { format }: Measure): string => {
  const interval = measured && intervalOf(measured)
  return interval ? `${format(interval[0])} to ${format(interval[1])}` : ''
}

function Rows({ standings, measure, marks }: { standings: readonly Standing[]; measure: Measure; marks: Marks }) {
  const scale = scaleOf(standings)
  const x = (value: number) => (scale ? (value - scale.low) / (scale.high - scale.low) : 0)
  return (
    <div role="table" aria-label={`Models by ${measure.label}`} className="flex flex-col text-sm">
      {standings.map(({ model, measured, rank, isElsewhere }) => {
        const interval = measured && intervalOf(measured)
        return (
          <div
            key={model.id}
            role="row"
            className={cn(
              'grid h-9 grid-cols-[24px_28px_minmax(120px,220px)_minmax(0,1fr)_110px_64px] items-center gap-2 border-b border-line',
              model.id === marks.currentId && 'current-row',
            )}
          >
            <span role="cell">
              <Checkbox label={`Select ${model.name}`} checked={marks.has(model.id)} onChange={() => marks.mark(model.id)} />
            </span>
            <span role="cell" className="text-right font-mono text-xs text-second">
              {rank}
            </span>
            <span role="cell" className="min-w-0">
              <TextLink href={modelHref(model.id)} className="block truncate no-underline! hover:underline!">
                {model.name}
              </TextLink>
            </span>
            <div role="cell" className="min-w-0">
              {measured && scale ? (
                <IntervalDot
                  at={x(measured.value)}
                  interval={interval && [x(interval[0]), x(interval[1])]}
                  label={`${measure.format(measured.value)}${interval ? `, between ${intervalWord({ measured }, measure)}` : ''}`}
                />
              ) : null}
            </div>
            <span role="cell" className="text-right font-mono text-xs">
              {measured ? (
                measure.format(measured.value)
              ) : (
                <span className="font-sans text-second" title={isElsewhere ? ELSEWHERE_WHY : undefined}>
                  {isElsewhere ? ELSEWHERE : DASH}
                </span>
              )}
            </span>
            <span role="cell" className="text-right font-mono text-xs text-second">
              {measured?.n === null || measured?.n === undefined ? '' : `n ${measured.n}`}
            </span>
          </div>
        )
      })}
      {scale ? (
        <div aria-hidden className="grid grid-cols-[24px_28px_minmax(120px,220px)_minmax(0,1fr)_110px_64px] gap-2 pt-1 text-xs text-second">
          <span className="col-start-4 flex justify-between px-2 font-mono">
            <span>{measure.format(scale.low)}</span>
            <span>{measure.format(scale.high)}</span>
          </span>
        </div>
      ) : null}
    </div>
  )
}
