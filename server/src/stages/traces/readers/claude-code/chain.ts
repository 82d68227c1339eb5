import type { Rec } from './model.ts'

/**
 * The records of a conversation that are not on the chain it ended with: what the user rewound or edited, and answers that were
 * replaced. The chain leads from the last record over its parents. Records beside it that belong to it (results of parallel
 * calls and notes beside them, other blocks of an answer on it, notices) are not abandoned. Where a parent is missing, the record before is its parent.
 *
 * @param records in the order of the conversation
 */
export function findAbandoned(records: readonly Rec[]): ReadonlySet<Rec> {
  const last = records.findLast(({ role }) => role !== 'other')
  if (!last) return NONE
  const places = new Map(records.map((rec, index) => [rec.key, index]))
  const parents = records.map((rec, index) => parentOf(rec, index, places))
  const onChain = new Set<number>()
  const answers = new Set<string>()
  for (let at = places.get(last.key) ?? -1; at >= 0 && !onChain.has(at); at = parents[at]!) {
    onChain.add(at)
    const id = answerOf(records[at]!)
    if (id !== null) answers.add(id).add(messageOf(id))
  }
  if (onChain.size === records.length) return NONE
  const abandoned = new Set<Rec>()
  // Parents come first, except in circles, which no client writes.
  for (const [index, rec] of records.entries()) {
    if (onChain.has(index)) continue
    const parent = records[parents[index]!]
    if ((parent && abandoned.has(parent)) || startsBranch(rec, answers, roleBefore(records, parents, index))) abandoned.add(rec)
  }
  return abandoned
}

const NONE: ReadonlySet<Rec> = new Set()

/** A record beside the chain that nobody on the chain continued. `before`: the role of the record it follows. */
function startsBranch(rec: Rec, answers: ReadonlySet<string>, before: Rec['role']): boolean {
  if (rec.role === 'note') return before !== 'result'
  if (rec.role !== 'answer') return rec.role === 'input' || rec.role === 'summary'
  if (rec.entries.length === 0) return false
  const id = answerOf(rec) ?? ''
  return !(answers.has(id) || (before === 'answer' && answers.has(messageOf(id))))
}

/** Without the request, which some records of a response lack. */
const messageOf = (id: string): string => id.split('~', 1)[0]!

/** The role of the nearest ancestor that has one. */
function roleBefore(records: readonly Rec[], parents: readonly number[], index: number): Rec['role'] {
  for (let at = parents[index]!; at >= 0; at = parents[at]!) if (records[at]!.role !== 'other') return records[at]!.role
  return 'other'
}

const answerOf = ({ role, entries }: Rec): string | null => (role === 'answer' ? (entries[0]?.messageId ?? null) : null)

/** Index of the parent; −1 at the start of a conversation. Only a prompt without a parent starts the conversation again. */
function parentOf({ parent, role }: Rec, index: number, places: ReadonlyMap<string, number>): number {
  if (parent === null) return role === 'input' ? -1 : index - 1
  const place = places.get(parent)
  return place === undefined || place >= index ? index - 1 : place
}
