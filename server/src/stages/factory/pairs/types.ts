import type { Tier } from '#contracts/entities/common.ts'
import type { ExampleOptions, PairSource } from '#contracts/entities/example.ts'

/** One side of a pair, without its text: the example or the step that it is made from again. */
export interface Side {
  traceId: string
  tier: Tier
  quality: number | null
  /** Of a task pair. */
  exampleId: string | null
  /** Of a decision or a correction: the call. */
  stepId: string | null
  steps: number
}

/** A pair as it was found. Its id depends on its two sides alone, so that a review holds when it is found again. */
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

/** A task of a session that may be on either side. */
export interface Task {
  traceId: string
  exampleId: string
  agent: string
  repo: string | null
  tier: Tier
  quality: number | null
  prompt: string
  steps: number
  /** Characters of what the assistant and the tools say. */
  chars: number
  /** Hashes of 3-word shingles of that, to find sides that are nearly equal. */
  shingles: Uint32Array
}

/** Sessions of attempts at one task: the one that the user likes best, and those whose checks failed. */
export interface Preferred {
  chosen: string
  rejected: readonly string[]
}

export interface Material {
  tasks: Task[]
  pairs: FoundPair[]
  left: LeftOut[]
}

export interface LeftOut {
  reason: string
  count: number
}

export interface MaterialInput {
  database: string
  archive: string
  traceIds: readonly string[]
  options: ExampleOptions
}
