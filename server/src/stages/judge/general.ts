import { isDeepStrictEqual } from 'node:util'
import type { ExamIdentity } from '#contracts/entities/exam.ts'
import { signed } from '#contracts/exam-words.ts'

/** A benchmark that two models answered: the candidate's share of right answers minus the base's. */
export interface GeneralResult {
  title: string
  delta: number
  /** The lower end of the 95 % interval; null if it cannot be computed. */
  low: number | null
}

/** A model that got worse than this at a general benchmark does not ship. */
const MOST_FALL = 0.05

export const sameIdentity = (a: ExamIdentity, b: ExamIdentity): boolean => a.id === b.id && isDeepStrictEqual(a.hashes, b.hashes)

/** Why a better model does not ship; null if no benchmark falls. */
export function fallIn(results: readonly GeneralResult[]): string | null {
  const worst = results.toSorted((a, b) => a.delta - b.delta)[0]
  if (!worst || worst.delta >= -MOST_FALL) return null
  return `It is better on this exam, but its share of right answers at ${worst.title} falls by ${signed(-worst.delta).slice(1)}, more than ${MOST_FALL}.`
}

export const generalNotes = (results: readonly GeneralResult[]): string[] =>
  results.length === 0
    ? ['General benchmarks: not measured.']
    : results.map(({ title, delta, low }) => {
        const isExcluded = low !== null && low > -MOST_FALL
        return `${title}: ${signed(delta)}; a fall of more than ${MOST_FALL} is ${isExcluded ? 'excluded' : 'not excluded'}.`
      })
