import type { Model } from '#contracts/entities/model.ts'
import type { TrainStrategy } from '#contracts/trainer.ts'
import { isSameMeasure, measuresOf, type Measure } from '../figures.ts'
import { strategyWord } from '../words.ts'

export interface TrendPoint {
  id: string
  name: string
  /** ms since 1970 */
  at: number
  value: number
}

/** The name of the model's data set without its version, so that models of all versions are compared. */
export const familyOf = ({ lineage: { datasetName } }: Model): string | null => datasetName?.replace(/ v\d+$/, '') ?? null

/** One figure of the models of one data set. `strategy`: the only strategy included; null if all strategies are. */
export interface Trend {
  id: string
  label: string
  strategy: TrainStrategy | null
  measure: Measure
  points: TrendPoint[]
}

/**
 * The trends of a data set: one for each figure that at least two of its models have. Losses of different strategies cannot be
 * compared, so such figures have one trend per strategy.
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

/** The models that have the figure, oldest first. One of held-out answers is of the answers that the newest model was measured on. */
function pointsOf(models: readonly Model[], measure: Measure): TrendPoint[] {
  const measured = models.filter((model) => (measure.of(model)?.value ?? null) !== null)
  const newest = measured.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))[0]
  const isHeldOut = measure.id.startsWith('eval_')
  return measured
    .filter((model) => !isHeldOut || newest === undefined || isSameMeasure(measure.id, newest, model))
    .flatMap((model) => {
      const value = measure.of(model)?.value ?? null
      return value === null ? [] : [{ id: model.id, name: model.name, at: Date.parse(model.createdAt), value }]
    })
    .toSorted((a, b) => a.at - b.at)
}

/** Names of data sets that at least two of the models were trained on. */
export function datasetsWithSeveral(models: readonly Model[]): string[] {
  const names = models.flatMap((model) => familyOf(model) ?? [])
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))].toSorted()
}
