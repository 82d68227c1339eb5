import type { DatasetKind, DroppedRow } from '#contracts/entities/dataset.ts'
import type { ChatMessage, PairOrigin, PreferenceRow, ToolCall, ToolSchema } from '#contracts/entities/example.ts'
import type { JobContext } from '#server/jobs/jobs.ts'

/** A row of kind sft. */
export interface SftRow {
  messages: ChatMessage[]
  tools: ToolSchema[]
}
/** A row of kind kto; `label` is true for a desirable completion. */
export interface LabelledRow {
  prompt: ChatMessage[]
  completion: ChatMessage[]
  label: boolean
  tools: ToolSchema[]
}
/** A row of kind prompts or rlvr; other columns (such as rewards) are kept. */
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

/** A row of any kind before curation, with its origin. */
export interface Candidate {
  /** Stable between builds. */
  id: string
  /** The sessions it was made from, the main one first; all go into the same split. Empty: imported. */
  traceIds: string[]
  /** For rows without a session: rows with the same group go into the same split. */
  group: string | null
  /** Step of each message, in the order of `messagesOf`; null if none is known. */
  stepIds: (string | null)[]
  segmentId: string | null
  repo: string | null
  tier: string | null
  /** 0–1; of two duplicates the higher stays. Null is lowest. */
  quality: number | null
  scoreVersion: number | null
  /** When its session began, ms since 1970. */
  at: number | null
  /** Of a generated row: its original, and the model that wrote it. */
  variantOf?: string
  generatedBy?: string
  /** Of a preference: the origin of its two sides. */
  pair?: {
    source: PairOrigin
    similarity: number | null
    chosen: PairSide
    rejected: PairSide
    flags: string[]
  }
  row: DataRow
}

export type ReaderItem =
  | { kind: 'row'; candidate: Candidate }
  | { kind: 'dropped'; dropped: DroppedRow }
  /** Counts for the funnel. */
  | { kind: 'counted'; segments: number; candidateCount: number; split?: PartCounts }

/** Why segments gave more than one example each. */
export interface PartCounts {
  splitSegments: number
  /** Examples beyond the first of each split segment. */
  parts: number
  /** Generated examples. */
  variants: number
}

/** The `reader` export of a row source's module, for workers. `piece` is an element of the plan, as plain data. */
export interface RowReader {
  rows(piece: unknown, paths: { database: string; archive: string }): Iterable<ReaderItem>
}

/** Plans, in the main thread, pieces of work that workers read. */
export interface RowSource {
  kinds: readonly DatasetKind[]
  /** URL of a module that exports `reader: RowReader`. */
  module: string
  /** Pieces in a fixed order. */
  plan(traceIds: readonly string[], spec: RowSpec, context: Pick<JobContext, 'signal' | 'progress'>): unknown[] | Promise<unknown[]>
}

/** The part of a recipe that a source needs. */
export interface RowSpec {
  kind: DatasetKind
  review: 'accepted' | 'not_rejected'
  /** Of preferences: only pairs from these; undefined: from all. */
  pairSources?: readonly PairOrigin[] | undefined
  examples: Record<string, unknown>
}

/** The calls of an answer; none for other messages. */
export const callsOf = (message: ChatMessage): readonly ToolCall[] => (message.role === 'assistant' ? (message.tool_calls ?? []) : [])

/** The messages before the first answer, and the rest. */
export function splitAtAnswer(messages: readonly ChatMessage[]): { prompt: ChatMessage[]; answer: ChatMessage[] } {
  const first = messages.findIndex(({ role }) => role === 'assistant')
  const end = first < 0 ? messages.length : first
  return { prompt: messages.slice(0, end), answer: messages.slice(end) }
}

/** An answer without its weight carries loss. */
export function withoutWeight(message: ChatMessage): ChatMessage {
  if (message.role !== 'assistant') return message
  const { weight: _, ...rest } = message
  return rest
}

export const messagesOf = (row: DataRow): ChatMessage[] => {
  if ('messages' in row) return row.messages as ChatMessage[] // PromptRow has no column of this name
  if ('chosen' in row) return [...row.prompt, ...(row as PreferenceRow).chosen, ...(row as PreferenceRow).rejected]
  return 'completion' in row ? [...row.prompt, ...(row as LabelledRow).completion] : row.prompt
}
