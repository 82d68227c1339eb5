import { changedFiles } from './calls.ts'
import type { Call } from './model.ts'
import { isObject, textOrNull } from './record.ts'

/** Facts from hook payloads that the transcript lacks: structured results of sub-agents' calls, agent types, the session's end. */
export class HookFacts {
  readonly results = new Map<string, { durationMs: number | null; commit: string | null; changed: Call['changed'] }>()
  readonly agentTypes = new Map<string, string>()
  /** Whether the session's end is the client's last event about it, with no later start or prompt. */
  hasEnded = false
  cwd: string | null = null
  title: string | null = null
  /** Time of the first and last hook, ms. */
  firstAt: number | null = null
  lastAt: number | null = null

  read(payload: Record<string, unknown>): void {
    const event = textOrNull(payload.event) ?? textOrNull(payload.hook_event_name)
    this.cwd = textOrNull(payload.cwd) ?? this.cwd
    this.title = textOrNull(payload.session_title) ?? this.title
    const at = typeof payload.at === 'string' ? Date.parse(payload.at) : Number.NaN
    if (!Number.isNaN(at)) {
      this.firstAt ??= at
      this.lastAt = at
    }
    if (event === 'SessionEnd') this.hasEnded = true
    else if (event === 'SessionStart' || event === 'UserPromptSubmit' || event === 'PostToolUse') this.hasEnded = false
    const agent = textOrNull(payload.agent_id)
    const type = textOrNull(payload.agent_type)
    if (agent !== null && type !== null) this.agentTypes.set(agent, type)
    const id = textOrNull(payload.tool_use_id)
    if (id === null || (event !== 'PostToolUse' && event !== 'PostToolUseFailure')) return
    const response = isObject(payload.tool_response) ? payload.tool_response : null
    const operation = response && isObject(response.gitOperation) ? response.gitOperation : null
    this.results.set(id, {
      durationMs: typeof payload.duration_ms === 'number' ? payload.duration_ms : null,
      changed: changedFiles('Bash', response),
      commit: operation && isObject(operation.commit) ? textOrNull(operation.commit.sha) : null,
    })
  }

  /** The files that a call changed, from its own result or a hook's. */
  changedBy(call: Call): Call['changed'] {
    if (call.changed.length > 0 || call.outcome?.success !== true || call.toolUseId === null) return call.changed
    return this.results.get(call.toolUseId)?.changed ?? call.changed
  }
}
