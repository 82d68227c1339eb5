import type { Outcome } from '../claude-code/outcome.ts'
import { firstLine, isObject, textOrNull, timeOf, objectOf } from '../claude-code/record.ts'
import {
  byExitCode,
  count,
  objectsOf,
  parseObject,
  UNKNOWN,
  type Dialect,
  type Json,
  type Part,
  type RecordContent,
  type Usage,
} from './dialect.ts'

/** Items of a rollout from before the envelope `{timestamp, type, payload}`, to mid 2025. */
const BARE_ITEMS: ReadonlySet<unknown> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'web_search_call',
])

/**
 * Rollouts of the Codex CLI: `{timestamp, type, payload}`. Messages are recorded twice: as exchanged with the model
 * (`response_item`), which is read, and as shown on the screen (`event_msg`), of which only the rest is read.
 * Older ones begin with `{id, timestamp, instructions}` and then have the items alone; the first were one document.
 */
export const codex: Dialect = {
  isRecord: ({ type, payload }) => (typeof type === 'string' && isObject(payload)) || BARE_ITEMS.has(type),
  read(record) {
    const at = timeOf(record.timestamp)
    if (record.payload === undefined && BARE_ITEMS.has(record.type)) return itemOf(at, record)
    if (isObject(record.session)) return documentOf(record.session, objectsOf(record.items))
    if (record.type === undefined && record.instructions !== undefined) return { at, messages: [], facts: factsOf(record) }
    const payload = objectOf(record.payload)
    if (record.type === 'session_meta')
      return { at, messages: [], facts: factsOf(payload), root: textOrNull(payload.forked_from_id) ?? textOrNull(payload.id) }
    if (record.type === 'turn_context') {
      const [cwd, model] = [textOrNull(payload.cwd), textOrNull(payload.model)]
      return { at, messages: [], facts: { ...(cwd && { cwd }), ...(model && { model }) } }
    }
    if (record.type === 'token_usage_record') return { at, messages: [], usage: usageOf(textOrNull(payload.response_id), payload.usage) }
    if (record.type === 'event_msg') return eventOf(at, payload)
    if (record.type === 'response_item') return itemOf(at, payload)
    return record.type === 'compacted' ? messageOf(at, payload, compactionOf(payload)) : { at, messages: [] }
  },
}

const itemOf = (at: number | null, payload: Json): RecordContent => {
  const cwd = payload.type === 'message' && payload.role === 'user' ? folderIn(payload) : null
  return { ...messageOf(at, payload, partsOf(payload)), ...(cwd && { facts: { cwd } }) }
}

function messageOf(at: number | null, payload: Json, parts: Part[]): RecordContent {
  if (parts.length === 0) return { at, messages: [] }
  const metadata = objectOf(payload.internal_chat_message_metadata_passthrough)
  const turn = textOrNull(metadata.turn_id)
  return { at, messages: [{ key: textOrNull(payload.id), at, messageId: turn, model: null, promptId: turn, parts }] }
}

function documentOf(session: Json, items: Json[]): RecordContent {
  const at = timeOf(session.timestamp)
  const contents = items.map((item) => itemOf(timeOf(item.timestamp), item))
  const cwd = contents.findLast(({ facts }) => facts?.cwd)?.facts?.cwd
  return { at, messages: contents.flatMap(({ messages }) => messages), facts: { ...factsOf(session), ...(cwd && { cwd }) } }
}

/** Older rollouts name the folder only in the context for the model. */
const folderIn = (payload: Json): string | null =>
  objectsOf(payload.content)
    .map(({ text }) => /<cwd>(.+?)<\/cwd>|Current working directory: (.+)/.exec(typeof text === 'string' ? text.slice(0, 4000) : ''))
    .flatMap((match) => match?.[1] ?? match?.[2] ?? [])[0] ?? null

