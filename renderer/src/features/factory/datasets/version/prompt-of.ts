import { z } from 'zod'

const Messages = z.array(z.object({ role: z.string(), content: z.string() }))

/** What a row of any kind asks for: the first message of the user, on one line. */
export function promptOf(row: Record<string, unknown>): string {
  const result = Messages.safeParse(row['messages'] ?? row['prompt'])
  const asked = result.success ? (result.data.find(({ role }) => role === 'user')?.content ?? '') : ''
  return asked.replaceAll(/\s+/g, ' ').trim().slice(0, 400) || '(no prompt)'
}
