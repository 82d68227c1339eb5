import type { ChatMessage } from '#contracts/entities/example.ts'
import { UNSPACED } from '#server/likeness/word-hashes.ts'
import { callsOf, messagesOf, type DataRow } from './candidate.ts'

/** A message's content, then its calls with their arguments. */
export function textOfMessage(message: ChatMessage): string {
  return [message.content, ...callsOf(message).map((call) => `${call.function.name} ${JSON.stringify(call.function.arguments)}`)]
    .filter((text) => text !== '')
    .join('\n')
}

/** A row's text for comparing rows; without the system prompt, which most rows share. */
export const textOfRow = (row: DataRow): string =>
  messagesOf(row)
    .filter(({ role }) => role !== 'system')
    .map((message) => `${message.role}\n${textOfMessage(message)}`)
    .join('\n')

const TOKEN = new RegExp(String.raw`${UNSPACED}|[[\p{L}\p{N}_]--${UNSPACED}]+`, 'gv')

/** Lower-case runs of letters, digits and underscores: the tokens of n-gram checks. */
export const tokensOf = (text: string): string[] => text.toLowerCase().match(TOKEN) ?? []
