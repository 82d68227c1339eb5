import { lookup } from '#contracts/lookup.ts'
import type { HookPayload } from './hook-payload.ts'
import type { SessionSignal } from './types.ts'

/**
 * Fields of hook payloads that the transcript lacks, per event; only these are stored.
 * Results are stored only for sub-agents, whose transcripts lack them from client 2.1.50 on.
 */
const FACTS: Record<string, readonly string[]> = lookup({
  SessionStart: ['source', 'model', 'session_title', 'cwd'],
  SessionEnd: ['reason'],
  Notification: ['message', 'title', 'notification_type'],
  Stop: ['background_tasks'],
  StopFailure: ['error', 'error_details'],
  SubagentStart: ['agent_id', 'agent_type'],
  SubagentStop: ['agent_id', 'agent_type', 'background_tasks'],
  PostToolUse: ['tool_use_id', 'agent_id', 'duration_ms', 'mcp_server'],
  PostToolUseFailure: ['tool_use_id', 'agent_id', 'duration_ms', 'is_interrupt', 'mcp_server'],
  PreCompact: ['trigger'],
  PostCompact: ['trigger'],
})

/** One line for the `hooks` source, or null if the transcript has everything. `at`: when the hook ran, epoch ms. */
export function factLine(payload: HookPayload, at: number): string | null {
  const fields = Object.hasOwn(FACTS, payload.hook_event_name) ? FACTS[payload.hook_event_name]! : []
  const facts: Record<string, unknown> = lookup()
  for (const field of fields) if (payload[field] !== undefined) facts[field] = payload[field]
  if (payload.hook_event_name === 'PostToolUse' && payload.agent_id !== undefined && payload.tool_response !== undefined) {
    facts.tool_response = payload.tool_response
  }
  const hasFacts = Object.keys(facts).some((field) => field !== 'tool_use_id' && field !== 'agent_id')
  if (!hasFacts && !payload.hook_event_name.startsWith('Subagent')) return null
  return `${JSON.stringify({ event: payload.hook_event_name, at: new Date(at).toISOString(), ...facts })}\n`
}

export function signalOf(traceId: string, payload: HookPayload, at: number): SessionSignal {
  const text = (field: string) => (typeof payload[field] === 'string' ? payload[field] : undefined)
  const reason = text('reason')
  const notificationType = text('notification_type')
  const message = text('message')
  return {
    traceId,
    sessionId: payload.session_id,
    event: payload.hook_event_name,
    at,
    payload: {
      ...(reason !== undefined && { reason }),
      ...(notificationType !== undefined && { notificationType }),
      ...(message !== undefined && { message }),
      ...(payload.agent_id !== undefined && { agentId: payload.agent_id }),
    },
  }
}
