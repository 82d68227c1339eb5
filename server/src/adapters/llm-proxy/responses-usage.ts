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

/** The usage in an answer of OpenAI's Responses API; null if it is not reported. */
export function usageOfResponse(answer: unknown): Usage | null {
  const { data } = Response.safeParse(answer)
  if (!data) return null
  const { input_tokens: input, output_tokens: output, input_tokens_details: details } = data.usage
  return { input, output, cacheRead: details?.cached_tokens ?? null, cacheWrite: null }
}

/** The usage in an event of a stream of that API; null if the event has none. */
export function usageOfResponseEvent(event: unknown): Usage | null {
  const { data } = Ended.safeParse(event)
  return data ? usageOfResponse(data.response) : null
}
