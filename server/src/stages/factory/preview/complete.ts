import type { ChatMessage } from '#contracts/entities/example.ts'
import { callsOf } from '../curate/candidate.ts'

/**
 * Describes the first part of the messages that is missing in a rendered text; null if it is complete. `answers`: the rendered
 * text of a message, if known. `isDroppedLater`: whether the template writes the text beside the calls of a message until the turn
 * ends. The same rule as `bashgym_trainers/complete.py`.
 */
export function findMissing(
  text: string,
  answers: ReadonlyMap<number, string>,
  messages: readonly ChatMessage[],
  isDroppedLater: (index: number) => boolean = () => false,
): string | null {
  let at = 0
  for (const [index, message] of messages.entries()) {
    const rendered = answers.get(index) ?? text
    const calls = callsOf(message)
    for (const [number, { function: calledFunction }] of calls.entries()) {
      const names = calls.filter((one) => one.function.name === calledFunction.name).length
      const isThere =
        rendered.split(calledFunction.name).length > names &&
        leavesOf(calledFunction.arguments).every((value) => includesValue(rendered, value))
      if (!isThere) return `tool call ${number + 1} of message ${index + 1}`
    }
    const content = message.content.split('</think>').at(-1)!.trim()
    if (message.role === 'tool') {
      const positions = formsOf(content).flatMap((form) => (text.includes(form, at) ? [text.indexOf(form, at)] : []))
      if (positions.length === 0) return `the tool result in message ${index + 1}`
      at = Math.min(...positions)
    } else if (!includesValue(rendered, content) && (answers.has(index) || calls.length === 0 || !isDroppedLater(index)))
      return `the text of message ${index + 1} (${message.role})`
  }
  return null
}

const includesValue = (text: string, value: unknown) => formsOf(value).some((form) => text.includes(form))

function leavesOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value]
}

/** Forms in which templates print a value: plain, as JSON, as JSON in JSON, as Python. */
function formsOf(value: unknown): string[] {
  if (value === null) return ['null', 'None']
  if (typeof value === 'boolean') return value ? ['true', 'True'] : ['false', 'False']
  if (typeof value !== 'string') return [JSON.stringify(value)] // a number
  const text = value.trim()
  const quoted = JSON.stringify(text).slice(1, -1)
  const ascii = quoted.replaceAll(/[\u0080-\uFFFF]/g, (sign) => `\\u${sign.codePointAt(0)!.toString(16).padStart(4, '0')}`)
  const python = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')
  return [text, quoted, ascii, JSON.stringify(quoted).slice(1, -1), python]
}
