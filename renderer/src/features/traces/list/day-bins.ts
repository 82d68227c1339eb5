import type { Tier } from '#contracts/entities/common.ts'

export type DayCounts = { day: string } & Record<Tier, number>
export type Bin = { from: string; to: string; total: number } & Record<Tier, number>

const DAY_MS = 86_400_000
const TIERS: readonly Tier[] = ['gold', 'silver', 'bronze', 'failed', 'pending']
/** More bars would be too narrow to click. */
const MAX_BARS = 60

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Equal bins from the first to the last day, including days without sessions: one day each, or several if there are too many days. */
export function binDays(days: readonly DayCounts[]): Bin[] {
  const times = days.map(({ day }) => Date.parse(`${day}T00:00:00Z`)).filter((time) => !Number.isNaN(time))
  if (times.length === 0) return []
  const first = Math.min(...times)
  const last = Math.max(...times)
  const count = Math.round((last - first) / DAY_MS) + 1
  const perBin = Math.ceil(count / MAX_BARS)
  const bins: Bin[] = Array.from({ length: Math.ceil(count / perBin) }, (_, index) => {
    const from = first + index * perBin * DAY_MS
    return {
      from: dayOf(from),
      to: dayOf(Math.min(last, from + (perBin - 1) * DAY_MS)),
      total: 0,
      gold: 0,
      silver: 0,
      bronze: 0,
      failed: 0,
      pending: 0,
    }
  })
  for (const counts of days) {
    const bin = bins[Math.floor(Math.round((Date.parse(`${counts.day}T00:00:00Z`) - first) / DAY_MS) / perBin)]
    if (!bin) continue
    for (const tier of TIERS) {
      bin[tier] += counts[tier]
      bin.total += counts[tier]
    }
  }
  return bins
}
