import { z } from 'zod'
import type { Usage } from '../llm/types.ts'

const Tokens = z.number().int().nonnegative()
const Response = z.object({
  usage: z.object({
    input_tokens: Tokens,
    output_tokens: Tokens,
    input_tokens_details: z.object({ cached_tokens: Tokens.nullish() }).nullish(),
  }),
})
/** The last event of a stream (`response.completed`, `.incomplete`, `.failed`) repeats the whole response. */
const Ended = z.object({ type: z.string().regex(/^response\.(?:completed|incomplete|failed)$/), response: Response })

/** Of an answer of OpenAI's Responses API; null: not reported. */
export function usageOfResponse(answer: unknown): Usage | null {
  const { data } = Response.safeParse(answer)
  if (!data) return null
  const { input_tokens: input, output_tokens: output, input_tokens_details: details } = data.usage
  return { input, output, cacheRead: details?.cached_tokens ?? null, cacheWrite: null }
}

/** Of an event of its stream. */
export function usageOfResponseEvent(event: unknown): Usage | null {
  const { data } = Ended.safeParse(event)
  return data ? usageOfResponse(data.response) : null
}
