import { lookup } from '#contracts/lookup.ts'
import type { TimelineRow } from '#contracts/entities/step.ts'
import type { Subagent } from '#contracts/entities/trace.ts'

/** The user's choices about what the page of a session shows. */
export interface Reading {
  /** `o`: only calls and prompts. */
  onlyTools: boolean
  /** `c`: every card shows its one line. */
  collapsed: boolean
  /** Calls whose sub-agent's steps are folded away. */
  foldedAgents: ReadonlySet<string>
  /** Rows of a selected part of the timeline; null: all. */
  range: { first: number; last: number } | null
}

export const READ_ALL: Reading = { onlyTools: false, collapsed: false, foldedAgents: new Set(), range: null }

/** Index of each row by its id. */
export function indexRows(rows: readonly TimelineRow[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  rows.forEach(({ id }, index) => places.set(id, index)) // without an array of pairs, because a long session has tens of thousands of rows
  return places
}

/** The row of the last text of each agent: what it answered. */
export function lastTexts(rows: readonly TimelineRow[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>()
  rows.forEach(({ kind, agent }, index) => {
    if (kind === 'text') last.set(agent, index)
  })
  return last
}

/** Parent of each sub-agent: "main" or the sub-agent that made the call. */
export function parentsOf(
  subagents: readonly Pick<Subagent, 'id' | 'parentStepId'>[],
  agentOfStep: (stepId: string) => string | undefined,
): ReadonlyMap<string, string> {
  return new Map(
    subagents.map(({ id, parentStepId }) => [id, (parentStepId === null ? undefined : agentOfStep(parentStepId)) ?? 'main'] as const),
  )
}

/** An agent and its ancestors, without the main conversation. */
export function lineageOf(agent: string, parents: ReadonlyMap<string, string>): string[] {
  const line: string[] = []
  for (let at: string | undefined = agent; at !== undefined && at !== 'main' && !line.includes(at); at = parents.get(at)) line.push(at)
  return line
}

/** The folded sub-agents and all their descendants. */
export const withDescendants = (folded: ReadonlySet<string>, parents: ReadonlyMap<string, string>): ReadonlySet<string> =>
  folded.size === 0
    ? folded
    : new Set([...folded, ...[...parents.keys()].filter((agent) => lineageOf(agent, parents).some((above) => folded.has(above)))])

/** Merges new and changed rows; returns the same array if there are none. Positions sort as text. */
export function mergeRows(known: readonly TimelineRow[], changed: readonly TimelineRow[]): TimelineRow[] {
  if (changed.length === 0) return known as TimelineRow[]
  const byId = new Map(changed.map((row) => [row.id, row]))
  const rows = known.map((row) => {
    const next = byId.get(row.id)
    byId.delete(row.id)
    return next ?? row
  })
  rows.push(...byId.values())
  return rows.some((row, index) => index > 0 && rows[index - 1]!.position > row.position)
    ? rows.toSorted((a, b) => (a.position < b.position ? -1 : 1))
    : rows
}

/** Indices of the rows to show, in order: the list that the virtualizer runs over. */
export function visibleRows(rows: readonly TimelineRow[], reading: Reading): number[] {
  const indices: number[] = []
  const first = reading.range?.first ?? 0
  const last = reading.range?.last ?? rows.length - 1
  for (let index = first; index <= last; index += 1) {
    const row = rows[index]
    if (!row) continue
    if (reading.foldedAgents.has(row.agent)) continue
    if (reading.onlyTools && !isCall(row) && !(row.kind === 'prompt' && row.agent === 'main')) continue
    indices.push(index)
  }
  return indices
}

export const isCall = (row: Pick<TimelineRow, 'kind'>): boolean => row.kind === 'call' || row.kind === 'step'

/**
 * How deep a row is nested: 0 in the main conversation, 1 in a sub-agent, 2 in a sub-agent of a sub-agent. Each
 * level of a position is 8 hexadecimal digits, so the length gives the depth.
 */
export function depthOf(row: Pick<TimelineRow, 'agent' | 'position'>): number {
  if (row.agent === 'main') return 0
  const digits = row.position.replaceAll(/[^0-9a-f]/gi, '').length
  return Math.min(Math.max(1, Math.round(digits / 8) - 1), 4)
}

/** Bodies are read in pages of this many rows, cut at fixed indices so that each page has one address. */
export const PAGE_ROWS = 50

export const pageOf = (index: number): number => Math.floor(index / PAGE_ROWS)

/** Pages that the rows in view need, with the next one on each side, so that scrolling meets loaded rows. */
export function pagesAround(indices: readonly number[], rowCount: number): number[] {
  const first = indices.at(0)
  if (first === undefined || rowCount === 0) return []
  const wanted = new Set(indices.map(pageOf))
  wanted.add(Math.max(0, pageOf(first) - 1))
  wanted.add(Math.min(pageOf(rowCount - 1), pageOf(indices.at(-1) ?? first) + 1))
  return [...wanted].toSorted((a, b) => a - b)
}

/** Heights before a row is measured, in pixels at the default size: close guesses keep the scroll bar steady. */
const ESTIMATES: Record<string, number> = lookup({ prompt: 96, text: 96, thinking: 40, notice: 34, error: 64, compaction: 40 })
const CALL_HEIGHTS: Record<string, number> = lookup({
  bash: 180,
  edit: 240,
  multiedit: 280,
  write: 280,
  read: 44,
  grep: 44,
  glob: 44,
  task: 92,
  agent: 92,
})

export function estimateHeight(row: TimelineRow, collapsed: boolean): number {
  if (!isCall(row)) return collapsed && row.kind !== 'prompt' ? 34 : (ESTIMATES[row.kind] ?? 60)
  return collapsed ? 40 : (CALL_HEIGHTS[row.tool?.toLowerCase() ?? ''] ?? 120)
}

/** The selected row's place among the visible ones, or that of the nearest visible row before it. */
export function placeOf(visible: readonly number[], index: number): number {
  let low = 0
  let high = visible.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((visible[middle] ?? 0) <= index) low = middle
    else high = middle - 1
  }
  return low
}
