import { z } from 'zod'

const Said = z.array(z.object({ role: z.string(), content: z.string() }))

/** What a row of any kind asks for: the first message of the user, on one line. */
export function promptOf(row: Record<string, unknown>): string {
  const said = Said.safeParse(row['messages'] ?? row['prompt'])
  const asked = said.success ? (said.data.find(({ role }) => role === 'user')?.content ?? '') : ''
  return asked.replaceAll(/\s+/g, ' ').trim().slice(0, 400) || '(no prompt)'
}
