import { own } from '#contracts/lookup.ts'
import type { DatasetRecipe } from '#contracts/entities/dataset.ts'
import { shuffled } from './seeded-random.ts'
import type { Facts } from './facts.ts'

export interface BalanceRow {
  id: string
  facts: Facts
}

export interface BalanceDrop {
  id: string
  /** `weight: repo api`, `cap: repo api` */
  reason: string
}

/**
 * The rows to drop. Applies the rules in order, each to the rows that remain. Weights come first: the group with the largest
 * weight keeps all its rows, any other the ratio of its weight to the largest (the default weight is 1). Then the cap. The
 * seed decides which rows of a group stay.
 */
export function balance(rows: readonly BalanceRow[], rules: DatasetRecipe['balance'], seed: number): BalanceDrop[] {
  const drops = new Map<string, BalanceDrop>()
  for (const { by, cap, weights } of rules) {
    const groups = Map.groupBy(
      rows.filter(({ id }) => !drops.has(id)),
      ({ facts }) => facts[by],
    )
    const weightOf = (group: string) => own(weights, group) ?? 1
    const largest = Math.max(...[...groups.keys()].map(weightOf))
    for (const [group, members] of groups) {
      const shuffledMembers = shuffled(members, seed, ({ id }) => id)
      const share = weights && largest > 0 ? weightOf(group) / largest : weightOf(group) > 0 ? 1 : 0
      const keptCount = Math.ceil(members.length * share)
      for (const { id } of shuffledMembers.slice(keptCount)) drops.set(id, { id, reason: `weight: ${by} ${group}` })
      if (cap !== undefined)
        for (const { id } of shuffledMembers.slice(Math.min(cap, keptCount), keptCount))
          drops.set(id, { id, reason: `cap: ${by} ${group}` })
    }
  }
  return [...drops.values()]
}
