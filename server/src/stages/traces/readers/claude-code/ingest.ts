import { hash } from 'node:crypto'
import { STUDENT_NAME } from '#contracts/router-words.ts'
import {
  baseName,
  changedFiles,
  commandOf,
  commitOf,
  fileOf,
  isAgentCall,
  isEditing,
  labelOf,
  patchOf,
  spillOf,
  type Input,
} from './calls.ts'
import { classifyUserText, commandText, isInjected, type UserText } from './classify.ts'
import { type Call, type Entry, type Rec, unanswered } from './model.ts'
import { outcomeOf } from './outcome.ts'
import { blocksOf, cut, firstLine, isObject, resultText, textOrNull, type RawBlock, type RawRecord, objectOf } from './record.ts'
import type { ParsedStep } from '../../types.ts'

/** Characters of a prompt that its row has. */
export const MAX_PROMPT_LENGTH = 2000
export const SYNTHETIC = '<synthetic>'

/** Text that the client writes when a turn ends without an answer; it is neither an answer nor an error. */
const NO_RESPONSE = 'No response requested.'

/** System records that are only shown if they report hook errors. */
const SILENT_SYSTEM: ReadonlySet<string> = new Set(['turn_duration', 'stop_hook_summary'])

/** A result in a record, which may have to wait for its call. */
export interface FoundResult {
  rec: Rec
  block: number
  toolUseId: string
  raw: RawRecord
  content: RawBlock
}

/** The entries and results of one record. `response` identifies the API response that it is a part of. */
export function readRecord(raw: RawRecord, rec: Rec, response: string | null): FoundResult[] {
  if (raw.type === 'assistant') return readAssistant(raw, rec, response)
  if (raw.type === 'user') return readUser(raw, rec)
  if (raw.type === 'system') readSystem(raw, rec)
  if (raw.type === 'attachment') readAttachment(raw, rec)
  return []
}

function readAssistant(raw: RawRecord, rec: Rec, response: string | null): FoundResult[] {
  const message = raw.message ?? {}
  const isSynthetic = message.model === SYNTHETIC || raw.isApiErrorMessage === true
  const byMod = isByMod(raw)
  // A mod's answer has the name of the session's model, which was not asked; only the name of an agent's own model is true.
  const isAsked = message.model !== SYNTHETIC && (!byMod || message.model?.startsWith(STUDENT_NAME) === true)
  const model = isAsked ? (message.model ?? null) : null
  if (!isSynthetic) rec.role = 'answer'
  const results: FoundResult[] = []
  const blocks = blocksOf(message.content)
  for (const [block, content] of blocks.entries()) {
    const at = { rec, block, model, byMod, messageId: response }
    if (content.type === 'text' && typeof content.text === 'string' && content.text.trim() !== '') {
      const label = firstLine(content.text)
      if (!isSynthetic) add({ ...at, kind: 'text', label })
      else if (content.text.trim() === NO_RESPONSE) add({ ...at, kind: 'notice', label: 'no response' })
      else add({ ...at, kind: 'error', label })
    } else if (content.type === 'thinking' && typeof content.thinking === 'string' && content.thinking.trim() !== '') {
      // Clients often get only a signature without the thinking text.
      add({ ...at, kind: 'thinking', label: firstLine(content.thinking) })
    } else if (content.type === 'tool_use' || content.type === 'server_tool_use' || content.type === 'mcp_tool_use') {
      add({ ...at, kind: 'call', label: null, call: callOf(content, rec) })
    } else if (typeof content.tool_use_id === 'string') {
      results.push({ rec, block, toolUseId: content.tool_use_id, raw, content })
    }
  }
  return results
}

/**
 * A mod of the client answered in place of the model whose name the record has, or a model of the user's own through our proxy, by its
 * own name. A broken answer of a mod lacks the flag, but has the id.
 */
export const isByMod = ({ answeredWithoutRequest, message }: RawRecord): boolean =>
  answeredWithoutRequest === true || message?.id?.startsWith('msg_hook_') === true || message?.model?.startsWith(STUDENT_NAME) === true

