/** The fields of a transcript record used for rows. All are optional, because the format belongs to the client. */
export interface RawRecord {
  type?: string
  subtype?: string
  uuid?: string
  parentUuid?: string | null
  logicalParentUuid?: string | null
  sessionId?: string
  agentId?: string
  isSidechain?: boolean
  isMeta?: boolean
  isCompactSummary?: boolean
  isApiErrorMessage?: boolean
  answeredWithoutRequest?: boolean
  forkedFrom?: { messageUuid?: unknown }
  timestamp?: string
  cwd?: string
  gitBranch?: string
  version?: string
  promptId?: string
  promptSource?: string
  turnOrigin?: string
  origin?: { kind?: string }
  requestId?: string
  entrypoint?: unknown
  message?: RawMessage
  content?: unknown
  toolUseResult?: unknown
  toolDenialKind?: string
  toolDenialBeforeRun?: boolean
  permissionDecision?: { decision?: string; source?: string }
  toolUseID?: string
  parentToolUseID?: string
  data?: { agentId?: string; type?: string }
  attachment?: Record<string, unknown> & { type?: string }
  hookErrors?: unknown[]
  customTitle?: string
  aiTitle?: string
  title?: string
  summary?: string
  leafUuid?: string
}

export interface RawMessage {
  id?: string
  role?: string
  model?: string
  content?: unknown
  stop_reason?: string | null
  usage?: RawUsage
}

export interface RawUsage {
  input_tokens?: number
  output_tokens?: number
  cache_creation_input_tokens?: number
  cache_read_input_tokens?: number
  cache_creation?: unknown
  server_tool_use?: unknown
  speed?: unknown
  iterations?: unknown
}

export interface RawBlock {
  type?: string
  text?: string
  thinking?: string
  id?: string
  name?: string
  input?: unknown
  tool_use_id?: string
  content?: unknown
  is_error?: boolean
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Whether an object is a record of a transcript, and not a part of one that is damaged. */
export const isTranscriptRecord = ({ type, sessionId, uuid, parentUuid, leafUuid }: Record<string, unknown>): boolean =>
  typeof type === 'string' &&
  (typeof sessionId === 'string' || (typeof uuid === 'string' && parentUuid !== undefined) || typeof leafUuid === 'string')

type TextField<T> = { [K in keyof T]-?: string extends NonNullable<T[K]> ? K : never }[keyof T]

const RECORD_TEXTS: readonly TextField<RawRecord>[] = [
  ...(['type', 'subtype', 'uuid', 'parentUuid', 'logicalParentUuid', 'sessionId', 'agentId', 'timestamp', 'cwd', 'gitBranch'] as const),
  ...(['version', 'promptId', 'promptSource', 'turnOrigin', 'requestId', 'toolDenialKind', 'toolUseID', 'parentToolUseID'] as const),
  ...(['customTitle', 'aiTitle', 'title', 'summary', 'leafUuid'] as const),
]
/** No record has this id, so the record before is taken to be the parent. */
const UNKNOWN_PARENT = ''
/** A blank id, which some gateways write, is a missing id. */
const RECORD_IDS = ['uuid', 'parentUuid', 'requestId', 'agentId', 'promptId'] as const
const MESSAGE_TEXTS: readonly TextField<RawMessage>[] = ['id', 'role', 'model', 'stop_reason']
const BLOCK_TEXTS: readonly TextField<RawBlock>[] = ['type', 'text', 'thinking', 'id', 'name', 'tool_use_id']

/**
 * A parsed line as a record; null if it is not an object. A field of another type counts as absent, because one
 * invalid field must not lose the rows of a session. Changes the given value.
 */
export function asRecord(value: unknown): RawRecord | null {
  if (!isObject(value)) return null
  const raw = value as RawRecord
  const isRoot = raw.parentUuid === null
  keepTexts(raw, RECORD_TEXTS)
  for (const id of RECORD_IDS) if (typeof raw[id] === 'string' && raw[id].trim() === '') raw[id] = undefined
  if (!isRoot && raw.logicalParentUuid === undefined) raw.parentUuid ??= UNKNOWN_PARENT
  if (raw.message !== undefined && !isObject(raw.message)) raw.message = undefined
  if (raw.message) {
    keepTexts(raw.message, MESSAGE_TEXTS)
    if (typeof raw.message.id === 'string' && raw.message.id.trim() === '') raw.message.id = undefined
    if (!isObject(raw.message.usage)) raw.message.usage = undefined
  }
  if (raw.data !== undefined && !isObject(raw.data)) raw.data = undefined
  if (raw.origin !== undefined && !isObject(raw.origin)) raw.origin = undefined
  if (raw.hookErrors !== undefined && !Array.isArray(raw.hookErrors)) raw.hookErrors = undefined
  if (raw.attachment !== undefined && !isObject(raw.attachment)) raw.attachment = undefined
  if (raw.forkedFrom !== undefined && !isObject(raw.forkedFrom)) raw.forkedFrom = undefined
  if (raw.attachment) keepTexts(raw.attachment, ['type'])
  if (raw.permissionDecision !== undefined && !isObject(raw.permissionDecision)) raw.permissionDecision = undefined
  if (raw.permissionDecision) keepTexts(raw.permissionDecision, ['decision', 'source'])
  return raw
}

/** Sets fields other than text, including null, to undefined (deleting makes objects slow). */
function keepTexts<T extends object>(object: T, fields: readonly (keyof T)[]): void {
  for (const field of fields) {
    const value = object[field]
    if (value !== undefined && typeof value !== 'string') object[field] = undefined as T[keyof T]
  }
}

/** Blocks of a message's content; string content is one text block. */
export function blocksOf(content: unknown): RawBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? (content as unknown[]).map((block) => (isObject(block) ? asBlock(block) : {})) : []
}

