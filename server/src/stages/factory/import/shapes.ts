import { lookup } from '#contracts/lookup.ts'
import type { DatasetKind } from '#contracts/entities/dataset.ts'
import { type ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import { plainWords } from '#contracts/plain-words.ts'
import type { DataRow } from '../curate/candidate.ts'
import { messagesIn } from './messages.ts'
import { type FieldError, type Fields, isGiven, isObject, parseJsonText, type Reading } from './reading.ts'

/** `uses`: columns by other names than ours, and what they are read as; null: not at all. */
export type ReadResult =
  | { row: DataRow; kind: DatasetKind; metadata: Fields; uses: ReadonlyMap<string, string | null> }
  | { errors: FieldError[] }

/** Like `convertRow`, for rows to learn from: each trained part needs an answer. */
export function readRow(value: unknown, columns: Record<string, string>, expectedKind?: DatasetKind): ReadResult {
  const read = convertRow(value, columns, expectedKind)
  if ('errors' in read) return read
  const errors = missingAnswers(read.kind, read.row)
  return errors.length > 0 ? { errors } : read
}

/** Reads an outside row in any format that we export or that is commonly known, or plain text columns. `columns`: our field → their column. */
export function convertRow(value: unknown, columns: Record<string, string>, expectedKind?: DatasetKind): ReadResult {
  if (!isObject(value)) return { errors: [{ field: '', message: 'A row must be a JSON object.' }] }
  const missing = Object.entries(columns).filter(([, theirs]) => !Object.hasOwn(value, theirs))
  if (missing.length > 0) return { errors: missing.map(([, theirs]) => ({ field: theirs, message: 'This column does not exist.' })) }
  const mappedColumns = new Set(Object.values(columns))
  const renamed: Fields = {
    ...Object.fromEntries(Object.entries(value).filter(([name]) => !mappedColumns.has(name))),
    ...Object.fromEntries(Object.entries(columns).map(([ours, theirs]) => [ours, value[theirs]])),
  }
  const reading: Reading = { errors: [], uses: new Map() }
  const fields = Object.fromEntries(
    Object.entries(renamed).map(([name, inner]) => [name, JSON_FIELDS.has(name) ? parseJsonText(inner, reading) : inner]),
  )
  const { errors, uses } = reading
  const read = shapeOf(fields, reading)
  if (!read) return { errors: errors.length > 0 ? errors : [{ field: '', message: unknownShape(Object.keys(value)) }] }
  if (errors.length > 0) return { errors }
  if (expectedKind && expectedKind !== read.kind && !(expectedKind === 'rlvr' && read.kind === 'prompts'))
    return { errors: [{ field: '', message: `This row is of kind ${read.kind}, not ${expectedKind}.` }] }
  if (expectedKind === 'rlvr') {
    const problems = rewardProblems(fields)
    if (problems.length > 0) return { errors: problems }
  }
  const { row, kind, used } = read
  if (used)
    for (const [name, inner] of Object.entries(fields))
      if (isGiven(inner) && !used.includes(name) && !OUR_COLUMNS.has(name)) uses.set(name, null)
  return { row, kind: expectedKind ?? kind, metadata: isObject(fields.metadata) ? fields.metadata : {}, uses }
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
  const isTextOrNone = (value: unknown) => value === undefined || value === null || isText(value)
  const isCall = (call: unknown) => isObject(call) && typeof call.name === 'string' && isObject(call.arguments)
  return [
    ...(isTextOrNone(answer) ? [] : [{ field: 'answer', message: 'The answer must be non-empty text.' }]),
    ...(isTextOrNone(tests) ? [] : [{ field: 'tests', message: 'Tests must be non-empty text: the code that checks an answer.' }]),
    ...(calls === undefined || calls === null || (Array.isArray(calls) && calls.every(isCall))
      ? []
      : [{ field: 'reference_calls', message: 'Reference calls must be a list of objects with a name and arguments.' }]),
  ]
}

/** All other columns of a prompt row are kept for rewards. */
const READ_COLUMNS: ReadonlySet<string> = new Set(['prompt', 'tools', 'functions', 'system', 'system_prompt', 'metadata'])
/** Columns of our own files that say where a row is from; some of them repeat fields of `metadata`. */
const ORIGIN = ['metadata', 'example_id', 'split', 'trace_id', 'repo', 'tier', 'quality', 'extra']
const OUR_COLUMNS: ReadonlySet<string> = new Set(['id', ...ORIGIN])
const OUR_PROMPT_COLUMNS: ReadonlySet<string> = new Set([...READ_COLUMNS, ...ORIGIN])

/** Columns that may contain JSON text, as in Parquet files. */
const JSON_FIELDS = new Set([
  'messages',
  'tools',
  'functions',
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

/** `used`: the columns that the row contains; null if it has all of them. */
interface Shape {
  row: DataRow
  kind: DatasetKind
  used: readonly string[] | null
}

function shapeOf(fields: Fields, reading: Reading): Shape | null {
  const hasFields = (...names: string[]) => names.every((name) => fields[name] !== undefined && fields[name] !== null)
  const list = (name: string, role: ChatMessage['role'], from: Fields = fields, at = name) => messagesIn(from[name], role, at, reading)
  const toolColumn = isGiven(fields.tools) ? 'tools' : 'functions'
  const tools = toolsIn(fields[toolColumn], toolColumn, reading)
  if (toolColumn === 'functions' && tools.length > 0) reading.uses.set(toolColumn, 'tools')
  const systemColumn = isText(fields.system) ? 'system' : 'system_prompt'
  /** The columns beside the conversation that are in it too. */
  const beside = [toolColumn, systemColumn]
  const led = (messages: ChatMessage[]): ChatMessage[] => withSystem(fields[systemColumn], systemColumn, messages, reading)
  if (hasFields('messages')) {
    if (isText(fields.messages)) reading.errors.push({ field: 'messages', message: 'This must be a list.' })
    return { kind: 'sft', row: { messages: led(list('messages', 'user')), tools }, used: ['messages', ...beside] }
  }
  if (hasFields('conversations'))
    return { kind: 'sft', row: { messages: led(fromShareGpt(fields, reading)), tools }, used: ['conversations', ...beside] }
  if (hasFields('input', 'preferred_output', 'non_preferred_output') && isObject(fields.input)) {
    const prompt = list('messages', 'user', fields.input, 'input.messages')
    const inputTools = toolsIn(fields.input.tools, 'input.tools', reading)
    const [chosen, rejected] = [list('preferred_output', 'assistant'), list('non_preferred_output', 'assistant')]
    return {
      kind: 'dpo',
      row: { prompt, chosen, rejected, tools: inputTools },
      used: ['input', 'preferred_output', 'non_preferred_output'],
    }
  }
  if (hasFields('prompt', 'chosen', 'rejected'))
    return {
      kind: 'dpo',
      row: { prompt: led(list('prompt', 'user')), chosen: list('chosen', 'assistant'), rejected: list('rejected', 'assistant'), tools },
      used: ['prompt', 'chosen', 'rejected', ...beside],
    }
  if (hasFields('chosen', 'rejected') && !hasFields('prompt')) {
    const [chosen, rejected] = [list('chosen', 'assistant'), list('rejected', 'assistant')]
    const shared = sharedStart(chosen, rejected)
    if (shared === 0 && reading.errors.length === 0) reading.errors.push({ field: 'chosen', message: 'Chosen and rejected begin with the same prompt, or a column prompt has it.' }) // prettier-ignore
    const row = { prompt: led(chosen.slice(0, shared)), chosen: chosen.slice(shared), rejected: rejected.slice(shared), tools }
    return { kind: 'dpo', row, used: ['chosen', 'rejected', ...beside] }
  }
  if (hasFields('prompt', 'completion', 'label')) {
    if (typeof fields.label !== 'boolean') reading.errors.push({ field: 'label', message: 'The label must be true or false.' })
    return {
      kind: 'kto',
      row: { prompt: led(list('prompt', 'user')), completion: list('completion', 'assistant'), label: fields.label === true, tools },
      used: ['prompt', 'completion', 'label', ...beside],
    }
  }
  if (hasFields('prompt', 'completion')) {
    const messages = [...led(list('prompt', 'user')).map(asContext), ...list('completion', 'assistant')]
    return { kind: 'sft', row: { messages, tools }, used: ['prompt', 'completion', ...beside] }
  }
  if (hasFields('instruction', 'output'))
    return {
      kind: 'sft',
      row: { messages: led(fromAlpaca(fields, reading)), tools },
      used: ['instruction', 'input', 'output', 'history', ...beside],
    }
  if (hasFields('prompt')) {
    const isOurs = 'example_id' in fields
    const otherColumns = Object.fromEntries(
      Object.entries(fields).filter(
        ([name, value]) => !(isOurs ? OUR_PROMPT_COLUMNS : READ_COLUMNS).has(name) && !(isOurs && value === null),
      ),
    )
    const extra = isOurs && isObject(fields.extra) ? fields.extra : {}
    return { kind: 'prompts', row: { ...otherColumns, ...extra, prompt: led(list('prompt', 'user')), tools }, used: null }
  }
  return null
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** A conversation with the system prompt of a column beside it, unless it has one itself. */
function withSystem(system: unknown, column: string, messages: ChatMessage[], { uses }: Reading): ChatMessage[] {
  if (!isText(system) || messages.length === 0) return messages
  const isThere = messages[0]!.role === 'system'
  uses.set(column, isThere && messages[0]!.content !== system ? null : 'the system prompt')
  return isThere ? messages : [{ role: 'system', content: system }, ...messages]
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

function toolsIn(value: unknown, field: string, { errors }: Reading): ToolSchema[] {
  if (!isGiven(value)) return []
  if (!Array.isArray(value)) {
    errors.push({ field, message: 'Tools must be a list of JSON Schemas.' })
    return []
  }
  return value.flatMap((tool: unknown, index): ToolSchema[] => {
    const bare = isObject(tool) && !('function' in tool) && 'name' in tool ? { type: 'function', function: tool } : tool
    const filled =
      isObject(bare) && isObject(bare.function)
        ? {
            ...bare,
            function: { ...bare.function, description: bare.function.description ?? '', parameters: bare.function.parameters ?? {} },
          }
        : bare
    const parsed = ToolSchema.safeParse(filled)
    if (parsed.success) return [parsed.data]
    errors.push({
      field: `${field}.${index}`,
      message: parsed.error.issues[0] ? plainWords(parsed.error.issues[0]) : 'This is not a tool.',
    })
    return []
  })
}

const SHAREGPT_ROLES: Record<string, ChatMessage['role']> = lookup({
  human: 'user',
  user: 'user',
  gpt: 'assistant',
  assistant: 'assistant',
  model: 'assistant',
  system: 'system',
  function_call: 'assistant',
  observation: 'tool',
  tool: 'tool',
})

function fromShareGpt({ conversations }: Fields, reading: Reading): ChatMessage[] {
  const { errors } = reading
  if (!Array.isArray(conversations)) {
    errors.push({ field: 'conversations', message: 'Conversations must be a list.' })
    return []
  }
  const messages = conversations.map((turn: unknown, index): unknown => {
    const { from, value, ...others } = isObject(turn) ? turn : {}
    if (from === undefined && value === undefined && 'role' in others) return turn
    const role = SHAREGPT_ROLES[String(from)]
    if (!role || typeof value !== 'string')
      errors.push({ field: `conversations.${index}`, message: 'A turn needs a known "from" and a text "value".' })
    if (from !== 'function_call') return { ...others, role, content: value }
    const [, thinking = ''] = /^\s*(<think>[\s\S]*?<\/think>)/.exec(String(value)) ?? []
    const calls = parseJsonText(String(value).slice(thinking.length), reading)
    return { ...others, role, content: thinking, tool_calls: Array.isArray(calls) ? calls : [calls] }
  })
  return errors.length > 0 ? [] : messagesIn(messages, 'user', 'conversations', reading)
}

function fromAlpaca({ instruction, input, output, history }: Fields, { errors }: Reading): ChatMessage[] {
  const text = (field: string, value: unknown) => {
    if (typeof value !== 'string') errors.push({ field, message: 'This must be text.' })
    return String(value)
  }
  const past = Array.isArray(history) ? (history as unknown[][]) : []
  const prompt = [text('instruction', instruction), ...(typeof input === 'string' && input !== '' ? [input] : [])].join('\n\n')
  return [
    ...past.flatMap(([before, answer], index) => [
      { role: 'user' as const, content: text(`history.${index}.0`, before) },
      { role: 'assistant' as const, content: text(`history.${index}.1`, answer) },
    ]),
    { role: 'user', content: prompt },
    { role: 'assistant', content: text('output', output) },
  ]
}
