import { hash } from 'node:crypto'
import { linkAgents, type AgentLinks, type AgentMeta } from './agents.ts'
import type { HookFacts } from './hooks.ts'
import type { Entry, Part, Placed, Rec, SourceState } from './model.ts'
import { addToList, mergeByChain } from './order.ts'
import { partsOf } from './parts.ts'

export interface ArrangeInput {
  sources: SourceState[]
  records: ReadonlyMap<string, Rec | Rec[]>
  calls: ReadonlyMap<string, Entry[]>
  links: AgentLinks
  hooks: HookFacts
}

/** One conversation: the main one, or a sub-agent's. */
export interface Conversation {
  id: string
  records: Rec[]
  startedAt: number | null
  taskHash: string | null
  /** The call that started it; null for the main one, or if unknown. */
  parent: Entry | null
}

export interface Arranged {
  /** In the order of `ord`. */
  placed: Placed[]
  main: Conversation
  agents: Conversation[]
  contradictions: Rec[]
  metaOf(agent: string): AgentMeta | null
  /** False for warm-ups, which are not counted. */
  counts(agent: string): boolean
  countsSource(state: SourceState): boolean
  /** Takes the key of a side-chain record in the main file and returns its conversation; returns other names unchanged. */
  nameOf(agent: string): string
}

/** Claude Code 2.0.x starts agents with every session to warm its caches; this is their first text. */
const WARM_UP = hash('sha1', 'Warmup')
const SEQ_STEP = 100_000

/** Orders all entries. The result depends only on the bytes, not on the chunks they were read in. */
export function arrange(input: ArrangeInput): Arranged {
  const contradictions = resolveVariants(input.records)
  const rootOf = rootFinder(input.records)
  const conversations = gather(input.sources, rootOf)
  const main = conversations.get('main') ?? { id: 'main', records: [], startedAt: null, taskHash: null, parent: null }
  const skipped = new Set<string>()
  const agents: Conversation[] = []
  for (const conversation of conversations.values()) {
    if (conversation.id === 'main') continue
    if (conversation.taskHash === WARM_UP) skipped.add(conversation.id)
    else if (conversation.records.some((rec) => rec.entries.length > 0)) agents.push(conversation)
  }
  agents.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0) || (a.id < b.id ? -1 : 1))
  const roleOf = classifyCalls(input.calls)
  const calls = (agents.length > 0 ? [main, ...agents] : []).flatMap(({ id, records }) =>
    records.flatMap((rec) => rec.entries.flatMap((entry) => (entry.call && roleOf(entry) !== 'copy' ? [{ entry, conversation: id }] : []))),
  )
  const linked = linkAgents(agents, calls, input.links)
  for (const agent of agents) agent.parent = linked.get(agent.id) ?? null
  return {
    placed: place(main, agents, roleOf, partsOf(main.records)),
    main,
    agents,
    contradictions,
    metaOf: (agent) => input.links.metaOf(agent),
    counts: (agent) => !skipped.has(rootOf(agent)),
    countsSource: (state) => !(state.agentId !== null && skipped.has(state.agentId)),
    nameOf: rootOf,
  }
}

/**
 * Resolves records that share a uuid. A record that a sub-agent file repeats from its parent is a copy. Records of one
 * conversation that differ are both kept, get ids that depend on their content, and are listed as a problem.
 */
function resolveVariants(records: ArrangeInput['records']): Rec[] {
  const contradictions: Rec[] = []
  for (const variants of records.values()) {
    if (!Array.isArray(variants)) continue
    const owner: string = variants.some(({ agent }) => agent === 'main')
      ? 'main'
      : variants.reduce<string>((least, { agent }) => (agent !== null && agent < least ? agent : least), '￿')
    const ownVariants = variants
      .filter(({ agent }) => agent === owner || agent === null)
      .toSorted((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1))
    for (const rec of variants) rec.isCopy = !ownVariants.includes(rec)
    for (const [index, rec] of ownVariants.entries()) {
      rec.key = index === 0 ? rec.uuid : `${rec.uuid}~${rec.fingerprint.slice(0, 8)}`
      if (index > 0) contradictions.push(rec)
    }
  }
  return contradictions
}

/** 1.0.x keeps sub-agents as side chains in the main file, without an agent id: the root's uuid is used instead. */
function rootFinder(records: ArrangeInput['records']): (agentOrKey: string) => string {
  const rootByKey = new Map<string, string>()
  const find = (key: string): Rec | undefined => {
    const record = records.get(key)
    return Array.isArray(record) ? record[0] : record
  }
  return (key) => {
    const path: string[] = []
    let at = key
    let root: string | undefined
    while (root === undefined) {
      const rec = find(at)
      const parent = rec?.parent ? find(rec.parent) : undefined
      root = rootByKey.get(at) ?? (rec === undefined || rec.agent !== null ? at : undefined)
      if (root !== undefined) break
      path.push(at)
      if (!parent || parent.agent !== null || path.includes(parent.uuid)) root = at
      else at = parent.uuid
      if (path.length > 1 && rootByKey.has(at)) root = rootByKey.get(at)
    }
    for (const one of path) rootByKey.set(one, root)
    return root
  }
}

