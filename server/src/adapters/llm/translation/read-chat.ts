import { z } from 'zod'
import type { ChatRequest, Message, Tool } from '../types.ts'
import { Untranslatable } from './untranslatable.ts'

const Part = z.looseObject({ type: z.string(), text: z.string().optional(), image_url: z.looseObject({ url: z.string() }).optional() })
const Content = z.union([z.string(), z.array(Part)]).nullish()
const Called = z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string().default('{}') }) })
const Given = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: Content,
  tool_calls: z.array(Called).nullish(),
  tool_call_id: z.string().nullish(),
})
const Body = z.looseObject({
  model: z.string(),
  messages: z.array(Given).min(1),
  tools: z
    .array(
      z.looseObject({
        type: z.literal('function'),
        function: z.looseObject({
          name: z.string(),
          description: z.string().nullish(),
          parameters: z.record(z.string(), z.unknown()).nullish(),
        }),
      }),
    )
    .nullish(),
  tool_choice: z.union([z.enum(['auto', 'required', 'none']), z.looseObject({ function: z.looseObject({ name: z.string() }) })]).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_tokens: z.number().int().positive().nullish(),
  max_completion_tokens: z.number().int().positive().nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  n: z.number().int().nullish(),
  response_format: z
    .looseObject({
      type: z.string(),
      json_schema: z.looseObject({ name: z.string().default('answer'), schema: z.record(z.string(), z.unknown()) }).optional(),
    })
    .nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
})

/** For requests that name no limit, which the Messages API needs. */
const MAX_TOKENS = 4096

export interface ReadChat {
  request: ChatRequest
  isStream: boolean
  hasUsage: boolean
}

/** Reads a request of the chat completions API. Throws `Untranslatable`. */
export function readChatRequest(body: unknown): ReadChat {
  const { data, error } = Body.safeParse(body)
  if (!data)
    throw new Untranslatable(
      `The request does not have the shape of the chat completions API: ${error.issues[0]!.path.join('.')}.`,
      'shape',
    )
  if ((data.n ?? 1) > 1) throw new Untranslatable('Only one answer can be asked for (`n` must be 1).')
  const { response_format: format, temperature, top_p: topP, stop } = data
  const isSystem = ({ role }: z.infer<typeof Given>) => role === 'system' || role === 'developer'
  const system = data.messages
    .filter(isSystem)
    .map(({ content }) => textIn(content))
    .join('\n\n')
  const tools = (data.tools ?? []).map(({ function: { name, description, parameters } }): Tool => ({
    name,
    description: description ?? '',
    inputSchema: { type: 'object', properties: {}, ...parameters },
  }))
  const schema = format?.type === 'json_schema' ? format.json_schema : undefined
  const choice = data.tool_choice
  return {
    request: {
      model: data.model,
      ...(system !== '' && { system }),
      messages: data.messages.filter((message) => !isSystem(message)).map(messageOf),
      ...(tools.length > 0 && { tools }),
      ...(tools.length > 0 &&
        choice && { toolChoice: typeof choice === 'object' ? { name: choice.function.name } : choice === 'required' ? 'any' : choice }),
      ...(tools.length > 0 && data.parallel_tool_calls === false && { oneCall: true }),
      ...(schema && { format: { name: schema.name, schema: schema.schema } }),
      maxTokens: data.max_completion_tokens ?? data.max_tokens ?? MAX_TOKENS,
      ...(typeof temperature === 'number' && { temperature }),
      ...(typeof topP === 'number' && { topP }),
      ...(stop?.length && { stop: typeof stop === 'string' ? [stop] : stop }),
    },
    isStream: data.stream === true,
    hasUsage: data.stream_options?.include_usage === true,
  }
}

const partsOf = (content: z.infer<typeof Content>) =>
  typeof content === 'string' ? [{ type: 'text', text: content, image_url: undefined }] : (content ?? [])

function textIn(content: z.infer<typeof Content>): string {
  return partsOf(content)
    .flatMap(({ type, text }) => {
      if (type !== 'text' && type !== 'image_url')
        throw new Untranslatable(`A part of the conversation (${type}) has no form in the Messages API.`)
      return text ?? []
    })
    .join('\n\n')
}

function messageOf({ role, content, tool_calls: calls, tool_call_id: callId }: z.infer<typeof Given>): Message {
  const text = textIn(content)
  if (role === 'tool') return { role, callId: callId ?? '', content: text }
  if (role === 'assistant') {
    const toolCalls = (calls ?? []).map(({ id, function: { name, arguments: json } }) => ({ id, name, arguments: json }))
    return { role, content: text, ...(toolCalls.length > 0 && { toolCalls }) }
  }
  const images = partsOf(content).flatMap(({ image_url: image }) => image?.url ?? [])
  return { role: 'user', content: text, ...(images.length > 0 && { images }) }
}
