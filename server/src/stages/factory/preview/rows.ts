import { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import { z } from 'zod'
import { splitAtAnswer } from '../curate/candidate.ts'

/** A conversation as a trainer gets it. */
export interface Conversation {
  messages: ChatMessage[]
  tools: ToolSchema[]
}

/** As lenient as the trainers: content may be null, and unknown fields are kept because a template may print them. */
const Message = z.looseObject({}).transform((input, context): ChatMessage => {
  const message = { ...input, content: input['content'] ?? '' }
  if (ChatMessage.safeParse(message).success) return message as unknown as ChatMessage // just checked
  context.addIssue('This is not a chat message.')
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

const PromptSource = z.union([z.object({ prompt: Messages, tools: Tools }), z.object({ messages: Messages, tools: Tools })])

/** The prompt of a row, else its messages before the first answer. Null if it has neither. */
export function promptOf(row: unknown): Conversation | null {
  const { data } = PromptSource.safeParse(row)
  if (!data) return null
  if ('prompt' in data) return { messages: data.prompt, tools: data.tools }
  return { messages: splitAtAnswer(data.messages).prompt, tools: data.tools }
}

/** The conversations of a row: a preference has two. Answers in a prompt get weight 0. Null for unknown columns. */
export function conversationsOf(row: unknown): Conversation[] | null {
  const { data } = Row.safeParse(row)
  if (!data) return null
  const { tools } = data
  if ('messages' in data) return [{ messages: data.messages, tools }]
  const prompt = data.prompt.map(asContext)
  if ('chosen' in data) return [data.chosen, data.rejected].map((side) => ({ messages: [...prompt, ...side], tools }))
  return [{ messages: 'completion' in data ? [...prompt, ...data.completion] : prompt, tools }]
}

const COLUMNS = ['messages', 'prompt', 'chosen', 'rejected', 'completion']
const ROLES: ReadonlySet<string> = new Set(ChatMessage.options.map(({ shape }) => shape.role.value))

/** A role of a row's messages that is none of ours; null if all are. */
export function unknownRole(row: unknown): string | null {
  const messages = COLUMNS.flatMap((column) => (row as Record<string, unknown> | null)?.[column] ?? [])
  for (const message of messages) {
    const { role } = (message ?? {}) as { role?: unknown }
    if (typeof role === 'string' && !ROLES.has(role)) return role
  }
  return null
}

/** All messages of a row; of a preference, those of both sides. */
export const messagesOf = (row: unknown): ChatMessage[] => conversationsOf(row)?.flatMap(({ messages }) => messages) ?? []

const asContext = (message: ChatMessage): ChatMessage => (message.role === 'assistant' ? { ...message, weight: 0 } : message)
