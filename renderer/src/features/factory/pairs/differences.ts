import { diffArrays } from 'diff'
import type { ChatMessage } from '#contracts/entities/example.ts'

/** Beyond it a comparison is not worth its time in the window; then nothing is marked. */
const MAX_LINES = 4000

export interface SideLine {
  text: string
  /** Not on the other side. */
  only: boolean
}

/** One side as lines: the role, the text, and each call with its arguments. */
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

/** Both sides with the lines that only one of them has. */
export function compareSides(
  chosen: readonly ChatMessage[],
  rejected: readonly ChatMessage[],
): { chosen: SideLine[]; rejected: SideLine[] } {
  const [good, bad] = [linesOf(chosen), linesOf(rejected)]
  const plain = (lines: string[]) => lines.map((text) => ({ text, only: false }))
  if (good.length + bad.length > MAX_LINES) return { chosen: plain(good), rejected: plain(bad) }
  const sides: { chosen: SideLine[]; rejected: SideLine[] } = { chosen: [], rejected: [] }
  for (const { value, added, removed } of diffArrays(bad, good)) {
    const lines = value.map((text) => ({ text, only: added || removed }))
    if (!removed) sides.chosen.push(...lines)
    if (!added) sides.rejected.push(...lines)
  }
  return sides
}
