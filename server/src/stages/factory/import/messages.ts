import { ChatMessage } from '#contracts/entities/example.ts'
import { lookup } from '#contracts/lookup.ts'
import { plainWords } from '#contracts/plain-words.ts'
import { type Fields, isGiven, isObject, parseJsonText, type Reading } from './reading.ts'

/** Other names of roles: of OpenAI, ShareGPT, Llama, Gemma and older formats. */
const ROLES: Record<string, string> = lookup({
  developer: 'system',
  function: 'tool',
  human: 'user',
  gpt: 'assistant',
  model: 'assistant',
  observation: 'tool',
  ipython: 'tool',
})
/** Names that programs give to the thoughts of an answer. */
const THOUGHTS = ['reasoning_content', 'reasoning', 'thinking']
/** Names that programs give to the mark of an answer without loss. */
const LOSS_MARKS = ['train', 'training', 'loss']
const OWN_KEYS = ['role', 'content', 'from', 'value', 'tool_calls', 'function_call', 'tool_call_id', 'name', 'weight']
const READ_KEYS: ReadonlySet<string> = new Set([...OWN_KEYS, ...THOUGHTS, ...LOSS_MARKS])

interface Call {
  id: string
  name: string
}
/** The calls of a list so far, without and with a result. `hasBegun`: something other than a result has been read. */
interface Calls {
  open: Call[]
  closed: Call[]
  hasBegun: boolean
}

/** Parses a list of messages, or a text as one message of this role. */
export function messagesIn(value: unknown, role: ChatMessage['role'], field: string, reading: Reading): ChatMessage[] {
  if (typeof value === 'string') {
    if (value.trim() === '') reading.errors.push({ field, message: 'This text is empty.' })
    return [{ role, content: value } as ChatMessage] // user or assistant: roles of plain text
  }
  if (!Array.isArray(value) || value.length === 0) {
    reading.errors.push({ field, message: 'Messages must be text or a list with at least one message.' })
    return []
  }
  const calls: Calls = { open: [], closed: [], hasBegun: false }
  return value.flatMap((message: unknown, index): ChatMessage[] => {
    const parsed = ChatMessage.safeParse(normalMessage(message, index, calls, field, reading))
    if (parsed.success) return [parsed.data]
    const [issue] = parsed.error.issues
    reading.errors.push({
      field: [field, index, ...(issue?.path ?? [])].join('.'),
      message: issue ? plainWords(issue) : 'This is not a message.',
    })
    return []
  })
}

/** A message in our form: null is as good as absent, and missing ids and names come from the order of the calls. */
function normalMessage(message: unknown, index: number, known: Calls, field: string, reading: Reading): unknown {
  if (!isObject(message)) return message
  const fields = Object.fromEntries(Object.entries(message).filter(([, value]) => value !== null))
  const given = String(fields.role ?? fields.from)
  const role = ROLES[given] ?? given
  const content = textOf(fields.content ?? fields.value ?? '')
  const used = role === 'tool' ? READ_KEYS : new Set([...READ_KEYS].filter((name) => name !== 'name' && name !== 'tool_call_id'))
  for (const [name, value] of Object.entries(fields)) if (!used.has(name) && isGiven(value)) reading.uses.set(`${field}[].${name}`, null)
  if (role === 'tool') return { role, content, ...answeredCall(fields, known, `${field}.${index}`, reading) }
  known.hasBegun = true
  if (role !== 'assistant') return { role, content }
  const weight = weightOf(fields, field, reading)
  const calls = callsOf(fields, index, known.open, field, reading)
  return {
    role,
    content: withThoughts(fields, content, field, reading),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(weight === undefined ? {} : { weight }),
  }
}

/**
 * The call that a result answers: by its id, else by its name, else the first one without a result. The results that a list begins
 * with answer calls of its prompt.
 */