function gather(sources: SourceState[], rootOf: (key: string) => string): Map<string, Conversation> {
  const lists = new Map<string, Rec[][]>()
  for (const state of sources) {
    const recordsById = new Map<string, Rec[]>()
    for (const rec of state.records) {
      if (rec.isCopy) continue
      addToList(recordsById, rec.agent ?? rootOf(rec.uuid), rec)
    }
    for (const [id, list] of recordsById) addToList(lists, id, list)
  }
  const conversations = new Map<string, Conversation>()
  for (const [id, all] of lists) {
    const records = mergeByChain(all)
    let startedAt: number | null = null
    let taskHash: string | null = null
    for (const { at, entries } of records) {
      startedAt ??= at
      taskHash ??= entries.find((entry) => entry.textHash !== null)?.textHash ?? null
      if (startedAt !== null && (taskHash !== null || id === 'main')) break
    }
    conversations.set(id, { id, records, startedAt, taskHash, parent: null })
  }
  return conversations
}

type CallRole = 'owner' | 'copy' | 'other'

/** Of calls with the same tool_use_id, one is the owner; the others in the same response are copies of it. */
function classifyCalls(calls: ArrangeInput['calls']): (entry: Entry) => CallRole {
  const roles = new Map<Entry, CallRole>()
  for (const same of calls.values()) {
    if (same.length < 2) continue
    const [owner, ...others] = same.filter(({ rec }) => !rec.isCopy).toSorted(byOwner)
    for (const other of others) roles.set(other, other.messageId === owner!.messageId ? 'copy' : 'other')
  }
  return (entry) => roles.get(entry) ?? 'owner'
}

const rank = (rec: Rec): string => (rec.agent === 'main' ? '' : (rec.agent ?? rec.uuid))

const byOwner = (a: Entry, b: Entry): number =>
  compare(rank(a.rec), rank(b.rec)) || (a.rec.at ?? 0) - (b.rec.at ?? 0) || compare(a.rec.key, b.rec.key) || a.block - b.block

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

const hex8 = (value: number): string => value.toString(16).padStart(8, '0')

/**
 * Numbers all entries, with sub-agents directly after the call that started them. A second agent of one call, and an
 * agent whose call is unknown (placed after the last main entry before its start), get a range named after the agent,
 * so that they keep their place when another agent grows.
 */
function place(main: Conversation, agents: Conversation[], roleOf: (entry: Entry) => CallRole, partOf: (entry: Entry) => Part): Placed[] {
  const placed: Placed[] = []
  const visited = new Set<Conversation>()
  const byCall = Map.groupBy(
    agents.filter(({ parent }) => parent !== null),
    ({ parent }) => parent!,
  )
  const unlinkedAgents = Map.groupBy(
    agents.filter(({ parent }) => parent === null),
    (agent) => anchorOf(main, agent),
  )

  const walk = (conversation: Conversation, prefix: string, seq: number, scale: number, first: number): void => {
    if (visited.has(conversation)) return
    visited.add(conversation)
    let index = 0
    let calls = 0
    let promptId: string | null = null
    if (conversation === main) placeAgents(unlinkedAgents.get(null) ?? [], '00000000', 0, 1)
    for (const rec of conversation.records) {
      promptId = rec.promptId ?? promptId
      for (const entry of rec.entries) {
        const role = entry.call ? roleOf(entry) : 'owner'
        if (role === 'copy') continue
        const ord = prefix + hex8((index += 1))
        if (entry.call) calls += 1
        const entrySeq = seq + (first + calls) / scale
        const { kind, asks, abandoned } = partOf(entry)
        placed.push({
          kind,
          asks,
          abandoned,
          entry,
          agent: conversation.id,
          ord,
          seq: entry.call ? entrySeq : null,
          parent: conversation.parent,
          promptId,
          ownsToolUseId: role === 'owner',
        })
        placeAgents(byCall.get(entry) ?? [], ord, entrySeq, scale)
        if (conversation === main) placeAgents(unlinkedAgents.get(entry) ?? [], ord, entrySeq, scale)
      }
    }
  }
  const placeAgents = (startedAgents: Conversation[], ord: string, seq: number, scale: number): void => {
    const ranges = startedAgents.map((agent, index) => {
      const isFirstOfCall = index === 0 && agent.parent !== null
      return {
        agent,
        prefix: isFirstOfCall ? ord : `${ord}f${hash('sha1', agent.id).slice(0, 7)}`,
        first: isFirstOfCall ? 0 : SEQ_STEP / 2,
      }
    })
    for (const { agent, prefix, first } of ranges.toSorted((a, b) => compare(a.prefix, b.prefix)))
      walk(agent, prefix, seq, scale * SEQ_STEP, first)
  }

  walk(main, '', 0, 1, 0)
  // Agents that name each other as parents have no root: they are placed at the end, so that none is lost.
  for (const agent of agents)
    if (!visited.has(agent)) walk(agent, `ffffffff${hash('sha1', agent.id).slice(0, 8)}`, placed.length, SEQ_STEP, 0)
  return placed
}

/** The last entry of the main conversation up to the agent's start. */
function anchorOf(main: Conversation, agent: Conversation): Entry | null {
  let anchor: Entry | null = null
  for (const rec of main.records) {
    if (agent.startedAt !== null && (rec.at ?? -Infinity) > agent.startedAt) continue
    anchor = rec.entries.at(-1) ?? anchor
  }
  return anchor
}
