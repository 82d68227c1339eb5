import { z } from 'zod'
import type { ChatRequest, Message, Tool, ToolCall } from '../types.ts'
import { Untranslatable } from './untranslatable.ts'

const Part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
  is_error: z.boolean().nullish(),
  source: z.looseObject({ type: z.string() }).optional(),
})
type Part = z.infer<typeof Part>
const Content = z.union([z.string(), z.array(Part)])
const GivenTool = z.looseObject({
  type: z.string().nullish(),
  name: z.string().optional(),
  description: z.string().nullish(),
  input_schema: z.record(z.string(), z.unknown()).optional(),
  defer_loading: z.boolean().nullish(),
})
const Body = z.looseObject({
  system: Content.nullish(),
  messages: z.array(z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content: Content })).min(1),
  tools: z.array(GivenTool).nullish(),
  tool_choice: z.looseObject({ type: z.string(), name: z.string().optional(), disable_parallel_tool_use: z.boolean().nullish() }).nullish(),
  max_tokens: z.number().int().positive(),
  stop_sequences: z.array(z.string()).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  thread: z.looseObject({ type: z.string().optional() }).nullish(),
})

/** The line by which the client's provider counts; another one in each request would make a local model read all of it again. */
const BILLING = 'x-anthropic-billing-header'
const TOOL_NAME = /^[\w-]{1,64}$/
const NO_RESULT = 'No result.'

/**
 * Reads a request of the Messages API. What belongs to its provider only (ids of the user, marks of its cache, checks of actions)
 * is left out: only what is named here is passed on. Throws `Untranslatable`.
 */
export function readMessagesRequest(body: unknown): Omit<ChatRequest, 'model'> {
  const { data, error } = Body.safeParse(body)
  if (!data)
    throw new Untranslatable(`The request does not have the shape of the Messages API: ${error.issues[0]!.path.join('.')}.`, 'shape')
  if (data.thread?.type === 'continue' || (data.thread && 'continue' in data.thread))
    throw new Untranslatable('Only whole conversations can be answered here.', 'thread')
  const systems = [textIn(data.system ?? ''), ...data.messages.map(({ role, content }) => (role === 'system' ? textIn(content) : ''))]
  const system = systems.filter((text) => text !== '').join('\n\n')
  const messages = messagesOf(data.messages.filter(({ role }) => role !== 'system'))
  if (messages.length === 0) throw new Untranslatable('The conversation has no message.', 'shape')
  const tools = (data.tools ?? []).flatMap(toolOf)
  const { tool_choice: choice, stop_sequences: stop, temperature, top_p: topP } = data
  return {
    ...(system !== '' && { system }),
    messages,
    ...(tools.length > 0 && { tools }),
    ...(tools.length > 0 && choice && choiceOf(choice)),
    maxTokens: data.max_tokens,
    ...(stop?.length && { stop }),
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof topP === 'number' && { topP }),
  }
}

const partsOf = (content: z.infer<typeof Content>): Part[] => (typeof content === 'string' ? [{ type: 'text', text: content }] : content)

const textIn = (content: z.infer<typeof Content>): string =>
  partsOf(content)
    .flatMap(({ text }) => (text === undefined || text === '' || text.startsWith(BILLING) ? [] : text))
    .join('\n\n')

function messagesOf(given: readonly { role: string; content: z.infer<typeof Content> }[]): Message[] {
  const messages: Message[] = []
  /** Calls whose results must follow. */
  let open: ToolCall[] = []
  const close = (results: readonly Part[] = []): Part[] => {
    const byId = new Map(results.map((part) => [part.tool_use_id, part]))
    for (const { id } of open) {
      const result = byId.get(id)
      const text = result ? resultText(result) : NO_RESULT
      messages.push({ role: 'tool', callId: id, content: result?.is_error === true ? `Error: ${text}` : text }) // no field says so
    }
    const known = new Set(open.map(({ id }) => id))
    open = []
    return results.filter(({ tool_use_id: id }) => !known.has(id ?? ''))
  }
  for (const { role, content } of given) {
    const parts = partsOf(content)
    if (role === 'assistant') {
      close()
      const { text, calls } = answerIn(parts)
      if (text !== '' || calls.length > 0)
        messages.push({ role: 'assistant', content: text, ...(calls.length > 0 && { toolCalls: calls }) })
      open = calls
      continue
    }
    const results = parts.filter(({ type }) => type === 'tool_result')
    const orphans = close(results)
    addUser(messages, {
      texts: [...orphans.map(resultText), ...parts.filter(({ type }) => type !== 'tool_result').map(userText)].filter(
        (text) => text !== '',
      ),
      images: [...results.flatMap(({ content: inner }) => imagesIn(inner)), ...imagesIn(parts)],
    })
  }
  close()
  return messages
}

