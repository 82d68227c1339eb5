import fs from 'node:fs'
import { createInterface } from 'node:readline'

type Message = Record<string, unknown> & { role: string }
export interface Prompt {
  messages: Message[]
  tools?: unknown[]
}

/** How many held-out prompts an export is compared on. */
export const MAX_PROMPTS = 20
/** Longer prompts take minutes on a CPU and do not fit into the context. */
const MAX_CHARS = 16_000

/**
 * The prompt of a row, or the messages before its first answer.
 * Null if there is none, or if it is too long to be answered in reasonable time.
 */
export function promptOf(row: unknown): Prompt | null {
  const { messages: conversation, prompt, tools } = row as { messages?: unknown; prompt?: unknown; tools?: unknown }
  const all = Array.isArray(prompt) ? prompt : Array.isArray(conversation) ? conversation : []
  const messages = all.filter((one): one is Message => typeof (one as Message | null)?.role === 'string')
  if (messages.length !== all.length) return null
  const answer = Array.isArray(prompt) ? messages.length : messages.findIndex(({ role }) => role === 'assistant')
  const before = messages.slice(0, answer)
  if (before.length === 0 || JSON.stringify(before).length > MAX_CHARS) return null
  return Array.isArray(tools) && tools.length > 0 ? { messages: before, tools } : { messages: before }
}

/** At most `MAX_PROMPTS` different prompts, evenly spread over a JSONL file. */
export async function readPrompts(file: string): Promise<Prompt[]> {
  const found = new Map<string, Prompt>()
  const lines = createInterface({ input: fs.createReadStream(file, 'utf8') })
  for await (const line of lines) {
    if (line.trim() === '') continue
    const prompt = promptOf(JSON.parse(line))
    if (prompt) found.set(JSON.stringify(prompt), prompt)
  }
  const all = [...found.values()]
  const step = Math.max(1, all.length / MAX_PROMPTS)
  return Array.from({ length: Math.min(MAX_PROMPTS, all.length) }, (_, index) => all[Math.floor(index * step)]!)
}

/** The last message of a prompt, for display. */
export function promptText({ messages }: Prompt): string {
  const { content } = messages.at(-1)!
  return typeof content === 'string' ? content : JSON.stringify(content ?? messages.at(-1))
}
