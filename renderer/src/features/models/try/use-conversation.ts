import { useEffect, useRef, useState } from 'react'
import type { ChatRequest } from '#renderer/api/chat.ts'
import { chat } from '#renderer/api/chat.ts'
import { isOpen, messagesFor, WAITING, withAnswer, withChunk, type Turn } from './conversation.ts'

export interface Sampling {
  temperature: number
  maxTokens: number
  seed: number
}

export interface Question extends Sampling {
  role: Turn['role']
  text: string
  system: string
  tools: Record<string, unknown>[]
  /** The loaded model of each side that is asked. */
  servings: Readonly<Record<string, string>>
}

const requestOf = (side: string, turns: readonly Turn[], { system, tools, temperature, maxTokens, seed }: Question): ChatRequest => ({
  messages: messagesFor(side, turns, system),
  tools,
  temperature,
  maxTokens,
  seed,
})

/** What would be asked of a side. */
export const questionFor = (side: string, turns: readonly Turn[], question: Question): ChatRequest =>
  requestOf(side, [...turns, turnOf('next', question, [side])], question)

const turnOf = (id: string, { role, text }: Question, sides: readonly string[]): Turn => ({
  id,
  role,
  text,
  answers: Object.fromEntries(sides.map((side) => [side, WAITING])),
})

/** A chat with several models at once: each message goes to all sides that are asked, each side goes on with its own answers. */
export function useConversation() {
  const [turns, setTurns] = useState<readonly Turn[]>([])
  const running = useRef(new Set<AbortController>())
  const count = useRef(0)
  const stop = () => running.current.forEach((one) => one.abort())
  useEffect(() => {
    const all = running.current
    return () => all.forEach((one) => one.abort())
  }, [])

  const ask = async (side: string, serving: string, turnId: string, request: ChatRequest) => {
    const controller = new AbortController()
    running.current.add(controller)
    const change = (next: Parameters<typeof withAnswer>[3]) => setTurns((before) => withAnswer(before, turnId, side, next))
    try {
      for await (const chunk of chat(serving, request, controller.signal)) change((answer) => withChunk(answer, chunk))
    } catch (error) {
      if (controller.signal.aborted) change((answer) => (isOpen(answer) ? { ...answer, state: 'stopped' } : answer))
      else change((answer) => ({ ...answer, state: 'failed', error: (error as Error).message }))
    } finally {
      running.current.delete(controller)
    }
  }
  return {
    turns,
    isAnswering: turns.some(({ answers }) => Object.values(answers).some(isOpen)),
    send(question: Question) {
      count.current += 1
      const id = String(count.current)
      const next = [...turns, turnOf(id, question, Object.keys(question.servings))]
      setTurns(next)
      for (const [side, serving] of Object.entries(question.servings)) void ask(side, serving, id, requestOf(side, next, question))
    },
    stop,
    clear() {
      stop()
      setTurns([])
    },
  }
}
