/** Longer lines contain whole outputs; parsing them would make scrolling slow. */
const MAX_CHARS = 1_000_000

/** Type, time and content of a line of the archive; null if the line has none. */
export interface RawHead {
  type: string | null
  at: string | null
  /** Its texts, calls and results, without what every record has. The line itself if it can't be read. */
  content: string
}

/** What every record has, and what other columns show. */
const ENVELOPE = new Set(
  'parentUuid logicalParentUuid isSidechain userType entrypoint cwd sessionId session_id version gitBranch slug uuid timestamp type subtype requestId promptId'.split(
    ' ',
  ),
)

/** "assistant · tool_use", from the names that the client gave the record. */
export function rawHead(line: string): RawHead {
  if (line.length > MAX_CHARS) return { type: null, at: null, content: line }
  let record: unknown
  try {
    record = JSON.parse(line)
  } catch {
    return { type: null, at: null, content: line }
  }
  const type = textIn(record, 'type') ?? textIn(record, 'role')
  const blocks = valueIn(valueIn(record, 'message'), 'content')
  const first: unknown = Array.isArray(blocks) ? blocks[0] : null
  const part = textIn(record, 'subtype') ?? textIn(valueIn(record, 'payload'), 'type') ?? textIn(first, 'type')
  const at = textIn(record, 'timestamp')
  return {
    type: type !== null && part !== null && part !== type ? `${type} · ${part}` : (type ?? part),
    at: at !== null && !Number.isNaN(Date.parse(at)) ? at : null,
    content: contentOf(record) ?? line,
  }
}

function contentOf(record: unknown): string | null {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return null
  const texts = [valueIn(record, 'message'), valueIn(record, 'payload'), record].flatMap((part) => textsOf(valueIn(part, 'content')))
  if (texts.length > 0) return texts.join(' · ')
  const fields = Object.entries(record).filter(([name]) => !ENVELOPE.has(name))
  return fields.length === 0
    ? null
    : fields.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`).join(' · ')
}

/** The texts of a message's content, in its order: text, thinking, calls with their input, results. */
function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return content === '' ? [] : [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((block) => {
    const name = textIn(block, 'name')
    if (name !== null) return [`${name} ${JSON.stringify(valueIn(block, 'input') ?? {})}`]
    return textIn(block, 'text') ?? textIn(block, 'thinking') ?? textsOf(valueIn(block, 'content'))
  })
}

const valueIn = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined // checked before

function textIn(value: unknown, name: string): string | null {
  const text = valueIn(value, name)
  return typeof text === 'string' && text !== '' ? text : null
}
