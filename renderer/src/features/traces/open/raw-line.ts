/** Longer lines contain whole outputs; parsing them would make scrolling slow. */
const MAX_CHARS = 1_000_000

/** Type and time of a line of the archive; null if the line has none. */
export interface RawHead {
  type: string | null
  at: string | null
}

/** "assistant · tool_use", from the names that the client gave the record. */
export function rawHead(line: string): RawHead {
  if (line.length > MAX_CHARS) return { type: null, at: null }
  let record: unknown
  try {
    record = JSON.parse(line)
  } catch {
    return { type: null, at: null }
  }
  const type = textIn(record, 'type') ?? textIn(record, 'role')
  const blocks = valueIn(valueIn(record, 'message'), 'content')
  const first: unknown = Array.isArray(blocks) ? blocks[0] : null
  const part = textIn(record, 'subtype') ?? textIn(valueIn(record, 'payload'), 'type') ?? textIn(first, 'type')
  const at = textIn(record, 'timestamp')
  return {
    type: type !== null && part !== null && part !== type ? `${type} · ${part}` : (type ?? part),
    at: at !== null && !Number.isNaN(Date.parse(at)) ? at : null,
  }
}

const valueIn = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined // checked before

function textIn(value: unknown, name: string): string | null {
  const text = valueIn(value, name)
  return typeof text === 'string' && text !== '' ? text : null
}
