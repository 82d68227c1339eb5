import type { Model } from '#contracts/entities/model.ts'
import { intervalOf, type Measure, type Measured, measuredElsewhere } from '../figures.ts'

export interface Standing {
  model: Model
  measured: Measured | null
  /** Measured, but not on what the first one was measured on. */
  isElsewhere: boolean
  /** Starts at 1; equal values share a rank. Null if not measured. */
  rank: number | null
}

/** Sorts models, best first; those without a comparable figure are last, in the given order. */
export function placed(
  models: readonly Model[],
  { of, better, ...figure }: Pick<Measure, 'of' | 'better' | 'id' | 'isOfData'>,
): Standing[] {
  const elsewhere = measuredElsewhere(figure, models, (model) => of(model)?.value ?? null)
  const found = models.map((model) => ({ model, measured: elsewhere.has(model.id) ? null : of(model) }))
  const sign = better === 'lower' ? 1 : -1
  const measuredModels = found
    .flatMap(({ model, measured }) => (measured ? [{ model, measured }] : []))
    .toSorted((a, b) => sign * (a.measured.value - b.measured.value))
  return [
    ...measuredModels.map((one) => ({
      ...one,
      isElsewhere: false,
      rank: measuredModels.findIndex(({ measured }) => measured.value === one.measured.value) + 1,
    })),
    ...found.filter(({ measured }) => measured === null).map((one) => ({ ...one, isElsewhere: elsewhere.has(one.model.id), rank: null })),
  ]
}

/** One scale for all dots and intervals: 0 to 1 for shares, otherwise from their minimum to their maximum. Null if nothing was measured. */
export function scaleOf(standings: readonly Pick<Standing, 'measured'>[]): { low: number; high: number } | null {
  const measuredValues = standings.flatMap(({ measured }) => measured ?? [])
  if (measuredValues.length === 0) return null
  const ends = measuredValues.flatMap(({ value, interval }) => [value, ...(interval ?? [])])
  if (measuredValues.some((one) => one.interval === undefined && intervalOf(one) !== null)) return { low: 0, high: 1 }
  const [low, high] = [Math.min(...ends), Math.max(...ends)]
  return low === high ? { low: low - 0.5 * Math.abs(low || 1), high: high + 0.5 * Math.abs(high || 1) } : { low, high }
}
