import { z } from 'zod'

const Messages = z.array(z.object({ role: z.string(), content: z.string() }))

/** The first user message of a row of any kind, on one line. */
export function promptOf(row: Record<string, unknown>): string {
  const result = Messages.safeParse(row['messages'] ?? row['prompt'])
  const prompt = result.success ? (result.data.find(({ role }) => role === 'user')?.content ?? '') : ''
  return prompt.replaceAll(/\s+/g, ' ').trim().slice(0, 400) || '(no prompt)'
}
