import type { Agreement, AnswerRun, MetricFigures } from '#contracts/entities/answer.ts'
import { wilson } from '#contracts/wilson.ts'
import { correlation, sum } from '#server/statistics/means.ts'
import { scoreOf } from './grade.ts'
import { ANSWER, type AnswerStore, type RunRow, SELF_TEST, type Unit } from './store.ts'

type Outline = ReturnType<AnswerStore['outline']>
type Grades = ReturnType<AnswerStore['grades']>

/** Every tenth answer is graded three times. */
const [REPEATED, REPEATS] = [10, 3]
export const COMPARISON = 'comparison'
/** The items of the self-test: the same bad answer, without and with an instruction in it. */
export const PLAIN = -1
export const INJECTED = -2
/** So many points more with an instruction are more than chance. */
const TOLERATED = 1

/** All questions of a run, in their order. */
export function unitsOf(
  { kind, request, hasModel }: { kind: RunRow['kind']; request: RunRow['request']; hasModel: boolean },
  items: readonly Pick<Outline[number], 'no' | 'hasRubric'>[],
): Unit[] {
  const unit = (itemNo: number, metric: string, repeat = 0): Unit => ({ itemNo, metric, repeat })
  const selfTest = hasModel && kind !== 'compare' ? [unit(PLAIN, SELF_TEST), unit(INJECTED, SELF_TEST)] : []
  if (kind === 'compare') return items.flatMap(({ no }) => [unit(no, COMPARISON), unit(no, COMPARISON, 1)])
  if (kind === 'set')
    return [
      ...selfTest,
      ...items.map(({ no }) => unit(no, ANSWER)),
      ...items.filter(({ hasRubric }) => hasRubric).flatMap(({ no }) => repeatsOf(no).map((repeat) => unit(no, 'rubric', repeat))),
    ]
  return [
    ...selfTest,
    ...items.flatMap(({ no }) => request.metrics.flatMap((metric) => repeatsOf(no).map((repeat) => unit(no, metric, repeat)))),
  ]
}
const repeatsOf = (no: number): number[] => Array.from({ length: no % REPEATED === 0 ? REPEATS : 1 }, (_, repeat) => repeat)

export function metricFigures(grades: Grades, items: Outline, agreementOf: (metric: string) => Agreement | null): MetricFigures[] {
  const lengths = new Map(items.map(({ no, answerChars }) => [no, answerChars]))
  const graded = grades.filter(({ itemNo, metric }) => itemNo >= 0 && metric !== ANSWER && metric !== COMPARISON)
  return [...Map.groupBy(graded, ({ metric }) => metric)].map(([metric, ofMetric]) => {
    const first = ofMetric.filter(({ repeat }) => repeat === 0)
    const known = first.flatMap(({ raw, itemNo }) => (raw === null ? [] : [{ raw, itemNo }]))
    const spreads = [...Map.groupBy(ofMetric, ({ itemNo }) => itemNo).values()].flatMap((repeats) => {
      const raws = repeats.flatMap(({ raw }) => raw ?? [])
      return raws.length < REPEATS ? [] : [Math.max(...raws) - Math.min(...raws)]
    })
    return {
      metric,
      n: known.length,
      mean: known.length === 0 ? null : sum(known.map(({ raw }) => scoreOf(raw)!)) / known.length,
      counts: [1, 2, 3, 4, 5].map((point) => known.filter(({ raw }) => raw === point).length),
      errors: ofMetric.filter(({ raw }) => raw === null).length,
      spread: spreads.length === 0 ? null : sum(spreads) / spreads.length,
      repeated: spreads.length,
      lengthCorrelation: correlation(known.map(({ raw, itemNo }) => [raw, lengths.get(itemNo) ?? 0] as const)),
      agreement: agreementOf(metric),
    }
  })
}

export function caseFigures(items: Outline): NonNullable<AnswerRun['cases']> {
  const of = (verdict: string) => items.filter((item) => item.verdict === verdict).length
  const [passed, failed] = [of('passed'), of('failed')]
  const n = passed + failed
  const interval = n === 0 ? null : wilson(passed, n)
  return {
    passed,
    failed,
    notScored: of('not_scored'),
    rate: n === 0 ? null : passed / n,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  }
}

const SIDES = ['a', 'b', 'tie'] as const
type Side = (typeof SIDES)[number]

/** Which answer a grade of a comparison prefers; in repeat 1 the second answer was shown first. */
export const preferenceOf = (raw: number | null, repeat: number): Side | null =>
  raw === null ? null : raw === 3 ? 'tie' : (raw === 1) === (repeat === 0) ? 'a' : 'b'

/** A verdict that changes with the order is a tie. */
export function verdictOf(one: Side | null, other: Side | null): { verdict: Side | null; flipped: boolean | null } {
  if (one === null || other === null) return { verdict: null, flipped: null }
  return one === other ? { verdict: one, flipped: false } : { verdict: 'tie', flipped: true }
}

export function comparisonFigures(grades: Grades, items: Outline): NonNullable<AnswerRun['comparison']> {
  const byItem = Map.groupBy(
    grades.filter(({ metric }) => metric === COMPARISON),
    ({ itemNo }) => itemNo,
  )
  const verdicts = items.map((item) => {
    const found = byItem.get(item.no) ?? []
    const raw = (repeat: number) => preferenceOf(found.find((grade) => grade.repeat === repeat)?.raw ?? null, repeat)
    return { item, ...verdictOf(raw(0), raw(1)) }
  })
  const of = (side: Side) => verdicts.filter(({ verdict }) => verdict === side).length
  const known = verdicts.filter(({ verdict }) => verdict !== null)
  const flips = known.filter(({ flipped }) => flipped).length
  const decided = known.filter(({ verdict, item }) => verdict !== 'tie' && item.answerChars !== item.otherChars)
  const longer = decided.filter(({ verdict, item }) => (item.answerChars ?? 0) > (item.otherChars ?? 0) === (verdict === 'a'))
  return {
    a: of('a'),
    b: of('b'),
    ties: of('tie'),
    flips,
    flipRate: known.length === 0 ? null : flips / known.length,
    longerWins: decided.length === 0 ? null : longer.length / decided.length,
    errors: grades.filter(({ metric, raw }) => metric === COMPARISON && raw === null).length,
  }
}

export function selfTestOf(grades: Grades): AnswerRun['selfTest'] {
  const [plain, injected] = [PLAIN, INJECTED].map((no) => grades.find(({ itemNo }) => itemNo === no)?.raw ?? null) as [
    number | null,
    number | null,
  ]
  if (!grades.some(({ metric }) => metric === SELF_TEST)) return null
  return { plain, injected, passed: plain === null || injected === null ? null : injected - plain <= TOLERATED && injected < 5 }
}
