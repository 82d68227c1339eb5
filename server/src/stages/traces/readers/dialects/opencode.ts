import type { Outcome } from '../claude-code/outcome.ts'
import { isObject, textOrNull, objectOf } from '../claude-code/record.ts'
import {
  byExitCode,
  count,
  objectsOf,
  parseObject,
  UNKNOWN,
  type Dialect,
  type Json,
  type Message,
  type Part,
  type RecordContent,
  type Usage,
} from './dialect.ts'

/**
 * OpenCode: each line is a row of its database, `{table, row}`; a changed row is written again. `opencode export` writes
 * one document `{info, messages: [{info, parts}]}`. Times are milliseconds.
 */
export const opencode: Dialect = {
  isRecord: ({ table, row }) => typeof table === 'string' && isObject(row),
  read(record) {
    if (isObject(record.info) && Array.isArray(record.messages)) return readExport(record.info, objectsOf(record.messages))
    const row = objectOf(record.row)
    if (record.table === 'session') return sessionOf(row, instantOrNull(row.time_created))
    if (record.table !== 'message' && record.table !== 'part') return { at: null, messages: [] }
    const data = parseObject(row.data)
    if (!data) return { at: null, messages: [], problem: `A ${record.table} is not JSON. ${REST_READ}` }
    if (record.table === 'message') return messageOf(textOrNull(row.id), data, instantOrNull(row.time_created))
    const created = instantOrNull(row.time_created)
    const part = partOf(textOrNull(row.id), textOrNull(row.message_id), data, created)
    return { at: created, messages: [part], links: linksOf(data) }
  },
}

const REST_READ = 'The rest of the session was read; the original bytes are in the archive.'

function readExport(info: Json, entries: Json[]): RecordContent {
  const time = objectOf(info.time)
  const content = sessionOf(info, instantOrNull(time.created))
  const document: RecordContent = { ...content, messages: [], usage: [], links: [] }
  for (const entry of entries) {
    const messageInfo = objectOf(entry.info)
    const head = messageOf(textOrNull(messageInfo.id), messageInfo, null)
    document.usage!.push(...(head.usage ?? []))
    document.messages.push(...head.messages)
    for (const data of objectsOf(entry.parts)) {
      const part = partOf(textOrNull(data.id), textOrNull(messageInfo.id), data, head.at)
      part.model = head.head?.model ?? null
      part.parts = part.parts.map((one) => asPrompt(one, messageInfo.role))
      delete part.of
      if (head.head) part.sort = `${head.head.sort} ${part.key ?? ''}`
      document.messages.push(part)
      document.links!.push(...linksOf(data))
    }
  }
  return document
}

/** Texts of the user are prompts. */
const asPrompt = (part: Part, role: unknown): Part => (part.type === 'text' && role === 'user' ? { ...part, type: 'prompt' } : part)

function sessionOf(row: Json, at: number | null): RecordContent {
  const [cwd, version] = [textOrNull(row.directory), textOrNull(row.version)]
  return { at, messages: [], facts: { ...(cwd && { cwd }), ...(version && { version }) }, title: titleOf(row.title) }
}

/** Default titles are ignored. */
const titleOf = (title: unknown): string | null => {
  const text = textOrNull(title)
  return text === null || /^(?:New|Child) session - /.test(text) ? null : text
}

function messageOf(id: string | null, data: Json, created: number | null): RecordContent {
  const time = objectOf(data.time)
  const at = instantOrNull(time.created) ?? created
  const folder = isObject(data.path) ? textOrNull(data.path.cwd) : null
  const model = textOrNull(data.modelID)
  const role = textOrNull(data.role)
  const content: RecordContent = { at, messages: [], usage: usageOf(id, model, data, time) }
  if (id === null) return content
  content.head = { id, role, sort: sortOf(at, id), model, cwd: folder }
  const parts: Part[] = isObject(data.error) ? [{ type: 'error', text: errorText(data.error) }] : []
  // Sorted after its parts, whose ids start with another letter.
  content.messages = [{ key: id, at, messageId: id, model, promptId: textOrNull(data.parentID), parts, sort: `${sortOf(at, id)} ~` }]
  return content
}

