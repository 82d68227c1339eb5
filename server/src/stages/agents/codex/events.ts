/** Converts the output of `codex exec --json` (0.53 to 0.171) into events of a run. */
import { z } from 'zod'
import { type EventReader, stepOf } from '../by-message.ts'
import { summaryOf } from '../call-summary.ts'
import type { AgentEvent } from '../driver.ts'

const Item = z.discriminatedUnion('type', [
  z.object({ type: z.literal('agent_message'), text: z.string() }),
  z.object({ type: z.literal('reasoning'), text: z.string() }),
  z.object({
    type: z.literal('command_execution'),
    command: z.string(),
    aggregated_output: z.string().nullish(),
    exit_code: z.number().nullish(),
  }),
  z.object({ type: z.literal('file_change'), changes: z.array(z.object({ path: z.string(), kind: z.string() })), status: z.string() }),
  z.object({
    type: z.literal('mcp_tool_call'),
    server: z.string(),
    tool: z.string(),
    arguments: z.record(z.string(), z.unknown()).nullish(),
    status: z.string(),
  }),
])
type Item = z.infer<typeof Item>
const Line = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread.started'), thread_id: z.string() }),
  z.object({ type: z.literal('turn.started') }),
  z.object({ type: z.enum(['item.started', 'item.completed']), item: Item }),
  /** Sent when it retries and when it gives up. */
  z.object({ type: z.literal('error'), message: z.string() }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: z.string() }) }),
])
const FAILED_STATUSES = new Set(['failed', 'declined'])

export function createEventReader(emit: (event: AgentEvent) => void, resumed: string | null): EventReader {
  let isWaiting = false
  const step = stepOf(emit)
  const working = () => {
    if (isWaiting) emit({ type: 'working' })
    isWaiting = false
  }
  const handleStarted = (item: Item) => {
    if (item.type === 'command_execution') step('tool', item.command, 'shell')
    if (item.type === 'mcp_tool_call') step('tool', summaryOf(item.arguments ?? {}), `${item.server}.${item.tool}`)
  }
  const handleCompleted = (item: Item) => {
    switch (item.type) {
      case 'agent_message':
        reader.message = item.text
        return step('message', item.text)
      case 'reasoning':
        return step('thinking', item.text)
      case 'command_execution':
        return step('result', item.aggregated_output ?? '', 'shell', item.exit_code !== 0)
      case 'mcp_tool_call':
        return step('result', item.status, `${item.server}.${item.tool}`, FAILED_STATUSES.has(item.status))
      case 'file_change': {
        step('tool', item.changes.map(({ kind, path }) => `${kind} ${path}`).join('\n'), 'apply_patch')
        return step('result', item.status, 'apply_patch', FAILED_STATUSES.has(item.status))
      }
    }
  }
  const reader: EventReader = {
    session: resumed,
    message: '',
    failure: null,
    take(line) {
      const { data: event } = Line.safeParse(line)
      if (!event) return // a type from a later version, or one that is not needed
      switch (event.type) {
        case 'thread.started':
          reader.session = event.thread_id
          return
        case 'turn.started':
          reader.failure = null
          return
        case 'error':
          isWaiting = true
          return emit({ type: 'waiting', detail: event.message, until: null })
        case 'turn.failed':
          reader.failure = { boundary: 'provider', message: event.error.message }
          return
        default:
          working()
          return event.type === 'item.started' ? handleStarted(event.item) : handleCompleted(event.item)
      }
    },
  }
  return reader
}
