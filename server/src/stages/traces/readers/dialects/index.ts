import type { Agent } from '#contracts/entities/common.ts'
import { documentIn } from '#server/damaged-document.ts'
import { asRecord, isObject, type RawBlock, type RawRecord } from '../claude-code/record.ts'
import { atif } from './atif.ts'
import { codex } from './codex.ts'
import type { Dialect, Part } from './dialect.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'

const DIALECTS: Partial<Record<Agent, Dialect>> = { atif, codex, gemini, opencode }

/** The format of an agent other than Claude Code; null if unsupported. */
export const dialectOf = (agent: Agent): Dialect | null => DIALECTS[agent] ?? null

/** The archived bytes of a record as a message with blocks; null if they are not JSON. */
export function bodyIn(agent: Agent, bytes: Buffer): unknown {
  const record = documentIn(bytes)?.value
  return record === undefined ? null : bodyRecord(agent, record)
}

/** A parsed record of the archive as a message with blocks, the common shape for reading bodies. */
export function bodyRecord(agent: Agent, record: unknown): unknown {
  const dialect = dialectOf(agent)
  if (!dialect || !isObject(record)) return asRecord(record)
  const content = dialect.read(record).messages.flatMap(({ parts }) => parts.map(blockOf))
  return { message: { content } } satisfies RawRecord
}

function blockOf(part: Part): RawBlock {
  if (part.type === 'call') return { type: 'tool_use', ...(part.id !== null && { id: part.id }), name: part.tool, input: part.input }
  if (part.type === 'result') return { type: 'tool_result', tool_use_id: part.id, content: part.text }
  return part.type === 'thinking' ? { type: 'thinking', thinking: part.text } : { type: 'text', text: part.text }
}
