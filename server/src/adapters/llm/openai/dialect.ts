import type { Dialect, Message } from '../types.ts'
import { readAnswer, readRefusal } from './answer.ts'
import { createReader } from './stream.ts'

/** OpenAI's chat completions API, which NIM, vLLM, Ollama and llama.cpp also have. */
export const openai: Dialect = {
  path: '/chat/completions',
  headers: (key): Record<string, string> => (key === null ? {} : { authorization: `Bearer ${key}` }),
  body: ({ model, system, messages, tools = [], maxTokens, temperature, topP, stop, seed, logprobs, format }) => ({
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
  if (role === 'user' || !message.toolCalls?.length) return { role, content }
  const calls = message.toolCalls.map(({ id, name, arguments: json }) => ({ id, type: 'function', function: { name, arguments: json } }))
  return { role, content, tool_calls: calls }
}
