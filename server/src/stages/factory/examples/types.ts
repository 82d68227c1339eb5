import type { ExampleDetail, ExampleOptions, ExcludedSegment, Segment, SegmentCut } from '#contracts/entities/example.ts'
import type { Trace } from '#contracts/entities/trace.ts'

export interface ExamplesInput {
  database: string
  archive: string
  traceId: string
  options: ExampleOptions
  /** Overrides the user's stored cuts. */
  cuts?: readonly SegmentCut[]
  /** Includes failed segments, for the rejected sides of preference pairs. */
  anyOutcome?: boolean
}

/**
 * An uncleared example with its bodies: it must pass the gate before it leaves the stage. If the user edited it, `messages` are
 * the edited ones and `original` those of the source.
 */
export interface BuiltExample extends Omit<ExampleDetail, 'findings' | 'replacements' | 'parentId' | 'generatedBy' | 'createdAt'> {
  /** Of a generated example: its original, and the model that wrote it. */
  parentId?: string
  generatedBy?: string
  /** sha256 of the source's messages. */
  sourceHash: string
}

export interface ExamplesOutput {
  trace: Trace
  /** `rev` of the trace that this was made from. */
  rev: number
  segments: Segment[]
  examples: BuiltExample[]
  excluded: ExcludedSegment[]
}
