/** A set of attempts at items, as data. An attempt that got no result for a reason other than the work itself is `owed`: it can be made again. */

export type AttemptState<Outcome extends string> = 'waiting' | 'running' | Outcome

/** All attempts at all items: first one at each, then the second ones. */
export const attemptsAt = <Item>(items: readonly Item[], attempts: number): { item: Item; attempt: number }[] =>
  Array.from({ length: attempts }, (_, index) => items.map((item) => ({ item, attempt: index + 1 }))).flat()

/** How many attempts there are in each state. */
export function countsOf<Outcome extends string>(states: readonly AttemptState<Outcome>[], outcomes: readonly Outcome[]) {
  const of = (state: AttemptState<Outcome>) => states.filter((one) => one === state).length
  const ended = Object.fromEntries(outcomes.map((outcome) => [outcome, of(outcome)])) as Record<Outcome, number>
  return { total: states.length, waiting: of('waiting'), running: of('running'), ...ended }
}

/** How many attempts have ended, with or without a result. */
export const endedOf = ({ total, waiting, running }: { total: number; waiting: number; running: number }): number =>
  total - waiting - running

/** The smallest budget that an attempt is started with. */
const MIN_COST_USD = 0.001

/** The budget for one of the free places: an equal share of what the attempts so far leave. Null if there is no cap, 0 if nothing is left. */
export function shareOf({ capUsd, spent, free }: { capUsd: number | null; spent: readonly number[]; free: number }): number | null {
  if (capUsd === null) return null
  const left = capUsd - spent.reduce((sum, one) => sum + one, 0)
  return left < MIN_COST_USD ? 0 : left / free
}
