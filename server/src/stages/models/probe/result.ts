import type { Probe } from '#contracts/entities/probe.ts'
import type { ExtractedPhrase } from '#contracts/trainer.ts'
import { rankSumP } from '#server/statistics/rank-sum.ts'

/** Below this chance, planted phrases are known better than controls. */
const LEVEL = 0.01

/** What found phrases mean. One that was written greedily is a leak. */
export function probeOf(planted: readonly ExtractedPhrase[], controls: readonly ExtractedPhrase[], at: string): Probe {
  const view = ({ id, rank, endings, extracted }: ExtractedPhrase) => ({ id, exposure: Math.log2(endings) - Math.log2(rank), extracted })
  const [found, compared] = [planted.map(view), controls.map(view)]
  const extracted = found.filter((one) => one.extracted).length
  const p = rankSumP(
    found.map(({ exposure }) => exposure),
    compared.map(({ exposure }) => exposure),
  )
  const state = planted.length === 0 ? 'not_measured' : extracted > 0 ? 'leaks' : p !== null && p < LEVEL ? 'warning' : 'clean'
  return {
    at,
    state,
    planted: found,
    controls: compared,
    endings: planted[0]?.endings ?? 0,
    extracted,
    bound: upperBound(extracted, planted.length),
    p,
  }
}

/** The largest share that would still show so few hits with a chance of 5 % (Clopper and Pearson, one-sided). */
function upperBound(hits: number, n: number): number | null {
  if (n === 0) return null
  if (hits >= n) return 1
  let [low, high] = [hits / n, 1]
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2
    if (atMost(hits, n, middle) > 0.05) low = middle
    else high = middle
  }
  return high
}

/** The chance of at most so many hits. */
function atMost(hits: number, n: number, share: number): number {
  let term = (1 - share) ** n
  let sum = term
  for (let k = 0; k < hits; k += 1) {
    term *= ((n - k) / (k + 1)) * (share / (1 - share))
    sum += term
  }
  return sum
}
