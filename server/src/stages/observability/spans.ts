import type { Span, SpanTokens } from '#contracts/entities/profile.ts'
import { isoOf } from '#server/instant.ts'
import type { SessionTiming, TimingEntry, TimingResponse } from '#server/stages/traces/index.ts'
import { waitsOf } from '#server/stages/traces/index.ts'

export type CostOf = (response: TimingResponse) => number | null

/** A span with its times as numbers. A start without an end, or an end before it, has no duration. */
export interface Timed {
  span: Span
  agent: string
  from: number | null
  to: number | null
}

/**
 * A session as spans. A request to a model lasts from the last thing that its conversation waited for (a prompt, a result) to its last
 * block; a call from its block to its result. Each response is one span, however many records it has.
 */
export function spansOf(session: SessionTiming, costOf: CostOf): Timed[] {
  const byAgent = Map.groupBy(session.entries, ({ agent }) => agent)
  const responses = Map.groupBy(session.responses, ({ agent }) => agent)
  const waits = new Map([...waitsOf(session.entries)].map((wait) => [wait.row.id, wait]))
  const children = new Map<string | null, string[]>()
  for (const { id, parentStepId } of session.subagents) {
    if (id !== 'main') children.set(parentStepId, [...(children.get(parentStepId) ?? []), id])
  }
  const callTimes = new Map(session.entries.flatMap(({ kind, id, at }) => (kind === 'call' ? [[id, at] as const] : [])))
  const spans: Timed[] = []
  const done = new Set<string>()
  let turn = 0
  const add = (one: Timed): void => {
    one.span.turn = turn
    spans.push(one)
  }

  const conversation = (agent: string, parentId: string | null): void => {
    if (done.has(agent)) return
    done.add(agent)
    const entries = byAgent.get(agent) ?? []
    const root = agentSpan(session, agent, parentId, entries)
    add(root)
    const caller = parentId === null ? null : (callTimes.get(parentId) ?? null)
    const requests = requestsOf({ session, agent, entries, responses: responses.get(agent) ?? [], since: caller, costOf })
    for (const entry of entries) {
      const request = requests.at.get(entry.id)
      if (request) add(request)
      const wait = waits.get(entry.id)
      if (entry.kind === 'prompt' && wait) {
        const name = 'waiting for you'
        add(timed({ id: `wait:${entry.id}`, parentId: root.span.id, kind: 'wait', name, entry }, agent, wait.from, wait.to))
      }
      if (entry.kind === 'prompt' && agent === 'main') turn += 1
      if (entry.kind !== 'call') continue
      const call = callSpan(entry, root.span.id)
      add(call)
      if (wait) add(within(call, 'wait', entry.rejectedBy === 'user' ? 'refused by you' : 'asks you'))
      if (entry.rejectedBy === 'rule') add(within(call, 'guard', 'refused by a rule'))
      for (const child of children.get(entry.id) ?? []) conversation(child, call.span.id)
    }
    for (const request of requests.untimed) add(request)
  }

  conversation('main', null)
  for (const agent of byAgent.keys()) conversation(agent, agentId('main'))
  return spans
}

const agentId = (agent: string): string => `agent:${agent}`

function agentSpan({ trace, subagents }: SessionTiming, agent: string, parentId: string | null, entries: TimingEntry[]): Timed {
  const id = agentId(agent)
  if (agent === 'main') {
    const from = trace.startedAt === null ? null : Date.parse(trace.startedAt)
    const to = trace.endedAt === null ? null : Date.parse(trace.endedAt)
    return timed({ id, parentId: null, kind: 'agent', name: trace.agent, label: trace.title }, agent, from, to)
  }
  const facts = subagents.find((one) => one.id === agent)
  const times = entries.flatMap(({ at, endedAt }) => [at, endedAt]).filter((at) => at !== null)
  const from = times.reduce<number | null>((least, at) => Math.min(least ?? at, at), null)
  const to = times.reduce<number | null>((most, at) => Math.max(most ?? at, at), null)
  return timed({ id, parentId, kind: 'agent', name: facts?.type ?? 'sub-agent', label: facts?.description ?? null }, agent, from, to)
}

function callSpan(entry: TimingEntry, parentId: string): Timed {
  const call = timed({ id: entry.id, parentId, kind: 'tool', name: entry.tool ?? 'unknown', entry }, entry.agent, entry.at, entry.endedAt)
  const error = errorOf(entry)
  if (error !== null) call.span.error = error
  return call
}

function errorOf({ answered, rejectedBy, success, exitCode }: TimingEntry): string | null {
  if (rejectedBy !== null) return { user: 'refused by you', rule: 'refused by a rule', interrupt: 'interrupted' }[rejectedBy]
  if (!answered) return 'no result'
  if (success !== false) return null
  return exitCode === null ? 'failed' : `failed, exit ${exitCode}`
}

