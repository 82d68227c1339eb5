import { parseShallow } from '#server/shallow-json.ts'
import { lookup } from '#contracts/lookup.ts'
import type { DatasetKind, RowError } from '#contracts/entities/dataset.ts'
import { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import { plainWords } from '#contracts/plain-words.ts'
import type { DataRow } from '../curate/candidate.ts'

type FieldError = Omit<RowError, 'row'>
type Fields = Record<string, unknown>
export type ReadResult = { row: DataRow; kind: DatasetKind; metadata: Fields } | { errors: FieldError[] }

/** Reads an outside row in any format that we export, or plain text columns. `columns`: our field → their column. */
export function readRow(value: unknown, columns: Record<string, string>, expectedKind?: DatasetKind): ReadResult {
  if (!isObject(value)) return { errors: [{ field: '', message: 'A row must be a JSON object.' }] }
  const missing = Object.entries(columns).filter(([, theirs]) => !Object.hasOwn(value, theirs))
  if (missing.length > 0) return { errors: missing.map(([, theirs]) => ({ field: theirs, message: 'This column does not exist.' })) }
  const mappedColumns = new Set(Object.values(columns))
  const renamed: Fields = {
    ...Object.fromEntries(Object.entries(value).filter(([name]) => !mappedColumns.has(name))),
    ...Object.fromEntries(Object.entries(columns).map(([ours, theirs]) => [ours, value[theirs]])),
  }
  const fields = Object.fromEntries(
    Object.entries(renamed).map(([name, inner]) => [name, JSON_FIELDS.has(name) ? parseJsonText(inner) : inner]),
  )
  const errors: FieldError[] = []
  const read = shapeOf(fields, errors)
  if (read && errors.length === 0) errors.push(...missingAnswers(read.kind, read.row))
  if (!read) return { errors: errors.length > 0 ? errors : [{ field: '', message: unknownShape(Object.keys(value)) }] }
  if (errors.length > 0) return { errors }
  if (expectedKind && expectedKind !== read.kind && !(expectedKind === 'rlvr' && read.kind === 'prompts'))
    return { errors: [{ field: '', message: `This row is of kind ${read.kind}, not ${expectedKind}.` }] }
  if (expectedKind === 'rlvr') {
    const problems = rewardProblems(fields)
    if (problems.length > 0) return { errors: problems }
  }
  return { ...read, kind: expectedKind ?? read.kind, metadata: isObject(fields.metadata) ? fields.metadata : {} }
}

/** Every trained part needs an answer with text or a call. */
function missingAnswers(kind: DatasetKind, row: DataRow): FieldError[] {
  if (kind === 'prompts') return []
  const sides = row as unknown as Partial<Record<string, ChatMessage[]>>
  return ['messages', 'completion', 'chosen', 'rejected']
    .filter((field) => sides[field] && !sides[field].some(isAnswer))
    .map((field) => ({ field, message: 'This has no answer to train on: no assistant text and no tool call.' }))
}
const isAnswer = (message: ChatMessage) =>
  message.role === 'assistant' && (message.content.trim() !== '' || (message.tool_calls?.length ?? 0) > 0)

/** Checks the optional fields that rewards read (contracts/src/trainer.ts). */
function rewardProblems({ answer, tests, reference_calls: calls }: Fields): FieldError[] {
  const isText = (value: unknown) => value === undefined || value === null || (typeof value === 'string' && value.trim() !== '')
  const isCall = (call: unknown) => isObject(call) && typeof call.name === 'string' && isObject(call.arguments)
  return [
    ...(isText(answer) ? [] : [{ field: 'answer', message: 'The answer must be non-empty text.' }]),
    ...(isText(tests) ? [] : [{ field: 'tests', message: 'Tests must be non-empty text: the code that checks an answer.' }]),
    ...(calls === undefined || calls === null || (Array.isArray(calls) && calls.every(isCall))
      ? []
      : [{ field: 'reference_calls', message: 'Reference calls must be a list of objects with a name and arguments.' }]),
  ]
}

/** All other columns of a prompt row are kept for rewards. */
const READ_COLUMNS: ReadonlySet<string> = new Set(['prompt', 'tools', 'metadata'])
/** Columns of our own Parquet files; some of them repeat fields of `metadata`. */
const OUR_COLUMNS: ReadonlySet<string> = new Set([...READ_COLUMNS, 'example_id', 'split', 'trace_id', 'repo', 'tier', 'quality', 'extra'])

/** Columns that may contain JSON text, as in Parquet files. */
const JSON_FIELDS = new Set([
  'messages',
  'tools',
  'metadata',
  'prompt',
  'completion',
  'chosen',
  'rejected',
  'conversations',
  'extra',
  'reference_calls',
])

const unknownShape = (names: string[]) =>
  `The columns (${names.slice(0, 8).join(', ')}) match no supported row format: messages; prompt with chosen and rejected; prompt, completion and label; prompt and completion; conversations; instruction and output; or prompt alone. Map the columns.`

function shapeOf(fields: Fields, errors: FieldError[]): { row: DataRow; kind: DatasetKind } | null {
  const hasFields = (...names: string[]) => names.every((name) => fields[name] !== undefined && fields[name] !== null)
  const list = (name: string, role: ChatMessage['role'], from: Fields = fields, at = name) => messagesIn(from[name], role, at, errors)
  const tools = toolsIn(fields.tools, errors)
  if (hasFields('messages')) return { kind: 'sft', row: { messages: list('messages', 'user'), tools } }
  if (hasFields('conversations')) return { kind: 'sft', row: { messages: fromShareGpt(fields, errors), tools } }
  if (hasFields('input', 'preferred_output', 'non_preferred_output') && isObject(fields.input)) {
    const prompt = list('messages', 'user', fields.input, 'input.messages')
    const inputTools = toolsIn(fields.input.tools, errors)
    return {
      kind: 'dpo',
      row: {
        prompt,
        chosen: list('preferred_output', 'assistant'),
        rejected: list('non_preferred_output', 'assistant'),
        tools: inputTools,
      },
    }
  }
  if (hasFields('prompt', 'chosen', 'rejected'))
    return {
      kind: 'dpo',
      row: { prompt: list('prompt', 'user'), chosen: list('chosen', 'assistant'), rejected: list('rejected', 'assistant'), tools },
    }
  if (hasFields('chosen', 'rejected') && !hasFields('prompt')) {
    const [chosen, rejected] = [list('chosen', 'assistant'), list('rejected', 'assistant')]
    const shared = sharedStart(chosen, rejected)
    if (shared === 0 && errors.length === 0) errors.push({ field: 'chosen', message: 'Chosen and rejected begin with the same prompt, or a column prompt has it.' }) // prettier-ignore
    return { kind: 'dpo', row: { prompt: chosen.slice(0, shared), chosen: chosen.slice(shared), rejected: rejected.slice(shared), tools } }
  }
  if (hasFields('prompt', 'completion', 'label')) {
    if (typeof fields.label !== 'boolean') errors.push({ field: 'label', message: 'The label must be true or false.' })
    return {
      kind: 'kto',
      row: { prompt: list('prompt', 'user'), completion: list('completion', 'assistant'), label: fields.label === true, tools },
    }
  }
  if (hasFields('prompt', 'completion'))
    return { kind: 'sft', row: { messages: [...list('prompt', 'user').map(asContext), ...list('completion', 'assistant')], tools } }
  if (hasFields('instruction', 'output')) return { kind: 'sft', row: { messages: fromAlpaca(fields, errors), tools } }
  if (hasFields('prompt')) {
    const isOurs = 'example_id' in fields
    const otherColumns = Object.fromEntries(
      Object.entries(fields).filter(([name, value]) => !(isOurs ? OUR_COLUMNS : READ_COLUMNS).has(name) && !(isOurs && value === null)),
    )
    const extra = isOurs && isObject(fields.extra) ? fields.extra : {}
    return { kind: 'prompts', row: { ...otherColumns, ...extra, prompt: list('prompt', 'user'), tools } }
  }
  return null
}

/** The number of shared first messages; leaves each side at least one message. */
function sharedStart(one: readonly ChatMessage[], other: readonly ChatMessage[]): number {
  const maxShared = Math.min(one.length, other.length) - 1
  let at = 0
  while (at < maxShared && JSON.stringify(one[at]) === JSON.stringify(other[at])) at += 1
  return at
}

/** Answers in a prompt are not learned. */
const asContext = (message: ChatMessage): ChatMessage => (message.role === 'assistant' ? { ...message, weight: 0 } : message)

/** Parses a list of messages, or a text as one message of this role. */
function messagesIn(value: unknown, role: ChatMessage['role'], field: string, errors: FieldError[]): ChatMessage[] {
  if (typeof value === 'string') {
    if (value.trim() === '') errors.push({ field, message: 'This text is empty.' })
    return [{ role, content: value } as ChatMessage] // user or assistant: roles of plain text
  }
  if (!Array.isArray(value) || value.length === 0) {
    errors.push({ field, message: 'Messages must be text or a list with at least one message.' })
    return []
  }
  const openCalls: { id: string; name: string }[] = []
  return value.flatMap((message: unknown, index): ChatMessage[] => {
    const parsed = ChatMessage.safeParse(normalizeMessage(message, index, openCalls, field, errors))
    if (parsed.success) return [parsed.data]
    const [issue] = parsed.error.issues
    errors.push({ field: [field, index, ...(issue?.path ?? [])].join('.'), message: issue ? plainWords(issue) : 'This is not a message.' })
    return []
  })
}

/** Parses arguments, and restores missing ids and names from the order of calls. */
function normalizeMessage(
  message: unknown,
  index: number,
  openCalls: { id: string; name: string }[],
  field: string,
  errors: FieldError[],
): unknown {
  if (!isObject(message)) return message
  const { tool_calls: toolCalls, function_call: functionCall, ...otherFields } = message
  const calls = toolCalls ?? (isObject(functionCall) ? [{ type: 'function', function: functionCall }] : undefined)
  const fields: Fields = { ...otherFields, role: ROLES[String(otherFields.role)] ?? otherFields.role }
  const content = textOf(fields.content ?? '')
  if (fields.role === 'tool') {
    const at = Math.max(
      0,
      openCalls.findIndex(({ id, name }) =>
        fields.tool_call_id === undefined ? fields.name === undefined || name === fields.name : id === fields.tool_call_id,
      ),
    )
    const [call] = openCalls.splice(at, 1)
    return { ...fields, content, tool_call_id: fields.tool_call_id ?? call?.id, name: fields.name ?? call?.name }
  }
  if (!Array.isArray(calls)) return { ...fields, content }
  const normalCalls = calls.map((call: unknown, number): unknown => {
    if (!isObject(call) || !isObject(call.function)) return call
    const args = parseJsonText(call.function.arguments)
    if (!isObject(args))
      errors.push({
        field: `${field}.${index}.tool_calls.${number}.function.arguments`,
        message: 'Arguments must be a JSON object or its text.',
      })
    const id = typeof call.id === 'string' && call.id !== '' ? call.id : `call_${index}_${number}`
    openCalls.push({ id, name: String(call.function.name) })
    return { ...call, id, type: 'function', function: { ...call.function, arguments: isObject(args) ? args : {} } }
  })
  return { ...fields, content, tool_calls: normalCalls }
}

/** Other names of roles. */
const ROLES: Record<string, string> = lookup({ developer: 'system', function: 'tool' })

/** Joins text parts. Content with other parts stays unchanged, and is rejected later. */
function textOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  const texts = content.map((part: unknown) => (isObject(part) && part.type === 'text' ? part.text : part))
  return texts.every((text) => typeof text === 'string') ? texts.join('') : content
}

