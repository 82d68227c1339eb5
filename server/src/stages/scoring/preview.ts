import type { Tier } from '#contracts/entities/common.ts'
import type { RescorePreview } from '#contracts/entities/score.ts'

const EXAMPLES = 5
const emptyTiers = (): Record<Tier, number> => ({ gold: 0, silver: 0, bronze: 0, failed: 0, pending: 0 })

/** Counts how traces move between tiers under other rules. A tier set by the user is in both counts and never moves. */
export function createMoveCounter() {
  const before = emptyTiers()
  const after = emptyTiers()
  const moves = new Map<string, RescorePreview['moves'][number]>()
  const sum = { scored: 0, keptByUser: 0 }

  return {
    add(traceId: string, from: Tier, to: Tier, userTier: Tier | null): void {
      sum.scored++
      if (userTier !== null) {
        sum.keptByUser++
        before[userTier]++
        after[userTier]++
        return
      }
      before[from]++
      after[to]++
      if (from === to) return
      const key = `${from} ${to}`
      const move = moves.get(key) ?? { from, to, count: 0, examples: [] }
      moves.set(key, move)
      move.count++
      if (move.examples.length < EXAMPLES) move.examples.push(traceId)
    },
    /** `traces` is the total; traces without a score are missing from the counts by tier. */
    result(traces: number, outdated: number): RescorePreview {
      const list = [...moves.values()].toSorted((a, b) => b.count - a.count || `${a.from}${a.to}`.localeCompare(`${b.from}${b.to}`))
      return {
        traces,
        ...sum,
        moving: list.reduce((total, { count }) => total + count, 0),
        outdated,
        moves: list,
        byTier: { before, after },
      }
    },
  }
}
