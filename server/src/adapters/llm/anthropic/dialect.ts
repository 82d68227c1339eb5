import { jsonOf } from '../../tools/json.ts'
import { ProviderError } from '../error.ts'
import type { ChatRequest, Dialect, Message } from '../types.ts'
import { readAnswer, readRefusal } from './answer.ts'
import { createReader } from './stream.ts'

/** The Messages API of Anthropic, version 2023-06-01. */
export const anthropic: Dialect = {
  path: '/v1/messages',
  headers: (key) => ({ 'anthropic-version': '2023-06-01', ...(key !== null && { 'x-api-key': key }) }),
  body: ({ model, system, messages, tools: given = [], maxTokens, temperature, topP, stop, format, toolChoice, oneCall }) => {
    const tools = format ? [...given, { name: format.name, description: 'The answer.', inputSchema: format.schema }] : given
    return {
      ...(model !== null && { model }),
      max_tokens: maxTokens,
      ...(system !== undefined && { system }),
      messages: toMessages(messages),
      ...(tools.length > 0 && {
        tools: tools.map((tool) =>
          'wire' in tool ? tool.wire : { name: tool.name, description: tool.description, input_schema: tool.inputSchema },
        ),
      }),
      ...choiceOf(format ? { name: format.name } : toolChoice, oneCall === true && tools.length > 0),
      ...(temperature !== undefined && { temperature }),
      ...(topP !== undefined && { top_p: topP }),
      ...(stop !== undefined && { stop_sequences: stop }),
    }
  },
  streaming: { stream: true },
  endMark: null,
  read: readAnswer,
  createReader,
  refusal: readRefusal,
}

/** Puts all results of one answer's calls into one message, which this API requires. */
function toMessages(messages: readonly Message[]): unknown[] {
  const output: unknown[] = []
  let results: unknown[] | null = null
  for (const message of messages) {
    if ('wire' in message || message.role !== 'tool') {
      results = null
      output.push(toMessage(message))
      continue
    }
    if (!results) output.push({ role: 'user', content: (results = []) })
    const { callId, content, isError = false } = message
    results.push({ type: 'tool_result', tool_use_id: callId, content, ...(isError && { is_error: true }) })
  }
  return output
}

function toMessage(message: Exclude<Message, { role: 'tool' }>): unknown {
  if ('wire' in message) return message.wire
  const { role, content } = message
  if (role === 'user' && message.images?.length)
    return { role, content: [...message.images.map(imageOf), ...(content === '' ? [] : [{ type: 'text', text: content }])] }
  if (role === 'user' || !message.toolCalls?.length) return { role, content }
  const calls = message.toolCalls.map(({ id, name, arguments: json }) => ({ type: 'tool_use', id, name, input: objectIn(json, name) }))
  return { role, content: [...(content === '' ? [] : [{ type: 'text', text: content }]), ...calls] }
}

function objectIn(json: string, name: string): object {
  const input = jsonOf(json)
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new ProviderError('refused', {
      detail: `Nothing was sent: the arguments of a call of ${name} are not a JSON object, which this API needs.`,
    })
  return input
}

function imageOf(url: string): unknown {
  const data = /^data:([^;,]+);base64,(.*)$/s.exec(url)
  return { type: 'image', source: data ? { type: 'base64', media_type: data[1], data: data[2] } : { type: 'url', url } }
}

/** `disable_parallel_tool_use` is part of the choice. */
function choiceOf(choice: ChatRequest['toolChoice'], isOne: boolean): object {
  if (choice === undefined && !isOne) return {}
  const type = choice === undefined ? { type: 'auto' } : typeof choice === 'object' ? { type: 'tool', ...choice } : { type: choice }
  return { tool_choice: { ...type, ...(isOne && choice !== 'none' && { disable_parallel_tool_use: true }) } }
}
