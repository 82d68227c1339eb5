import type { DatasetKind, DroppedRow } from '#contracts/entities/dataset.ts'
import type { ChatMessage, PairSource, PreferenceRow, ToolSchema } from '#contracts/entities/example.ts'
import type { JobContext } from '#server/jobs/jobs.ts'

/** What a trainer reads, by kind of data set. Columns beside these are kept (rewards of RLVR rows). */
export interface SftRow {
  messages: ChatMessage[]
  tools: ToolSchema[]
}
/** KTO: `label` true is wanted, false is not. */
export interface LabelledRow {
  prompt: ChatMessage[]
  completion: ChatMessage[]
  label: boolean
  tools: ToolSchema[]
}
export interface PromptRow {
  prompt: ChatMessage[]
  tools: ToolSchema[]
  [column: string]: unknown
}
export type DataRow = SftRow | PreferenceRow | LabelledRow | PromptRow

export interface RowMetadata {
  exampleId: string
  traceId: string | null
  segment: string | null
  repo: string | null
  tier: string | null
  quality: number | null
  scoreVersion: number | null
  [more: string]: unknown
}

interface PairSide {
  traceId: string
  exampleId: string | null
  stepId: string | null
}

/** A row on its way into a data set, whatever its kind, with what curation needs to know of it. */
export interface Candidate {
  /** Stays the same when the data set is built again. */
  id: string
  /** The sessions it was made from, its own first: none of them may be on two sides of a split. Empty: imported. */
  traceIds: string[]
  /** Of a row without a session: rows with the same group stay together. Null: it belongs to no group. */
  group: string | null
  /** Step of each message, in the order of `messagesOf`; null if none is known. */
  stepIds: (string | null)[]
  segmentId: string | null
  repo: string | null
  tier: string | null
  /** 0–1; of two that repeat each other the higher stays. Null is below all. */
  quality: number | null
  scoreVersion: number | null
  /** When its session began, ms since 1970. */
  at: number | null
  /** Of a generated row: the row whose solution it has, and the model that worded it. */
  variantOf?: string
  generatedBy?: string
  /** Of a preference: where its two sides come from. */
  pair?: {
    source: PairSource
    similarity: number | null
    chosen: PairSide
    rejected: PairSide
    flags: string[]
  }
  row: DataRow
}

/** Rows of every kind come to the funnel this way; `candidate` files of collection jobs hold one per line. */
export type Sourced =
  | { kind: 'row'; candidate: Candidate }
  | { kind: 'dropped'; dropped: DroppedRow }
  /** What was looked at, for the funnel: segments cut, rows made. */
  | { kind: 'counted'; segments: number; made: number; split?: Split }

/** Why segments gave more than one example each. */
export interface Split {
  splitSegments: number
  /** Examples beyond the first of each split segment. */
  parts: number
  /** Generated examples. */
  variants: number
}

/** Worker side: what a module of a row source exports as `reader`. `piece` is one element of the plan, plain data. */
export interface RowReader {
  rows(piece: unknown, place: { database: string; archive: string }): Iterable<Sourced>
}

/** Main-thread side: which kinds it has rows for, and the work in pieces that workers take one by one. */
export interface RowSource {
  kinds: readonly DatasetKind[]
  /** Address of a module that exports `reader: RowReader`. */
  module: string
  /** Pieces in a fixed order; each is handed to the reader in some worker. */
  plan(chosen: readonly string[], wanted: RowSpec, context: Pick<JobContext, 'signal' | 'progress'>): unknown[] | Promise<unknown[]>
}

/** What of a recipe a source needs to know. */
export interface RowSpec {
  kind: DatasetKind
  review: 'accepted' | 'not_rejected'
  examples: Record<string, unknown>
}

export const messagesOf = (row: DataRow): ChatMessage[] => {
  if ('messages' in row) return row.messages as ChatMessage[] // PromptRow has no column of this name
  if ('chosen' in row) return [...row.prompt, ...(row as PreferenceRow).chosen, ...(row as PreferenceRow).rejected]
  return 'completion' in row ? [...row.prompt, ...(row as LabelledRow).completion] : row.prompt
}
