import type { ChatChunk } from '#contracts/entities/model.ts'

export interface Call {
  name: string
  arguments: unknown
  /** The call as the model wrote it. */
  raw: string
}

/** The answer of one model to one message. Figures cover what has arrived so far; null if not measured. */
export interface Answer {
  state: 'waiting' | 'streaming' | 'done' | 'stopped' | 'failed'
  text: string
  calls: readonly Call[]
  tokens: number | null
  ms: number | null
  firstTokenMs: number | null
  tokensPerSec: number | null
  error: string | null
  /** Whether a grammar constrained calls to the schemas of their tools. */
  grammar: boolean
  /** The raw text with its calls; null if the server has not sent it. */
  raw: string | null
  /** Whether the answer was cut off at the token limit. */
  cut: boolean
}

export const WAITING: Answer = {
  state: 'waiting',
  text: '',
  calls: [],
  tokens: null,
  ms: null,
  firstTokenMs: null,
  tokensPerSec: null,
  error: null,
  grammar: false,
  raw: null,
  cut: false,
}

/** A message with the answer of each side. `tool`: the output of a call, sent only to sides that made one. */
export interface Turn {
  id: string
  role: 'user' | 'tool'
  text: string
  answers: Readonly<Record<string, Answer>>
}

/** The answer after one more piece of the stream. */
export function withChunk(answer: Answer, chunk: ChatChunk): Answer {
  switch (chunk.type) {
    case 'text':
      return {
        ...answer,
        state: 'streaming',
        text: answer.text + chunk.text,
        tokens: chunk.tokens,
        ms: chunk.ms,
        firstTokenMs: answer.firstTokenMs ?? chunk.ms,
        tokensPerSec: chunk.tokensPerSec,
      }
    case 'read':
      return { ...answer, text: chunk.text, raw: chunk.raw }
    case 'tool_call':
      return { ...answer, state: 'streaming', calls: [...answer.calls, { name: chunk.name, arguments: chunk.arguments, raw: chunk.raw }] }
    case 'done':
      return {
        ...answer,
        state: 'done',
        tokens: chunk.tokens,
        ms: chunk.ms,
        firstTokenMs: chunk.firstTokenMs,
        tokensPerSec: chunk.tokensPerSec,
        cut: chunk.cut ?? false,
      }
    case 'error':
      return { ...answer, state: 'failed', error: chunk.message }
    default:
      throw new Error(`unknown piece ${JSON.stringify(chunk satisfies never)}`)
  }
}

export const isOpen = ({ state }: Pick<Answer, 'state'>): boolean => state === 'waiting' || state === 'streaming'

/** Sets one side's answer to one message. */
export const withAnswer = (turns: readonly Turn[], turnId: string, side: string, change: (answer: Answer) => Answer): Turn[] =>
  turns.map((turn) => {
    const answer = turn.answers[side]
    return turn.id === turnId && answer ? { ...turn, answers: { ...turn.answers, [side]: change(answer) } } : turn
  })

type Message = Record<string, unknown>

/** Whether the answer has nothing that a model could continue from. */
const hasNoContent = ({ state, text, calls }: Answer): boolean =>
  state === 'failed' || (state === 'stopped' && text === '' && calls.length === 0)

/** The chat as one side has seen it: its finished and stopped answers. Failed answers are omitted with their question. */
export function messagesFor(side: string, turns: readonly Turn[], system: string): Message[] {
  const messages = turns.flatMap((turn, index): Message[] => {
    const answer = turn.answers[side]
    const isLast = index === turns.length - 1
    if (!answer || (hasNoContent(answer) && !isLast)) return []
    const input = turn.role === 'user' ? [{ role: 'user', content: turn.text }] : outputOf(turns, index, side)
    return isLast && isOpen(answer) ? input : [...input, messageOf(answer, index)]
  })
  return system.trim() === '' ? messages : [{ role: 'system', content: system }, ...messages]
}

const callId = (turn: number, call: number) => `call_${turn}_${call}`

const messageOf = ({ text, calls }: Answer, turn: number): Message => ({
  role: 'assistant',
  content: text,
  ...(calls.length > 0
    ? {
        tool_calls: calls.map((call, index) => ({
          id: callId(turn, index),
          type: 'function',
          function: { name: call.name, arguments: call.arguments },
        })),
      }
    : {}),
})

/** The typed output as the result of every call in the side's previous answer. */
function outputOf(turns: readonly Turn[], at: number, side: string): Message[] {
  const before = turns.slice(0, at).findLastIndex((turn) => turn.answers[side] !== undefined)
  const calls = turns[before]?.answers[side]?.calls ?? []
  return calls.map(({ name }, index) => ({ role: 'tool', content: turns[at]?.text ?? '', tool_call_id: callId(before, index), name }))
}

/** Sides whose newest answer calls a tool, so that tool output can be sent to them. */
export const sidesThatCalled = <Side extends string>(turns: readonly Turn[], sides: readonly Side[]): Side[] =>
  sides.filter((side) => {
    const newest = turns.findLast((turn) => turn.answers[side] !== undefined)?.answers[side]
    return newest !== undefined && newest.state === 'done' && newest.calls.length > 0
  })
