import type { Entry } from './model.ts'
import { addToList } from './order.ts'
import { textOrNull } from './record.ts'

export interface AgentMeta {
  type: string | null
  description: string | null
  toolUseId: string | null
}

/** Which call started which sub-agent, and facts about the sub-agent outside its conversation. */
export class AgentLinks {
  private readonly metas = new Map<string, AgentMeta & { generation: number }>()
  private readonly namedCalls = new Map<string, Set<string>>()

  /** `agent-<id>.meta.json` (from 2.1.100 on); the newest generation counts. */
  setMeta(agentId: string, generation: number, meta: Record<string, unknown>): void {
    const existing = this.metas.get(agentId)
    if (existing && existing.generation > generation) return
    this.metas.set(agentId, {
      type: textOrNull(meta.agentType),
      description: textOrNull(meta.description),
      toolUseId: textOrNull(meta.toolUseId),
      generation,
    })
  }

  /** Links an agent to a call that a record or hook names for it. Several calls may name one agent, because a later call can resume it. */
  linkCall(agentId: string, toolUseId: string): void {
    this.namedCalls.set(agentId, (this.namedCalls.get(agentId) ?? new Set()).add(toolUseId))
  }

  metaOf(agentId: string): AgentMeta | null {
    return this.metas.get(agentId) ?? null
  }

  /** Calls named for an agent, the most reliable first. */
  callsOf(agentId: string): string[] {
    const meta = this.metas.get(agentId)?.toolUseId
    return [...(meta ? [meta] : []), ...(this.namedCalls.get(agentId) ?? [])]
  }
}

/** One sub-agent's conversation, for linking. */
export interface Linkable {
  id: string
  startedAt: number | null
  taskHash: string | null
}

/**
 * Finds the call that started each sub-agent: the one that meta file, result or hook name; until that is known (in 1.0.x
 * always) the first unused call whose prompt is the agent's first text, in the order of the calls.
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
    addToList(byPrompt, agentPromptHash, call)
  }
  const linked = new Map<string, Entry>()
  const linkedCalls = new Set<Entry>()
  for (const { id } of agents) {
    const namedCalls = links.callsOf(id).flatMap((toolUseId) => byId.get(toolUseId) ?? [])
    const entry = links.metaOf(id)?.toolUseId ? namedCalls[0] : namedCalls.toSorted(earlier)[0]
    if (!entry) continue
    linked.set(id, entry)
    linkedCalls.add(entry)
  }
  const unlinked = agents.filter(({ id, taskHash }) => !linked.has(id) && taskHash !== null)
  for (const { id, taskHash } of unlinked.toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0) || (a.id < b.id ? -1 : 1))) {
    const call = byPrompt.get(taskHash!)?.find(({ entry, conversation }) => !linkedCalls.has(entry) && conversation !== id)
    if (!call) continue
    linked.set(id, call.entry)
    linkedCalls.add(call.entry)
  }
  return linked
}

const earlier = (a: Entry, b: Entry): number => (a.rec.at ?? 0) - (b.rec.at ?? 0) || (a.call!.toolUseId! < b.call!.toolUseId! ? -1 : 1)
