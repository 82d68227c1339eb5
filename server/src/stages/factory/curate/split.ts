import type { DatasetRecipe, SplitName } from '#contracts/entities/dataset.ts'
import type { Candidate } from './candidate.ts'
import { drawn } from './chance.ts'
import { createGroups } from './groups.ts'

export type SplitRow = Pick<Candidate, 'id' | 'traceIds' | 'group' | 'repo' | 'at'>

export interface Splits {
  /** By row id. */
  of: ReadonlyMap<string, SplitName>
  /** By session, for later versions of the same name. */
  sessions: ReadonlyMap<string, SplitName>
}

/** Once held out, always held out: where a group's sessions were on different sides, the first of these wins. */
const STRICTEST: readonly SplitName[] = ['test', 'val', 'train']

/**
 * Puts whole groups on one side. A group is every row of a session with all sessions that are tied to it: forks and
 * continuations (`families`), the two sides of a pair, and with `by: repo` all sessions of a repository. Sessions that
 * an earlier version placed keep their side. Of the others, an order drawn by the seed (with `by: time`: the newest
 * first) fills test, then val, up to their shares of the rows; the rest is train.
 */
export function split(
  rows: readonly SplitRow[],
  options: DatasetRecipe['split'] & { seed: number },
  families: Iterable<readonly string[]>,
  kept: ReadonlyMap<string, SplitName>,
): Splits {
  const groups = createGroups()
  for (const [first, ...others] of families) for (const other of others) groups.join(session(first!), session(other))
  for (const row of rows) {
    const names = namesOf(row)
    for (const name of names.slice(1)) groups.join(names[0]!, name)
    if (options.by === 'repo' && row.repo !== null) groups.join(names[0]!, `repo:${row.repo}`)
  }
  const members = Map.groupBy(rows, (row) => groups.of(namesOf(row)[0]!))

  const placed = new Map<string, SplitName>()
  for (const [name, side] of kept) {
    const group = groups.of(session(name))
    const before = placed.get(group)
    placed.set(group, before ? STRICTEST.find((one) => one === before || one === side)! : side)
  }

  const shareOf = (share: number) => (share > 0 ? Math.max(1, Math.round(rows.length * share)) : 0)
  const wanted = { test: shareOf(options.test), val: shareOf(options.val) }
  const filled = { test: 0, val: 0, train: 0 }
  for (const [group, side] of placed) filled[side] += members.get(group)?.length ?? 0
  const open = [...members].filter(([group]) => !placed.has(group)).map(([name, list]) => ({ name, rows: list.length, at: newest(list) }))
  const order = open
    .map((group) => ({ ...group, lot: drawn(options.seed, group.name) }))
    .toSorted((a, b) => (options.by === 'time' ? b.at - a.at : 0) || a.lot - b.lot || (a.name < b.name ? -1 : 1))
  for (const side of ['test', 'val'] as const) {
    for (const group of order) {
      if (placed.has(group.name) || filled[side] >= wanted[side]) continue
      if (filled.train === 0 && order.length - placedOf(order, placed) === 1) break // nothing would be left to train on
      // A group that would overshoot by more than it lacks waits for a smaller one; by time there is no choosing.
      const over = filled[side] + group.rows - wanted[side]
      if (options.by !== 'time' && over > wanted[side] - filled[side]) continue
      placed.set(group.name, side)
      filled[side] += group.rows
    }
    holdOneOut(side, order, placed, filled, wanted[side])
  }

  const of = new Map(rows.map((row) => [row.id, placed.get(groups.of(namesOf(row)[0]!)) ?? 'train']))
  const sessions = new Map(rows.flatMap((row) => row.traceIds.map((traceId) => [traceId, of.get(row.id)!] as const)))
  return { of, sessions }
}

const placedOf = (order: readonly { name: string }[], placed: ReadonlyMap<string, SplitName>) =>
  order.filter(({ name }) => placed.has(name)).length

/** Where every group is larger than the share asked for, the smallest is held out, if another one is left to train on. */
function holdOneOut(
  side: 'test' | 'val',
  order: readonly { name: string; rows: number }[],
  placed: Map<string, SplitName>,
  filled: Record<SplitName, number>,
  wanted: number,
): void {
  if (wanted === 0 || filled[side] > 0) return
  const left = order.filter(({ name }) => !placed.has(name))
  if (left.length + (filled.train > 0 ? 1 : 0) < 2) return
  const [smallest] = left.toSorted((a, b) => a.rows - b.rows)
  if (!smallest) return
  placed.set(smallest.name, side)
  filled[side] += smallest.rows
}

const session = (traceId: string) => `session:${traceId}`
const namesOf = ({ id, traceIds, group }: SplitRow): string[] =>
  traceIds.length ? traceIds.map(session) : [group === null ? `row:${id}` : `group:${group}`]
const newest = (rows: readonly SplitRow[]) => rows.reduce((latest, { at }) => Math.max(latest, at ?? 0), 0)
