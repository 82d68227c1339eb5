import type { Entry } from './model.ts'
import { textOrNull } from './record.ts'

export interface AgentMeta {
  type: string | null
  description: string | null
  toolUseId: string | null
}

/** Which call started which sub-agent, and facts about the sub-agent outside its conversation. */
export class AgentLinks {
  private readonly metas = new Map<string, AgentMeta & { generation: number }>()
  private readonly namedCalls = new Map<string, string>()

  /** `agent-<id>.meta.json` (from 2.1.100 on); the newest generation counts. */
  meta(agentId: string, generation: number, meta: Record<string, unknown>): void {
    const known = this.metas.get(agentId)
    if (known && known.generation > generation) return
    this.metas.set(agentId, {
      type: textOrNull(meta.agentType),
      description: textOrNull(meta.description),
      toolUseId: textOrNull(meta.toolUseId),
      generation,
    })
  }

  /**
   * A record or hook that names agent and call: the call's result, a progress record, a queue operation. An agent may be
   * named again when a later call resumes it; which call wins must not depend on the reading order.
   */
  linkCall(agentId: string, toolUseId: string): void {
    const known = this.namedCalls.get(agentId)
    if (known === undefined) this.namedCalls.set(agentId, toolUseId)
    else if (known !== toolUseId) this.others(agentId, known, toolUseId)
  }

  about(agentId: string): AgentMeta | null {
    return this.metas.get(agentId) ?? null
  }

  /** Calls named for an agent, the most reliable first. */
  callsOf(agentId: string): string[] {
    const meta = this.metas.get(agentId)?.toolUseId
    const namedCall = this.namedCalls.get(agentId)
    return [...(meta ? [meta] : []), ...(namedCall ? [namedCall] : []), ...(this.more.get(agentId) ?? [])]
  }

  private readonly more = new Map<string, Set<string>>()

  private others(agentId: string, ...calls: string[]): void {
    const set = this.more.get(agentId) ?? new Set()
    for (const call of calls) set.add(call)
    this.more.set(agentId, set)
  }
}

/** One sub-agent's conversation, for linking. */
export interface Linkable {
  id: string
  startedAt: number | null
  taskHash: string | null
}

/**
 * Finds the call that started each sub-agent: the one that meta file, result or hook name; until then (and in 1.0.x for
 * ever) the first unused call whose prompt is the agent's first text, in the order of the calls.
 *
 * @param calls every call in the order of its conversation, with that conversation
 */
export function linkAgents(agents: Linkable[], calls: { entry: Entry; conversation: string }[], links: AgentLinks): Map<string, Entry> {
  const byId = new Map<string, Entry>()
  const byPrompt = new Map<string, { entry: Entry; conversation: string }[]>()
  for (const call of calls) {
    const { toolUseId, agentPromptHash } = call.entry.call!
    if (toolUseId && !byId.has(toolUseId)) byId.set(toolUseId, call.entry)
    if (agentPromptHash === null) continue
    const same = byPrompt.get(agentPromptHash)
    if (same) same.push(call)
    else byPrompt.set(agentPromptHash, [call])
  }
  const linked = new Map<string, Entry>()
  const taken = new Set<Entry>()
  for (const { id } of agents) {
    const named = links.callsOf(id).flatMap((toolUseId) => byId.get(toolUseId) ?? [])
    const entry = links.about(id)?.toolUseId ? named[0] : named.toSorted(earlier)[0]
    if (!entry) continue
    linked.set(id, entry)
    taken.add(entry)
  }
  const open = agents.filter(({ id, taskHash }) => !linked.has(id) && taskHash !== null)
  for (const { id, taskHash } of open.toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0) || (a.id < b.id ? -1 : 1))) {
    const call = byPrompt.get(taskHash!)?.find(({ entry, conversation }) => !taken.has(entry) && conversation !== id)
    if (!call) continue
    linked.set(id, call.entry)
    taken.add(call.entry)
  }
  return linked
}

const earlier = (a: Entry, b: Entry): number => (a.rec.at ?? 0) - (b.rec.at ?? 0) || (a.call!.toolUseId! < b.call!.toolUseId! ? -1 : 1)
