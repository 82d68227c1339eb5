import type { EntryRow } from './derived.ts'
import type { PageEntry } from './page.job.ts'

/**
 * Adds to steps the text and thinking of the same response before them; they belong to the response's
 * first call. `around` are all entries from a little before the first step to the last, in order.
 */
export function attachPrecedingText(steps: readonly EntryRow[], around: readonly EntryRow[]): PageEntry[] {
  const wanted = new Set(steps.map(({ id }) => id))
  const waiting = new Map<string, EntryRow[]>()
  const found = new Map<string, EntryRow[]>()
  for (const entry of around) {
    const response = `${entry.agent}\0${entry.messageId ?? ''}`
    if (entry.messageId === null) continue
    if (entry.kind === 'text' || entry.kind === 'thinking') waiting.set(response, [...(waiting.get(response) ?? []), entry])
    else if (entry.kind === 'call') {
      if (wanted.has(entry.id)) found.set(entry.id, waiting.get(response) ?? [])
      waiting.delete(response)
    }
  }
  return steps.map((row) => ({ row, precedingText: found.get(row.id) ?? [] }))
}
