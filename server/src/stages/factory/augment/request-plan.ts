import { SYNTHETIC_PRESETS, type AugmentPlan } from '#contracts/entities/augment.ts'
import { drawNumber } from '../curate/seeded-random.ts'
import type { ChosenExample } from './store.ts'
import type { RequestCount } from './subject.ts'

const SEED = 42

/** How many new tasks a plan asks for. */
const tasksOf = ({ count, preset }: AugmentPlan): number => count ?? SYNTHETIC_PRESETS[preset ?? 'quick_test']

/**
 * The number of requests for each example. Variants: the same for each. Tasks: spread evenly, in an order that does not
 * depend on their number, so a plan for more tasks contains all requests of a smaller one.
 */
export function planRequests(plan: AugmentPlan, exampleIds: readonly string[]): RequestCount[] {
  if (plan.make === 'variants') return exampleIds.map((exampleId) => ({ exampleId, requests: plan.variants }))
  const tasks = tasksOf(plan)
  const each = Math.floor(tasks / exampleIds.length)
  return exampleIds
    .map((exampleId) => ({ exampleId, draw: drawNumber(SEED, exampleId) }))
    .toSorted((a, b) => a.draw - b.draw || (a.exampleId < b.exampleId ? -1 : 1))
    .map(({ exampleId }, index) => ({ exampleId, requests: each + (index < tasks % exampleIds.length ? 1 : 0) }))
    .filter(({ requests }) => requests > 0)
}

export const countRequests = (requestCounts: readonly RequestCount[]): number =>
  requestCounts.reduce((sum, { requests }) => sum + requests, 0)

/** The requests about the examples of one session. */
export interface SessionRequests {
  traceId: string
  options: string
  requestCounts: RequestCount[]
}

/** Groups the requests by session; leaves out examples that no longer exist. */
export function groupBySession(requestCounts: readonly RequestCount[], examples: ReadonlyMap<string, ChosenExample>): SessionRequests[] {
  const countedExamples = requestCounts.flatMap((one) => {
    const example = examples.get(one.exampleId)
    return example ? [{ one, example }] : []
  })
  return [...Map.groupBy(countedExamples, ({ example }) => example.traceId)].map(([traceId, list]) => ({
    traceId,
    options: list[0]!.example.options,
    requestCounts: list.map(({ one }) => one),
  }))
}
