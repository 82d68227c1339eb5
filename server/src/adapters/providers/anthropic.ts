import { z } from 'zod'
import type { Dialect } from './types.ts'

const Answer = z.object({
  type: z.literal('message'),
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
  stop_reason: z.string().nullable(),
  usage: z.object({
    input_tokens: z.number().int().min(0),
    output_tokens: z.number().int().min(0),
    cache_creation_input_tokens: z.number().int().min(0).nullish(),
    cache_read_input_tokens: z.number().int().min(0).nullish(),
  }),
})
const Failure = z.object({ error: z.object({ message: z.string() }) })
const STOPS = { end_turn: 'end', stop_sequence: 'end', max_tokens: 'length', refusal: 'refusal' } as const

/** The Messages API of Anthropic, version 2023-06-01, without streaming. */
export const anthropic: Dialect = {
  path: '/v1/messages',
  headers: (key) => ({ 'anthropic-version': '2023-06-01', ...(key !== null && { 'x-api-key': key }) }),
  body: ({ model, system, user, maxTokens }) => ({ model, max_tokens: maxTokens, system, messages: [{ role: 'user', content: user }] }),
  read(answer) {
    const { data } = Answer.safeParse(answer)
    if (!data) return null
    const { usage } = data
    return {
      text: data.content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join(''),
      stopped: STOPS[data.stop_reason as keyof typeof STOPS] ?? 'other',
      usage: {
        input: usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0),
        output: usage.output_tokens,
      },
    }
  },
  reason: (answer) => Failure.safeParse(answer).data?.error.message ?? null,
}
