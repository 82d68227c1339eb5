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

/** Answers that are coming, by model. They go on while another page is shown. */
const running = new Map<string, Set<AbortController>>()
const stop = (id: string) => running.get(id)?.forEach((one) => one.abort())

/** A small model says hundreds of tokens a second: drawn one by one, they leave the page no time for a click on Stop. */
const DRAW_MS = 50

let counted = 0
/** Higher than any before, also of a chat that was cleared: a late piece of an answer must find its own message or none. */
function nextTurnId(turns: readonly Turn[]): string {
  counted = Math.max(counted, ...turns.map(({ id }) => Number(id))) + 1
  return String(counted)
}

async function ask(id: string, side: string, serving: string, turnId: string, request: ChatRequest): Promise<void> {
  const controller = new AbortController()
  const own = running.get(id) ?? new Set()
  running.set(id, own.add(controller))
  const change = (next: Parameters<typeof withAnswer>[3]) =>
    changeChat(id, ({ turns }) => ({ turns: withAnswer(turns, turnId, side, next) }))
  const heard: ChatChunk[] = []
  const take = () => {
    const chunks = heard.splice(0)
    if (chunks.length > 0) change((answer) => chunks.reduce(withChunk, answer))
  }
  const takeSoon = coalesce(take, DRAW_MS)
  try {
    for await (const chunk of chat(serving, request, controller.signal)) {
      heard.push(chunk)
      takeSoon()
    }
    take()
  } catch (error) {
    take()
    if (controller.signal.aborted) change((answer) => (isOpen(answer) ? { ...answer, state: 'stopped' } : answer))
    else change((answer) => ({ ...answer, state: 'failed', error: (error as Error).message }))
  } finally {
    own.delete(controller)
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
