import type { Model } from '#contracts/entities/model.ts'

export interface TrendPoint {
  id: string
  name: string
  /** ms since 1970 */
  at: number
  value: number
}

/** The name of a data set without its version: what its models have in common. */
export const familyOf = ({ lineage: { datasetName } }: Model): string | null => datasetName?.replace(/ v\d+$/, '') ?? null

/** Models of one data set by the time they were made, oldest first; only those that were measured. */
export const trendOf = (models: readonly Model[], dataset: string, of: (model: Model) => number | null): TrendPoint[] =>
  models
    .filter((model) => familyOf(model) === dataset)
    .flatMap((model) => {
      const value = of(model)
      return value === null ? [] : [{ id: model.id, name: model.name, at: Date.parse(model.createdAt), value }]
    })
    .toSorted((a, b) => a.at - b.at)

/** Names of data sets that at least two of the models were trained on. */
export function datasetsWithSeveral(models: readonly Model[]): string[] {
  const names = models.flatMap((model) => familyOf(model) ?? [])
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))].toSorted()
}