function asBlock(block: RawBlock): RawBlock {
  keepTexts(block, BLOCK_TEXTS)
  if (block.id?.trim() === '') block.id = undefined
  if (block.tool_use_id?.trim() === '') block.tool_use_id = undefined
  return block
}

/** The text of a tool result: a string, or its text blocks joined by newlines; other blocks are named in brackets. */
export function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return isObject(content) ? jsonOf(content) : ''
  const parts: string[] = []
  for (const block of content as unknown[]) {
    if (typeof block === 'string') parts.push(block)
    else if (isObject(block)) parts.push(typeof block.text === 'string' ? block.text : `[${textOrNull(block.type) ?? 'block'}]`)
  }
  return parts.join('\n')
}

/** As JSON; a placeholder if it is nested too deep. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return '[nested too deep to be shown]'
  }
}

/** Times outside this range are invalid and must not stretch the timeline. */
const FIRST_TIME = Date.UTC(2000, 0, 1)
const LAST_TIME = Date.UTC(2100, 0, 1)

export function timeOf(value: unknown): number | null {
  if (typeof value !== 'string') return null
  const at = Date.parse(value)
  return at >= FIRST_TIME && at < LAST_TIME ? at : null
}

/** The first non-empty line, at most `limit` characters, never half a surrogate pair. */
export function firstLine(text: string, limit = 200): string {
  const start = text.slice(0, 4000).trimStart()
  const end = start.search(/[\r\n]/)
  return cut((end < 0 ? start : start.slice(0, end)).trimEnd(), limit)
}

export function cut(text: string, limit: number): string {
  if (text.length <= limit) return detach(text)
  const last = text.charCodeAt(limit - 2)
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 2 : limit - 1
  return detach(`${text.slice(0, end)}…`)
}

/**
 * In V8 a substring keeps the whole string in memory. Strings that are kept are copied, so that
 * a reader uses only the memory it needs.
 */
export function detach(text: string): string {
  if (text.length < 13) return text
  const encoding = ONE_BYTE.test(text) ? 'latin1' : 'utf16le'
  return Buffer.from(text, encoding).toString(encoding)
}

/** V8 stores such text with one byte per character. */
const ONE_BYTE = /^[\0-\xff]*$/
