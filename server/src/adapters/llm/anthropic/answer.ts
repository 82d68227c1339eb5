import { z } from 'zod'
import type { Answer, Refusal, ToolCall, Usage } from '../types.ts'

const Tokens = z.number().int().min(0)
export const Used = z.object({
  input_tokens: Tokens,
  output_tokens: Tokens,
  cache_creation_input_tokens: Tokens.nullish(),
  cache_read_input_tokens: Tokens.nullish(),
  cache_creation: z.object({ ephemeral_1h_input_tokens: Tokens.nullish() }).nullish().catch(null),
})
export type Used = z.infer<typeof Used>
export const Block = z.object({
  type: z.string(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
})
export type Block = z.infer<typeof Block>
const Whole = z.object({ type: z.literal('message'), content: z.array(Block), stop_reason: z.string().nullable(), usage: Used })
const Failure = z.object({ error: z.object({ type: z.string().optional(), message: z.string() }) })

/** Reads an answer that was not streamed; null if it is not one of this API. */
export function readAnswer(answer: unknown): Answer | null {
  const { data } = Whole.safeParse(answer)
  if (!data) return null
  const textOf = (type: 'text' | 'thinking') => data.content.map((block) => (block.type === type ? (block[type] ?? '') : '')).join('')
  return {
    text: textOf('text'),
    thinking: textOf('thinking'),
    toolCalls: data.content.filter(({ type }) => type === 'tool_use').map((block) => callOf(block)),
    stopped: stopOf(data.stop_reason),
    usage: usageOf(data.usage),
  }
}

/** `json`: the arguments, if they were streamed. */
export const callOf = ({ id = '', name = '', input = {} }: Block, json = ''): ToolCall => ({
  id,
  name,
  arguments: json || JSON.stringify(input),
})

/** `input_tokens` does not include tokens read from the cache or written to it. */
export function usageOf({
  input_tokens,
  output_tokens,
  cache_read_input_tokens,
  cache_creation_input_tokens,
  cache_creation,
}: Used): Usage {
  const cacheRead = cache_read_input_tokens ?? null
  const cacheWrite = cache_creation_input_tokens ?? null
  const cacheWrite1h = cache_creation?.ephemeral_1h_input_tokens
  return {
    input: input_tokens + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output: output_tokens,
    cacheRead,
    cacheWrite,
    ...(cacheWrite1h ? { cacheWrite1h } : {}),
  }
}

const STOPS = {
  end_turn: 'end',
  stop_sequence: 'end',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tools',
  refusal: 'refusal',
} as const
export const stopOf = (reason: string | null): Answer['stopped'] => STOPS[reason as keyof typeof STOPS] ?? 'other'

/** HTTP statuses of errors in a stream, whose own status is 200. */
const STATUSES = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
])

export function readRefusal(answer: unknown): Refusal | null {
  const { data } = Failure.safeParse(answer)
  return data ? { reason: data.error.message, status: STATUSES.get(data.error.type ?? '') ?? null, tooLong: null } : null
}