function factsOf(payload: Json): RecordContent['facts'] {
  const git = objectOf(payload.git)
  const [cwd, version, branch] = [textOrNull(payload.cwd), textOrNull(payload.cli_version), textOrNull(git.branch)]
  return { ...(cwd && { cwd }), ...(version && { version }), ...(branch && { branch }) }
}

const compactionOf = (payload: Json): Part[] => [
  { type: 'compaction', text: textOrNull(payload.message) ?? '', label: 'Conversation compacted' },
]

function partsOf(payload: Json): Part[] {
  const id = textOrNull(payload.call_id)
  switch (payload.type) {
    case 'message':
      return messageParts(payload)
    case 'reasoning': {
      const text = [...objectsOf(payload.summary), ...objectsOf(payload.content)].flatMap((one) => textOrNull(one.text) ?? []).join('\n\n')
      return text.trim() === '' ? [] : [{ type: 'thinking', text }]
    }
    case 'function_call':
      return [{ type: 'call', id, tool: nameOf(payload), input: argumentsOf(payload.arguments) }]
    case 'custom_tool_call':
      return [{ type: 'call', id, tool: nameOf(payload), input: { input: textOrNull(payload.input) ?? '' } }]
    case 'local_shell_call':
      return [{ type: 'call', id, tool: 'local_shell', input: objectOf(payload.action) }]
    case 'web_search_call': {
      const search = textOrNull(payload.id)
      const call: Part = { type: 'call', id: search, tool: 'web_search', input: objectOf(payload.action) }
      if (search === null || payload.status !== 'completed') return [call]
      return [call, { type: 'result', id: search, text: '', outcome: UNKNOWN, endedAt: null }]
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return id === null ? [] : [{ type: 'result', id, ...resultOf(payload.output), endedAt: null }]
    default:
      return []
  }
}

const nameOf = (payload: Json): string => textOrNull(payload.name) ?? 'unknown'

/** Arguments are JSON in a string. */
function argumentsOf(json: unknown): Json {
  return parseObject(json) ?? (typeof json === 'string' && json !== '' ? { input: json } : {})
}

/** Context that the client puts before the user's words, for versions that do not mark it. */
const INJECTED =
  /^\s*(?:<(?:environment_context|user_instructions|permissions instructions|skills_instructions|skill|apps_instructions|collaboration_mode|turn_aborted|user_shell_command|subagent_notification|model_switch|personality_spec)\b|# AGENTS\.md instructions)/

function messageParts(payload: Json): Part[] {
  const items = objectsOf(payload.content)
  const texts = items.map((item) => textOrNull(item.text) ?? (item.type === 'input_image' ? '[image]' : ''))
  if (payload.role === 'assistant') {
    const text = texts.join('\n')
    return text.trim() === '' ? [] : [{ type: 'text', text }]
  }
  if (payload.role !== 'user') return texts.map((text) => ({ type: 'notice', text, label: 'instructions' }))
  const metadata = objectOf(payload.internal_chat_message_metadata_passthrough)
  const kinds: unknown[] = Array.isArray(metadata.content_item_kinds) ? metadata.content_item_kinds : []
  const parts: Part[] = []
  const typed: string[] = []
  for (const [index, text] of texts.entries()) {
    if (text.trim() === '') continue
    const kind = kinds[index]
    const isContext = (typeof kind === 'string' && kind !== 'unknown' && !kind.startsWith('user.')) || INJECTED.test(text)
    if (isContext) parts.push({ type: 'notice', text, label: labelOf(text) })
    else typed.push(text)
  }
  if (typed.length > 0) parts.push({ type: 'prompt', text: typed.join('\n') })
  return parts
}

const labelOf = (text: string): string => (text.trimStart().startsWith('<turn_aborted') ? 'interrupt' : 'meta')

function eventOf(at: number | null, payload: Json): RecordContent {
  const content: RecordContent = { at, messages: [] }
  const item = objectOf(payload.item)
  if (payload.type === 'item_completed' && item.type === 'CommandExecution') return { ...content, exits: exitOf(item.id, item.exit_code) }
  if (payload.type === 'exec_command_end') return { ...content, exits: exitOf(payload.call_id, payload.exit_code) }
  if (payload.type === 'thread_name_updated') return { ...content, title: textOrNull(payload.thread_name) }
  if (payload.type === 'token_count' && isObject(payload.info)) {
    const total = isObject(payload.info.total_token_usage) ? count(payload.info.total_token_usage.total_tokens) : 0
    const counts = [payload.info.total_token_usage, payload.info.last_token_usage].flatMap((one) => Object.values(objectOf(one)))
    const usage = usageOf(`total ${counts.join(' ')}`, payload.info.last_token_usage).map((one) => ({ ...one, isRunning: true }))
    return total === 0 ? content : { ...content, usage }
  }
  const message = (part: Part): RecordContent => ({
    ...content,
    messages: [{ key: null, at, messageId: null, model: null, promptId: textOrNull(payload.turn_id), parts: [part] }],
  })
  if (payload.type === 'error' && textOrNull(payload.message)) return message({ type: 'error', text: textOrNull(payload.message)! })
  if (payload.type === 'turn_aborted') return message({ type: 'notice', text: textOrNull(payload.reason) ?? '', label: 'interrupt' })
  return content
}

const exitOf = (id: unknown, code: unknown): { id: string; code: number }[] =>
  typeof id === 'string' && Number.isInteger(code) ? [{ id, code: code as number }] : [] // an integer is a number

/** `input_tokens` includes cached tokens, and `output_tokens` includes reasoning. */
function usageOf(key: string | null, tokens: unknown): Usage[] {
  if (key === null || !isObject(tokens)) return []
  const cacheRead = count(tokens.cached_input_tokens)
  const cacheWrite = count(tokens.cache_write_input_tokens)
  const input = Math.max(0, count(tokens.input_tokens) - cacheRead - cacheWrite)
  return [{ key, model: null, input, output: count(tokens.output_tokens), cacheRead, cacheWrite }]
}

const HEADER = /^(?:Chunk ID|Wall time|Exit code|Process exited|Command)\b/
const EXIT = /^(?:Process exited with code|Exit code:) (-?\d+)\s*$/m

function resultOf(output: unknown): { text: string; outcome: Outcome } {
  const content = isObject(output) ? (output.content ?? output.output) : output
  const raw =
    typeof content === 'string'
      ? content
      : objectsOf(content)
          .map((item) => textOrNull(item.text) ?? `[${textOrNull(item.type) ?? 'item'}]`)
          .join('\n')
  const wrapped = parseObject(raw) // older versions write {"output": text, "metadata": {"exit_code": n}}
  const metadata = wrapped && isObject(wrapped.metadata) ? wrapped.metadata : null
  const text = metadata && typeof wrapped!.output === 'string' ? wrapped!.output : raw
  if (metadata && Number.isInteger(metadata.exit_code)) return { text, outcome: byExitCode(metadata.exit_code as number) }
  if (HEADER.test(raw)) {
    // Only the header before the output counts, because a program may print such a line itself.
    const body = raw.indexOf('\nOutput:')
    const code = EXIT.exec(body < 0 ? raw : raw.slice(0, body))
    if (code) return { text, outcome: byExitCode(Number(code[1])) }
  }
  if (/^(?:exec command |patch )?rejected by user/i.test(raw)) return { text, outcome: { ...UNKNOWN, rejectedBy: 'user' } }
  if (/^aborted\b/i.test(firstLine(raw))) return { text, outcome: { ...UNKNOWN, rejectedBy: 'interrupt' } }
  const success = isObject(output) && typeof output.success === 'boolean' ? output.success : null
  return { text, outcome: { ...UNKNOWN, success, isError: success === false } }
}
