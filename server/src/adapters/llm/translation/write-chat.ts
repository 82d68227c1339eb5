import type { Completion, StreamEvent, ToolCall, Usage } from '../types.ts'

interface ChatIdentity {
  id: string
  model: string
  /** Seconds since 1970. */
  created: number
  /** The answer was asked for as JSON: a call of a tool of this name is its text. */
  format: string | null
}
type Written = Pick<Completion, 'text' | 'toolCalls' | 'stopped'>

const STOPS = { end: 'stop', length: 'length', tools: 'stop', refusal: 'content_filter', other: 'stop' } as const
const usageOf = (usage: Usage | null) =>
  usage && {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    ...(usage.cacheRead !== null && { prompt_tokens_details: { cached_tokens: usage.cacheRead } }),
  }
const callOf = ({ id, name, arguments: json }: ToolCall) => ({ id, type: 'function', function: { name, arguments: json || '{}' } })

/** A forced call of the format's tool is the text that was asked for. */
function asked<Answer extends Written>(answer: Answer, format: string | null): Answer {
  const [first] = answer.toolCalls
  return format !== null && first?.name === format ? { ...answer, text: first.arguments, toolCalls: [], stopped: 'end' } : answer
}
const finishOf = ({ toolCalls, stopped }: Pick<Written, 'toolCalls' | 'stopped'>): string =>
  toolCalls.length > 0 ? 'tool_calls' : STOPS[stopped]

/** An answer as one chat completion. */
export function completionOf(
  given: Written & { thinking: string; usage: Usage | null },
  { id, model, created, format }: ChatIdentity,
): object {
  const answer = asked(given, format)
  const { text, thinking, toolCalls } = answer
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && toolCalls.length > 0 ? null : text,
          ...(thinking !== '' && { reasoning_content: thinking }),
          ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(callOf) }),
        },
        finish_reason: finishOf(answer),
      },
    ],
    usage: usageOf(given.usage),
  }
}

/** Writes an answer as chunks: text and thoughts as they come, calls when they are complete. */
export function createChatWriter({ id, model, created, format }: ChatIdentity, hasUsage: boolean) {
  let isBegun = false
  const chunk = (delta: object, finish: string | null = null) => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const begin = (): object[] => {
    if (isBegun) return []
    isBegun = true
    return [chunk({ role: 'assistant', content: '' })]
  }
  return {
    add(event: StreamEvent): object[] {
      if (event.type === 'text') return [...begin(), chunk({ content: event.text })]
      if (event.type === 'thinking') return [...begin(), chunk({ reasoning_content: event.text })]
      return []
    },
    end(given: Written & { usage: Usage | null }): object[] {
      const answer = asked(given, format)
      return [
        ...begin(),
        ...(answer === given ? [] : [chunk({ content: answer.text })]),
        ...answer.toolCalls.map((call, index) => chunk({ tool_calls: [{ index, ...callOf(call) }] })),
        chunk({}, finishOf(answer)),
        ...(hasUsage ? [{ ...chunk({}), choices: [], usage: usageOf(answer.usage) }] : []),
      ]
    },
    fail: (message: string): object[] => [{ error: { message, type: 'api_error', param: null, code: null } }],
  }
}

export const chatEvent = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`
export const CHAT_END = 'data: [DONE]\n\n'
