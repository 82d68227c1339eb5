import type { ChatMessage, ReviewState } from '#contracts/entities/example.ts'
import type { Database } from '#server/db/open.ts'
import { callsOf } from '../curate/candidate.ts'
import { charsOf, charsPerToken, estimate } from './tokens.ts'
import type { BuiltExample } from './types.ts'

interface UserChanges {
  states: ReadonlyMap<string, ReviewState>
  edits: ReadonlyMap<string, { messages: ChatMessage[]; sourceHash: string }>
}

/** The user's reviews and edits of a session's examples. */
export function readUserChanges(db: Database, traceId: string): UserChanges {
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

/** Applies the user's review and edit. An edit stays even if its source has changed since; then it is flagged. */
export function withUserChanges(
  example: Omit<BuiltExample, 'state' | 'edited' | 'original'>,
  { states, edits }: UserChanges,
): BuiltExample {
  const state = states.get(example.id) ?? 'proposed'
  const edit = edits.get(example.id)
  if (!edit) return { ...example, state, edited: false, original: null }
  const { messages } = edit
  const flags = [...example.flags, 'edited', ...(edit.sourceHash === example.sourceHash ? [] : ['edit_outdated'])].toSorted()
  const [prompt, sourcePrompt] = [promptOf(messages), promptOf(example.messages)]
  const words = messages.map(({ content }) => content).join('\n')
  return {
    ...example,
    flags,
    messages,
    prompt: prompt === sourcePrompt ? example.prompt : (prompt ?? example.prompt),
    turns: messages.filter(({ role }) => role === 'assistant').length,
    steps: messages.reduce((sum, message) => sum + callsOf(message).length, 0),
    tokens: estimate(charsOf(messages) + JSON.stringify(example.tools).length, messages.length, charsPerToken(words)),
    stepIds: matchMessages(messages, example.messages).map((position) => (position === null ? null : (example.stepIds[position] ?? null))),
    state,
    edited: true,
    original: example.messages,
  }
}

const promptOf = (messages: readonly ChatMessage[]) => messages.find(({ role }) => role === 'user')?.content

/** The source position of each edited message, found by its call, else its text, else its turn; null for new messages. */
export function matchMessages(edited: readonly ChatMessage[], source: readonly ChatMessage[]): (number | null)[] {
  const keys = source.map(messageKey)
  let next = 0
  return edited.map((message, index) => {
    const key = messageKey(message)
    const matchedIndex = keys.indexOf(key, next)
    const isSameTurn = source[next]?.role === message.role && !edited.slice(index + 1).some((later) => messageKey(later) === keys[next])
    const position = matchedIndex >= 0 ? matchedIndex : isSameTurn ? next : null
    if (position !== null) next = position + 1
    return position
  })
}

/** Identifies a message; for results and calls independent of their text. */
function messageKey(message: ChatMessage): string {
  if (message.role === 'tool') return `result ${message.tool_call_id}`
  const [call] = callsOf(message)
  return call ? `call ${call.id}` : `${message.role} ${message.content}`
}
