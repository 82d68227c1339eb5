import type { ChatMessage, ToolCall } from '#contracts/entities/example.ts'

/** The form's values: the text, and each call's arguments as JSON. */
export interface Draft {
  content: string
  args: string[]
}

export const callsOf = (message: ChatMessage): readonly ToolCall[] => (message.role === 'assistant' ? (message.tool_calls ?? []) : [])

export const draftOf = (message: ChatMessage): Draft => ({
  content: message.content,
  args: callsOf(message).map((call) => JSON.stringify(call.function.arguments, null, 2)),
})

/** The edited message, or an error for each call (null for valid ones). */
export function applyDraft(message: ChatMessage, draft: Draft): { message: ChatMessage } | { errors: (string | null)[] } {
  const parsed = draft.args.map(readArguments)
  if (parsed.some(({ error }) => error !== null)) return { errors: parsed.map(({ error }) => error) }
  if (message.role !== 'assistant' || !message.tool_calls) return { message: { ...message, content: draft.content } }
  return {
    message: {
      ...message,
      content: draft.content,
      tool_calls: message.tool_calls.map((call, index) => ({
        ...call,
        function: { ...call.function, arguments: parsed[index]?.value ?? {} },
      })),
    },
  }
}

function readArguments(text: string): { value: Record<string, unknown> | null; error: string | null } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { value: null, error: `This is not JSON: ${describePosition(text, error instanceof Error ? error.message : String(error))}` }
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return { value: null, error: 'Arguments must be a JSON object, such as {"name": "value"}.' }
  return { value: { ...value }, error: null }
}

/** Adds line and column, because engines report a character position or none. */
function describePosition(text: string, message: string): string {
  const reason = message.replace(/ (in JSON )?at position[\s\S]*$/, '').replace(/, (\.\.\.)?"[\s\S]*$/, '')
  const before = text.slice(0, validLength(text)).split('\n')
  return `${reason}, line ${before.length}, column ${(before.at(-1) ?? '').length + 1}.`
}

/** Length of the longest valid JSON prefix; the next character is the error. */
function validLength(text: string): number {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (isValidPrefix(text.slice(0, middle))) low = middle
    else high = middle - 1
  }
  return low
}

function isValidPrefix(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    return (
      /end of JSON|unterminated/i.test(message) ||
      message.includes(`position ${text.length} `) ||
      message.endsWith(`position ${text.length}`)
    )
  }
}

/** Removes a message together with the results of its calls, or with the call that it answers. */
export function withoutMessage(messages: readonly ChatMessage[], index: number): ChatMessage[] {
  const message = messages[index]
  if (message?.role === 'tool') {
    const id = message.tool_call_id
    return messages.flatMap((one, at): ChatMessage[] => {
      if (at === index) return []
      if (one.role !== 'assistant' || !one.tool_calls?.some((call) => call.id === id)) return [one]
      const { tool_calls: calls, ...rest } = one
      const remaining = calls.filter((call) => call.id !== id)
      if (remaining.length > 0) return [{ ...one, tool_calls: remaining }]
      return rest.content === '' ? [] : [rest]
    })
  }
  const removedIds = new Set((message ? callsOf(message) : []).map(({ id }) => id))
  return messages.filter((one, at) => at !== index && !(one.role === 'tool' && removedIds.has(one.tool_call_id)))
}
