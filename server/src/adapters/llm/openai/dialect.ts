import type { ChatRequest, Dialect, Message } from '../types.ts'
import { readAnswer, readRefusal } from './answer.ts'
import { createReader } from './stream.ts'

/** OpenAI's chat completions API, which NIM, vLLM, Ollama and llama.cpp also have. */
export const openai: Dialect = {
  path: '/chat/completions',
  headers: (key): Record<string, string> => (key === null ? {} : { authorization: `Bearer ${key}` }),
  body: ({ model, system, messages, tools = [], maxTokens, temperature, topP, stop, seed, logprobs, format, toolChoice, oneCall }) => ({
    ...(model !== null && { model }),
    max_tokens: maxTokens,
    messages: [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...messages.map(toMessage)],
    ...(tools.length > 0 && {
      tools: tools.map((tool) =>
        'wire' in tool
          ? tool.wire
          : { type: 'function', function: { name: tool.name, description: tool.description, parameters: tool.inputSchema } },
      ),
    }),
    ...(toolChoice !== undefined && { tool_choice: choiceOf(toolChoice) }),
    ...(oneCall === true && { parallel_tool_calls: false }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(stop !== undefined && { stop }),
    ...(seed !== undefined && { seed }),
    ...(logprobs === true && { logprobs }),
    ...(format && { response_format: { type: 'json_schema', json_schema: { name: format.name, strict: true, schema: format.schema } } }),
  }),
  streaming: { stream: true, stream_options: { include_usage: true } },
  endMark: '[DONE]',
  read: readAnswer,
  createReader,
  refusal: readRefusal,
}

function toMessage(message: Message): unknown {
  if ('wire' in message) return message.wire
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.content }
  const { role, content } = message
  if (role === 'user' && message.images?.length) {
    const images = message.images.map((url) => ({ type: 'image_url', image_url: { url } }))
    return { role, content: [...(content === '' ? [] : [{ type: 'text', text: content }]), ...images] }
  }
  if (role === 'user' || !message.toolCalls?.length) return { role, content }
  const calls = message.toolCalls.map(({ id, name, arguments: json }) => ({ id, type: 'function', function: { name, arguments: json } }))
  return { role, content, tool_calls: calls }
}

const choiceOf = (choice: NonNullable<ChatRequest['toolChoice']>): unknown =>
  typeof choice === 'object' ? { type: 'function', function: choice } : choice === 'any' ? 'required' : choice
