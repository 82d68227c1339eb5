import type { DatasetRecipe, SplitName } from '#contracts/entities/dataset.ts'
import type { Candidate } from './candidate.ts'
import { drawNumber } from './seeded-random.ts'
import { createGroups } from './groups.ts'

export type SplitRow = Pick<Candidate, 'id' | 'traceIds' | 'group' | 'repo' | 'at'>

export interface Splits {
  /** By row id. */
  byRow: ReadonlyMap<string, SplitName>
  /** By session, for later versions of the same name. */
  sessions: ReadonlyMap<string, SplitName>
}

/** If the sessions of a group were in different splits before, the first of these wins: once held out, always held out. */
const STRICTEST_FIRST: readonly SplitName[] = ['test', 'val', 'train']

/**
 * Assigns whole groups to splits. A group has all rows of related sessions: forks and continuations (`families`), both sides
 * of a pair, and with `by: repo` all sessions of a repository. Sessions of earlier versions keep their split. The other
 * groups, in an order drawn by the seed (with `by: time`: newest first), fill test, then val, up to their shares of the rows;
 * the rest is train.
 */
export function split(
  rows: readonly SplitRow[],
  options: DatasetRecipe['split'] & { seed: number },
  families: Iterable<readonly string[]>,
  earlierSides: ReadonlyMap<string, SplitName>,
): Splits {
  const groups = createGroups()
  for (const [first, ...others] of families) for (const other of others) groups.join(session(first!), session(other))
  for (const row of rows) {
    const names = namesOf(row)
    for (const name of names.slice(1)) groups.join(names[0]!, name)
    if (options.by === 'repo' && row.repo !== null) groups.join(names[0]!, `repo:${row.repo}`)
  }
  const members = Map.groupBy(rows, (row) => groups.of(namesOf(row)[0]!))

  const splitByGroup = new Map<string, SplitName>()
  for (const [name, side] of earlierSides) {
    const group = groups.of(session(name))
    const before = splitByGroup.get(group)
    splitByGroup.set(group, before ? STRICTEST_FIRST.find((one) => one === before || one === side)! : side)
  }

  const rowsForShare = (share: number) => (share > 0 ? Math.max(1, Math.round(rows.length * share)) : 0)
  const targets = { test: rowsForShare(options.test), val: rowsForShare(options.val) }
  const filled = { test: 0, val: 0, train: 0 }
  for (const [group, side] of splitByGroup) filled[side] += members.get(group)?.length ?? 0
  const unplaced = [...members]
    .filter(([group]) => !splitByGroup.has(group))
    .map(([name, list]) => ({ name, rows: list.length, at: newest(list) }))
  const order = unplaced
    .map((group) => ({ ...group, draw: drawNumber(options.seed, group.name) }))
    .toSorted((a, b) => (options.by === 'time' ? b.at - a.at : 0) || a.draw - b.draw || (a.name < b.name ? -1 : 1))
  for (const side of ['test', 'val'] as const) {
    for (const group of order) {
      if (splitByGroup.has(group.name) || filled[side] >= targets[side]) continue
      if (filled.train === 0 && order.length - placedOf(order, splitByGroup) === 1) break // nothing would be left to train on
      // Skip a group that would overshoot by more than is missing, as a smaller one may fit; by time the order is fixed.
      const excess = filled[side] + group.rows - targets[side]
      if (options.by !== 'time' && excess > targets[side] - filled[side]) continue
      splitByGroup.set(group.name, side)
      filled[side] += group.rows
    }
    holdOutSmallest(side, order, splitByGroup, filled, targets[side])
  }

  const byRow = new Map(rows.map((row) => [row.id, splitByGroup.get(groups.of(namesOf(row)[0]!)) ?? 'train']))
  const sessions = new Map(rows.flatMap((row) => row.traceIds.map((traceId) => [traceId, byRow.get(row.id)!] as const)))
  return { byRow, sessions }
}

const placedOf = (order: readonly { name: string }[], splitByGroup: ReadonlyMap<string, SplitName>) =>
  order.filter(({ name }) => splitByGroup.has(name)).length

/** If every group is too large for the requested share, holds out the smallest, provided another remains for training. */
function holdOutSmallest(
  side: 'test' | 'val',
  order: readonly { name: string; rows: number }[],
  splitByGroup: Map<string, SplitName>,
  filled: Record<SplitName, number>,
  target: number,
): void {
  if (target === 0 || filled[side] > 0) return
  const unplaced = order.filter(({ name }) => !splitByGroup.has(name))
  if (unplaced.length + (filled.train > 0 ? 1 : 0) < 2) return
  const [smallest] = unplaced.toSorted((a, b) => a.rows - b.rows)
  if (!smallest) return
  splitByGroup.set(smallest.name, side)
  filled[side] += smallest.rows
}

const session = (traceId: string) => `session:${traceId}`
const namesOf = ({ id, traceIds, group }: SplitRow): string[] =>
  traceIds.length ? traceIds.map(session) : [group === null ? `row:${id}` : `group:${group}`]
const newest = (rows: readonly SplitRow[]) => rows.reduce((latest, { at }) => Math.max(latest, at ?? 0), 0)
