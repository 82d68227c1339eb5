import type { Segment, SegmentCut } from '#contracts/entities/example.ts'
import type { TimelineRow } from '#contracts/entities/step.ts'
import { isCall } from '../rows.ts'

/** The tasks of a session on its rows: all that drawing and moving boundaries needs. */
export interface TaskMap {
  segments: readonly Segment[]
  /** Row at which each segment is drawn to begin: its prompt, or what was said before its first call. */
  starts: readonly number[]
  /** Row of the first call of each segment. */
  firsts: readonly number[]
  /** Calls of the main conversation that a boundary may stand before, in order; the first of all is left out. */
  places: readonly string[]
}

/** Lays segments on rows. Segments whose first call is not among them (a session that grows) are left out. */
export function mapTasks(
  rows: readonly TimelineRow[],
  indexById: ReadonlyMap<string, number>,
  segments: readonly Segment[],
  together: readonly string[],
): TaskMap {
  const known = segments.filter(({ firstStepId }) => indexById.has(firstStepId))
  const firsts = known.map(({ firstStepId }) => indexById.get(firstStepId) ?? 0)
  const bound = new Set(together)
  const calls: string[] = []
  for (const row of rows) if (row.agent === 'main' && isCall(row) && !bound.has(row.id)) calls.push(row.id)
  return { segments: known, firsts, starts: firsts.map((first, index) => (index === 0 ? 0 : startOf(rows, first))), places: calls.slice(1) }
}

/** Back from a call over what belongs to it: to the first prompt since the call before, else to what was said before it. */
function startOf(rows: readonly TimelineRow[], first: number): number {
  let at = first
  while (at > 0 && !isCall(rows[at - 1]!)) at -= 1
  for (let index = at; index < first; index += 1) if (rows[index]?.kind === 'prompt' && rows[index]?.agent === 'main') return index
  return at
}

/** The segment that a row belongs to, −1 where there is none. */
export const taskAt = (tasks: TaskMap, row: number): number => tasks.starts.findLastIndex((start) => start <= row)

/** The place of a boundary that begins a task at a row: the row's call, or the next one. Null for the session's first. */
export function placeAt(tasks: TaskMap, rows: readonly TimelineRow[], row: number): string | null {
  const places = new Set(tasks.places)
  // a call of a response stands for the response: its first call is before it
  if (rows[row] && isCall(rows[row])) {
    for (let index = row; index >= 0; index -= 1) {
      const one = rows[index]!
      if (places.has(one.id)) return one.id
      if (one.agent === 'main' && !isCall(one)) return null
    }
    return null
  }
  for (let index = row; index < rows.length; index += 1) if (places.has(rows[index]!.id)) return rows[index]!.id
  return null
}

/** Puts a boundary before a call, or takes it away. What the user said there before is taken back rather than contradicted. */
export function toggleCut(cuts: readonly SegmentCut[], segments: readonly Segment[], stepId: string): SegmentCut[] {
  const isBoundary = segments.slice(1).some(({ firstStepId }) => firstStepId === stepId)
  const own = cuts.find((cut) => cut.stepId === stepId)
  const others = cuts.filter((cut) => cut.stepId !== stepId)
  if (own && own.boundary === isBoundary) return others
  return [...others, { stepId, boundary: !isBoundary }]
}

/** Moves the boundary that begins a segment to another call; null where it cannot stand there. */
export function moveCut(cuts: readonly SegmentCut[], tasks: TaskMap, segment: number, toStepId: string): SegmentCut[] | null {
  const from = tasks.segments[segment]?.firstStepId
  const to = tasks.places.indexOf(toStepId)
  if (segment <= 0 || from === undefined || from === toStepId || to < 0) return null
  const before = segment === 1 ? -1 : tasks.places.indexOf(tasks.segments[segment - 1]?.firstStepId ?? '')
  const next = tasks.segments[segment + 1]
  const after = next === undefined ? tasks.places.length : tasks.places.indexOf(next.firstStepId)
  if (to <= before || to >= after) return null
  return toggleCut(toggleCut(cuts, tasks.segments, from), tasks.segments, toStepId)
}

/** The call a boundary moves to, one earlier or later; null at its neighbours. */
export function neighbourOf(tasks: TaskMap, segment: number, direction: 1 | -1): string | null {
  const at = tasks.places.indexOf(tasks.segments[segment]?.firstStepId ?? '')
  return at < 0 ? null : (tasks.places[at + direction] ?? null)
}

/**
 * Of boundaries at these pixels, ascending, those that can be told apart: `gap` pixels to the one before, and one of the
 * user rather than one of the rules. Each index is a segment's; what is outside 0 … `width` is left out, and so is the
 * beginning of the session.
 */
export function spaced(places: readonly number[], isOwn: (segment: number) => boolean, width: number, gap: number): number[] {
  const shown: number[] = []
  for (let segment = 1; segment < places.length; segment += 1) {
    const x = places[segment]!
    if (x < 0 || x > width) continue
    const before = shown.at(-1)
    if (before === undefined || x - places[before]! >= gap) shown.push(segment)
    else if (isOwn(segment)) {
      if (!isOwn(before)) shown.pop()
      shown.push(segment)
    }
  }
  return shown
}

/** Whether the user put it there. */
export const isOwn = (segment: Segment): boolean => segment.boundary.kind === 'user'

const KIND_WORDS: Record<Segment['boundary']['kind'], string> = {
  start: 'start',
  time_gap: 'pause',
  git_commit: 'after a commit',
  directory: 'other directory',
  file_scope: 'other files',
  length: 'split by length',
  user: 'set by you',
}

/** "pause: 12 min passed since the step before ended". */
export const reasonOf = ({ boundary }: Segment): string =>
  boundary.kind === 'user' || boundary.kind === 'start' ? KIND_WORDS[boundary.kind] : `${KIND_WORDS[boundary.kind]}: ${boundary.why}`
