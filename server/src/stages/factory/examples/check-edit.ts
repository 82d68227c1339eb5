import type { ChatMessage } from '#contracts/entities/example.ts'
import { AppError } from '#contracts/errors.ts'

/** Refuses messages that no chat template could take; says which one, and why. A task alone has no answer. */
export function checkMessages(messages: readonly ChatMessage[], isTask = false): void {
  let open: string[] = []
  const seen = new Set<string>()
  messages.forEach((message, index) => {
    const refuse = (why: string) => {
      throw new AppError('invalid_request', { message: `Message ${index + 1} (${message.role}) ${why}.`, details: { message: index } })
    }
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id)) refuse(`answers ${message.tool_call_id}, which no call before it asked for`)
      open = open.filter((id) => id !== message.tool_call_id)
      return
    }
    if (open.length > 0) refuse(`stands before the results of ${open.join(', ')}`)
    if (message.role === 'system' && index > 0) refuse('must be the first')
    if (message.role !== 'assistant') return
    if (!message.tool_calls?.length && message.content.trim() === '') refuse('says and does nothing')
    for (const { id } of message.tool_calls ?? []) {
      if (seen.has(id)) refuse(`has a call with the id ${id}, which an earlier one has`)
      seen.add(id)
      open.push(id)
    }
  })
  if (messages.every(({ role }) => role !== 'user'))
    throw new AppError('invalid_request', { message: 'An example needs a message of the user.' })
  if (!isTask && messages.every(({ role }) => role !== 'assistant'))
    throw new AppError('invalid_request', { message: 'An example needs a message of the assistant.' })
}
