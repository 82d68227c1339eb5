import { z } from 'zod'
import type { Answer, Refusal, Usage } from '../types.ts'

export const Tokens = z.number().int().min(0)
export const Used = z.object({
  prompt_tokens: Tokens,
  completion_tokens: Tokens,
  prompt_tokens_details: z.object({ cached_tokens: Tokens.nullish() }).nullish(),
})
/** llama.cpp, vLLM and NIM use `reasoning_content`, Ollama uses `reasoning`. */
export const Words = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
})
export const Called = z.object({ name: z.string().nullish(), arguments: z.string().nullish() })
const Call = z.object({ id: z.string().nullish(), function: Called })
/** Other shapes, as of older servers, count as none. */
const Logprobs = z
  .object({ content: z.array(z.object({ token: z.string(), logprob: z.number() })) })
  .nullish()
  .catch(null)
const Choice = z.object({
  message: Words.extend({ tool_calls: z.array(Call).nullish() }),
  finish_reason: z.string().nullish(),
  logprobs: Logprobs,
})
const Whole = z.object({ choices: z.array(Choice).min(1), usage: Used })

/** Reads an answer that was not streamed; null if it is not one of this API. */
export function readAnswer(answer: unknown): Answer | null {
  const { data } = Whole.safeParse(answer)
  if (!data) return null
  const { message, finish_reason: finish, logprobs } = data.choices[0]!
  return {
    text: message.content ?? '',
    thinking: thoughtIn(message),
    toolCalls: (message.tool_calls ?? []).map(({ id, function: called }, index) => ({
      id: id || idOf(index),
      name: called.name ?? '',
      arguments: called.arguments ?? '',
    })),
    stopped: message.refusal ? 'refusal' : stopOf(finish),
    usage: usageOf(data.usage),
    ...(logprobs && { logprobs: logprobs.content }),
  }
}

/** For servers that give calls no id. */
export const idOf = (index: number): string => `call_${index}`
export const thoughtIn = ({ reasoning_content, reasoning }: z.infer<typeof Words>): string => reasoning_content ?? reasoning ?? ''

export const usageOf = ({ prompt_tokens, completion_tokens, prompt_tokens_details: details }: z.infer<typeof Used>): Usage => ({
  input: prompt_tokens,
  output: completion_tokens,
  cacheRead: details?.cached_tokens ?? null,
  cacheWrite: null,
})

const STOPS = { stop: 'end', length: 'length', content_filter: 'refusal', tool_calls: 'tools' } as const
export const stopOf = (reason: string | null | undefined): Answer['stopped'] => STOPS[reason as keyof typeof STOPS] ?? 'other'

/** `n_prompt_tokens` and `n_ctx` are from llama.cpp. */
const ErrorDetail = z.object({
  message: z.string(),
  code: z.unknown().optional(),
  n_prompt_tokens: Tokens.optional(),
  n_ctx: Tokens.optional(),
})
const Failure = z.union([
  z.object({ error: ErrorDetail }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error }): z.infer<typeof ErrorDetail> => ({ message: error })),
  z.object({ detail: z.string() }).transform(({ detail }): z.infer<typeof ErrorDetail> => ({ message: detail })),
])

export function readRefusal(answer: unknown): Refusal | null {
  const { data } = Failure.safeParse(answer)
  if (!data) return null
  return {
    reason: data.message,
    status: typeof data.code === 'number' ? data.code : null,
    tooLong: data.n_ctx === undefined ? null : { tokens: data.n_prompt_tokens ?? null, limit: data.n_ctx },
  }
}