function answeredCall(fields: Fields, calls: Calls, at: string, { errors }: Reading): { tool_call_id: unknown; name: unknown } {
  const { open } = calls
  const id = isGiven(fields.tool_call_id) ? fields.tool_call_id : undefined
  const refuse = (field: string, message: string) => {
    if (calls.hasBegun) errors.push({ field: `${at}.${field}`, message })
  }
  if (id !== undefined) {
    const index = open.findIndex((call) => call.id === id)
    const [call] = index === -1 ? calls.closed.filter((one) => one.id === id) : open.splice(index, 1)
    if (call) calls.closed.push(call)
    else refuse('tool_call_id', `No call before this result has the id ${JSON.stringify(id)}.`)
    return { tool_call_id: id, name: fields.name ?? call?.name ?? (calls.hasBegun ? '' : undefined) }
  }
  const named = open.findIndex((call) => call.name === fields.name)
  const [call] = open.splice(Math.max(0, named), 1)
  if (call) calls.closed.push(call)
  else refuse('role', 'This result answers no call: none before it is without a result.')
  return {
    tool_call_id: call?.id ?? (calls.hasBegun ? '' : undefined),
    name: fields.name ?? call?.name ?? (calls.hasBegun ? '' : undefined),
  }
}

function callsOf(fields: Fields, index: number, openCalls: Call[], field: string, reading: Reading): unknown[] {
  const { errors } = reading
  const calls = parseJsonText(fields.tool_calls, reading) ?? (isObject(fields.function_call) ? [fields.function_call] : [])
  if (!Array.isArray(calls)) {
    if (isGiven(calls)) errors.push({ field: `${field}.${index}.tool_calls`, message: 'Tool calls must be a list.' })
    return []
  }
  return calls.map((call: unknown, number): unknown => {
    if (!isObject(call)) return call
    const called = isObject(call.function) ? call.function : call // a bare call has its name and arguments itself
    const args = isGiven(called.arguments) ? parseJsonText(called.arguments, reading) : {}
    if (!isObject(args))
      errors.push({
        field: `${field}.${index}.tool_calls.${number}.function.arguments`,
        message: 'Arguments must be a JSON object or its text.',
      })
    const id = typeof call.id === 'string' && call.id !== '' ? call.id : `call_${index}_${number}`
    openCalls.push({ id, name: String(called.name) })
    return { id, type: 'function', function: { name: called.name, arguments: isObject(args) ? args : {} } }
  })
}

/** 0 or 1; other numbers are not known to our rows. */
function weightOf(fields: Fields, field: string, { uses }: Reading): 0 | 1 | undefined {
  const mark = LOSS_MARKS.find((name) => fields[name] === false || fields[name] === 0)
  if (mark !== undefined) {
    uses.set(`${field}[].${mark}`, 'weight 0')
    return 0
  }
  if (!isGiven(fields.weight)) return undefined
  const weight = Number(fields.weight)
  if (weight !== 0 && weight !== 1) uses.set(`${field}[].weight`, 'weight 1')
  return weight === 0 ? 0 : 1
}

/** The content with the thoughts of a field of their own in front, where templates look for them. */
function withThoughts(fields: Fields, content: unknown, field: string, { uses }: Reading): unknown {
  const name = THOUGHTS.find((one) => typeof fields[one] === 'string' && fields[one].trim() !== '')
  if (name === undefined || typeof content !== 'string') return content
  const isThere = content.includes('</think>')
  uses.set(`${field}[].${name}`, isThere ? null : 'thoughts before the answer')
  if (isThere) return content
  return `<think>\n${String(fields[name]).trim()}\n</think>${content === '' ? '' : `\n\n${content}`}`
}

/** Joins text parts. Content with other parts stays unchanged, and is rejected later. */
function textOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  const texts = content.map((part: unknown) => (isObject(part) && part.type === 'text' ? part.text : part))
  return texts.every((text) => typeof text === 'string') ? texts.join('') : content
}
