import { z } from 'zod'
import type { Dialect } from './types.ts'

const Answer = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.number().int().min(0), completion_tokens: z.number().int().min(0) }),
})
const Failure = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
])
const STOPS = { stop: 'end', length: 'length', content_filter: 'refusal' } as const

/** The chat completions API that OpenAI began and NIM, vLLM, Ollama and llama.cpp speak, without streaming. */
export const openai: Dialect = {
  path: '/chat/completions',
  headers: (key): Record<string, string> => (key === null ? {} : { authorization: `Bearer ${key}` }),
  body: ({ model, system, user, maxTokens }) => ({
    model,
    max_tokens: maxTokens,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
  }),
  read(answer) {
    const { data } = Answer.safeParse(answer)
    if (!data) return null
    const { message, finish_reason: finish } = data.choices[0]!
    return {
      text: message.content ?? '',
      stopped: message.refusal ? 'refusal' : (STOPS[finish as keyof typeof STOPS] ?? 'other'),
      usage: { input: data.usage.prompt_tokens, output: data.usage.completion_tokens },
    }
  },
  reason: (answer) => Failure.safeParse(answer).data ?? null,
}
