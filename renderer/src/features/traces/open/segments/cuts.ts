import type { Segment, SegmentCut } from '#contracts/entities/example.ts'
import type { TimelineRow } from '#contracts/entities/step.ts'
import { isCall } from '../rows.ts'

/** The tasks of a session on its rows: all that drawing and moving boundaries needs. */
export interface TaskMap {
  rows: readonly TimelineRow[]
  /** Place of each row by its id. */
  indexById: ReadonlyMap<string, number>
  segments: readonly Segment[]
  /** First row of each segment: its prompt, or the text before its first call. */
  starts: readonly number[]
  /** Row of the first call of each segment. */
  firsts: readonly number[]
  /** Calls that belong to the response of a call before them. */
  bound: ReadonlySet<string>
}

export const NO_TASKS: TaskMap = { rows: [], indexById: new Map(), segments: [], starts: [], firsts: [], bound: new Set() }

/** Lays segments on rows. Segments whose first call is not among them (a session that grows) are left out. */
export function mapTasks(
  rows: readonly TimelineRow[],
  indexById: ReadonlyMap<string, number>,
  segments: readonly Segment[],
  together: readonly string[],
): TaskMap {
  const known = segments.filter(({ firstStepId }) => indexById.has(firstStepId))
  const firsts = known.map(({ firstStepId }) => indexById.get(firstStepId) ?? 0)
  const starts = firsts.map((first, index) => (index === 0 ? 0 : startOf(rows, first)))
  return { rows, indexById, segments: known, firsts, starts, bound: new Set(together) }
}

/** Whether a row is a call of the main conversation that begins a response. */
const beginsResponse = ({ rows, bound }: TaskMap, index: number): boolean => {
  const row = rows[index]
  return row !== undefined && row.agent === 'main' && isCall(row) && !bound.has(row.id)
}

/** Whether a task may start at a row: there are calls before it as well. */
function isPlace(tasks: TaskMap, index: number): boolean {
  if (!beginsResponse(tasks, index)) return false
  for (let before = 0; before < index; before += 1) if (beginsResponse(tasks, before)) return true
  return false
}

/** From a call back to what belongs to it: the first prompt since the previous call, else the text before it. */
function startOf(rows: readonly TimelineRow[], first: number): number {
  let at = first
  while (at > 0 && !isCall(rows[at - 1]!)) at -= 1
  for (let index = at; index < first; index += 1) if (rows[index]?.kind === 'prompt' && rows[index]?.agent === 'main') return index
  return at
}

/** The segment that a row belongs to, −1 if there is none. */
export const taskAt = (tasks: TaskMap, row: number): number => tasks.starts.findLastIndex((start) => start <= row)

/** The place of a boundary that begins a task at a row: the row's call, or the next one. Null for the session's first. */
export function placeAt(tasks: TaskMap, row: number): string | null {
  const { rows } = tasks
  // a task starts at the first call of a response, never at a later one
  if (rows[row] && isCall(rows[row])) {
    for (let index = row; index >= 0; index -= 1) {
      const one = rows[index]!
      if (isPlace(tasks, index)) return one.id
      if (one.agent === 'main' && !isCall(one)) return null
    }
    return null
  }
  return nextPlace(tasks, row - 1, 1)
}

/** The next place of a boundary after a row, or the one before it. */
function nextPlace(tasks: TaskMap, row: number, direction: 1 | -1): string | null {
  for (let index = row + direction; index >= 0 && index < tasks.rows.length; index += direction)
    if (isPlace(tasks, index)) return tasks.rows[index]!.id
  return null
}

/** Adds or removes the boundary before a call. An earlier decision of the user there is removed, not contradicted. */
export function toggleCut(cuts: readonly SegmentCut[], segments: readonly Segment[], stepId: string): SegmentCut[] {
  const isBoundary = segments.slice(1).some(({ firstStepId }) => firstStepId === stepId)
  const own = cuts.find((cut) => cut.stepId === stepId)
  const others = cuts.filter((cut) => cut.stepId !== stepId)
  if (own && own.boundary === isBoundary) return others
  return [...others, { stepId, boundary: !isBoundary }]
}

/** Moves the start of a segment to another call; null if that is not possible. */
export function moveCut(cuts: readonly SegmentCut[], tasks: TaskMap, segment: number, toStepId: string): SegmentCut[] | null {
  const from = tasks.segments[segment]?.firstStepId
  const to = tasks.indexById.get(toStepId) ?? -1
  if (segment <= 0 || from === undefined || from === toStepId || !isPlace(tasks, to)) return null
  if (to <= (tasks.firsts[segment - 1] ?? -1) || to >= (tasks.firsts[segment + 1] ?? tasks.rows.length)) return null
  return toggleCut(toggleCut(cuts, tasks.segments, from), tasks.segments, toStepId)
}

/** The call a boundary moves to, one earlier or later; null at its neighbours. */
export function neighbourOf(tasks: TaskMap, segment: number, direction: 1 | -1): string | null {
  const first = tasks.firsts[segment] ?? -1
  return isPlace(tasks, first) ? nextPlace(tasks, first, direction) : null
}

/**
 * Of boundaries at these pixels, ascending, those that can be distinguished: `gap` pixels from the previous one, and one of the
 * user rather than one of the rules. Each index is a segment's; positions outside 0 … `width` are dropped, and so is the
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
  directory: 'different directory',
  file_scope: 'different files',
  length: 'split by length',
  user: 'set by you',
}

/** "pause: 12 min passed since the step before ended". */
export const reasonOf = ({ boundary }: Segment): string =>
  boundary.kind === 'user' || boundary.kind === 'start' ? KIND_WORDS[boundary.kind] : `${KIND_WORDS[boundary.kind]}: ${boundary.why}`
