import type { ChatMessage } from '#contracts/entities/example.ts'

/**
 * What of the messages a rendered text does not say, in words; null: all is there. `answers`: what is written of a message,
 * where that is known. The same rule as `bashgym_trainers/complete.py`.
 */
export function missing(text: string, answers: ReadonlyMap<number, string>, messages: readonly ChatMessage[]): string | null {
  let at = 0
  for (const [index, message] of messages.entries()) {
    const where = answers.get(index) ?? text
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
    for (const [number, { function: called }] of calls.entries()) {
      const names = calls.filter((one) => one.function.name === called.name).length
      const isThere = where.split(called.name).length > names && leavesOf(called.arguments).every((value) => includesValue(where, value))
      if (!isThere) return `tool call ${number + 1} of message ${index + 1}`
    }
    const content = message.content.split('</think>').at(-1)!.trim()
    if (message.role === 'tool') {
      const found = formsOf(content).flatMap((form) => (text.includes(form, at) ? [text.indexOf(form, at)] : []))
      if (found.length === 0) return `the tool result in message ${index + 1}`
      at = Math.min(...found)
    } else if (!includesValue(where, content)) return `the text of message ${index + 1} (${message.role})`
  }
  return null
}

const includesValue = (text: string, value: unknown) => formsOf(value).some((form) => text.includes(form))

function leavesOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value]
}

/** How templates write a value: as it is, as JSON, as JSON within JSON, as Python. */
function formsOf(value: unknown): string[] {
  if (value === null) return ['null', 'None']
  if (typeof value === 'boolean') return value ? ['true', 'True'] : ['false', 'False']
  if (typeof value !== 'string') return [JSON.stringify(value)] // a number: nothing else is left of JSON
  const text = value.trim()
  const quoted = JSON.stringify(text).slice(1, -1)
  const ascii = quoted.replaceAll(/[\u0080-\uFFFF]/g, (sign) => `\\u${sign.codePointAt(0)!.toString(16).padStart(4, '0')}`)
  const python = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')
  return [text, quoted, ascii, JSON.stringify(quoted).slice(1, -1), python]
}
