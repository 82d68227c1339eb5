import { hash } from 'node:crypto'
import { linkAgents, type AgentLinks, type AgentMeta } from './agents.ts'
import type { HookFacts } from './hooks.ts'
import type { Entry, Placed, Rec, SourceState } from './model.ts'
import { mergeByChain } from './order.ts'

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
  /** The conversation of a record of a side chain in the main file, given by its key; other names are unchanged. */
  nameOf(agent: string): string
}

/** 2.0.x starts agents with every session to warm its caches; this is their first text. */
const WARM_UP = hash('sha1', 'Warmup')
const SEQ_STEP = 100_000

/** Orders everything. Depends only on the bytes, not on how they were read. */
export function arrange(input: ArrangeInput): Arranged {
  const contradictions = settleVariants(input.records)
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
    placed: place(main, agents, roleOf),
    main,
    agents,
    contradictions,
    metaOf: (agent) => input.links.about(agent),
    counts: (agent) => !skipped.has(rootOf(agent)),
    countsSource: (state) => !(state.agentId !== null && skipped.has(state.agentId)),
    nameOf: rootOf,
  }
}

/**
 * Records that share a uuid: a sub-agent file that repeats its parent's record has a copy; records of one conversation
 * that differ are both kept, with different ids by their content, and listed as a problem.
 */
function settleVariants(records: ArrangeInput['records']): Rec[] {
  const contradictions: Rec[] = []
  for (const variants of records.values()) {
    if (!Array.isArray(variants)) continue
    const owner: string = variants.some(({ agent }) => agent === 'main')
      ? 'main'
      : variants.reduce<string>((least, { agent }) => (agent !== null && agent < least ? agent : least), '￿')
    const own = variants
      .filter(({ agent }) => agent === owner || agent === null)
      .toSorted((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1))
    for (const rec of variants) rec.isCopy = !own.includes(rec)
    for (const [index, rec] of own.entries()) {
      rec.key = index === 0 ? rec.uuid : `${rec.uuid}~${rec.fingerprint.slice(0, 8)}`
      if (index > 0) contradictions.push(rec)
    }
  }
  return contradictions
}

/** 1.0.x keeps sub-agents as side chains in the main file, without an agent id: the root's uuid is used instead. */
function rootFinder(records: ArrangeInput['records']): (agentOrKey: string) => string {
  const known = new Map<string, string>()
  const find = (key: string): Rec | undefined => {
    const found = records.get(key)
    return Array.isArray(found) ? found[0] : found
  }
  return (key) => {
    const path: string[] = []
    let at = key
    let root: string | undefined
    while (root === undefined) {
      const rec = find(at)
      const parent = rec?.parent ? find(rec.parent) : undefined
      root = known.get(at) ?? (rec === undefined || rec.agent !== null ? at : undefined)
      if (root !== undefined) break
      path.push(at)
      if (!parent || parent.agent !== null || path.includes(parent.uuid)) root = at
      else at = parent.uuid
      if (path.length > 1 && known.has(at)) root = known.get(at)
    }
    for (const one of path) known.set(one, root)
    return root
  }
}

function gather(sources: SourceState[], rootOf: (key: string) => string): Map<string, Conversation> {
  const lists = new Map<string, Rec[][]>()
  for (const state of sources) {
    const mine = new Map<string, Rec[]>()
    for (const rec of state.records) {
      if (rec.isCopy) continue
      const id = rec.agent ?? rootOf(rec.uuid)
      const list = mine.get(id)
      if (list) list.push(rec)
      else mine.set(id, [rec])
    }
    for (const [id, list] of mine) {
      const all = lists.get(id)
      if (all) all.push(list)
      else lists.set(id, [list])
    }
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

/** Of calls with the same tool_use_id one is kept; others in the same response are copies of it. */
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
 * Numbers everything, sub-agents directly after the call that started them. A second agent of one call, and an agent
 * whose call is unknown (placed after the last main entry before its start), follow in their own range, named after the
 * agent, so that no growth of another agent moves them.
 */
function place(main: Conversation, agents: Conversation[], roleOf: (entry: Entry) => CallRole): Placed[] {
  const placed: Placed[] = []
  const done = new Set<Conversation>()
  const byCall = Map.groupBy(
    agents.filter(({ parent }) => parent !== null),
    ({ parent }) => parent!,
  )
  const loose = Map.groupBy(
    agents.filter(({ parent }) => parent === null),
    (agent) => anchorOf(main, agent),
  )

  const walk = (conversation: Conversation, prefix: string, seq: number, scale: number, first: number): void => {
    if (done.has(conversation)) return
    done.add(conversation)
    let index = 0
    let calls = 0
    let promptId: string | null = null
    if (conversation === main) follow(loose.get(null) ?? [], '00000000', 0, 1, 0)
    for (const rec of conversation.records) {
      promptId = rec.promptId ?? promptId
      for (const entry of rec.entries) {
        const role = entry.call ? roleOf(entry) : 'owner'
        if (role === 'copy') continue
        const ord = prefix + hex8((index += 1))
        if (entry.call) calls += 1
        const own = seq + (first + calls) / scale
        placed.push({
          entry,
          agent: conversation.id,
          ord,
          seq: entry.call ? own : null,
          parent: conversation.parent,
          promptId,
          ownsToolUseId: role === 'owner',
        })
        follow(byCall.get(entry) ?? [], ord, own, scale, 0)
        if (conversation === main) follow(loose.get(entry) ?? [], ord, own, scale, Infinity)
      }
    }
  }
  const follow = (started: Conversation[], ord: string, seq: number, scale: number, plain: number): void => {
    const ranges = started.map((agent, index) => {
      const isPlain = plain === 0 && index === 0 && agent.parent !== null
      return { agent, prefix: isPlain ? ord : `${ord}f${hash('sha1', agent.id).slice(0, 7)}`, first: isPlain ? 0 : SEQ_STEP / 2 }
    })
    for (const { agent, prefix, first } of ranges.toSorted((a, b) => compare(a.prefix, b.prefix)))
      walk(agent, prefix, seq, scale * SEQ_STEP, first)
  }

  walk(main, '', 0, 1, 0)
  // Agents that name each other as parents have no root: kept at the end instead of lost.
  for (const agent of agents) if (!done.has(agent)) walk(agent, `ffffffff${hash('sha1', agent.id).slice(0, 8)}`, placed.length, SEQ_STEP, 0)
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
