import { parseShallow } from '#server/shallow-json.ts'
import type { Outcome } from '../claude-code/outcome.ts'

export type Json = Record<string, unknown>

/** One thing that a record says. Its index among the parts of the record is the `block` of its place in the archive. */
export type Part =
  | { type: 'prompt' | 'text' | 'thinking' | 'notice' | 'error' | 'compaction'; text: string; label?: string }
  | { type: 'call'; id: string | null; tool: string; input: Json }
  | { type: 'result'; id: string; text: string; outcome: Outcome; endedAt: number | null }

export interface Message {
  /** The last record with this key stands; null where records are never written again. */
  key: string | null
  at: number | null
  messageId: string | null
  model: string | null
  promptId: string | null
  parts: Part[]
  /** Text parts become prompts if this message, of another record, is the user's. */
  of?: string
  /** Place in the conversation, where it is not that in the file; compares as text. */
  sort?: string
  /** The sub-agent whose message it is, in a file that has the conversations of several. */
  agent?: string
}

/** Tokens of one response, cached ones outside of `input`. */
export interface Usage {
  key: string
  model: string | null
  input: number | null
  output: number | null
  cacheRead: number | null
  cacheWrite: number | null
  /** From a running sum: counts only where the file has no figures by response. */
  isRunning?: boolean
  /** The sub-agent that it was for, in a file that has the conversations of several. */
  agent?: string
}

export interface Facts {
  cwd: string | null
  branch: string | null
  version: string | null
  model: string | null
}

/** What one record of the archive tells. */
export interface RecordContent {
  at: number | null
  messages: Message[]
  /** Facts from here on. */
  facts?: Partial<Facts>
  title?: string | null
  usage?: Usage[]
  /** The message with this key and all after it were taken back. */
  rewindTo?: string
  /** Exit codes that stand apart from the results. */
  exits?: { id: string; code: number }[]
  /** Calls that started a sub-agent, and what is said of it. */
  links?: { agent: string; call: string; type?: string | null; description?: string | null }[]
  /** A message whose parts are records of their own. */
  head?: { id: string; role: string | null; sort: string; model: string | null; cwd: string | null }
}

/**
 * How one agent writes. `read` knows one record at a time and keeps nothing, so that pages and the search index read
 * bodies back from any single record.
 */
export interface Dialect {
  read(record: Json): RecordContent
}

export const UNKNOWN: Outcome = { success: null, exitCode: null, isError: false, rejectedBy: null }

/** An exit code decides; it outranks a status such as "completed" (system.md §3.1). */
export function byExitCode(exitCode: number): Outcome {
  return { success: exitCode === 0, exitCode, isError: exitCode !== 0, rejectedBy: null }
}

export const count = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0)

/** Objects of a list; everything else in it is passed over. */
export const objectsOf = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((one): one is Json => typeof one === 'object' && one !== null && !Array.isArray(one)) : []

export function parseObject(text: unknown): Json | null {
  if (typeof text === 'object' && text !== null && !Array.isArray(text)) return text as Json // told by the checks before it
  if (typeof text !== 'string' || !text.trimStart().startsWith('{')) return null
  try {
    return parseShallow(text).value as Json // begins with a brace and parses: an object
  } catch {
    return null
  }
}
