import type { Model } from '#contracts/entities/model.ts'
import type { TrainStrategy } from '#contracts/trainer.ts'
import { measuresOf, type Measure } from '../figures.ts'
import { strategyWord } from '../words.ts'

export interface TrendPoint {
  id: string
  name: string
  /** ms since 1970 */
  at: number
  value: number
}

/** The name of a data set without its version: what its models have in common. */
export const familyOf = ({ lineage: { datasetName } }: Model): string | null => datasetName?.replace(/ v\d+$/, '') ?? null

/** Models of one data set by one figure. `strategy`: of this one alone; null: of any, or there is only one. */
export interface Trend {
  id: string
  label: string
  strategy: TrainStrategy | null
  measure: Measure
  points: TrendPoint[]
}

/**
 * What can be followed over the models of a data set: each figure that at least two of them were measured by. A loss of one
 * strategy cannot be compared with that of another, so such figures have one trend per strategy.
 */
export function trendsOf(models: readonly Model[], dataset: string): Trend[] {
  const own = models.filter((model) => familyOf(model) === dataset)
  const strategies = [...new Set(own.map(({ lineage }) => lineage.strategy))]
  return measuresOf(models)
    .flatMap((measure): Trend[] => {
      if (!measure.isOfData || strategies.length < 2)
        return [{ id: measure.id, label: measure.label, strategy: null, measure, points: pointsOf(own, measure) }]
      return strategies.map((strategy) => ({
        id: `${measure.id} ${strategy}`,
        label: `${measure.label}, ${strategyWord(strategy)}`,
        strategy,
        measure,
        points: pointsOf(own.filter(({ lineage }) => lineage.strategy === strategy), measure), // prettier-ignore
      }))
    })
    .filter(({ points }) => points.length >= 2)
}

/** By the time they were made, oldest first; only those that were measured. */
const pointsOf = (models: readonly Model[], measure: Measure): TrendPoint[] =>
  models
    .flatMap((model) => {
      const value = measure.of(model)?.value ?? null
      return value === null ? [] : [{ id: model.id, name: model.name, at: Date.parse(model.createdAt), value }]
    })
    .toSorted((a, b) => a.at - b.at)

/** Names of data sets that at least two of the models were trained on. */
export function datasetsWithSeveral(models: readonly Model[]): string[] {
  const names = models.flatMap((model) => familyOf(model) ?? [])
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))].toSorted()
}
