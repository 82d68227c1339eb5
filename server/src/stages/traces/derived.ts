import type { Agent } from '#contracts/entities/common.ts'
import type { Subagent, TouchedFile, TraceProblem, TraceState, Turn } from '#contracts/entities/trace.ts'
import type { ModelUsage, Usage } from '#server/prices/prices.ts'

/** Position of a block in the archive: a source, a raw byte range (one record), and the block in its content. */
export interface Location {
  source: string
  generation: number
  offset: number
  length: number
  /** Index in `message.content`; 0 for string content; -1 for the record itself. */
  block: number
}

export type EntryKind = 'prompt' | 'text' | 'thinking' | 'call' | 'notice' | 'error' | 'compaction'

/**
 * One item on the page of a session. Bodies stay in the archive; a row has what lists, filters and the timeline
 * need. Steps are the entries of kind `call`.
 */
export interface EntryRow {
  id: string
  /** Sort key, compared as text: 8 hex digits per conversation level; the keys of a sub-agent start with that of its call. */
  ord: string
  kind: EntryKind
  /** A text other than a prompt that the model was given: it began a turn, or came during one. */
  asks: 'begins' | 'within' | null
  /** Rewound, edited or sent again: not part of the conversation that the session ended with. */
  abandoned: boolean
  /** Answered by a mod of the client, whatever model the client names. */
  byMod: boolean
  /** Calls only: see `Step.seq` in contracts. */
  seq: number | null
  /** "main" or the sub-agent id. */
  agent: string
  parentStepId: string | null
  at: number | null
  endedAt: number | null
  /** One line for the timeline: command, file, pattern, kind of notice, first words. At most 200 characters. */
  label: string | null
  tool: string | null
  toolUseId: string | null
  success: boolean | null
  exitCode: number | null
  isError: boolean
  rejectedBy: 'user' | 'rule' | 'interrupt' | null
  answered: boolean
  file: string | null
  edits: boolean
  outputBytes: number
  cwd: string | null
  messageId: string | null
  promptId: string | null
  model: string | null
  location: Location
  result: Location | null
  /** The complete file of a large output (`tool-results/…`), if archived. */
  spill: { source: string; generation: number; length: number } | null
  /** Equal in all sessions for a record that a fork copied: tool_use_id, or record uuid and block. */
  sharedKey: string
}

/** Usage of one API response. Unknown counts are null (placeholders of old clients). */
export interface ResponseRow extends Usage {
  /** `<message id>\0<request id>`, or another id if the client writes none. Equal in every fork. */
  key: string
  model: string | null
  agent: string
  /** Of its first record; absent if the agent's transcripts do not tell. */
  at?: number | null
  /** As `EntryRow.messageId` of its entries; absent if nothing tells which they are. */
  messageId?: string | null
}

export interface DerivedTrace {
  traceId: string
  /** The session is known only from hooks; it has no transcript. */
  hooksOnly: boolean
  agent: Agent
  sessionId: string
  title: string | null
  firstPrompt: string | null
  cwd: string | null
  /** Root folder and name of the repository with most calls, without reading the project's disk. */
  repo: string | null
  gitBranch: string | null
  clientVersion: string | null
  /** How the client says that it was started, such as `cli` or `sdk-cli`. */
  entrypoint?: string | null
  startedAt: number | null
  endedAt: number | null
  activeMs: number | null
  /** How long the main conversation waited for the user; null if nothing in it has a time. */
  waitingMs: number | null
  state: TraceState
  models: string[]
  counts: {
    prompts: number
    abandonedTurns: number
    toolCalls: number
    failedToolCalls: number
    rejectedToolCalls: number
    subagents: number
    commits: number
  }
  turns: number
  tools: Record<string, number>
  /** Sums per model for the price; `responses` has the numbers of each response. */
  tokensByModel: Record<string, ModelUsage>
  /** Commits that it made, in order; absent if the agent's transcripts do not tell them. */
  commitList?: readonly { sha: string; stepId: string; at: number | null }[]
  turnList: Turn[]
  subagents: Subagent[]
  files: TouchedFile[]
  problems: TraceProblem[]
  problemCount: number
}

export interface DeriveInput {
  traceId: string
  traceDir: string
  /** Keep the reader in this thread for the next growth. */
  keep: boolean
  /** The version of the last output in the database, or null to get everything. */
  since: string | null
  analysers: { name: string; url: string; options: unknown }[]
}

export interface DeriveOutput {
  /** Changes with every output of this reader; passed back as `since`. */
  version: string
  /** True: `entries` and `responses` are complete. False: only what changed since `since`. */
  complete: boolean
  trace: DerivedTrace
  entries: EntryRow[]
  removed: string[]
  responses: ResponseRow[]
  /** By analyser name: the result of its `analyseTrace`. */
  analyses: Record<string, unknown>
  /** Lines read for this output, and calls among them. */
  records: number
  steps: number
  errors: { file: string; line: number | null; message: string }[]
  /** From another thread: the packed rows, instead of `entries` and `responses`. */
  packed?: PackedRows
}

/** Rows in packed slices, so that a long session is never in memory or copied as a whole (slices.ts). */
export interface PackedRows {
  entries: Uint8Array[]
  responses: Uint8Array[]
  /** Entries and responses together. */
  count: number
  /** `factsOf` of all entries. */
  facts: EntryFacts
}

export interface EntryFacts {
  /** Longest sequence of failed calls in one conversation. */
  longestFailureRun: number
  lastCallUnanswered: boolean
  exits: Map<number, number>
}
