import { type Agreement, LabelMetric } from '#contracts/entities/answer.ts'
import { kappa, type Weights } from '#server/statistics/agreement.ts'
import { intervalOf } from '#server/statistics/bootstrap.ts'
import type { AnswerStore } from './store.ts'

const LABELS_NEEDED = 30
const USABLE_KAPPA = 0.6
/** From this grade on an answer counts as a yes. */
const YES_FROM = 4
const NOT_MEASURED = { needed: LABELS_NEEDED, state: 'not_measured', kappa: null, low: null, high: null, ac1: null } as const
const BOOTSTRAP = { seed: 42, resamples: 1000 }

type Labelled = ReturnType<AnswerStore['labelled']>[number]

export type Agreements = ReturnType<typeof createAgreements>

/** How far the grades agree with the labels; computed when it is asked for after a change. */
export function createAgreements(store: Pick<AnswerStore, 'labelled'>) {
  let known: Agreement[] | null = null
  const all = (): Agreement[] => (known ??= agreements(store.labelled()))
  return {
    all,
    changed(): void {
      known = null
    },
    /** Of one model by metric; null where there is no model, or nothing that could be labelled. */
    with:
      (model: string | null, rubricOf: (metric: string) => number | null) =>
      (metric: string): Agreement | null => {
        if (model === null || !LabelMetric.safeParse(metric).success) return null
        const identity = { metric, model, rubric: rubricOf(metric) }
        const [most] = all()
          .filter((one) => one.metric === metric && one.model === model && one.rubric === identity.rubric)
          .toSorted((a, b) => b.labels - a.labels)
        return most ?? { ...identity, ...NOT_MEASURED, scale: 'five', labels: 0 }
      },
  }
}

/** One row for each model, metric, version of the rubric and scale. Of an answer that was graded again, the newest grade counts. */
function agreements(labelled: readonly Labelled[]): Agreement[] {
  const groups = Map.groupBy(labelled, ({ model, metric, version, scale }) => JSON.stringify([model, metric, version, scale]))
  return [...groups.values()].map((group) => agreementOf([...new Map(group.map((one) => [one.hash, one])).values()]))
}

function agreementOf(pairs: readonly Labelled[]): Agreement {
  const { metric, model, version, scale } = pairs[0]!
  const graded = pairs.map(({ value, raw }) => [value, scale === 'five' ? raw : Number(raw >= YES_FROM)] as const)
  const identity = { metric, model, rubric: version, scale, labels: pairs.length, needed: LABELS_NEEDED }
  if (pairs.length < LABELS_NEEDED) return { ...identity, ...NOT_MEASURED }
  const found = agree(graded, scale)
  const { low, high } = intervalOf(graded, (drawn) => agree(drawn, scale).kappa, BOOTSTRAP)
  const isUsable = found.kappa !== null && found.kappa >= USABLE_KAPPA
  return { ...identity, state: isUsable ? 'usable' : 'unreliable', kappa: found.kappa, low, high, ac1: found.ac1 }
}

/** Over the whole scale, so that a draw without one of its labels has the same weights. */
function agree(pairs: readonly (readonly [number, number])[], scale: Agreement['scale']) {
  const values = scale === 'five' ? [1, 2, 3, 4, 5] : [0, 1]
  const weights: Weights = scale === 'five' ? 'quadratic' : 'none'
  const table = values.map(() => values.map(() => 0))
  const least = values[0]!
  for (const [label, grade] of pairs) table[label - least]![grade - least]! += 1
  return kappa(table, weights)
}
