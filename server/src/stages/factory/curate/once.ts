import type { Candidate } from './candidate.ts'

/** The answers that a row trains, by what identifies their records in every session of a family. */
export interface AnsweredRow {
  id: string
  at: number | null
  quality: number | null
  /** Message index and key of each answer with loss. */
  answers: readonly { message: number; key: string }[]
}

/** The answers with loss of a row of conversations. `familyOf`: forks and continuations have the same. Variants repeat answers on purpose. */
export function answersOf(candidate: Candidate, familyOf: (traceId: string) => string): AnsweredRow['answers'] {
  const { row, stepIds, traceIds, variantOf } = candidate
  const [traceId] = traceIds
  if (!('messages' in row) || traceId === undefined || variantOf !== undefined) return []
  return (row as { messages: { role: string; weight?: number }[] }).messages.flatMap(({ role, weight }, message) => {
    const step = stepIds[message]
    // A step's id is its session's and then its record's, which a fork copies.
    if (role !== 'assistant' || weight === 0 || !step?.startsWith(`${traceId}:`)) return []
    return [{ message, key: `${familyOf(traceId)} ${step.slice(traceId.length + 1)}` }]
  })
}

/** The messages of each row whose answer an earlier row trains already. Of two rows, the one of the session that began first counts. */
export function trainedBefore(rows: readonly AnsweredRow[]): Map<string, ReadonlySet<number>> {
  const seen = new Set<string>()
  const repeated = new Map<string, ReadonlySet<number>>()
  for (const { id, answers } of rows.toSorted(earlierFirst)) {
    const messages = answers.filter(({ key }) => seen.has(key)).map(({ message }) => message)
    if (messages.length > 0) repeated.set(id, new Set(messages))
    for (const { key } of answers) seen.add(key)
  }
  return repeated
}

/** A fork begins with its copy of the first record. Of two such sessions the one with more answers, then the better one, counts. */
const earlierFirst = (a: AnsweredRow, b: AnsweredRow): number =>
  (a.at ?? Number.POSITIVE_INFINITY) - (b.at ?? Number.POSITIVE_INFINITY) ||
  b.answers.length - a.answers.length ||
  (b.quality ?? -1) - (a.quality ?? -1) ||
  (a.id < b.id ? -1 : 1)

/** The row with these messages as context. */
export function asContext(candidate: Candidate, messages: ReadonlySet<number> | undefined): Candidate {
  if (messages === undefined || !('messages' in candidate.row)) return candidate
  const all = candidate.row.messages as { role: string }[]
  const changed = all.map((message, at) => (messages.has(at) ? { ...message, weight: 0 as const } : message))
  return { ...candidate, row: { ...candidate.row, messages: changed } as Candidate['row'] }
}
