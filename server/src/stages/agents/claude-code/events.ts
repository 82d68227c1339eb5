/** Converts the output of Claude Code (`--output-format stream-json`, 2.1.329) into events of a run. */
import { z } from 'zod'
import { summaryOf } from '../call-summary.ts'
import type { AgentEvent } from '../driver.ts'

const Text = z.object({ type: z.literal('text'), text: z.string() })
const Blocks = z.array(
  z.union([
    Text,
    z.object({ type: z.literal('thinking'), thinking: z.string() }),
    z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.record(z.string(), z.unknown()) }),
    z.object({
      type: z.literal('tool_result'),
      is_error: z.boolean().nullish(),
      content: z.union([z.string(), z.array(z.union([Text, z.object({ type: z.string() })]))]).nullish(),
    }),
    z.object({ type: z.string() }).transform(() => null),
  ]),
)
const parent = z.string().nullish()
const AssistantMessage = z.object({
  type: z.literal('assistant'),
  parent_tool_use_id: parent,
  message: z.object({ id: z.string(), model: z.string().nullish(), content: Blocks }),
})
const UserMessage = z.object({
  type: z.literal('user'),
  parent_tool_use_id: parent,
  message: z.object({ content: z.union([z.string(), Blocks]) }),
})
const System = z.object({
  type: z.literal('system'),
  subtype: z.string(),
  session_id: z.string().nullish(),
  state: z.string().nullish(),
  tasks: z.array(z.object({ description: z.string().nullish() })).nullish(),
  attempt: z.number().nullish(),
  max_retries: z.number().nullish(),
  retry_delay_ms: z.number().nullish(),
  error_status: z.number().nullish(),
})
const Result = z.object({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean(),
  session_id: z.string().nullish(),
  result: z.string().nullish(),
  errors: z.array(z.string()).nullish(),
  terminal_reason: z.string().nullish(),
  api_error_status: z.number().nullish(),
})
export type Result = z.infer<typeof Result>
const Line = z.discriminatedUnion('type', [AssistantMessage, UserMessage, System, Result])

/** The tool that starts a sub-agent; `Task` before 2.1.63. */
const AGENT_TOOLS: ReadonlySet<string> = new Set(['Agent', 'Task'])
/** The model name of answers that the client itself generated. */
const SYNTHETIC = '<synthetic>'

export interface EventReader {
  /** Returns `idle` if it waits for a message and nothing runs in the background. */
  take(line: unknown): 'idle' | null
  readonly session: string | null
  /** The result of the last turn; null until one has ended. */
  readonly result: Result | null
}

export function createEventReader(emit: (event: AgentEvent) => void, now: () => number): EventReader {
  /** Sub-agents by the call that started them. */
  const agents = new Map<string, string>()
  let session: string | null = null
  let result: Result | null = null
  let background: string[] = []
  let lastMessage = ''
  let isWorking = false
  /** Versions that do not report their state count as idle when a turn ends. */
  let reportsState = false

  const step = (kind: 'message' | 'thinking' | 'tool' | 'result', text: string, { from, tool = null, isError = false }: { from: string | null | undefined; tool?: string | null; isError?: boolean }) =>
    emit({ type: 'step', step: { kind, text, tool, isError, agent: from ? (agents.get(from) ?? 'sub-agent') : null } }) // prettier-ignore
  const working = () => {
    if (isWorking) return
    isWorking = true
    emit({ type: 'working' })
  }
  const waiting = (detail: string, until: string | null) => {
    isWorking = false
    emit({ type: 'waiting', detail, until })
  }
  const handleAssistant = ({ parent_tool_use_id: from, message }: z.infer<typeof AssistantMessage>) => {
    working()
    if (!from && message.id !== lastMessage && message.model !== SYNTHETIC) {
      lastMessage = message.id
      emit({ type: 'turn' })
    }
    for (const block of message.content) {
      if (block === null) continue
      if (block.type === 'text') step('message', block.text, { from })
      if (block.type === 'thinking' && block.thinking !== '') step('thinking', block.thinking, { from })
      if (block.type !== 'tool_use') continue
      if (AGENT_TOOLS.has(block.name)) agents.set(block.id, titleOf(block.input))
      step('tool', summaryOf(block.input), { from, tool: block.name })
    }
  }
  const handleUser = ({ parent_tool_use_id: from, message: { content } }: z.infer<typeof UserMessage>) => {
    if (typeof content === 'string') return
    for (const block of content)
      if (block?.type === 'tool_result') step('result', textOf(block.content), { from, isError: block.is_error ?? false })
  }
  const handleSystem = (event: z.infer<typeof System>) => {
    if (event.subtype === 'init') session = event.session_id ?? session
    if (event.subtype === 'background_tasks_changed')
      background = (event.tasks ?? []).map(({ description }) => description ?? 'a sub-agent')
    if (event.subtype === 'api_retry') waiting(retryText(event), new Date(now() + (event.retry_delay_ms ?? 0)).toISOString())
    if (event.subtype !== 'session_state_changed') return null
    reportsState = true
    if (event.state === 'running') working()
    return event.state === 'idle' ? 'idle' : null
  }

  return {
    take(line) {
      const { data: event } = Line.safeParse(line)
      if (!event) return null // a type from a later version, or one that is not needed
      if (event.type === 'assistant') handleAssistant(event)
      else if (event.type === 'user') handleUser(event)
      else if (event.type === 'system') return handleSystem(event)
      else {
        result = event
        session = event.session_id ?? session
        if (background.length > 0) waiting(`Waiting for ${background.join(', ')}.`, null)
        if (!reportsState) return 'idle'
      }
      return null
    },
    get session() {
      return session
    },
    get result() {
      return result
    },
  }
}

const retryText = ({ error_status, attempt, max_retries }: z.infer<typeof System>) =>
  `The endpoint ${error_status ? `answered ${error_status}` : 'did not answer'}; retry ${attempt ?? '?'} of ${max_retries ?? '?'}.`

const titleOf = (input: Record<string, unknown>): string => text(input['description']) ?? text(input['subagent_type']) ?? 'sub-agent'

const textOf = (content: string | readonly object[] | null | undefined): string =>
  typeof content === 'string' ? content : (content ?? []).map((part) => ('text' in part ? String(part.text) : '')).join('\n')
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
