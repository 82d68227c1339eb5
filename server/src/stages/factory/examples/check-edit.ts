import type { ChatMessage } from '#contracts/entities/example.ts'
import { AppError } from '#contracts/errors.ts'

/** Throws for messages that no chat template supports. `isTask`: a generated task, which has no answer. */
export function checkMessages(messages: readonly ChatMessage[], isTask = false): void {
  let openCalls: string[] = []
  const usedIds = new Set<string>()
  messages.forEach((message, index) => {
    const refuse = (why: string) => {
      throw new AppError('invalid_request', { message: `Message ${index + 1} (${message.role}) ${why}.`, details: { message: index } })
    }
    if (message.role === 'tool') {
      if (!openCalls.includes(message.tool_call_id))
        refuse(`is the result of ${message.tool_call_id}, but no earlier message has this call`)
      openCalls = openCalls.filter((id) => id !== message.tool_call_id)
      return
    }
    if (openCalls.length > 0) refuse(`must come after the results of ${openCalls.join(', ')}`)
    if (message.role === 'system' && index > 0) refuse('must be the first message')
    if (message.role !== 'assistant') return
    if (!message.tool_calls?.length && message.content.trim() === '') refuse('has neither text nor tool calls')
    for (const { id } of message.tool_calls ?? []) {
      if (usedIds.has(id)) refuse(`reuses the call ID ${id} of an earlier call`)
      usedIds.add(id)
      openCalls.push(id)
    }
  })
  if (messages.every(({ role }) => role !== 'user'))
    throw new AppError('invalid_request', { message: 'An example needs at least one user message.' })
  if (!isTask && messages.every(({ role }) => role !== 'assistant'))
    throw new AppError('invalid_request', { message: 'An example needs at least one assistant message.' })
}
