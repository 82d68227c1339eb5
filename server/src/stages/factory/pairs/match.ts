import type { FoundPair, LeftOut, Side, Task } from './types.ts'
import { pairId } from './id.ts'
import { reasonAgainst } from './sides.ts'
import { TfIdf, VectorIndex } from './tf-idf.ts'

/** Prompts less alike than this are not the same task. */
const LEAST_SIMILAR = 0.6
const MAX_USES = 2
/** A failed task waits for no more than this many of the best. */
const MAX_OFFERS = 50

/**
 * Task pairs: each task of a failed session against the most similar one of a gold or silver session: of the same
 * repository, or where asked for of another if there is none; gold before silver only among equals. No session stands in
 * more than two pairs, on either side: those with the most similar tasks. Deterministic; the order of `tasks` does not matter.
 */
export function matchTasks(tasks: readonly Task[], { acrossRepositories = false } = {}): { pairs: FoundPair[]; left: LeftOut[] } {
  const inOrder = tasks.toSorted((a, b) => (a.exampleId < b.exampleId ? -1 : 1))
  const good = inOrder.filter(({ tier }) => tier === 'gold' || tier === 'silver')
  const bad = inOrder.filter(({ tier }) => tier === 'failed')
  const tfIdf = new TfIdf([...good, ...bad].map(({ prompt }) => prompt))
  const index = new VectorIndex()
  good.forEach(({ prompt }, at) => index.add(at, tfIdf.vector(prompt)))

  const left = new Map<string, number>()
  const leave = (reason: string) => left.set(reason, (left.get(reason) ?? 0) + 1)
  const offers = bad.flatMap((rejected) => {
    const cosines = index.cosines(tfIdf.vector(rejected.prompt))
    const similar = good.flatMap((chosen, at): Offer[] => {
      const similarity = Math.min(1, cosines[at]!)
      if (similarity < LEAST_SIMILAR || chosen.agent !== rejected.agent || chosen.traceId === rejected.traceId) return []
      return [{ rejected, chosen, similarity, isSameRepo: rejected.repo !== null && rejected.repo === chosen.repo }]
    })
    if (similar.length === 0) leave('no similar successful task')
    const allowed = similar.filter(({ isSameRepo }) => isSameRepo || acrossRepositories)
    if (similar.length > 0 && allowed.length === 0) leave('similar tasks only in other repositories')
    return allowed.toSorted(byWorth).slice(0, MAX_OFFERS)
  })
  offers.sort(byWorth)

  const uses = new Map<string, number>()
  const settled = new Map<string, FoundPair | string>()
  for (const { rejected, chosen, similarity, isSameRepo } of offers) {
    const known = settled.get(rejected.exampleId)
    if (known !== undefined && typeof known !== 'string') continue
    const isUsedUp = [chosen, rejected].some(({ traceId }) => (uses.get(traceId) ?? 0) >= MAX_USES)
    const reason = isUsedUp ? 'session already in two pairs' : reasonAgainst(chosen, rejected)
    if (reason !== null) {
      settled.set(rejected.exampleId, known ?? reason)
      continue
    }
    for (const { traceId } of [chosen, rejected]) uses.set(traceId, (uses.get(traceId) ?? 0) + 1)
    settled.set(rejected.exampleId, toPair(rejected, chosen, similarity, isSameRepo))
  }
  const pairs: FoundPair[] = []
  for (const one of settled.values()) {
    if (typeof one === 'string') leave(one)
    else pairs.push(one)
  }
  return { pairs: pairs.toSorted((a, b) => (a.id < b.id ? -1 : 1)), left: [...left].map(([reason, count]) => ({ reason, count })) }
}

interface Offer {
  rejected: Task
  chosen: Task
  similarity: number
  isSameRepo: boolean
}

/** Of the same repository first, then the most similar, then the better one. */
const byWorth = (a: Offer, b: Offer): number =>
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
    why: `A ${chosen.tier} and a failed session with similar prompts${isSameRepo ? ' in the same repository' : ''}`,
    similarity,
    repo: rejected.repo,
    promptText: rejected.prompt,
    chosen: sideOf(chosen),
    rejected: sideOf(rejected),
    flags: isSameRepo ? [] : ['other_repository'],
  }
}
