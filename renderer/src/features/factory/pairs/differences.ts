import { diffArrays } from 'diff'
import type { ChatMessage } from '#contracts/entities/example.ts'

/** Longer pairs are not compared, because that would block the window. */
const MAX_LINES = 4000

export interface SideLine {
  text: string
  /** Not on the other side. */
  isOnly: boolean
}

/** Messages as lines: roles, texts, and calls with their arguments. */
export function linesOf(messages: readonly ChatMessage[]): string[] {
  return messages.flatMap((message) => {
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
    return [
      `── ${message.role}${message.role === 'tool' ? ` · ${message.name}` : ''}`,
      ...(message.content === '' ? [] : message.content.split('\n')),
      ...calls.flatMap(({ function: { name, arguments: values } }) => [
        `call ${name}`,
        ...Object.entries(values).flatMap(([key, value]) => argumentLines(key, value)),
      ]),
    ]
  })
}

/** Multi-line text as lines; everything else as JSON after its name. */
function argumentLines(key: string, value: unknown): string[] {
  if (typeof value === 'string' && value.includes('\n')) return [`  ${key}:`, ...value.split('\n').map((line) => `    ${line}`)]
  return [`  ${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`]
}

/** Marks the lines that only one side has. */
export function compareSides(
  chosen: readonly ChatMessage[],
  rejected: readonly ChatMessage[],
): { chosen: SideLine[]; rejected: SideLine[] } {
  const [good, bad] = [linesOf(chosen), linesOf(rejected)]
  const unmarked = (lines: string[]) => lines.map((text) => ({ text, isOnly: false }))
  if (good.length + bad.length > MAX_LINES) return { chosen: unmarked(good), rejected: unmarked(bad) }
  const sides: { chosen: SideLine[]; rejected: SideLine[] } = { chosen: [], rejected: [] }
  for (const { value, added, removed } of diffArrays(bad, good)) {
    const lines = value.map((text) => ({ text, isOnly: added || removed }))
    if (!removed) sides.chosen.push(...lines)
    if (!added) sides.rejected.push(...lines)
  }
  return sides
}
