import { hash, randomUUID } from 'node:crypto'
import { isoOf } from '#server/instant.ts'
import type { AgentEnd, AgentWork } from '../driver.ts'
import { type GymConversation, TOOLS_OF_CLIENT } from './turn.ts'

interface Usage {
  input: number
  output: number
  cacheRead: number | null
  cacheWrite: number | null
}

type Part =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> }
  | { type: 'tool_result'; tool_use_id: string; content: string; is_error: boolean }

type Line = { at: number } & (
  | { role: 'user'; content: string | Extract<Part, { type: 'tool_result' }>[] }
  | { role: 'assistant'; content: Exclude<Part, { type: 'tool_result' }>[]; usage: Usage; model: string }
)

/** What the agent has done so far, stored before each request. */
export interface GymRecord extends Pick<GymConversation, 'place'> {
  session: string
  lines: Line[]
}

/** The conversation so far, if any, with the next message of the user. */
export function recordOf({ resume, prompt }: Pick<AgentWork, 'resume' | 'prompt'>, place: GymRecord['place']): GymRecord {
  const record = resume === null ? { session: randomUUID(), place, lines: [] } : (JSON.parse(resume) as GymRecord) // written by `run`
  const open = callsIn(record).filter(({ id }) => !resultsIn(record).some(({ tool_use_id: of }) => of === id))
  const answers = open.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: INTERRUPTED, is_error: true }))
  if (answers.length > 0) record.lines.push({ at: Date.now(), role: 'user', content: answers })
  record.lines.push({ at: Date.now(), role: 'user', content: prompt })
  return record
}

const INTERRUPTED = '[Tool use interrupted]'

export const messagesOf = ({ lines }: GymRecord): GymConversation['messages'] => lines.map(({ role, content }) => ({ role, content }))

export const callsIn = ({ lines }: GymRecord) =>
  lines.flatMap(({ content }) => (typeof content === 'string' ? [] : content.flatMap((part) => (part.type === 'tool_use' ? part : []))))

export const resultsIn = ({ lines }: GymRecord) =>
  lines.flatMap(({ content }) => (typeof content === 'string' ? [] : content.flatMap((part) => (part.type === 'tool_result' ? part : []))))

/**
 * The session as a transcript of Claude Code, marked as answered by the user's own model. That of an interrupted session is the
 * beginning of the later one, byte by byte.
 */
export function transcriptOf({ session: sessionId, place, lines }: GymRecord, isOwn: boolean): AgentEnd['transcript'][number] {
  const common = { isSidechain: false, userType: 'external', entrypoint: 'bashgym-gym', sessionId, version: TOOLS_OF_CLIENT }
  const newId = (no: number, part = '') =>
    hash('sha256', `${sessionId}:${no}${part}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
  const texts = lines.map((line, no) => {
    const { at, role, content } = line
    const answered = line.role === 'assistant' && { model: line.model, ...wireOf(line.usage), id: idOf(newId(no, 'm'), isOwn) }
    return JSON.stringify({
      parentUuid: no === 0 ? null : newId(no - 1),
      type: role,
      message: { role, content, ...(answered && { type: 'message', ...answered }) },
      uuid: newId(no),
      timestamp: isoOf(at),
      ...common,
      ...place,
      ...(answered && isOwn && { answeredWithoutRequest: true }),
    })
  })
  const slug = place.cwd.replaceAll(/[^A-Za-z0-9]/g, '-')
  return { path: `projects/${slug}/${sessionId}.jsonl`, content: Buffer.from(`${texts.join('\n')}\n`) }
}

const idOf = (id: string, isOwn: boolean) => (isOwn ? `msg_hook_${id}` : `msg_${id.replaceAll('-', '')}`)

const wireOf = ({ input, output, cacheRead, cacheWrite }: Usage) => ({
  usage: {
    input_tokens: input - (cacheRead ?? 0) - (cacheWrite ?? 0),
    output_tokens: output,
    cache_read_input_tokens: cacheRead ?? 0,
    cache_creation_input_tokens: cacheWrite ?? 0,
  },
})
