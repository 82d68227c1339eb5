import type { ThermometerReading } from '#contracts/entities/thermometer.ts'
import { clustered } from '#server/statistics/means.ts'
import { decide, isCompared, type ScoredPair } from '../exam/decide.ts'

/** The level of a reading, and its difference from the one before on the items that both have. */
export function figuresOf(pairs: readonly ScoredPair[]): Pick<ThermometerReading, 'level'> & { change: Change | null } {
  const known = pairs.filter(({ modelScore }) => modelScore !== null)
  const bySession = Map.groupBy(known, ({ item }) => item.traceId)
  const { mean, low, high } = clustered([...bySession.values()].map((group) => group.map(({ modelScore }) => modelScore!.soft)))
  const level = mean === null ? null : { mean, low, high }
  const shared = pairs.filter(isCompared)
  const { delta, intervals, sessions, wins, losses, ties, bound } = decide(shared, { isSame: true })
  if (delta === null) return { level, change: null }
  return { level, change: { delta, intervals, sessions, wins, losses, ties, bound, items: shared.length, shows: directionOf(intervals) } }
}

type Change = Omit<NonNullable<ThermometerReading['change']>, 'earlier' | 'at'>

function directionOf({ bootstrap, clustered: byT }: Change['intervals']): Change['shows'] {
  const ends = [bootstrap.low, bootstrap.high, byT.low, byT.high]
  if (ends.every((end) => end !== null && end > 0)) return 'rise'
  return ends.every((end) => end !== null && end < 0) ? 'fall' : 'nothing'
}
