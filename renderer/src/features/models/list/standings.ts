import type { Model } from '#contracts/entities/model.ts'
import { intervalOf, type Measure, type Measured } from '../figures.ts'

export interface Standing {
  model: Model
  measured: Measured | null
  /** From 1; equal values share a rank. Null if not measured. */
  rank: number | null
}

/** The best first; unmeasured models last, in the given order. */
export function placed(models: readonly Model[], { of, better }: Pick<Measure, 'of' | 'better'>): Standing[] {
  const found = models.map((model) => ({ model, measured: of(model) }))
  const sign = better === 'lower' ? 1 : -1
  const known = found
    .flatMap(({ model, measured }) => (measured ? [{ model, measured }] : []))
    .toSorted((a, b) => sign * (a.measured.value - b.measured.value))
  return [
    ...known.map((one) => ({ ...one, rank: known.findIndex(({ measured }) => measured.value === one.measured.value) + 1 })),
    ...found.filter(({ measured }) => measured === null).map((one) => ({ ...one, rank: null })),
  ]
}

/** One scale for all dots and intervals: 0 to 1 for shares, otherwise from minimum to maximum. Null if nothing was measured. */
export function scaleOf(standings: readonly Pick<Standing, 'measured'>[]): { low: number; high: number } | null {
  const known = standings.flatMap(({ measured }) => measured ?? [])
  if (known.length === 0) return null
  if (known.some((one) => intervalOf(one) !== null)) return { low: 0, high: 1 }
  const [low, high] = [Math.min(...known.map(({ value }) => value)), Math.max(...known.map(({ value }) => value))]
  return low === high ? { low: low - 0.5 * Math.abs(low || 1), high: high + 0.5 * Math.abs(high || 1) } : { low, high }
}
