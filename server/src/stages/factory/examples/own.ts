import type { ChatMessage, ReviewState } from '#contracts/entities/example.ts'
import type { Database } from '#server/db/open.ts'
import { charsOf, charsPerToken, estimate } from './tokens.ts'
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

/** The example as the user left it; an edit of a source that has changed since is kept, and flagged. */
export function withOwn(example: Omit<BuiltExample, 'state' | 'edited' | 'original'>, { states, edits }: Own): BuiltExample {
  const state = states.get(example.id) ?? 'proposed'
  const edit = edits.get(example.id)
  if (!edit) return { ...example, state, edited: false, original: null }
  const { messages } = edit
  const flags = [...example.flags, 'edited', ...(edit.sourceHash === example.sourceHash ? [] : ['edit_outdated'])].toSorted()
  const [asked, askedBefore] = [promptOf(messages), promptOf(example.messages)]
  const words = messages.map(({ content }) => content).join('\n')
  return {
    ...example,
    flags,
    messages,
    prompt: asked === askedBefore ? example.prompt : (asked ?? example.prompt),
    turns: messages.filter(({ role }) => role === 'assistant').length,
    steps: messages.reduce((sum, message) => sum + callsOf(message).length, 0),
    tokens: estimate(charsOf(messages) + JSON.stringify(example.tools).length, messages.length, charsPerToken(words)),
    stepIds: placesOf(messages, example.messages).map((place) => (place === null ? null : (example.stepIds[place] ?? null))),
    state,
    edited: true,
    original: example.messages,
  }
}

const promptOf = (messages: readonly ChatMessage[]) => messages.find(({ role }) => role === 'user')?.content
const callsOf = (message: ChatMessage) => (message.role === 'assistant' ? (message.tool_calls ?? []) : [])

/** For each edited message the place that it had: known by its call, else by its text, else by its turn. Null: it is new. */
export function placesOf(edited: readonly ChatMessage[], source: readonly ChatMessage[]): (number | null)[] {
  const names = source.map(nameOf)
  let next = 0
  return edited.map((message, index) => {
    const name = nameOf(message)
    const known = names.indexOf(name, next)
    const isSameTurn = source[next]?.role === message.role && !edited.slice(index + 1).some((later) => nameOf(later) === names[next])
    const place = known >= 0 ? known : isSameTurn ? next : null
    if (place !== null) next = place + 1
    return place
  })
}

/** What a message keeps when its text is edited. */
function nameOf(message: ChatMessage): string {
  if (message.role === 'tool') return `result ${message.tool_call_id}`
  const [call] = callsOf(message)
  return call ? `call ${call.id}` : `${message.role} ${message.content}`
}
