import type { EntryKind, EntryRow } from '../../derived.ts'
import type { ReaderSource } from '../reader.ts'
import type { ChangedPath, Input } from './calls.ts'
import { LineSplitter } from './lines.ts'
import type { Outcome } from './outcome.ts'

/** Facts of a record. Bodies stay in the archive. */
export interface Rec {
  /** uuid or a substitute; a different record with the same uuid gets a suffix. */
  key: string
  uuid: string
  /** Null at a root. */
  parent: string | null
  at: number | null
  /** "main", a sub-agent's id, or null for a side chain in the main file whose root is looked up later. */
  agent: string | null
  /** `agent`, or the root of the side chain, if known when the record was read. */
  conversation: string
  fingerprint: string
  source: SourceState
  offset: number
  length: number
  /** Line in its source, from 1. */
  line: number
  /** For the chain; `other` neither starts a branch nor ends a chain. */
  role: RecordRole
  promptId: string | null
  cwd: string | null
  branch: string | null
  version: string | null
  entries: Entry[]
  /** Copies of the parent's records in a sub-agent file, which get no rows. */
  isCopy: boolean
  /** Equal in copies of the session that write it with another key. */
  shared?: string
  /** Index of its first block in the archived record, if that has several messages. */
  firstBlock?: number
}

/**
 * `input`: a text of the user's side. `note`: a text of the client for the model. `answer`: the model's. `result`: results of calls.
 * `summary`: what a compaction left.
 */
export type RecordRole = 'input' | 'note' | 'answer' | 'result' | 'summary' | 'other'

/** What the model was given besides typed prompts: a slash command, a text of the client for the model, or any other input. */
export type Given = 'command' | 'meta' | 'input'

export interface Entry {
  rec: Rec
  kind: EntryKind
  given: Given | null
  /** The answer of a mod, not of a model behind the API. */
  byMod: boolean
  block: number
  label: string | null
  model: string | null
  messageId: string | null
  /** Prompts: the first 2,000 characters. */
  text: string | null
  /** First text of a sub-agent, to find its call, and prompts, to find those sent again: sha1 of the full text. */
  textHash: string | null
  call: Call | null
  /** Id and position in the last output; null if the entry was not in it. */
  lastOutput: { id: string; placed: Placed } | null
  /** Something other than its position changed since the last output. */
  isDirty: boolean
}

export interface Call {
  toolUseId: string | null
  tool: string
  file: string | null
  /** Kept until the result is read and both are analysed. */
  input: Input | null
  agentPromptHash: string | null
  agentType: string | null
  agentDescription: string | null
  outcome: Outcome | null
  result: { rec: Rec; block: number } | null
  outputBytes: number
  spill: string | null
  commit: string | null
  /** Files that a shell command changed. */
  changed: readonly ChangedPath[]
  /** By analyser; null until analysed. */
  facts: unknown[] | null
}

type CallRequest = Pick<Call, 'toolUseId' | 'tool' | 'file' | 'input' | 'agentPromptHash' | 'agentType' | 'agentDescription'>

/** A call as it was made, before its result. */
export const unanswered = (request: CallRequest): Call => ({
  ...request,
  outcome: null,
  result: null,
  outputBytes: 0,
  spill: null,
  commit: null,
  changed: [],
  facts: null,
})

export interface SourceState {
  source: ReaderSource
  lines: LineSplitter
  records: Rec[]
  /** Whether the source contains records of 1.0.x side chains. */
  hasSideChains: boolean
  /** The sub-agent whose file this is. */
  agentId: string | null
  /** Times of records outside the conversation. */
  stateTimes: number[]
  titles: { kind: 'custom' | 'ai' | 'summary'; text: string; leaf: string | null }[]
  lineCount: number
  problems: { kind: string; line: number; message: string }[]
}

export const newSourceState = (source: ReaderSource, agentId: string | null): SourceState => ({
  source,
  lines: new LineSplitter(),
  records: [],
  hasSideChains: false,
  agentId,
  stateTimes: [],
  titles: [],
  lineCount: 0,
  problems: [],
})

/** Problem of a record that differs from another one with its id. */
export const contradictionIn = ({ uuid }: Pick<Rec, 'uuid'>): string => `Two different records have the uuid ${uuid}; both are kept.`

/** The source whose copy of a record wins: the newest generation, then by name. */
export const isPreferred = (a: ReaderSource, b: ReaderSource): boolean =>
  a.generation !== b.generation ? a.generation > b.generation : a.name < b.name

/** What an entry is in its conversation, which depends on the records around it. */
export interface Part {
  kind: EntryKind
  asks: EntryRow['asks']
  /** Not on the chain that the session ended with: rewound, edited or sent again. */
  abandoned: boolean
}

export interface Placed extends Part {
  entry: Entry
  agent: string
  ord: string
  seq: number | null
  parent: Entry | null
  promptId: string | null
  /** False for a second call with the same tool_use_id in another response: its id is made of record and block. */
  ownsToolUseId: boolean
}
