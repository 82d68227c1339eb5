import type { BenchmarkComparison, BenchmarkFigure, BenchmarkVerdict } from '#contracts/entities/benchmark.ts'
import { wilson } from '#contracts/wilson.ts'
import { bootstrap } from '#server/statistics/bootstrap.ts'
import { sum } from '#server/statistics/means.ts'
import { paired } from '#server/statistics/paired.ts'
import { holm, passAtK } from '#server/statistics/rates.ts'

/** Above this share of errors, no figure is shown. */
export const MOST_ERRORS = 0.02
const BOOTSTRAP = { seed: 42, resamples: 1000 }
export const INTERVALS = {
  one: 'Wilson, 95 %',
  several: `bootstrap over items, 95 %, ${BOOTSTRAP.resamples} resamples, seed ${BOOTSTRAP.seed}`,
}

export interface Scored {
  itemNo: number
  verdict: BenchmarkVerdict
}

const isScored = ({ verdict }: Scored): boolean => verdict !== 'error' && verdict !== 'not_scored'

/** Right answers of each item that has all of its verdicts. */
function rightOf(rows: readonly Scored[], samples: number): Map<number, number> {
  const items = Map.groupBy(rows.filter(isScored), ({ itemNo }) => itemNo)
  return new Map(
    [...items].flatMap(([no, answers]) =>
      answers.length < samples ? [] : [[no, answers.filter(({ verdict }) => verdict === 'pass').length] as const],
    ),
  )
}

/** pass@k of each k, over the items with all of their verdicts. */
export function passFigures(rows: readonly Scored[], samples: number, ks: readonly number[], isCode: boolean): BenchmarkFigure[] {
  const right = [...rightOf(rows, samples).values()]
  return ks.map((k) => {
    const values = right.map((c) => passAtK(samples, c, k))
    const value = values.length === 0 ? null : sum(values) / values.length
    const interval =
      samples === 1
        ? wilson(sum(values), values.length)
        : bootstrap(
            values.map((one) => [one]),
            BOOTSTRAP.seed,
            BOOTSTRAP.resamples,
          )
    const name = !isCode && k === 1 ? 'accuracy' : `pass@${k}`
    return { name, value, low: interval?.low ?? null, high: interval?.high ?? null, n: values.length }
  })
}

/** Whether the errors among the answers so far leave the figures usable. */
export const isUsable = (counts: Record<BenchmarkVerdict, number>): boolean => {
  const all = sum(Object.values(counts))
  return all > 0 && counts.error / all <= MOST_ERRORS
}

export function shareOf(counts: Record<BenchmarkVerdict, number>): number | null {
  const scored = counts.pass + counts.fail + counts.truncated + counts.timeout
  return scored === 0 || !isUsable(counts) ? null : counts.pass / scored
}

interface Marked {
  mark: string
  verdict: BenchmarkVerdict
  n: number
}

/** Accuracy and bias score of both kinds of contexts of BBQ. An answer that cannot be read is no "unknown". */
export function biasFigures(marks: readonly Marked[]): BenchmarkFigure[] {
  return ['ambiguous', 'clear'].flatMap((context) => {
    const rows = marks.filter(({ mark, verdict }) => mark.startsWith(`${context} `) && verdict !== 'error')
    const count = (ok: (row: Marked) => boolean) => sum(rows.filter(ok).map(({ n }) => n))
    const [n, right] = [count(() => true), count(({ verdict }) => verdict === 'pass')]
    const [biased, other] = [count(({ mark }) => mark === `${context} biased`), count(({ mark }) => mark === `${context} other`)]
    const share = biased + other === 0 ? null : (2 * biased) / (biased + other) - 1
    const score = share === null ? null : context === 'clear' ? share : (1 - right / n) * share
    const interval = wilson(right, n)
    return [
      {
        name: `accuracy, ${context} contexts`,
        value: n === 0 ? null : right / n,
        low: interval?.low ?? null,
        high: interval?.high ?? null,
        n,
      },
      { name: `bias score, ${context} contexts`, value: score, low: null, high: null, n: biased + other },
    ]
  })
}

export interface Compared {
  id: string
  label: string
  samples: number
  rows: readonly Scored[]
}

/** Each run against the first, on the items with all of their verdicts in every run. */
export function compareRuns(runs: readonly Compared[]): Pick<BenchmarkComparison, 'items' | 'runs'> {
  const shares = runs.map(({ rows, samples }) => new Map([...rightOf(rows, samples)].map(([no, c]) => [no, c / samples])))
  const common = [...shares[0]!.keys()].filter((no) => shares.every((one) => one.has(no))).toSorted((a, b) => a - b)
  const values = shares.map((one) => common.map((no) => one.get(no)!))
  const differences = values.map((one) => paired(values[0]!, one))
  const corrected = common.length === 0 ? [] : holm(differences.slice(1).map(({ p }) => p))
  return {
    items: common.length,
    runs: runs.map(({ id, label }, index) => {
      const { delta, low, high, wins, losses, ties } = differences[index]!
      const isFirst = index === 0
      return {
        id,
        label,
        value: common.length === 0 ? null : sum(values[index]!) / common.length,
        delta: isFirst ? null : delta,
        low: isFirst ? null : low,
        high: isFirst ? null : high,
        wins,
        losses,
        ties,
        p: isFirst ? null : (corrected[index - 1] ?? null),
      }
    }),
  }
}
