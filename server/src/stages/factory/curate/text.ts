import type { ChatMessage } from '#contracts/entities/example.ts'
import { UNSPACED } from '#server/likeness/word-hashes.ts'
import { messagesOf, type DataRow } from './candidate.ts'

/** What a message says: its content, then its calls with their arguments. */
export function textOfMessage(message: ChatMessage): string {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
  return [message.content, ...calls.map((call) => `${call.function.name} ${JSON.stringify(call.function.arguments)}`)]
    .filter((text) => text !== '')
    .join('\n')
}

/** What a row says, for comparing rows. Without the system prompt, which most rows of a data set share. */
export const textOfRow = (row: DataRow): string =>
  messagesOf(row)
    .filter(({ role }) => role !== 'system')
    .map((message) => `${message.role}\n${textOfMessage(message)}`)
    .join('\n')

const TOKEN = new RegExp(String.raw`${UNSPACED}|[[\p{L}\p{N}_]--${UNSPACED}]+`, 'gv')

/** Lower-case runs of letters, digits and underscores: the tokens of n-gram checks. */
export const tokensOf = (text: string): string[] => text.toLowerCase().match(TOKEN) ?? []