function toolsIn(value: unknown, errors: FieldError[]): ToolSchema[] {
  if (value === undefined || value === null || value === '') return []
  if (!Array.isArray(value)) {
    errors.push({ field: 'tools', message: 'Tools must be a list of JSON Schemas.' })
    return []
  }
  return value.flatMap((tool: unknown, index): ToolSchema[] => {
    const bare = isObject(tool) && !('function' in tool) && 'name' in tool ? { type: 'function', function: tool } : tool
    const filled =
      isObject(bare) && isObject(bare.function) ? { ...bare, function: { description: '', parameters: {}, ...bare.function } } : bare
    const parsed = ToolSchema.safeParse(filled)
    if (parsed.success) return [parsed.data]
    errors.push({ field: `tools.${index}`, message: parsed.error.issues[0] ? plainWords(parsed.error.issues[0]) : 'This is not a tool.' })
    return []
  })
}

const SHAREGPT_ROLES: Record<string, ChatMessage['role']> = lookup({
  human: 'user',
  user: 'user',
  gpt: 'assistant',
  assistant: 'assistant',
  system: 'system',
  function_call: 'assistant',
  observation: 'tool',
  tool: 'tool',
})

function fromShareGpt({ conversations, system }: Fields, errors: FieldError[]): ChatMessage[] {
  if (!Array.isArray(conversations)) {
    errors.push({ field: 'conversations', message: 'Conversations must be a list.' })
    return []
  }
  const messages = conversations.map((turn: unknown, index): unknown => {
    const { from, value } = isObject(turn) ? turn : {}
    const role = SHAREGPT_ROLES[String(from)]
    if (!role || typeof value !== 'string')
      errors.push({ field: `conversations.${index}`, message: 'A turn needs a known "from" and a text "value".' })
    if (from !== 'function_call') return { role, content: value }
    const [, thinking = ''] = /^\s*(<think>[\s\S]*?<\/think>)/.exec(String(value)) ?? []
    const calls = parseJsonText(String(value).slice(thinking.length))
    const list = Array.isArray(calls) ? (calls as unknown[]) : [calls]
    return { role, content: thinking, tool_calls: list.map((call) => ({ type: 'function', function: call })) }
  })
  const systemMessages = typeof system === 'string' && system !== '' ? [{ role: 'system', content: system }] : []
  return errors.length > 0 ? [] : messagesIn([...systemMessages, ...messages], 'user', 'conversations', errors)
}

function fromAlpaca({ instruction, input, output, system, history }: Fields, errors: FieldError[]): ChatMessage[] {
  const text = (field: string, value: unknown) => {
    if (typeof value !== 'string') errors.push({ field, message: 'This must be text.' })
    return String(value)
  }
  const past = Array.isArray(history) ? (history as unknown[][]) : []
  const prompt = [text('instruction', instruction), ...(typeof input === 'string' && input !== '' ? [input] : [])].join('\n\n')
  return [
    ...(typeof system === 'string' && system !== '' ? [{ role: 'system' as const, content: system }] : []),
    ...past.flatMap(([before, answer], index) => [
      { role: 'user' as const, content: text(`history.${index}.0`, before) },
      { role: 'assistant' as const, content: text(`history.${index}.1`, answer) },
    ]),
    { role: 'user', content: prompt },
    { role: 'assistant', content: text('output', output) },
  ]
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value of a JSON object or list in text; other values unchanged. */
function parseJsonText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return parseShallow(value).value
  } catch {
    return value
  }
}
