import { own } from '#contracts/lookup.ts'
import type { DatasetRecipe } from '#contracts/entities/dataset.ts'
import { shuffled } from './chance.ts'
import type { Facts } from './facts.ts'

export interface Weighed {
  id: string
  facts: Facts
}

export interface LeftOut {
  id: string
  /** `weight: repo api`, `cap: repo api` */
  reason: string
}

/**
 * Rules one after the other, each on what the one before left. Weights first: the group with the largest weight keeps
 * all its rows, another the share that its weight has of the largest (groups that are not named weigh 1; 0 leaves a
 * group out; nothing is repeated to grow a group). Then the cap. Which rows of a group stay is drawn by the seed.
 */
export function balance(rows: readonly Weighed[], rules: DatasetRecipe['balance'], seed: number): LeftOut[] {
  const out = new Map<string, LeftOut>()
  for (const { by, cap, weights } of rules) {
    const groups = Map.groupBy(
      rows.filter(({ id }) => !out.has(id)),
      ({ facts }) => facts[by],
    )
    const weightOf = (group: string) => own(weights, group) ?? 1
    const largest = Math.max(...[...groups.keys()].map(weightOf))
    for (const [group, members] of groups) {
      const drawn = shuffled(members, seed, ({ id }) => id)
      const share = weights && largest > 0 ? weightOf(group) / largest : weightOf(group) > 0 ? 1 : 0
      const wanted = Math.ceil(members.length * share)
      for (const { id } of drawn.slice(wanted)) out.set(id, { id, reason: `weight: ${by} ${group}` })
      if (cap !== undefined)
        for (const { id } of drawn.slice(Math.min(cap, wanted), wanted)) out.set(id, { id, reason: `cap: ${by} ${group}` })
    }
  }
  return [...out.values()]
}