/** Templates of many models refuse two messages of the user after each other. */
function addUser(messages: Message[], { texts, images }: { texts: string[]; images: string[] }): void {
  if (texts.length === 0 && images.length === 0) return
  const last = messages.at(-1)
  const before = last && 'role' in last && last.role === 'user' ? last : null
  if (before) messages.pop()
  const all = [...(before?.images ?? []), ...images]
  const content = [...(before && before.content !== '' ? [before.content] : []), ...texts].join('\n\n')
  messages.push({ role: 'user', content, ...(all.length > 0 && { images: all }) })
}

function answerIn(parts: readonly Part[]): { text: string; calls: ToolCall[] } {
  const texts: string[] = []
  const calls: ToolCall[] = []
  for (const { type, text = '', id = '', name = '', input } of parts) {
    if (type === 'text') texts.push(text)
    else if (type === 'tool_use') calls.push({ id, name, arguments: JSON.stringify(input ?? {}) })
    else if (type !== 'thinking' && type !== 'redacted_thinking') throw unknown(type)
  }
  return { text: texts.filter((text) => text.trim() !== '').join('\n\n'), calls: withOwnIds(calls) }
}

/** A template tells results by their id. */
const withOwnIds = (calls: ToolCall[]): ToolCall[] => calls.filter(({ id }, at) => calls.findIndex((other) => other.id === id) === at)

function userText({ type, text = '' }: Part): string {
  if (type === 'text') return text
  if (type === 'image') return ''
  throw unknown(type)
}

function resultText({ content }: Part): string {
  const { data: parts } = Content.safeParse(content ?? '')
  if (parts === undefined) throw new Untranslatable('A result of a tool has an unknown shape.', 'shape')
  return partsOf(parts)
    .flatMap(({ type, text = '', tool_name: tool }) => {
      if (type === 'text') return text
      if (type === 'image') return []
      if (type === 'tool_reference' && typeof tool === 'string') return `Tool: ${tool}`
      throw unknown(type)
    })
    .join('\n')
}

const imagesIn = (content: unknown): string[] =>
  (Array.isArray(content) ? (content as Part[]) : []).flatMap(({ type, source }) =>
    type === 'image' ? imageOf(source ?? { type: 'none' }) : [],
  )

function imageOf({ type, media_type: media, data, url }: NonNullable<Part['source']>): string {
  if (type === 'base64' && typeof media === 'string' && typeof data === 'string') return `data:${media};base64,${data}`
  if (type === 'url' && typeof url === 'string') return url
  throw unknown(`image of the kind ${type}`)
}

const unknown = (what: string) => new Untranslatable(`A part of the conversation (${what.slice(0, 40)}) has no form in the student's API.`)

function toolOf({ type, name = '', description, input_schema: schema, defer_loading: isDeferred }: z.infer<typeof GivenTool>): Tool[] {
  if (isDeferred === true) return [] // the model does not see its schema either
  if (type && type !== 'custom') throw new Untranslatable(`The tool ${name.slice(0, 64)} is run by the client's provider.`)
  if (!TOOL_NAME.test(name)) throw new Untranslatable(`The name of the tool ${name.slice(0, 64)} is not allowed in the student's API.`)
  return [{ name, description: description ?? '', inputSchema: { type: 'object', properties: {}, ...schema } }]
}

function choiceOf({
  type,
  name,
  disable_parallel_tool_use: isOne,
}: NonNullable<z.infer<typeof Body>['tool_choice']>): Partial<ChatRequest> {
  const choice = type === 'tool' && name !== undefined ? { name } : type === 'any' || type === 'none' ? type : undefined
  return { ...(choice !== undefined && { toolChoice: choice }), ...(isOne === true && { oneCall: true }) }
}
