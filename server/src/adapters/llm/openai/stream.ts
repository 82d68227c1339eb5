import { z } from 'zod'
import type { StreamEvent, StreamReader, ToolCall, Usage } from '../types.ts'
import { Called, idOf, readRefusal, stopOf, thoughtIn, Tokens, Used, usageOf, Words } from './answer.ts'

const Piece = z.object({ index: z.number().int().optional(), id: z.string().nullish(), function: Called.optional() })
const Choice = z.object({ delta: Words.extend({ tool_calls: z.array(Piece).nullish() }).nullish(), finish_reason: z.string().nullish() })
const Chunk = z.object({
  choices: z.array(Choice).optional(),
  usage: Used.partial().nullish(),
  /** Only llama.cpp sends them. */
  timings: z.object({ predicted_n: Tokens.optional(), predicted_per_second: z.number().nullish() }).nullish(),
  error: z.unknown().optional(),
})

export function createReader(): StreamReader {
  const calls = new Map<number, ToolCall>()
  let text = ''
  let thinking = ''
  let usage: Usage | null = null
  let finish: string | null = null
  let isRefusal = false

  /** For servers that send no index: a piece with an id starts a call. */
  const indexOf = ({ index, id }: z.infer<typeof Piece>) => index ?? (id ? calls.size : Math.max(0, calls.size - 1))
  const addCallPiece = (piece: z.infer<typeof Piece>): StreamEvent => {
    const index = indexOf(piece)
    const before = calls.get(index) ?? { id: '', name: '', arguments: '' }
    const json = piece.function?.arguments ?? ''
    const name = before.name + (piece.function?.name ?? '')
    calls.set(index, { id: before.id || (piece.id ?? ''), name, arguments: before.arguments + json })
    return { type: 'call', name, json }
  }
  const measureEvents = ({ usage: used, timings }: z.infer<typeof Chunk>): StreamEvent[] => {
    if (!used && !timings) return []
    const { data: whole } = Used.safeParse(used)
    if (whole) usage = usageOf(whole)
    const tokens = used?.completion_tokens ?? timings?.predicted_n ?? null
    return [{ type: 'measured', tokens, tokensPerSec: timings?.predicted_per_second ?? null }]
  }
  const choiceEvents = ({ delta, finish_reason: reason }: z.infer<typeof Choice>): StreamEvent[] => {
    finish = reason ?? finish
    if (!delta) return []
    const thought = thoughtIn(delta)
    const words = delta.content ?? ''
    isRefusal ||= Boolean(delta.refusal)
    thinking += thought
    text += words
    return [
      ...(thought === '' ? [] : [{ type: 'thinking' as const, text: thought }]),
      ...(words === '' ? [] : [{ type: 'text' as const, text: words }]),
      ...(delta.tool_calls ?? []).map(addCallPiece),
    ]
  }

  return {
    addEvent(given) {
      const { data: chunk } = Chunk.safeParse(given)
      if (!chunk) return null
      if (chunk.error) return readRefusal(given) ?? { reason: '', status: null, tooLong: null }
      return [...measureEvents(chunk), ...(chunk.choices?.[0] ? choiceEvents(chunk.choices[0]) : [])]
    },
    get state() {
      return finish === null ? 'open' : 'complete' // usage comes after the last choice
    },
    answer: () => ({
      text,
      thinking,
      toolCalls: [...calls].toSorted(([a], [b]) => a - b).map(([index, call]) => ({ ...call, id: call.id || idOf(index) })),
      stopped: isRefusal ? 'refusal' : stopOf(finish),
      usage,
    }),
  }
}
