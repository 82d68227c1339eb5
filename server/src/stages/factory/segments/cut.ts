import type { BoundaryKind, SegmentCut } from '#contracts/entities/example.ts'
import { fileBoundaries } from './files.ts'
import { isOtherScope } from './scope.ts'
import type { CutItem, CutStep } from './types.ts'

export interface CutOptions {
  gapMinutes: number
}

export interface Cut {
  steps: CutStep[]
  boundary: { kind: BoundaryKind; why: string }
  /** The nearest user prompt before its first step; null when there is none. */
  promptId: string | null
  /** That prompt comes after the last step of the segment before. */
  ownPrompt: boolean
}

type Boundary = Cut['boundary']
/** Boundaries by the index of the step that they precede. */
type Boundaries = Map<number, Boundary>

const START: Boundary = { kind: 'start', why: 'start of session' }
const BY_HAND: Boundary = { kind: 'user', why: 'set manually' }
const LEAST_STEPS = 2

/**
 * Cuts the main conversation into tasks (system.md §6.1); every step is in exactly one segment, in order. Calls of one
 * response are never separated. The user's own cuts take precedence over all rules and change no other boundary. Cuts at steps that
 * are not there are ignored.
 */
export function cutSegments(items: readonly CutItem[], options: CutOptions, userCuts: readonly SegmentCut[] = []): Cut[] {
  const steps = items.filter((item): item is CutStep => item.kind === 'step')
  if (steps.length === 0) return []
  const prompts = promptsBefore(items)
  const hard = hardBoundaries(steps, options.gapMinutes * 60_000)
  const boundaries = joined(new Map([...hard, ...fileScopes(steps, [...hard.keys()], prompts)]), steps)
  for (const { stepId, boundary } of userCuts) {
    const at = responseStart(
      steps,
      steps.findIndex(({ id }) => id === stepId),
    )
    if (at <= 0) continue
    if (!boundary) boundaries.delete(at)
    else if (!boundaries.has(at)) boundaries.set(at, BY_HAND)
  }
  const starts = [0, ...[...boundaries.keys()].toSorted((a, b) => a - b)]
  return starts.map((start, index) => {
    const own = prompts.get(start)
    return {
      steps: steps.slice(start, starts[index + 1]),
      boundary: boundaries.get(start) ?? START,
      promptId: own ?? latestBefore(prompts, start),
      ownPrompt: own !== undefined,
    }
  })
}

/** By the index of a step: the last prompt between it and the step before. */
function promptsBefore(items: readonly CutItem[]): Map<number, string> {
  const found = new Map<number, string>()
  let step = 0
  for (const item of items) {
    if (item.kind === 'prompt') found.set(step, item.id)
    else step += 1
  }
  return found
}

function latestBefore(prompts: ReadonlyMap<number, string>, start: number): string | null {
  let latest: string | null = null
  for (const [at, id] of prompts) if (at < start) latest = id
  return latest
}

/** Time gaps, commits, changes of directory: they depend on nothing that comes later. */
function hardBoundaries(steps: readonly CutStep[], gapMs: number): Boundaries {
  const found: Boundaries = new Map()
  let committed: CutStep | null = null
  let ended: number | null = null
  let place = { cwd: null as string | null, scope: null as string | null }
  steps.forEach((step, index) => {
    const before = steps[index - 1]
    const gap = ended !== null && step.at !== null ? step.at - ended : 0
    const isTrailing = committed !== null && step.git === 'after'
    if (before && !isOneResponse(before, step)) {
      const boundary = hardBoundary({ gap, gapMs, committed: isTrailing ? null : committed, from: place, step })
      if (boundary) found.set(index, boundary)
      if (boundary) ended = null
    }
    if (step.git === 'commit') committed = step
    else if (!isTrailing && !(committed && before && isOneResponse(before, step))) committed = null
    const end = step.endedAt ?? step.at
    if (end !== null) ended = ended === null ? end : Math.max(ended, end)
    if (step.cwd !== null) place = { cwd: step.cwd, scope: step.scope }
  })
  return found
}

function hardBoundary(facts: {
  gap: number
  gapMs: number
  committed: CutStep | null
  from: { cwd: string | null; scope: string | null }
  step: CutStep
}): Boundary | null {
  const { gap, gapMs, committed, from, step } = facts
  if (committed) return { kind: 'git_commit', why: 'previous step was a commit' }
  if (gap > gapMs) return { kind: 'time_gap', why: `${minutes(gap)} idle since the previous step` }
  if (isOtherScope(from, step)) {
    return { kind: 'directory', why: `from ${from.scope ?? from.cwd} to ${step.scope ?? step.cwd}` }
  }
  return null
}

const minutes = (ms: number) => {
  const whole = Math.round(ms / 60_000)
  return whole < 120 ? `${whole} min` : `${Math.round(whole / 60)} h`
}

/** Changes of subject by files, in each stretch between two hard boundaries. */
function fileScopes(steps: readonly CutStep[], hard: readonly number[], prompts: ReadonlyMap<number, string>): Boundaries {
  const found: Boundaries = new Map()
  const ends = [...hard, steps.length]
  let start = 0
  for (const end of ends) {
    const naming = steps.slice(start, end).flatMap(({ file }, offset) => (file === null ? [] : [{ file, index: start + offset }]))
    const places = naming.map(({ file, index }, order) => {
      const before = naming[order - 1]?.index ?? index
      let at = index
      for (let one = index; one > before; one -= 1) if (prompts.has(one)) at = one
      return { file, at: responseStart(steps, at) }
    })
    for (const { at, jaccard } of fileBoundaries(places)) {
      if (at <= start) continue
      found.set(at, { kind: 'file_scope', why: `different files than before (Jaccard ${jaccard.toFixed(2)})` })
    }
    start = end
  }
  return found
}

/** Segments of one step join the one before; after a commit, and at the start, the next. */
function joined(boundaries: Boundaries, steps: readonly CutStep[]): Boundaries {
  const kept: Boundaries = new Map()
  let start = 0
  const places = [...boundaries.keys()].toSorted((a, b) => a - b)
  places.forEach((at, index) => {
    const boundary = boundaries.get(at)!
    const isShortBefore = at - start < LEAST_STEPS
    const startedBy = kept.get(start)?.kind ?? 'start'
    if (isShortBefore && (startedBy === 'start' || startedBy === 'git_commit')) return // the segment continues
    const length = (places[index + 1] ?? steps.length) - at
    const isLast = index === places.length - 1
    if (length < LEAST_STEPS && (boundary.kind !== 'git_commit' || isLast)) return // joins what is before
    kept.set(at, boundary)
    start = at
  })
  return kept
}

export const isOneResponse = (a: CutStep, b: CutStep): boolean => a.messageId !== null && a.messageId === b.messageId

function responseStart(steps: readonly CutStep[], index: number): number {
  let at = index
  while (at > 0 && isOneResponse(steps[at - 1]!, steps[at]!)) at -= 1
  return at
}