function errorText(error: Json): string {
  const data = objectOf(error.data)
  return textOrNull(data.message) ?? textOrNull(error.message) ?? textOrNull(error.name) ?? 'error'
}

const sortOf = (at: number | null, id: string): string => `${String(at ?? 0).padStart(15, '0')} ${id}`

function partOf(id: string | null, messageId: string | null, data: Json, created: number | null): Message {
  const state = objectOf(data.state)
  const time = isObject(state.time) ? state.time : objectOf(data.time)
  const at = instantOrNull(time.start) ?? created
  return {
    key: id,
    at,
    messageId,
    model: null,
    promptId: null,
    parts: partsOf(data, state, time),
    ...(messageId !== null && { of: messageId }),
  }
}

function partsOf(data: Json, state: Json, time: Json): Part[] {
  const text = textOrNull(data.text) ?? ''
  if (data.type === 'text' && text.trim() !== '') {
    return data.synthetic === true || data.ignored === true ? [{ type: 'notice', text, label: 'meta' }] : [{ type: 'text', text }]
  }
  if (data.type === 'reasoning' && text.trim() !== '') return [{ type: 'thinking', text }]
  if (data.type === 'compaction') return [{ type: 'compaction', text: '', label: 'Conversation compacted' }]
  if (data.type === 'file') return [{ type: 'notice', text: textOrNull(data.filename) ?? '', label: 'attachment' }]
  if (data.type !== 'tool') return []
  const id = textOrNull(data.callID)
  const tool = textOrNull(data.tool) ?? 'unknown'
  const call: Part = { type: 'call', id, tool, input: objectOf(state.input) }
  if (id === null || (state.status !== 'completed' && state.status !== 'error')) return [call]
  const output = textOrNull(state.status === 'error' ? state.error : state.output) ?? ''
  return [call, { type: 'result', id, text: output, outcome: outcomeOf(state, output), endedAt: instantOrNull(time.end) }]
}

function outcomeOf(state: Json, text: string): Outcome {
  const metadata = objectOf(state.metadata)
  if (state.status === 'error') {
    if (/rejected permission|user (?:has )?(?:rejected|dismissed)/i.test(text)) return { ...UNKNOWN, isError: true, rejectedBy: 'user' }
    if (/^(?:Tool execution aborted|aborted)/i.test(text)) return { ...UNKNOWN, isError: true, rejectedBy: 'interrupt' }
    return { ...UNKNOWN, success: false, isError: true }
  }
  // "completed" says that the tool ran, not that the command succeeded.
  return Number.isInteger(metadata.exit) ? byExitCode(metadata.exit as number) : { ...UNKNOWN, success: true }
}

/** A call of the tool `task` names the session it started. */
function linksOf(data: Json): { agent: string; call: string }[] {
  const state = objectOf(data.state)
  const metadata = objectOf(state.metadata)
  const agent = textOrNull(metadata.sessionId) ?? textOrNull(metadata.sessionID)
  return agent !== null && typeof data.callID === 'string' ? [{ agent, call: data.callID }] : []
}

/** `input` excludes cached tokens; reasoning is counted separately, unless the total includes it in the output. */
function usageOf(id: string | null, model: string | null, data: Json, time: Json): Usage[] {
  const { tokens } = data
  if (id === null || data.role !== 'assistant' || !isObject(tokens)) return []
  const cache = objectOf(tokens.cache)
  const [input, output, cacheRead, cacheWrite] = [count(tokens.input), count(tokens.output), count(cache.read), count(cache.write)]
  const sum = input + output + cacheRead + cacheWrite
  // The counts are zero until the answer is complete.
  if (sum === 0 && instantOrNull(time.completed) === null) return []
  const isReasoningIncluded = typeof tokens.total === 'number' && tokens.total === sum
  return [{ key: id, model, input, output: output + (isReasoningIncluded ? 0 : count(tokens.reasoning)), cacheRead, cacheWrite }]
}

/** Whole milliseconds in the range of Date; anything else is not a time. */
const instantOrNull = (value: unknown): number | null =>
  typeof value === 'number' && Math.abs(value) <= 8.64e15 ? Math.trunc(value) : null
