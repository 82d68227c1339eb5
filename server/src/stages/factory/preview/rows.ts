import { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import { z } from 'zod'

/** A conversation as a trainer gets it. */
export interface Conversation {
  messages: ChatMessage[]
  tools: ToolSchema[]
}

/** As the trainers take it: a call without text may have null for it; what a template may print beside our fields stays. */
const Message = z.looseObject({}).transform((given, context): ChatMessage => {
  const whole = { ...given, content: given['content'] ?? '' }
  if (ChatMessage.safeParse(whole).success) return whole as unknown as ChatMessage // just checked
  context.addIssue('It is no chat message.')
  return z.NEVER
})
const Messages = z.array(Message)
const Tools = z.array(ToolSchema).default([])
const Row = z.union([
  z.object({ messages: Messages, tools: Tools }),
  z.object({ prompt: Messages, chosen: Messages, rejected: Messages, tools: Tools }),
  z.object({ prompt: Messages, completion: Messages, tools: Tools }),
  z.object({ prompt: Messages, tools: Tools }),
])

const Asked = z.union([z.object({ prompt: Messages, tools: Tools }), z.object({ messages: Messages, tools: Tools })])

/** What a row asks a model that answers by itself: its prompt, else the messages before the first answer. Null when it has neither. */
export function promptOf(row: unknown): Conversation | null {
  const { data } = Asked.safeParse(row)
  if (!data) return null
  if ('prompt' in data) return { messages: data.prompt, tools: data.tools }
  const first = data.messages.findIndex(({ role }) => role === 'assistant')
  return { messages: first === -1 ? data.messages : data.messages.slice(0, first), tools: data.tools }
}

/** The conversations of a row of any kind: a preference has two, and learns nothing of its prompt. Null when it has none of the known columns. */
export function conversationsOf(row: unknown): Conversation[] | null {
  const { data } = Row.safeParse(row)
  if (!data) return null
  const { tools } = data
  if ('messages' in data) return [{ messages: data.messages, tools }]
  const prompt = data.prompt.map(asContext)
  if ('chosen' in data) return [data.chosen, data.rejected].map((side) => ({ messages: [...prompt, ...side], tools }))
  return [{ messages: 'completion' in data ? [...prompt, ...data.completion] : prompt, tools }]
}

/** All messages of a row, of both sides where it has two. */
export const messagesOf = (row: unknown): ChatMessage[] => conversationsOf(row)?.flatMap(({ messages }) => messages) ?? []

const asContext = (message: ChatMessage): ChatMessage => (message.role === 'assistant' ? { ...message, weight: 0 } : message)
