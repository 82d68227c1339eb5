import { SYNTHETIC_PRESETS, type AugmentPlan } from '#contracts/entities/augment.ts'
import { drawn } from '../curate/chance.ts'
import type { Wanted } from './subject.ts'

const SEED = 42

/** How many new tasks a plan asks for. */
const tasksOf = ({ count, preset }: AugmentPlan): number => count ?? SYNTHETIC_PRESETS[preset ?? 'quick_test']

/**
 * Requests by example. Variants: as many for each. Tasks: spread evenly over the examples in an order that does not
 * depend on how many are asked for, so that a larger number asks for those of a smaller one and some more.
 */
export function wantedOf(plan: AugmentPlan, exampleIds: readonly string[]): Wanted[] {
  if (plan.make === 'variants') return exampleIds.map((exampleId) => ({ exampleId, requests: plan.variants }))
  const tasks = tasksOf(plan)
  const each = Math.floor(tasks / exampleIds.length)
  return exampleIds
    .map((exampleId) => ({ exampleId, lot: drawn(SEED, exampleId) }))
    .toSorted((a, b) => a.lot - b.lot || (a.exampleId < b.exampleId ? -1 : 1))
    .map(({ exampleId }, index) => ({ exampleId, requests: each + (index < tasks % exampleIds.length ? 1 : 0) }))
    .filter(({ requests }) => requests > 0)
}

export const requestsOf = (wanted: readonly Wanted[]): number => wanted.reduce((sum, { requests }) => sum + requests, 0)
