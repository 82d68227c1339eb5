import type { ExamPictures } from '#contracts/entities/exam.ts'
import { itemsForMeans } from '#server/statistics/power.ts'
import type { GeneralResult } from '../general.ts'
import { compare, isCompared, type ScoredPair } from './decide.ts'

/** More rows than this cannot be told apart in a plot. */
const MOST_PAIRS = 400
const MOST_REPOS = 12
/** The differences of the power curve. */
const DIFFERENCES = [0.02, 0.03, 0.04, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3]

type Difference = ExamPictures['differences'][number]

/** What the pictures of a run show, from its scored items and the general benchmarks that both models answered. */
export function picturesOf(pairs: readonly ScoredPair[], general: readonly GeneralResult[]): ExamPictures {
  const known = pairs.filter(isCompared)
  const rows = known
    .map(({ item, baseScore, modelScore }) => ({
      no: item.no,
      traceId: item.traceId,
      stepId: item.stepId,
      base: baseScore!.soft,
      model: modelScore!.soft,
    }))
    .toSorted((a, b) => a.model - a.base - (b.model - b.base) || a.base - b.base || a.no - b.no)
  const { sd } = compare(known)
  return {
    pairs: evenly(rows, MOST_PAIRS),
    of: rows.length,
    differences: [
      ...differenceOf('exam', null, known),
      ...ofRepos(known),
      ...general.map(({ title, delta, low, high, items }): Difference => ({ part: 'benchmark', name: title, delta, low, high, n: items })),
    ],
    power: sd === null || sd === 0 ? [] : DIFFERENCES.map((difference) => ({ difference, sessions: itemsForMeans(sd, difference) })),
  }
}

/** The repositories with the most sessions; of one alone the exam says the same. */
function ofRepos(known: readonly ScoredPair[]): Difference[] {
  const byRepo = [...Map.groupBy(known, ({ item }) => item.repo)]
  if (byRepo.length < 2) return []
  return byRepo
    .flatMap(([repo, pairs]) => differenceOf('repo', repo, pairs))
    .toSorted((a, b) => b.n - a.n)
    .slice(0, MOST_REPOS)
}

function differenceOf(part: Difference['part'], name: string | null, pairs: readonly ScoredPair[]): Difference[] {
  const { delta, low, high, groups } = compare(pairs)
  return delta === null ? [] : [{ part, name, delta, low, high, n: groups }]
}

/** At most `most` of the rows, with the first and the last. */
const evenly = <Row>(rows: readonly Row[], most: number): Row[] =>
  rows.length <= most ? [...rows] : Array.from({ length: most }, (_, at) => rows[Math.round((at * (rows.length - 1)) / (most - 1))]!)
