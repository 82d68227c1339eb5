import type { ExampleDetail, ExampleOptions, ExcludedSegment, Segment, SegmentCut } from '#contracts/entities/example.ts'
import type { Trace } from '#contracts/entities/trace.ts'

export interface ExamplesInput {
  database: string
  archive: string
  traceId: string
  options: ExampleOptions
  /** Instead of the stored cuts of the user, to try others. */
  cuts?: readonly SegmentCut[]
  /** Segments that failed too: the rejected sides of preference pairs. */
  anyOutcome?: boolean
}

/**
 * An example with its bodies, uncleared: nothing of it may leave before the gate has passed it. `messages` are the
 * user's if there is an edit; then `original` holds those of the source.
 */
export interface BuiltExample extends Omit<ExampleDetail, 'findings' | 'replacements' | 'parentId' | 'generatedBy' | 'createdAt'> {
  /** Of a variant: the example that it has the solution of, and the model that worded it. */
  parentId?: string
  generatedBy?: string
  /** sha256 of the messages as the source gives them. */
  sourceHash: string
}

export interface ExamplesOutput {
  trace: Trace
  /** `rev` of the trace's rows that this was made from. */
  rev: number
  segments: Segment[]
  examples: BuiltExample[]
  excluded: ExcludedSegment[]
}
