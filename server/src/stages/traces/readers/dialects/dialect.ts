import { parseShallow } from '#server/shallow-json.ts'
import type { Outcome } from '../claude-code/outcome.ts'
import { isObject } from '../claude-code/record.ts'
import type { TokenCounts } from '#server/prices/prices.ts'

export type Json = Record<string, unknown>

/** One part of a record. Its index in the record is the `block` of its archive position. */
export type Part =
  | { type: 'prompt' | 'text' | 'thinking' | 'notice' | 'error' | 'compaction'; text: string; label?: string }
  | { type: 'call'; id: string | null; tool: string; input: Json }
  | { type: 'result'; id: string; text: string; outcome: Outcome; endedAt: number | null }

export interface Message {
  /** The last record with this key wins; null if records are never rewritten. */
  key: string | null
  at: number | null
  messageId: string | null
  model: string | null
  promptId: string | null
  parts: Part[]
  /** The key of the message that has these parts, in another record; if that message is the user's, text parts become prompts. */
  of?: string
  /** Position in the conversation if it differs from that in the file; compares as text. */
  sort?: string
  /** The sub-agent of the message, in a file with several conversations. */
  agent?: string
}

/** Tokens of one response; `input` excludes cached ones. */
export interface Usage extends TokenCounts {
  key: string
  model: string | null
  /** From a running total: only used if the file has no numbers per response. */
  isRunning?: boolean
  /** Its sub-agent, in a file with several conversations. */
  agent?: string
}

export interface Facts {
  cwd: string | null
  branch: string | null
  version: string | null
  model: string | null
}

/** The content of one archived record. */
export interface RecordContent {
  at: number | null
  messages: Message[]
  /** Facts that hold from this record on. */
  facts?: Partial<Facts>
  title?: string | null
  /** Why a part of the record could not be read. */
  problem?: string
  /** The session that this one is a copy of, as far as it repeats it; its own id otherwise. */
  root?: string | null
  usage?: Usage[]
  /** The message with this key and all later ones were undone. */
  rewindTo?: string
  /** Exit codes recorded separately from results. */
  exits?: { id: string; code: number }[]
  /** Calls that started a sub-agent, and facts about it. */
  links?: { agent: string; call: string; type?: string | null; description?: string | null }[]
  /** A message whose parts are in separate records. */
  head?: { id: string; role: string | null; sort: string; model: string | null; cwd: string | null }
}

/**
 * The format of one agent. `read` takes one record and keeps no state, so that pages and the search index can read
 * the body of any single record.
 */
export interface Dialect {
  read(record: Json): RecordContent
  /** Whether an object is a record, and not a part of one that is damaged. */
  isRecord: (value: Json) => boolean
}

export const UNKNOWN: Outcome = { success: null, exitCode: null, isError: false, rejectedBy: null }

/** An exit code overrides a status such as "completed". */
export function byExitCode(exitCode: number): Outcome {
  return { success: exitCode === 0, exitCode, isError: exitCode !== 0, rejectedBy: null }
}

export const count = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0)

/** Objects of a list; everything else is skipped. */
export const objectsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

export function parseObject(text: unknown): Json | null {
  if (isObject(text)) return text
  if (typeof text !== 'string' || !text.trimStart().startsWith('{')) return null
  try {
    return parseShallow(text).value as Json // starts with a brace and parses, so it is an object
  } catch {
    return null
  }
}
