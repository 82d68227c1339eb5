import type { ChatMessage } from '#contracts/entities/example.ts'
import { UNSPACED } from '#server/likeness/word-hashes.ts'
import { callsOf, messagesOf, type DataRow, type LabelledRow } from './candidate.ts'

/** A message's content, then its calls with their arguments. */
export function textOfMessage(message: ChatMessage): string {
  return [message.content, ...callsOf(message).map((call) => `${call.function.name} ${JSON.stringify(call.function.arguments)}`)]
    .filter((text) => text !== '')
    .join('\n')
}

/**
 * A row's text for comparing rows; without the system prompt, which most rows share. Of a labelled row only the task and the
 * completion, because steps of one session share what came before.
 */
export const textOfRow = (row: DataRow): string =>
  comparedMessages(row)
    .filter(({ role }) => role !== 'system')
    .map((message) => `${message.role}\n${textOfMessage(message)}`)
    .join('\n')

function comparedMessages(row: DataRow): ChatMessage[] {
  if (!('completion' in row)) return messagesOf(row)
  const { prompt, completion } = row as LabelledRow
  return [...prompt.filter(({ role }) => role === 'user').slice(-1), ...completion]
}

const TOKEN = new RegExp(String.raw`${UNSPACED}|[[\p{L}\p{N}_]--${UNSPACED}]+`, 'gv')

/** Lower-case runs of letters, digits and underscores: the tokens of n-gram checks. */
export const tokensOf = (text: string): string[] => text.toLowerCase().match(TOKEN) ?? []
