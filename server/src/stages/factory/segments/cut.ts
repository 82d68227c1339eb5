import type { BoundaryKind, SegmentCut } from '#contracts/entities/example.ts'
import { fileBoundaries } from './files.ts'
import { isOtherScope } from './scope.ts'
import type { CutItem, CutPrompt, CutStep } from './types.ts'

export interface CutOptions {
  gapMinutes: number
}

export interface Cut {
  steps: CutStep[]
  boundary: { kind: BoundaryKind; why: string }
  /** The last user prompt before its first step; null if there is none. */
  promptId: string | null
  /** The first item that came with that prompt. */
  promptFrom: string | null
  /** True if that prompt comes after the previous segment. */
  ownPrompt: boolean
}

type Boundary = Cut['boundary']
/** By the index of the step after the boundary. */
type Boundaries = Map<number, Boundary>

const START: Boundary = { kind: 'start', why: 'start of session' }
const BY_HAND: Boundary = { kind: 'user', why: 'set manually' }
const MIN_STEPS = 2

/**
 * Cuts the main conversation into tasks. Every step is in exactly one segment, and calls of one response are never separated.
 * The user's cuts override the rules and do not affect other boundaries; cuts at unknown steps are ignored.
 */
export function cutSegments(items: readonly CutItem[], options: CutOptions, userCuts: readonly SegmentCut[] = []): Cut[] {
  const steps = items.filter((item): item is CutStep => item.kind === 'step')
  if (steps.length === 0) return []
  const prompts = promptsBefore(items)
  const hard = hardBoundaries(steps, options.gapMinutes * 60_000)
  const boundaries = mergeShort(new Map([...hard, ...fileScopes(steps, [...hard.keys()], prompts)]), steps)
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
    const ownPrompt = prompts.get(start)
    const prompt = ownPrompt ?? latestBefore(prompts, start)
    return {
      steps: steps.slice(start, starts[index + 1]),
      boundary: boundaries.get(start) ?? START,
      promptId: prompt?.id ?? null,
      promptFrom: prompt?.from ?? null,
      ownPrompt: ownPrompt !== undefined,
    }
  })
}

/** The last prompt directly before each step, by the step's index. */
function promptsBefore(items: readonly CutItem[]): Map<number, CutPrompt> {
  const prompts = new Map<number, CutPrompt>()
  let step = 0
  for (const item of items) {
    if (item.kind === 'prompt') prompts.set(step, item)
    else step += 1
  }
  return prompts
}

function latestBefore(prompts: ReadonlyMap<number, CutPrompt>, start: number): CutPrompt | null {
  let latest: CutPrompt | null = null
  for (const [at, prompt] of prompts) if (at < start) latest = prompt
  return latest
}

/** Boundaries at time gaps, commits and changes of directory. */
function hardBoundaries(steps: readonly CutStep[], gapMs: number): Boundaries {
  const boundaries: Boundaries = new Map()
  let lastCommit: CutStep | null = null
  let lastEnd: number | null = null
  let location = { cwd: null as string | null, scope: null as string | null }
  steps.forEach((step, index) => {
    const previous = steps[index - 1]
    const gap = lastEnd !== null && step.at !== null ? step.at - lastEnd : 0
    const isAfterCommit = lastCommit !== null && step.git === 'after'
    if (previous && !isOneResponse(previous, step)) {
      const boundary = hardBoundary({ gap, gapMs, lastCommit: isAfterCommit ? null : lastCommit, from: location, step })
      if (boundary) boundaries.set(index, boundary)
      if (boundary) lastEnd = null
    }
    if (step.git === 'commit') lastCommit = step
    else if (!isAfterCommit && !(lastCommit && previous && isOneResponse(previous, step))) lastCommit = null
    const end = step.endedAt ?? step.at
    if (end !== null) lastEnd = lastEnd === null ? end : Math.max(lastEnd, end)
    if (step.cwd !== null) location = { cwd: step.cwd, scope: step.scope }
  })
  return boundaries
}

function hardBoundary(facts: {
  gap: number
  gapMs: number
  lastCommit: CutStep | null
  from: { cwd: string | null; scope: string | null }
  step: CutStep
}): Boundary | null {
  const { gap, gapMs, lastCommit: committed, from, step } = facts
  if (committed) return { kind: 'git_commit', why: 'previous step was a commit' }
  if (gap > gapMs) return { kind: 'time_gap', why: `${minutes(gap)} idle since the previous step` }
  if (isOtherScope(from, step)) {
    return { kind: 'directory', why: `from ${from.scope ?? from.cwd} to ${step.scope ?? step.cwd}` }
  }
  return null
}

const minutes = (ms: number) => {
  const rounded = Math.round(ms / 60_000)
  return rounded < 120 ? `${rounded} min` : `${Math.round(rounded / 60)} h`
}

/** Boundaries where the files change, searched between two hard boundaries. */
function fileScopes(steps: readonly CutStep[], hard: readonly number[], prompts: ReadonlyMap<number, CutPrompt>): Boundaries {
  const boundaries: Boundaries = new Map()
  const ends = [...hard, steps.length]
  let start = 0
  for (const end of ends) {
    const fileSteps = steps.slice(start, end).flatMap(({ file }, offset) => (file === null ? [] : [{ file, index: start + offset }]))
    const places = fileSteps.map(({ file, index }, order) => {
      const before = fileSteps[order - 1]?.index ?? index
      let at = index
      for (let step = index; step > before; step -= 1) if (prompts.has(step)) at = step
      return { file, at: responseStart(steps, at) }
    })
    for (const { at, jaccard } of fileBoundaries(places)) {
      if (at <= start) continue
      boundaries.set(at, { kind: 'file_scope', why: `different files than before (Jaccard ${jaccard.toFixed(2)})` })
    }
    start = end
  }
  return boundaries
}

/** Merges segments of one step into the previous segment; at the start and after a commit, into the next one. */
function mergeShort(boundaries: Boundaries, steps: readonly CutStep[]): Boundaries {
  const merged: Boundaries = new Map()
  let start = 0
  const places = [...boundaries.keys()].toSorted((a, b) => a - b)
  places.forEach((at, index) => {
    const boundary = boundaries.get(at)!
    const isShortBefore = at - start < MIN_STEPS
    const startedBy = merged.get(start)?.kind ?? 'start'
    if (isShortBefore && (startedBy === 'start' || startedBy === 'git_commit')) return // merge into the next segment
    const length = (places[index + 1] ?? steps.length) - at
    const isLast = index === places.length - 1
    if (length < MIN_STEPS && (boundary.kind !== 'git_commit' || isLast)) return // merge into the previous segment
    merged.set(at, boundary)
    start = at
  })
  return merged
}

export const isOneResponse = (a: CutStep, b: CutStep): boolean => a.messageId !== null && a.messageId === b.messageId

function responseStart(steps: readonly CutStep[], index: number): number {
  let at = index
  while (at > 0 && isOneResponse(steps[at - 1]!, steps[at]!)) at -= 1
  return at
}
