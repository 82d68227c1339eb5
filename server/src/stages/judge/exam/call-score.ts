import type { ExamCall } from '#contracts/entities/exam.ts'

/** How close a call is to the recorded one, each from 0 to 1. */
export interface CallScore {
  exact: number
  toolName: number
  /** F1 over pairs of key and value; 0 for another tool. */
  argF1: number
  /** 0 for another tool, else .4 + .6 × F1. */
  soft: number
}

/** Changes with each change of a rule below: figures of different versions are not compared. */
export const SCORER_VERSION = 'next-call-1'
const NO_MATCH: CallScore = { exact: 0, toolName: 0, argF1: 0, soft: 0 }
const NAME_SHARE = 0.4

/** `given` is null if an answer has no call that can be read. */
export function scoreCall(recorded: ExamCall, given: ExamCall | null): CallScore {
  if (given === null || given.name !== recorded.name) return NO_MATCH
  const [wanted, found] = [itemsOf(recorded.arguments), itemsOf(given.arguments)]
  const unmatched = [...wanted]
  const shared = found.filter((item) => {
    const at = unmatched.indexOf(item)
    if (at >= 0) unmatched.splice(at, 1)
    return at >= 0
  }).length
  const argF1 = wanted.length + found.length === 0 ? 1 : (2 * shared) / (wanted.length + found.length)
  return { exact: argF1 === 1 ? 1 : 0, toolName: 1, argF1, soft: NAME_SHARE + (1 - NAME_SHARE) * argF1 }
}

/** Keys trimmed and in lower case, strings trimmed, numbers by value, objects in canonical JSON. */
const itemsOf = (given: Record<string, unknown>): string[] =>
  Object.entries(given).map(([key, value]) => JSON.stringify([key.trim().toLowerCase(), canonical(value)]))

function canonical(value: unknown): unknown {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { object: entries.map(([key, inner]) => [key, canonical(inner)]) } // a list keeps a key such as __proto__, and the order of numbers
}