function readUser(raw: RawRecord, rec: Rec): FoundResult[] {
  const content = raw.message?.content
  const blocks = blocksOf(content)
  const results: FoundResult[] = []
  for (const [block, one] of blocks.entries()) {
    if (typeof one.tool_use_id === 'string') results.push({ rec, block, toolUseId: one.tool_use_id, raw, content: one })
  }
  if (results.length > 0) rec.role = 'result'
  const texts = blocks.filter((one) => one.type === 'text' && typeof one.text === 'string').map((one) => one.text!)
  const typedTexts = texts.filter((text) => !isInjected(text))
  const hasImage = blocks.some((one) => one.type === 'image' || one.type === 'document')
  const text = (typedTexts.length > 0 ? typedTexts : hasImage && results.length === 0 ? ['[image]'] : texts).join('\n')
  if (text.trim() === '') return results
  const inAgent = rec.agent !== 'main'
  let textClass = classifyUserText(raw, text, inAgent)
  if (typedTexts.length === 0 && !hasImage) textClass = ONLY_META
  // Text next to a result comes from the client (hooks, reminders), not from the user.
  if (results.length > 0 && textClass.kind === 'prompt') textClass = ONLY_META
  else if (textClass.kind === 'compaction') rec.role = 'summary'
  else if (results.length === 0 && (textClass.kind === 'prompt' || textClass.given !== null))
    rec.role = textClass.given === 'meta' ? 'note' : 'input'
  const block = typeof content === 'string' ? 0 : -1
  const isTask = textClass.kind === 'notice' && textClass.label === 'task'
  const typed = textClass.given === 'command' ? commandText(text) : textClass.kind === 'prompt' ? text.trim() : null
  add({
    rec,
    block,
    model: null,
    messageId: null,
    kind: textClass.kind,
    label: textClass.kind === 'prompt' ? firstLine(text) : isTask ? `task: ${firstLine(text, 190)}` : textClass.label,
    given: textClass.given,
    ...typedOf(typed),
    ...(isTask && { textHash: hash('sha1', text) }),
  })
  return results
}

const ONLY_META: UserText = { kind: 'notice', label: 'meta', given: null }

/** The beginning of what the user typed, and its hash, to find it again. */
const typedOf = (text: string | null): Pick<Entry, 'text' | 'textHash'> =>
  text === null ? { text: null, textHash: null } : { text: cut(text, MAX_PROMPT_LENGTH), textHash: hash('sha1', text) }

function readSystem(raw: RawRecord, rec: Rec): void {
  const subtype = raw.subtype ?? 'system'
  const at = { rec, block: -1, model: null, messageId: null }
  if (subtype === 'compact_boundary' || subtype === 'microcompact_boundary') {
    if (subtype === 'compact_boundary') rec.role = 'summary'
    add({ ...at, kind: 'compaction', label: textOrNull(raw.content) ?? 'Conversation compacted' })
  } else if (subtype === 'api_error') {
    add({ ...at, kind: 'error', label: firstLine(textOrNull(raw.content) ?? 'API error') })
  } else if (SILENT_SYSTEM.has(subtype) && !raw.hookErrors?.length) {
    return
  } else {
    const text = textOrNull(raw.content)
    if (subtype === 'local_command' && text !== null) {
      const textClass = classifyUserText(raw, text, false)
      add({ ...at, kind: 'notice', label: textClass.kind === 'notice' ? textClass.label : 'command output' })
    } else if (text !== null || SILENT_SYSTEM.has(subtype)) {
      add({ ...at, kind: 'notice', label: firstLine(text === null ? 'hook error' : `${subtype}: ${text}`) })
    }
  }
}

function readAttachment(raw: RawRecord, rec: Rec): void {
  const attachment = raw.attachment ?? {}
  const type = attachment.type ?? ''
  const at = { rec, block: -1, model: null, messageId: null }
  if (type.startsWith('hook_')) {
    const label = firstLine(`hook: ${type.slice(5).replaceAll('_', ' ')} ${textOrNull(attachment.hookName) ?? ''}`)
    add({ ...at, kind: 'notice', label, given: type === 'hook_blocking_error' ? 'meta' : null })
  } else if (type === 'queued_command') {
    // Typed while the model was working; the client delivers it inside the turn.
    const prompt = resultText(attachment.prompt)
    if (prompt.trim() === '') return
    const textClass = classifyUserText(raw, prompt, rec.agent !== 'main')
    const isPrompt = textClass.kind === 'prompt' && (attachment.commandMode === undefined || attachment.commandMode === 'prompt')
    if (isPrompt) add({ ...at, kind: 'prompt', label: firstLine(prompt), ...typedOf(prompt.trim()) })
    else add({ ...at, kind: 'notice', label: textClass.kind === 'notice' ? textClass.label : 'notification', given: 'input' })
  }
}

