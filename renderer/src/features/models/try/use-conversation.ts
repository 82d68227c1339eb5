import type { ChatChunk } from '#contracts/entities/model.ts'
import type { ChatRequest } from '#renderer/api/chat.ts'
import { chat } from '#renderer/api/chat.ts'
import { coalesce } from '#renderer/api/coalesce.ts'
import { isOpen, messagesFor, WAITING, withAnswer, withChunk, type Turn } from './conversation.ts'
import { changeChat, useChat } from './use-chat.ts'

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
  grammar: boolean
  /** The loaded model of each side. */
  servings: Readonly<Record<string, string>>
}

const requestOf = (
  side: string,
  turns: readonly Turn[],
  { system, tools, grammar, temperature, maxTokens, seed }: Question,
): ChatRequest => ({
  messages: messagesFor(side, turns, system),
  tools,
  temperature,
  maxTokens,
  seed,
  grammar,
})

/** The request that would be sent to a side. */
export const questionFor = (side: string, turns: readonly Turn[], question: Question): ChatRequest =>
  requestOf(side, [...turns, turnOf('next', question, [side])], question)

const turnOf = (id: string, { role, text, grammar }: Question, sides: readonly string[]): Turn => ({
  id,
  role,
  text,
  answers: Object.fromEntries(sides.map((side) => [side, { ...WAITING, grammar }])),
})

/** Answers in progress, by model. They continue while another page is shown. */
const running = new Map<string, Set<AbortController>>()
const stop = (id: string) => running.get(id)?.forEach((one) => one.abort())

/** A small model generates hundreds of tokens a second. Drawing each one would keep the page too busy to react to Stop. */
const DRAW_MS = 50

let lastTurnId = 0
/** IDs are never reused, even after the chat is cleared, so that a late chunk cannot be added to another message. */
function nextTurnId(turns: readonly Turn[]): string {
  lastTurnId = Math.max(lastTurnId, ...turns.map(({ id }) => Number(id))) + 1
  return String(lastTurnId)
}

async function ask(id: string, side: string, serving: string, turnId: string, request: ChatRequest): Promise<void> {
  const controller = new AbortController()
  const controllers = running.get(id) ?? new Set()
  running.set(id, controllers.add(controller))
  const change = (next: Parameters<typeof withAnswer>[3]) =>
    changeChat(id, ({ turns }) => ({ turns: withAnswer(turns, turnId, side, next) }))
  const pendingChunks: ChatChunk[] = []
  const applyChunks = () => {
    const chunks = pendingChunks.splice(0)
    if (chunks.length > 0) change((answer) => chunks.reduce(withChunk, answer))
  }
  const applySoon = coalesce(applyChunks, DRAW_MS)
  try {
    for await (const chunk of chat(serving, request, controller.signal)) {
      pendingChunks.push(chunk)
      applySoon()
    }
    applyChunks()
  } catch (error) {
    applyChunks()
    if (controller.signal.aborted) change((answer) => (isOpen(answer) ? { ...answer, state: 'stopped' } : answer))
    else change((answer) => ({ ...answer, state: 'failed', error: (error as Error).message }))
  } finally {
    controllers.delete(controller)
  }
}

/** A chat with several models: each message goes to all loaded sides, and each side continues from its own answers. */
export function useConversation(id: string) {
  const { turns } = useChat(id)
  return {
    turns,
    isAnswering: turns.some(({ answers }) => Object.values(answers).some(isOpen)),
    send(question: Question) {
      const turnId = nextTurnId(turns)
      const next = [...turns, turnOf(turnId, question, Object.keys(question.servings))]
      changeChat(id, () => ({ turns: next }))
      for (const [side, serving] of Object.entries(question.servings)) void ask(id, side, serving, turnId, requestOf(side, next, question))
    },
    stop: () => stop(id),
    clear() {
      stop(id)
      changeChat(id, () => ({ turns: [] }))
    },
  }
}