/** What a call was while it did not run. */
const within = ({ span, agent, from, to }: Timed, kind: 'wait' | 'guard', name: string): Timed =>
  timed({ id: `${kind}:${span.id}`, parentId: span.id, kind, name, label: span.label, entryId: span.entryId }, agent, from, to)

interface Conversation {
  session: SessionTiming
  agent: string
  entries: readonly TimingEntry[]
  responses: readonly TimingResponse[]
  /** When the conversation was started, if a call started it. */
  since: number | null
  costOf: CostOf
}

/** The requests of a conversation by the entry that they begin with, and those that no entry shows. */
function requestsOf({ session, agent, entries, responses, since, costOf }: Conversation): { at: Map<string, Timed>; untimed: Timed[] } {
  const parentId = agentId(agent)
  const usage = Map.groupBy(responses, ({ message }) => message)
  const at = new Map<string, Timed>()
  const open = new Map<string, Timed>()
  let ready = since
  for (const entry of entries) {
    if (entry.kind === 'error') {
      const failed = timed({ id: `llm:${entry.id}`, parentId, kind: 'llm', name: entry.model ?? 'request', entry }, agent, ready, entry.at)
      failed.span.error = 'API error'
      at.set(entry.id, failed)
    } else if (entry.messageId !== null) {
      const known = open.get(entry.messageId)
      const message = session.messageOf(entry.messageId)
      if (known) extend(known, entry.at)
      else if (usage.has(message) || entry.byMod || session.trace.agent === 'claude-code') {
        const request = requestSpan(`llm:${entry.messageId}`, parentId, agent, usage.get(message) ?? [], costOf, entry)
        usage.delete(message)
        Object.assign(request, { from: ready, to: entry.at })
        open.set(entry.messageId, request)
        at.set(entry.id, request)
      }
    }
    for (const time of [entry.at, entry.endedAt]) if (time !== null) ready = Math.max(ready ?? time, time)
  }
  for (const request of at.values()) settle(request)
  const untimed = [...usage].flatMap(([message, rows]) =>
    (message === null ? rows.map((row) => [row]) : [rows]).map((group, index) =>
      settle(requestSpan(`llm:${agent}:${message ?? 'unknown'}:${index}`, parentId, agent, group, costOf, null)),
    ),
  )
  return { at, untimed }
}

function requestSpan(
  id: string,
  parentId: string,
  agent: string,
  rows: TimingResponse[],
  costOf: CostOf,
  entry: TimingEntry | null,
): Timed {
  const name = rows.find(({ model }) => model !== null)?.model ?? entry?.model ?? 'unknown model'
  const request = timed({ id, parentId, kind: 'llm', name, ...(entry && { entry: { ...entry, label: null } }) }, agent, null, null)
  if (rows.length > 0) {
    request.span.tokens = sumOf(rows)
    const costs = rows.map(costOf)
    request.span.costUsd = costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0)
  }
  return request
}

function extend(request: Timed, at: number | null): void {
  if (at !== null) request.to = Math.max(request.to ?? at, at)
}

/** Times that go back leave the start of what came, without a duration. */
function settle(timed: Timed): Timed {
  const { from, to, span } = timed
  const isMeasured = from !== null && to !== null && to >= from
  if (!isMeasured) Object.assign(timed, { from: to ?? from, to: null })
  span.startedAt = isoOf(timed.from)
  span.durationMs = isMeasured ? to - from : null
  return timed
}

type Named = Pick<Span, 'id' | 'parentId' | 'kind' | 'name'> & Partial<Pick<Span, 'label' | 'entryId'>> & { entry?: TimingEntry }

function timed({ entry, ...span }: Named, agent: string, from: number | null, to: number | null): Timed {
  const isMeasured = from !== null && to !== null && to >= from
  return {
    agent,
    from,
    to: isMeasured ? to : null,
    span: {
      label: entry?.label ?? null,
      turn: 0,
      entryId: entry?.id ?? null,
      ...span,
      startedAt: isoOf(from),
      durationMs: isMeasured ? to - from : null,
      costUsd: null,
    },
  }
}

/** A kind that is unknown in one response is unknown in the sum. */
export function sumOf(rows: readonly SpanTokens[]): SpanTokens {
  const sum = (kind: keyof SpanTokens) =>
    rows.reduce<number | null>((total, row) => (total === null || row[kind] === null ? null : total + row[kind]), 0)
  return { input: sum('input'), output: sum('output'), cacheRead: sum('cacheRead'), cacheWrite: sum('cacheWrite') }
}
