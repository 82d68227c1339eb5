import type { ExamIdentity } from '#contracts/entities/exam.ts'
import { signed } from '#contracts/exam-words.ts'

/** A benchmark of which two models answered the same items: the candidate's share of right answers minus the base's. */
export interface GeneralResult {
  title: string
  items: number
  delta: number
  /** The ends of the 95 % interval; null if it cannot be computed. */
  low: number | null
  high: number | null
  /** Items that only one of them has right. */
  discordant: number
}

/** A model that got worse than this at a general benchmark does not ship. */
const MOST_FALL = 0.05
/** The chance of a rare difference that all items together would have missed. */
const UNSEEN = 0.05
/** With fewer items, not even equal answers exclude such a fall. */
const LEAST_ITEMS = Math.ceil(Math.log(UNSEEN) / Math.log(1 - MOST_FALL))
/** Exports are made from the model that they belong to, at any time. */
const EXPORTED = /^(?:gguf|merged)/

/** Whether two identities are of one model: what both know of its files agrees. */
export const sameIdentity = (a: ExamIdentity, b: ExamIdentity): boolean =>
  a.id === b.id && Object.entries(a.hashes).every(([file, sha]) => EXPORTED.test(file) || (b.hashes[file] ?? sha) === sha)

const isEnough = ({ items }: GeneralResult): boolean => items >= LEAST_ITEMS

/** Why a better model does not ship; null if no benchmark falls. */
export function fallIn(results: readonly GeneralResult[]): string | null {
  const worst = results.filter(isEnough).toSorted((a, b) => a.delta - b.delta)[0]
  if (!worst || worst.delta >= -MOST_FALL) return null
  return `It is better on this exam, but its share of right answers at ${worst.title} falls by ${signed(-worst.delta).slice(1)}, more than ${MOST_FALL}.`
}

export const generalNotes = (results: readonly GeneralResult[]): string[] =>
  results.length === 0
    ? ['General benchmarks: not measured.']
    : results.map((result) => {
        const { title, items, delta, low, discordant } = result
        if (!isEnough(result)) return `${title}: ${items} items are too few; at least ${LEAST_ITEMS} are needed.`
        const least = discordant === 0 ? UNSEEN ** (1 / items) - 1 : low
        const isExcluded = least !== null && least > -MOST_FALL
        return `${title}: ${signed(delta)} on ${items} items; a fall of more than ${MOST_FALL} is ${isExcluded ? 'excluded' : 'not excluded'}.`
      })
