import { STATISTICS, type StatisticsFunction, type StatisticsInput, type StatisticsResult } from '#contracts/entities/statistics.ts'
import { AppError } from '#contracts/errors.ts'
import { wilson } from '#contracts/wilson.ts'
import { plainWords } from '#contracts/plain-words.ts'
import { alpha, kappa, tableOf } from '#server/statistics/agreement.ts'
import { bootstrap } from '#server/statistics/bootstrap.ts'
import { clustered } from '#server/statistics/means.ts'
import { mcnemar, nonInferiority, paired } from '#server/statistics/paired.ts'
import * as power from '#server/statistics/power.ts'
import { holm, passAtK } from '#server/statistics/rates.ts'

const FUNCTIONS: { [F in StatisticsFunction]: (given: StatisticsInput<F>) => StatisticsResult } = {
  pass_at_k: ({ n, c, k }) => ({ value: passAtK(n, c, k) }),
  wilson: ({ n, c }) => ({ value: c / n, ...wilson(c, n) }),
  mcnemar: ({ b, c }) => mcnemar(b, c),
  clustered: ({ groups }) => ({ ...clustered(groups) }),
  paired: ({ base, candidate, clusters }) => ({ ...paired(base, candidate, clusters) }),
  bootstrap: ({ groups, seed, resamples }) => ({ ...bootstrap(groups, seed, resamples) }),
  holm: ({ p }) => ({ adjusted: holm(p) }),
  kappa: (given) => ({ ...kappa('table' in given ? given.table : tableOf(given.a, given.b), given.weights) }),
  alpha: ({ raters, level }) => ({ alpha: alpha(raters, level) }),
  noninferiority: ({ n, b, c, margin }) => ({ ...nonInferiority(n, b, c, margin) }),
  power: powerOf,
}

function powerOf(given: StatisticsInput<'power'>): StatisticsResult {
  if ('icc' in given) return { effective: power.effectiveItems(given.n, given.m, given.icc) }
  if ('p1' in given) return { n: power.itemsForRates(given.p1, given.p2) }
  if ('sd' in given)
    return 'n' in given ? { delta: power.smallestMean(given.sd, given.n) } : { n: power.itemsForMeans(given.sd, given.delta) }
  if ('margin' in given) return { n: power.itemsForNonInferiority(given.psi, given.margin) }
  return 'n' in given ? { delta: power.smallestPairedRate(given.psi, given.n) } : { n: power.itemsForPairedRates(given.psi, given.delta) }
}

/** Parses the input of a function, and computes. Throws `invalid_request` with every fault. */
export function computeStatistics(name: StatisticsFunction, given: unknown): StatisticsResult {
  const parsed = STATISTICS[name].safeParse(given)
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''}${plainWords(issue)}`)
    throw new AppError('invalid_request', { message: `The input of ${name} is not valid. ${faults.join(' ')}` })
  }
  return compute(name, parsed.data)
}

/** Computes from input that is already parsed. */
export const compute = (name: StatisticsFunction, given: unknown): StatisticsResult =>
  (FUNCTIONS[name] as (given: unknown) => StatisticsResult)(given)
