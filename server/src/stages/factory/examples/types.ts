import type { ExampleDetail, ExampleOptions, Segment } from '#contracts/entities/example.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import type { UserCut } from '../segments/types.ts'

export interface ExamplesInput {
  database: string
  archive: string
  traceId: string
  options: ExampleOptions
  /** In place of the stored cuts of the user, to try others. */
  cuts?: readonly UserCut[]
}

/**
 * An example with its bodies, uncleared: nothing of it may leave before the gate has passed it. `messages` are the
 * user's where an edit stands; then `original` holds those of the source.
 */
export interface BuiltExample extends Omit<ExampleDetail, 'findings' | 'parentId' | 'createdAt'> {
  /** sha256 of the messages as the source gives them. */
  sourceHash: string
}

/** no_prompt, no_own_prompt, empty, only_failures, low_success, no_steps. */
export interface Excluded {
  segmentId: string | null
  reason: string
  detail: string | null
}

export interface ExamplesOutput {
  trace: Trace
  /** `rev` of the trace's rows that this was made from. */
  rev: number
  segments: Segment[]
  examples: BuiltExample[]
  excluded: Excluded[]
}
