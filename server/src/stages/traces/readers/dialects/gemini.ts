import type { Outcome } from '../claude-code/outcome.ts'
import { isObject, textOrNull, timeOf, objectOf } from '../claude-code/record.ts'
import { byExitCode, count, objectsOf, UNKNOWN, type Dialect, type Json, type Message, type Part, type RecordContent } from './dialect.ts'

/**
 * Chats of the Gemini CLI: a line is the head of the file, a message, `{$set}` or `{$rewindTo}`; older
 * versions wrote one document. A message is written again when its tools finish. A list of messages in `$set` is what the
 * model sees from then on (shorter after a compression); earlier messages are kept.
 */
export const gemini: Dialect = {
  isRecord: ({ id, type, timestamp, sessionId, $set, $rewindTo }) =>
    isObject($set) ||
    typeof $rewindTo === 'string' ||
    typeof sessionId === 'string' ||
    (typeof id === 'string' && typeof type === 'string' && typeof timestamp === 'string'),
  read(record) {
    if (typeof record.$rewindTo === 'string') return { at: null, messages: [], rewindTo: record.$rewindTo }
    if (isObject(record.$set)) return headOf(record.$set, timeOf(record.$set.lastUpdated))
    if (typeof record.id === 'string' && typeof record.type === 'string') return contentOf([record], timeOf(record.timestamp))
    return headOf(record, timeOf(record.startTime))
  },
}

function headOf(record: Json, at: number | null): RecordContent {
  const content = contentOf(objectsOf(record.messages), at)
  const cwd: unknown = Array.isArray(record.directories) ? record.directories[0] : null
  if (textOrNull(cwd)) content.facts = { ...content.facts, cwd: textOrNull(cwd) }
  if (textOrNull(record.summary)) content.title = textOrNull(record.summary)
  return content
}

function contentOf(records: Json[], at: number | null): RecordContent {
  const calls = records.flatMap((record) => objectsOf(record.toolCalls))
  const cwd = records.map(workspaceOf).find((folder) => folder !== null)
  return {
    at,
    messages: records.map(messageOf),
    usage: records.flatMap(usageOf),
    links: calls.flatMap(({ agentId, id }) =>
      typeof agentId === 'string' && typeof id === 'string' ? [{ agent: agentId, call: id }] : [],
    ),
    ...(cwd && { facts: { cwd } }),
  }
}

function messageOf(record: Json): Message {
  const id = textOrNull(record.id)
  const parts = record.type === 'user' ? userParts(record) : record.type === 'gemini' ? answerParts(record) : otherParts(record)
  return { key: id, at: timeOf(record.timestamp), messageId: id, model: textOrNull(record.model), promptId: null, parts }
}

const CONTEXT = /^\s*(?:<session_context>|<environment_context>|<hook_context>|This is the Gemini CLI\. We are setting up the context)/

/** One user message is the context of the session; others only have tool results. */
function userParts(record: Json): Part[] {
  const parts: Part[] = []
  const text = textOf(record.displayContent) || textOf(record.content)
  if (text.trim() !== '') {
    if (CONTEXT.test(text)) parts.push({ type: 'notice', text, label: 'meta' })
    else if (/^\s*<state_snapshot>/.test(text)) parts.push({ type: 'compaction', text, label: 'summary' })
    else parts.push({ type: 'prompt', text })
  }
  for (const { functionResponse } of objectsOf(record.content)) {
    if (!isObject(functionResponse) || typeof functionResponse.id !== 'string') continue
    // Normally the call's own message has the result with its status; otherwise this result is used.
    parts.push({ type: 'result', id: functionResponse.id, text: responseText(functionResponse), outcome: UNKNOWN, endedAt: null })
  }
  return parts
}

function answerParts(record: Json): Part[] {
  const parts: Part[] = objectsOf(record.thoughts).map((thought) => ({
    type: 'thinking',
    text: [textOrNull(thought.subject), textOrNull(thought.description)].filter((one) => one !== null).join('\n'),
  }))
  const text = textOf(record.content)
  if (text.trim() !== '') parts.push({ type: 'text', text })
  for (const call of objectsOf(record.toolCalls)) {
    const id = textOrNull(call.id)
    const tool = textOrNull(call.name) ?? 'unknown'
    parts.push({ type: 'call', id, tool, input: objectOf(call.args) })
    if (id === null || !isFinished(call)) continue
    const output = objectsOf(call.result)
      .map(({ functionResponse }) => (isObject(functionResponse) ? responseText(functionResponse) : ''))
      .join('\n')
    const resultText = output === '' ? (textOrNull(call.resultDisplay) ?? '') : output
    parts.push({ type: 'result', id, text: resultText, outcome: outcomeOf(call, tool, resultText), endedAt: timeOf(call.timestamp) })
  }
  return parts
}

function otherParts(record: Json): Part[] {
  const text = textOf(record.content)
  if (text.trim() === '') return []
  return [record.type === 'error' ? { type: 'error', text } : { type: 'notice', text, label: textOrNull(record.type) ?? 'notice' }]
}

const isFinished = (call: Json): boolean => call.status === 'success' || call.status === 'error' || call.status === 'cancelled'

/** The client's lines after the output end with the exit code, unless it is 0. */
const EXIT_CODE = /(?:^|\n)Exit Code: (-?\d+)(?:\n(?:Signal|Background PIDs|Process Group PGID): .*)*(?:\n<\/untrusted_context>)?\s*$/

function outcomeOf(call: Json, tool: string, text: string): Outcome {
  if (call.status === 'cancelled') return { ...UNKNOWN, rejectedBy: 'user' }
  if (call.status === 'error') return { ...UNKNOWN, success: false, isError: true }
  const code = tool === 'run_shell_command' ? EXIT_CODE.exec(text) : null
  return code ? byExitCode(Number(code[1])) : { ...UNKNOWN, success: true }
}

function responseText(functionResponse: Json): string {
  const response = objectOf(functionResponse.response)
  return textOrNull(response.output) ?? textOrNull(response.error) ?? (Object.keys(response).length > 0 ? JSON.stringify(response) : '')
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (isObject(content)) return textOrNull(content.text) ?? ''
  return objectsOf(content)
    .flatMap((part) =>
      typeof part.text === 'string' && part.thought !== true ? [part.text] : part.inlineData === undefined ? [] : ['[attachment]'],
    )
    .join('\n')
}

/** The working directory is only in the context for the model. */
function workspaceOf(record: Json): string | null {
  if (record.type !== 'user') return null
  const text = textOf(record.content)
  if (!CONTEXT.test(text)) return null
  return /(?:Workspace Directories:\*\*\s*\n\s*- |currently working in the directory: )(.+)$/m.exec(text)?.[1]?.trim() ?? null
}

/** `input` includes cached tokens; thoughts and tool prompts are counted separately. */
function usageOf(record: Json): NonNullable<RecordContent['usage']> {
  const { tokens, id } = record
  if (!isObject(tokens) || typeof id !== 'string') return []
  const cacheRead = count(tokens.cached)
  const input = Math.max(0, count(tokens.input) - cacheRead) + count(tokens.tool)
  return [
    { key: id, model: textOrNull(record.model), input, output: count(tokens.output) + count(tokens.thoughts), cacheRead, cacheWrite: 0 },
  ]
}