type NewEntry = Pick<Entry, 'rec' | 'kind' | 'block' | 'label' | 'model' | 'messageId'> &
  Partial<Pick<Entry, 'text' | 'textHash' | 'call' | 'given' | 'byMod'>>

function add(entry: NewEntry): void {
  if (entry.rec.entries.length === 0) entry.rec.entries = []
  const newEntry: Entry = { text: null, textHash: null, call: null, given: null, byMod: false, ...entry, lastOutput: null, isDirty: true }
  if (newEntry.call) newEntry.label = labelOf(newEntry.call.tool, newEntry.call.input ?? {}, newEntry.call.file)
  entry.rec.entries.push(newEntry)
}

function callOf(block: RawBlock, rec: Rec): Call {
  const input: Input = objectOf(block.input)
  const tool = block.name ?? 'unknown'
  const isAgent = isAgentCall(tool)
  const prompt = isAgent ? textOrNull(input.prompt) : null
  return unanswered({
    toolUseId: block.id ?? null,
    tool,
    file: fileOf(tool, input, rec.cwd),
    input,
    agentPromptHash: prompt === null ? null : hash('sha1', prompt),
    agentType: isAgent ? textOrNull(input.subagent_type) : null,
    agentDescription: isAgent ? textOrNull(input.description) : null,
  })
}

/** Attaches a result to its call; returns its text. */
export function attachResult(call: Call, result: FoundResult): string {
  const output = resultText(result.content.content)
  // The structured result of a record with several results belongs to the last one.
  const structured = result.raw.toolUseResult
  call.outcome = outcomeOf(result.raw, call.tool, output, result.content.is_error === true)
  call.result = { rec: result.rec, block: result.block }
  call.outputBytes = Buffer.byteLength(output)
  call.spill = spillOf(structured, output)
  const size = isObject(structured) ? structured.persistedOutputSize : undefined
  if (typeof size === 'number' && size > call.outputBytes) call.outputBytes = size
  if (call.outcome.success) call.changed = changedFiles(call.tool, structured)
  if (call.outcome.success) call.commit = commitOf(call.tool, call.input ?? {}, structured, output)
  return output
}

/** A call for analysers. `conversation` is "main" or the sub-agent's id. */
export function stepOf(traceId: string, conversation: string, entry: Entry, output: string | null, structured: unknown): ParsedStep {
  const call = entry.call!
  const input = call.input ?? {}
  const outcome = call.outcome
  return {
    id: entryId(traceId, entry),
    conversation,
    tool: call.tool,
    command: commandOf(call.tool, input),
    input,
    output,
    success: outcome?.success ?? null,
    exitCode: outcome?.exitCode ?? null,
    isError: outcome?.isError ?? false,
    rejected: outcome !== null && outcome.rejectedBy !== null,
    answered: outcome !== null,
    cwd: entry.rec.cwd,
    at: entry.rec.at,
    file: call.file,
    edits: hasEdited(call),
    patch: patchOf(call.tool, input, structured),
  }
}

/** The step of a call, by the client's id of it. */
export const stepOfCall = (traceId: string, toolUseId: string): string => `${traceId}:${toolUseId}`

/** Id of a call: by tool_use_id, else by record and block. */
export function entryId(traceId: string, entry: Entry): string {
  const toolUseId = entry.call?.toolUseId
  return toolUseId ? stepOfCall(traceId, toolUseId) : `${traceId}:${entry.rec.key}:${Math.max(0, entry.block)}`
}

export const hasEdited = (call: Call): boolean =>
  call.outcome !== null && call.outcome.success === true && (isEditing(call.tool) || call.changed.length > 0)

/** The id in `agent-<id>`, the name of a sub-agent's file; null for other names. */
export const agentOfPath = (path: string): string | null => /^agent-(.+?)(\.meta)?\.jsonl?$/.exec(baseName(path))?.[1] ?? null
