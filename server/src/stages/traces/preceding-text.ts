import type { EntryRow } from './derived.ts'
import type { PageEntry } from './page.job.ts'

/**
 * Adds to each step the preceding text and thinking of the same response, which belong to the response's first call.
 * `around` has all entries from shortly before the first step to the last, in order.
 */
export function attachPrecedingText(steps: readonly EntryRow[], around: readonly EntryRow[]): PageEntry[] {
  const stepIds = new Set(steps.map(({ id }) => id))
  const textsByResponse = new Map<string, EntryRow[]>()
  const textsByStep = new Map<string, EntryRow[]>()
  for (const entry of around) {
    const response = `${entry.agent}\0${entry.messageId ?? ''}`
    if (entry.messageId === null) continue
    if (entry.kind === 'text' || entry.kind === 'thinking') textsByResponse.set(response, [...(textsByResponse.get(response) ?? []), entry])
    else if (entry.kind === 'call') {
      if (stepIds.has(entry.id)) textsByStep.set(entry.id, textsByResponse.get(response) ?? [])
      textsByResponse.delete(response)
    }
  }
  return steps.map((row) => ({ row, precedingText: textsByStep.get(row.id) ?? [] }))
}
