import type { Agreement } from '#contracts/entities/answer.ts'
import { kappa, type Weights } from '#server/statistics/agreement.ts'
import { intervalOf } from '#server/statistics/bootstrap.ts'
import type { AnswerStore } from './store.ts'

export const LABELS_NEEDED = 30
const USABLE_KAPPA = 0.6
/** From this grade on an answer counts as a yes. */
const YES_FROM = 4
const BOOTSTRAP = { seed: 42, resamples: 1000 }

type Labelled = ReturnType<AnswerStore['labelled']>[number]

/** How far the grades agree with the labels: one row for each model, metric, version of the rubric and scale. Of an answer that was graded again, the newest grade counts. */
export function agreements(labelled: readonly Labelled[]): Agreement[] {
  const groups = Map.groupBy(labelled, ({ model, metric, version, scale }) => JSON.stringify([model, metric, version, scale]))
  return [...groups.values()].map((group) => agreementOf([...new Map(group.map((one) => [one.hash, one])).values()]))
}

function agreementOf(pairs: readonly Labelled[]): Agreement {
  const { metric, model, version, scale } = pairs[0]!
  const graded = pairs.map(({ value, raw }) => [value, scale === 'five' ? raw : Number(raw >= YES_FROM)] as const)
  const identity = { metric, model, rubric: version, scale, labels: pairs.length, needed: LABELS_NEEDED }
  if (pairs.length < LABELS_NEEDED) return { ...identity, state: 'not_measured', kappa: null, low: null, high: null, ac1: null }
  const found = agree(graded, scale)
  const { low, high } = intervalOf(graded, (drawn) => agree(drawn, scale).kappa, BOOTSTRAP)
  const isUsable = found.kappa !== null && found.kappa >= USABLE_KAPPA
  return { ...identity, state: isUsable ? 'usable' : 'unreliable', kappa: found.kappa, low, high, ac1: found.ac1 }
}

/** Over the whole scale, so that a draw without one of its labels has the same weights. */
function agree(pairs: readonly (readonly [number, number])[], scale: Agreement['scale']) {
  const values = scale === 'five' ? [1, 2, 3, 4, 5] : [0, 1]
  const weights: Weights = scale === 'five' ? 'quadratic' : 'none'
  const table = values.map((label) => values.map((grade) => pairs.filter(([a, b]) => a === label && b === grade).length))
  return kappa(table, weights)
}
