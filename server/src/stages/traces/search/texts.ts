import type { EntryKind } from '../derived.ts'
import { isObject } from '../readers/claude-code/record.ts'

/** Maximum indexed characters of one entry. */
export const MAX_TEXT = 64 * 1024

/**
 * The text of one archived record that belongs to an entry: its text or a tool's input (`part` "body"),
 * or a tool's result (`part` "result"). A record of unknown shape has no text.
 */
export function textOf(record: unknown, block: number, kind: EntryKind, part: 'body' | 'result'): string {
  const content = contentOf(record)
  const piece = block >= 0 && Array.isArray(content) ? (content[block] as unknown) : content
  if (part === 'result') return flatten(isObject(piece) && 'content' in piece ? piece['content'] : piece)
  if (kind === 'call') return isObject(piece) ? inputText(piece['input']) : ''
  if (typeof piece === 'string') return piece
  if (isObject(piece)) return flatten(piece['text'] ?? piece['thinking'] ?? piece['content'] ?? '')
  return flatten(piece)
}

function contentOf(record: unknown): unknown {
  if (!isObject(record)) return ''
  const message = record['message']
  if (isObject(message) && 'content' in message) return message['content']
  return record['content'] ?? record['summary'] ?? ''
}

/** The strings of a tool's input, each once. */
function inputText(input: unknown): string {
  const strings = new Set<string>()
  collect(input, strings, 0)
  return [...strings].join('\n')
}

function collect(value: unknown, into: Set<string>, depth: number): void {
  if (typeof value === 'string') into.add(value)
  else if (typeof value === 'object' && value !== null && depth < 4)
    for (const inner of Object.values(value)) collect(inner, into, depth + 1)
}

/** Text of a string, of a list of blocks, or of one block; images and the like have none. */
function flatten(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(flatten).filter(Boolean).join('\n')
  if (isObject(value) && value['type'] !== 'image') return flatten(value['text'] ?? value['content'] ?? '')
  return ''
}
