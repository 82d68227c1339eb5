import type { Tier } from '#contracts/entities/common.ts'
import type { KnownOutcome } from './outcomes.ts'
import type { ExampleOptions, PairSource } from '#contracts/entities/example.ts'

/** One side of a pair: the example or step from which its text can be made again. */
export interface Side {
  traceId: string
  tier: Tier
  quality: number | null
  /** Null unless it is a side of a task pair. */
  exampleId: string | null
  /** The call of a decision or correction; else null. */
  stepId: string | null
  steps: number
}

/** Its id depends only on its two sides, so a review stays valid when the pair is found again. */
export interface FoundPair {
  id: string
  source: PairSource
  why: string
  similarity: number | null
  repo: string | null
  promptText: string
  chosen: Side
  rejected: Side
  flags: string[]
}

export interface Task {
  traceId: string
  exampleId: string
  agent: string
  repo: string | null
  tier: Tier
  /** Counts before the tier; absent if only the tier counts. */
  outcome?: KnownOutcome
  quality: number | null
  prompt: string
  steps: number
  /** Characters of the answer, including tool results. */
  chars: number
  /** Hashes of the answer's 3-word shingles, to find nearly equal sides. */
  shingles: Uint32Array
}

/** Sessions of attempts at one task: the one that the user chose, and those whose checks failed. */
export interface PreferredAttempt {
  chosen: string
  rejected: readonly string[]
}

export interface Material {
  tasks: Task[]
  pairs: FoundPair[]
  dropped: DroppedCount[]
}

export interface DroppedCount {
  reason: string
  count: number
}

export interface MaterialInput {
  database: string
  archive: string
  traceIds: readonly string[]
  options: ExampleOptions
}
