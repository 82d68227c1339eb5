import type { Segment, SegmentCut } from '#contracts/entities/example.ts'
import type { TimelineRow } from '#contracts/entities/step.ts'
import { isCall } from '../rows.ts'

/** The tasks of a session mapped to its rows, for drawing and moving boundaries. */
export interface TaskMap {
  rows: readonly TimelineRow[]
  /** Index of each row by its id. */
  indexById: ReadonlyMap<string, number>
  segments: readonly Segment[]
  /** First row of each segment: its prompt, or the text before its first call. */
  starts: readonly number[]
  /** Row of the first call of each segment. */
  firsts: readonly number[]
  /** Calls that continue the response of an earlier call. */
  continuations: ReadonlySet<string>
}

export const NO_TASKS: TaskMap = { rows: [], indexById: new Map(), segments: [], starts: [], firsts: [], continuations: new Set() }

/** Maps segments to rows. Segments whose first call is not among the rows (the session is growing) are skipped. */
export function mapTasks(
  rows: readonly TimelineRow[],
  indexById: ReadonlyMap<string, number>,
  segments: readonly Segment[],
  together: readonly string[],
): TaskMap {
  const mappedSegments = segments.filter(({ firstStepId }) => indexById.has(firstStepId))
  const firsts = mappedSegments.map(({ firstStepId }) => indexById.get(firstStepId) ?? 0)
  const starts = firsts.map((first, index) => (index === 0 ? 0 : startOf(rows, first)))
  return { rows, indexById, segments: mappedSegments, firsts, starts, continuations: new Set(together) }
}

/** Whether a row is a call of the main conversation that begins a response. */
const beginsResponse = ({ rows, continuations }: TaskMap, index: number): boolean => {
  const row = rows[index]
  return row !== undefined && row.agent === 'main' && isCall(row) && !continuations.has(row.id)
}

/** Whether a task may start at a row: the row begins a response, and there are calls before it. */
function canStartAt(tasks: TaskMap, index: number): boolean {
  if (!beginsResponse(tasks, index)) return false
  for (let before = 0; before < index; before += 1) if (beginsResponse(tasks, before)) return true
  return false
}

/** The row where the task of a call begins: the first prompt since the previous call, else the text before the call. */
function startOf(rows: readonly TimelineRow[], first: number): number {
  let at = first
  while (at > 0 && !isCall(rows[at - 1]!)) at -= 1
  for (let index = at; index < first; index += 1) if (rows[index]?.kind === 'prompt' && rows[index]?.agent === 'main') return index
  return at
}

/** The segment that a row belongs to, −1 if there is none. */
export const taskAt = (tasks: TaskMap, row: number): number => tasks.starts.findLastIndex((start) => start <= row)

/** The call at which a task would start for this row: the row's own call, or the next one. Null for the first call of the session. */
export function placeAt(tasks: TaskMap, row: number): string | null {
  const { rows } = tasks
  // a task starts at the first call of a response, never at a later one
  if (rows[row] && isCall(rows[row])) {
    for (let index = row; index >= 0; index -= 1) {
      const candidate = rows[index]!
      if (canStartAt(tasks, index)) return candidate.id
      if (candidate.agent === 'main' && !isCall(candidate)) return null
    }
    return null
  }
  return nextPlace(tasks, row - 1, 1)
}

/** The next call after (or before) a row at which a task may start. */
function nextPlace(tasks: TaskMap, row: number, direction: 1 | -1): string | null {
  for (let index = row + direction; index >= 0 && index < tasks.rows.length; index += direction)
    if (canStartAt(tasks, index)) return tasks.rows[index]!.id
  return null
}

/** Adds or removes the boundary before a call. An earlier decision of the user at that call is removed, not contradicted. */
export function toggleCut(cuts: readonly SegmentCut[], segments: readonly Segment[], stepId: string): SegmentCut[] {
  const isBoundary = segments.slice(1).some(({ firstStepId }) => firstStepId === stepId)
  const userCut = cuts.find((cut) => cut.stepId === stepId)
  const otherCuts = cuts.filter((cut) => cut.stepId !== stepId)
  if (userCut && userCut.boundary === isBoundary) return otherCuts
  return [...otherCuts, { stepId, boundary: !isBoundary }]
}

/** Moves the start of a segment to another call; null if that is not possible. */
export function moveCut(cuts: readonly SegmentCut[], tasks: TaskMap, segment: number, toStepId: string): SegmentCut[] | null {
  const from = tasks.segments[segment]?.firstStepId
  const to = tasks.indexById.get(toStepId) ?? -1
  if (segment <= 0 || from === undefined || from === toStepId || !canStartAt(tasks, to)) return null
  if (to <= (tasks.firsts[segment - 1] ?? -1) || to >= (tasks.firsts[segment + 1] ?? tasks.rows.length)) return null
  return toggleCut(toggleCut(cuts, tasks.segments, from), tasks.segments, toStepId)
}

/** The call to which a boundary moves, one earlier or later; null if there is none. */
export function neighbourOf(tasks: TaskMap, segment: number, direction: 1 | -1): string | null {
  const first = tasks.firsts[segment] ?? -1
  return canStartAt(tasks, first) ? nextPlace(tasks, first, direction) : null
}

/**
 * Selects the boundaries that are far enough apart to draw, from their pixel positions in ascending order: each at least
 * `gap` pixels after the previous one, preferring the user's over a rule's. Indices are those of the segments. Positions
 * outside 0 … `width` and the start of the session are dropped.
 */
export function selectSpaced(places: readonly number[], isOwn: (segment: number) => boolean, width: number, gap: number): number[] {
  const selected: number[] = []
  for (let segment = 1; segment < places.length; segment += 1) {
    const x = places[segment]!
    if (x < 0 || x > width) continue
    const before = selected.at(-1)
    if (before === undefined || x - places[before]! >= gap) selected.push(segment)
    else if (isOwn(segment)) {
      if (!isOwn(before)) selected.pop()
      selected.push(segment)
    }
  }
  return selected
}

/** Whether the user set the boundary. */
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
