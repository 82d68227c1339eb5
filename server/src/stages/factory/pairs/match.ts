import { isWanted } from './outcomes.ts'
import { countReasons } from '../versions/pool.ts'
import type { FoundPair, DroppedCount, Side, Task } from './types.ts'
import { pairId } from './id.ts'
import { reasonToReject } from './sides.ts'
import { TfIdf, VectorIndex } from './tf-idf.ts'

/** Less similar prompts are different tasks. */
const MIN_SIMILARITY = 0.6
const MAX_USES = 2
/** The most candidates considered for a failed task. */
const MAX_OFFERS = 50

/**
 * Pairs each task of a failed session with the most similar task of a gold or silver session of the same repository, or with
 * `acrossRepositories` of another one if there is none. A session is used in at most two pairs, those with the most similar
 * tasks. Deterministic; the order of `tasks` does not matter.
 */
export function matchTasks(tasks: readonly Task[], { acrossRepositories = false } = {}): { pairs: FoundPair[]; dropped: DroppedCount[] } {
  const sortedTasks = tasks.toSorted((a, b) => (a.exampleId < b.exampleId ? -1 : 1))
  const good = sortedTasks.filter((task) => isWanted(task) === true)
  const bad = sortedTasks.filter((task) => isWanted(task) === false)
  const tfIdf = new TfIdf([...good, ...bad].map(({ prompt }) => prompt))
  const index = new VectorIndex()
  good.forEach(({ prompt }, at) => index.add(at, tfIdf.vector(prompt)))

  const reasons: string[] = []
  const offers = bad.flatMap((rejected) => {
    const cosines = index.cosines(tfIdf.vector(rejected.prompt))
    const similar = good.flatMap((chosen, at): Offer[] => {
      const similarity = Math.min(1, cosines[at]!)
      if (similarity < MIN_SIMILARITY || chosen.agent !== rejected.agent || chosen.traceId === rejected.traceId) return []
      return [{ rejected, chosen, similarity, isSameRepo: rejected.repo !== null && rejected.repo === chosen.repo }]
    })
    if (similar.length === 0) reasons.push('no similar successful task')
    const allowed = similar.filter(({ isSameRepo }) => isSameRepo || acrossRepositories)
    if (similar.length > 0 && allowed.length === 0) reasons.push('similar tasks only in other repositories')
    return allowed.toSorted(compareOffers).slice(0, MAX_OFFERS)
  })
  offers.sort(compareOffers)

  const uses = new Map<string, number>()
  const outcomes = new Map<string, FoundPair | string>()
  for (const { rejected, chosen, similarity, isSameRepo } of offers) {
    const earlier = outcomes.get(rejected.exampleId)
    if (earlier !== undefined && typeof earlier !== 'string') continue
    const isUsedUp = [chosen, rejected].some(({ traceId }) => (uses.get(traceId) ?? 0) >= MAX_USES)
    const reason = isUsedUp ? 'session already in two pairs' : reasonToReject(chosen, rejected)
    if (reason !== null) {
      outcomes.set(rejected.exampleId, earlier ?? reason)
      continue
    }
    for (const { traceId } of [chosen, rejected]) uses.set(traceId, (uses.get(traceId) ?? 0) + 1)
    outcomes.set(rejected.exampleId, toPair(rejected, chosen, similarity, isSameRepo))
  }
  const pairs: FoundPair[] = []
  for (const outcome of outcomes.values()) {
    if (typeof outcome === 'string') reasons.push(outcome)
    else pairs.push(outcome)
  }
  return { pairs: pairs.toSorted((a, b) => (a.id < b.id ? -1 : 1)), dropped: countReasons(reasons) }
}

interface Offer {
  rejected: Task
  chosen: Task
  similarity: number
  isSameRepo: boolean
}

/** Same repository first, then similarity, then quality. */
const compareOffers = (a: Offer, b: Offer): number =>
  Number(b.isSameRepo) - Number(a.isSameRepo) ||
  b.similarity - a.similarity ||
  (b.chosen.quality ?? 0) - (a.chosen.quality ?? 0) ||
  (a.chosen.exampleId < b.chosen.exampleId ? -1 : 1)

export const sideOf = ({ traceId, tier, quality, exampleId, steps }: Task): Side => ({
  traceId,
  tier,
  quality,
  exampleId,
  stepId: null,
  steps,
})

function toPair(rejected: Task, chosen: Task, similarity: number, isSameRepo: boolean): FoundPair {
  return {
    id: pairId('task', chosen.exampleId, rejected.exampleId),
    source: 'task',
    why: `A ${chosen.outcome ?? chosen.tier} and a ${rejected.outcome ?? rejected.tier} session with similar prompts${isSameRepo ? ' in the same repository' : ''}`,
    similarity,
    repo: rejected.repo,
    promptText: rejected.prompt,
    chosen: sideOf(chosen),
    rejected: sideOf(rejected),
    flags: isSameRepo ? [] : ['other_repository'],
  }
}
