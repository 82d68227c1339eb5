import { randomInt } from 'node:crypto'
import { jsonOf } from '../../tools/json.ts'
import type { Completion, StreamedCompletion, StreamEvent, ToolCall, Usage } from '../types.ts'

/** What an answer says about itself. */
export interface AnswerIdentity {
  /** Not one that the client's provider makes. */
  id: string
  /** The name that the client asked for. */
  model: string
  /** The client asked its provider to check the calls; nobody did. */
  isChecked: boolean
}
type Written = Pick<StreamedCompletion, 'text' | 'toolCalls' | 'stopped'>

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** A name for a call that no other call of any conversation has. Names that models give are not unique, and may poison a conversation. */
export const newCallId = (): string => `toolu_${Array.from({ length: 24 }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`

/** "Available" without a verdict lets the client ask for each action; any other answer changes the whole session. */
const UNCHECKED = { safeguard_results: [{ type: 'dangerous_tool_use', status: { type: 'available', tool_uses: {} } }] }
const STOPS = { end: 'end_turn', length: 'max_tokens', tools: 'end_turn', refusal: 'refusal', other: 'end_turn' } as const

const usageOf = (usage: Usage | null) => ({
  input_tokens: Math.max(0, (usage?.input ?? 0) - (usage?.cacheRead ?? 0) - (usage?.cacheWrite ?? 0)),
  cache_creation_input_tokens: usage?.cacheWrite ?? 0,
  cache_read_input_tokens: usage?.cacheRead ?? 0,
  output_tokens: usage?.output ?? 0,
})
const stopOf = ({ toolCalls, stopped }: Pick<Written, 'toolCalls' | 'stopped'>): string =>
  toolCalls.length > 0 ? 'tool_use' : STOPS[stopped]
const headOf = ({ id, model }: AnswerIdentity) => ({ id, type: 'message', role: 'assistant', model })
const inputOf = ({ arguments: json }: ToolCall): unknown => jsonOf(json === '' ? '{}' : json) ?? {}

/** An answer as one message. Thoughts are left out: without its signature the provider would refuse a conversation that has one. */
export function messageOf(completion: Written & { usage: Usage | null }, identity: AnswerIdentity): object {
  const { text, toolCalls } = completion
  return {
    ...headOf(identity),
    content: [
      ...(text.trim() === '' ? [] : [{ type: 'text', text }]),
      ...toolCalls.map((call) => ({ type: 'tool_use', id: newCallId(), name: call.name, input: inputOf(call) })),
    ],
    stop_reason: stopOf(completion),
    stop_sequence: null,
    usage: usageOf(completion.usage),
    ...(identity.isChecked && UNCHECKED),
  }
}

/** An event of the Messages API. */
export type MessagesEvent = { type: string } & Record<string, unknown>

/**
 * Writes an answer as events, one block after the other. Text is written as it comes, calls when they are complete: pieces of
 * several calls may come mixed, and a torn call would stay in the client's conversation.
 */
export function createMessagesWriter(identity: AnswerIdentity, before: Usage | null = null) {
  let index = 0
  let isOpen = false
  /** Blank text is not yet a block. */
  let blank = ''
  let state: 'new' | 'begun' | 'over' = 'new'

  const begin = (): MessagesEvent[] => {
    if (state !== 'new') return []
    state = 'begun'
    const message = {
      ...headOf(identity),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usageOf(before), output_tokens: 0 },
    }
    return [{ type: 'message_start', message }]
  }
  const block = (content_block: object, delta: object): MessagesEvent[] => [
    { type: 'content_block_start', index, content_block },
    { type: 'content_block_delta', index, delta },
    { type: 'content_block_stop', index: index++ },
  ]
  const closeText = (): MessagesEvent[] => {
    if (!isOpen) return []
    isOpen = false
    return [{ type: 'content_block_stop', index: index++ }]
  }
  return {
    add(event: StreamEvent): MessagesEvent[] {
      if (state === 'over' || event.type !== 'text') return []
      const text = blank + event.text
      blank = ''
      if (!isOpen && text.trim() === '') {
        blank = text
        return []
      }
      const start = isOpen ? [] : [...begin(), { type: 'content_block_start', index, content_block: { type: 'text', text: '' } }]
      isOpen = true
      return [...start, { type: 'content_block_delta', index, delta: { type: 'text_delta', text } }]
    },
    end(answer: Pick<Completion, 'toolCalls' | 'stopped'> & { usage: Usage | null }): MessagesEvent[] {
      const events = [
        ...begin(),
        ...closeText(),
        ...answer.toolCalls.flatMap((call) =>
          block(
            { type: 'tool_use', id: newCallId(), name: call.name, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(inputOf(call)) },
          ),
        ),
        {
          type: 'message_delta',
          delta: { stop_reason: stopOf(answer), stop_sequence: null, ...(identity.isChecked && UNCHECKED) },
          usage: usageOf(answer.usage),
        },
        { type: 'message_stop' },
      ]
      state = 'over'
      return events
    },
    /** An answer that cannot be completed ends as an error, never as if it were whole. */
    fail(message: string): MessagesEvent[] {
      if (state === 'over') return []
      state = 'over'
      return [{ type: 'error', error: { type: 'api_error', message } }]
    },
  }
}

export const messagesEvent = (event: MessagesEvent): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
