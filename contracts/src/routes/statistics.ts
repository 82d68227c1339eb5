import { routesOf } from '../derive/route.ts'
import { STATISTICS, type StatisticsFunction, StatisticsResult } from '../entities/statistics.ts'

const { post } = routesOf('statistics')

const route = <F extends StatisticsFunction>(name: string, of: F, summary: string) =>
  post(name, `/api/statistics/${of}`, { summary, body: STATISTICS[of], response: StatisticsResult })

export const computePassAtK = route(
  'computePassAtK',
  'pass_at_k',
  'Chance that one of k answers is right, unbiased, from n answers with c right ones',
)
export const computeWilson = route('computeWilson', 'wilson', '95 % interval of c of n')
export const computeMcnemar = route('computeMcnemar', 'mcnemar', 'Exact test of two models on the same yes-or-no items')
export const computeClustered = route('computeClustered', 'clustered', 'Mean and interval of values that depend on each other in groups')
export const computePaired = route('computePaired', 'paired', 'Candidate minus base, item by item, with its interval')
export const computeBootstrap = route('computeBootstrap', 'bootstrap', 'Mean, and its interval from drawing whole groups again')
export const computeHolm = route('computeHolm', 'holm', 'P values that decide together, corrected')
export const computeKappa = route('computeKappa', 'kappa', 'Agreement of two raters')
export const computeAlpha = route('computeAlpha', 'alpha', 'Agreement of several raters with gaps')
export const computeNoninferiority = route(
  'computeNoninferiority',
  'noninferiority',
  'Whether a candidate is shown not to be worse by a margin',
)
export const computePower = route('computePower', 'power', 'How many items a difference needs, or what the items at hand can show')
