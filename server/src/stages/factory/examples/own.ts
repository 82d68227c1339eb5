import type { ChatMessage, ReviewState } from '#contracts/entities/example.ts'
import type { Database } from '#server/db/open.ts'
import type { BuiltExample } from './types.ts'

interface Own {
  states: ReadonlyMap<string, ReviewState>
  edits: ReadonlyMap<string, { messages: ChatMessage[]; sourceHash: string }>
}

/** What the user said about the examples of a session. */
export function readOwn(db: Database, traceId: string): Own {
  const states = db
    .prepare<[string], { example_id: string; state: ReviewState }>(
      'SELECT example_id, state FROM example_reviews WHERE trace_id = ? AND undone_at IS NULL ORDER BY no',
    )
    .all(traceId)
  const edits = db
    .prepare<[string], { example_id: string; messages: string; source_hash: string }>(
      'SELECT example_id, messages, source_hash FROM example_edits WHERE trace_id = ?',
    )
    .all(traceId)
  return {
    states: new Map(states.map(({ example_id, state }) => [example_id, state])),
    edits: new Map(
      edits.map(({ example_id, messages, source_hash }) => [
        example_id,
        { messages: JSON.parse(messages) as ChatMessage[], sourceHash: source_hash }, // written through the contract
      ]),
    ),
  }
}

/** The example as the user left it; an edit of a source that has changed since stands, and is flagged. */
export function withOwn(example: Omit<BuiltExample, 'state' | 'edited' | 'original'>, { states, edits }: Own): BuiltExample {
  const state = states.get(example.id) ?? 'proposed'
  const edit = edits.get(example.id)
  if (!edit) return { ...example, state, edited: false, original: null }
  const flags = [...example.flags, 'edited', ...(edit.sourceHash === example.sourceHash ? [] : ['edit_outdated'])].toSorted()
  const stepIds = edit.messages.map((_, index) => example.stepIds[index] ?? null)
  return { ...example, flags, messages: edit.messages, stepIds, state, edited: true, original: example.messages }
}
