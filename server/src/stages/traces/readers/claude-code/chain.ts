import type { Rec } from './model.ts'

/**
 * The records of a conversation that are not on the chain it ended with: what the user rewound or edited, and answers that were
 * replaced. The chain leads from the last record over its parents. Records beside it that belong to it (results of parallel
 * calls and notes beside them, other blocks of an answer on it, notices) are not abandoned. Where a parent is missing, the record before is its parent.
 *
 * @param records in the order of the conversation
 */
export function findAbandoned(records: readonly Rec[]): ReadonlySet<Rec> {
  const last = records.findLastIndex(({ role }) => role !== 'other')
  if (last < 0) return NONE
  const parents = parentsOf(records)
  const isOnChain = new Uint8Array(records.length)
  let count = 0
  for (let at = last; at >= 0; at = parents[at]!) {
    isOnChain[at] = 1
    count += 1
  }
  if (count === records.length) return NONE
  const [answers, messages] = [new Set<string>(), new Set<string>()]
  for (let at = last; at >= 0; at = parents[at]!) {
    const id = answerOf(records[at]!)
    if (id === null) continue
    answers.add(id)
    messages.add(messageOf(id))
  }
  /** Whether a record beside the chain begins what nobody on the chain continued. */
  const startsBranch = (rec: Rec, roleBefore: Rec['role']): boolean => {
    if (rec.role === 'note') return roleBefore !== 'result'
    if (rec.role !== 'answer') return rec.role === 'input' || rec.role === 'summary'
    if (rec.entries.length === 0) return false
    const id = answerOf(rec) ?? ''
    return !(answers.has(id) || (roleBefore === 'answer' && messages.has(messageOf(id))))
  }
  const abandoned = new Set<Rec>()
  const before = rolesBefore(records, parents)
  for (const [index, rec] of records.entries()) {
    if (isOnChain[index] === 1) continue
    const parent = records[parents[index]!]
    if ((parent && abandoned.has(parent)) || startsBranch(rec, before[index]!)) abandoned.add(rec)
  }
  return abandoned
}

const NONE: ReadonlySet<Rec> = new Set()

/** Without the request, which some records of a response lack. */
const messageOf = (id: string): string => id.split('~', 1)[0]!

/** The role of the nearest ancestor that has one, for each record; parents come first. */
function rolesBefore(records: readonly Rec[], parents: Int32Array): Rec['role'][] {
  const roles: Rec['role'][] = []
  for (const parent of parents) {
    const role = records[parent]?.role ?? 'other'
    roles.push(role === 'other' ? (roles[parent] ?? 'other') : role)
  }
  return roles
}

const answerOf = ({ role, entries }: Rec): string | null => (role === 'answer' ? (entries[0]?.messageId ?? null) : null)

/**
 * Index of each record's parent, always an earlier one; −1 at the start of a conversation. Only a prompt without a parent starts
 * the conversation again.
 */
function parentsOf(records: readonly Rec[]): Int32Array {
  const parents = new Int32Array(records.length)
  let places: Map<string, number> | null = null // most records follow their parent
  for (const [index, { parent, role }] of records.entries()) {
    const before = index - 1
    parents[index] = before
    if (parent === null) {
      if (role === 'input') parents[index] = -1
    } else if (records[before]?.key !== parent) {
      places ??= new Map(records.map((rec, place) => [rec.key, place]))
      const place = places.get(parent)
      if (place !== undefined && place < index) parents[index] = place
    }
  }
  return parents
}
