import type { KeptReason, SavingsKind, SavingsProof, SavingsSums, SessionSavings } from '#contracts/entities/savings.ts'
import { STUDENT_NAME, STUDENT_TOOLS } from '#contracts/router-words.ts'
import type { Database } from '#server/db/open.ts'
import { isoOf } from '#server/instant.ts'
import type { OwnPrice } from '#server/prices/prices.ts'
import { type AgentRequest, type Call, openSessions, type Session } from './sessions.ts'
import { Sums, type Taken } from './sums.ts'
import { savedBy, type Work } from './work.ts'

export interface SavingsInput {
  database: string
  proof: Pick<SavingsProof, 'kind' | 'share' | 'pace'>
  prices: readonly OwnPrice[]
  /** The most answers that the student gives in one conversation. */
  maxSteps: number
}

export interface SavingsFound {
  sums: SavingsSums
  rows: SessionSavings[]
}

/** These stay where their parent is: a fork is its conversation, Explore is the client's own. The gym agent was the student already. */
const KEPT_TYPES: ReadonlySet<string> = new Set(['fork', 'Explore', 'bashgym:gym'])

/** A job that it gave no answer to: Claude's answer was paid for, whatever is proven. */
const TRIED = { taken: [], kept: ['tried' as const] }

/** Every past session: what the student may have taken, and what that would have saved. */
export function readSavings(db: Database, { proof, prices, maxSteps }: Omit<SavingsInput, 'database'>): SavingsFound {
  const sums = new Sums()
  const archive = openSessions(db)
  const tried = new Set(
    db
      .prepare<[], { id: string }>('SELECT trace_id AS id FROM route_tried')
      .all()
      .map(({ id }) => id),
  )
  for (const session of archive.all()) {
    const { taken, kept } = tried.has(session.id) ? TRIED : sortOut(session, archive, maxSteps)
    sums.session(
      { traceId: session.id, title: session.title, at: isoOf(session.startedAt), costUsd: session.costUsd },
      taken.map(({ kind, work }): Taken => ({ kind, steps: work.requests.length, ...savedBy(work, proof, prices) })),
      kept,
    )
  }
  return { sums: sums.sums, rows: sums.rows }
}

/** Which conversations of a session may have been the student's, and why not the others. */
function sortOut(session: Session, archive: ReturnType<typeof openSessions>, maxSteps: number) {
  const isJob = session.prompts === 1 && session.entrypoint?.startsWith('sdk') === true && session.subagents.length === 0
  const taken: { kind: SavingsKind; work: Work }[] = []
  const kept: KeptReason[] = []
  if (!isJob) kept.push('main')
  if (!isJob && session.subagents.length === 0) return { taken, kept }
  const requests = Map.groupBy(archive.requests(session.no), ({ agent }) => agent)
  const calls = isJob ? archive.calls(session.no) : archive.callsOfAgents(session)
  const refuses = (own: readonly AgentRequest[], agent: string): KeptReason | null => {
    if (calls.some((call) => call.agent === agent && !STUDENT_TOOLS.includes(call.tool ?? ''))) return 'tools'
    return own.length > maxSteps ? 'long' : null
  }
  if (isJob) {
    const [first, ...more] = requests.get('main') ?? []
    const reason = first ? refuses([first, ...more], 'main') : 'unknown'
    if (reason) kept.push(reason)
    else if (first && !isStudents([first, ...more])) taken.push({ kind: 'one_turn', work: jobOf(session, [first, ...more], calls) })
    return { taken, kept }
  }
  const agents: Agent[] = []
  for (const agent of session.subagents) {
    const [first, ...more] = requests.get(agent.id) ?? []
    if (!first || isStudents([first, ...more])) continue // answered without Claude, or counted in another session
    const own = [first, ...more] as const
    const parent = parentOf(session, agent, calls, requests)
    const reason = KEPT_TYPES.has(agent.type ?? '') ? 'agent_type' : agent.type === null || !parent ? 'unknown' : refuses(own, agent.id)
    if (reason) kept.push(reason)
    agents.push({ type: agent.type, first, work: reason ? null : { requests: own, ...timesOf(agent, calls), parent } })
  }
  return { taken: withLeft(agents).map((work) => ({ kind: 'subagent' as const, work })), kept }
}

interface Agent {
  type: string | null
  first: AgentRequest
  /** Null: it stays with Claude. */
  work: Work | null
}

/** Agents of one type begin with the same text: the first that stays with Claude has to write what one that was taken would have written. */
function withLeft(agents: readonly Agent[]): Work[] {
  return [...Map.groupBy(agents, ({ type }) => type).values()].flatMap((alike) => {
    const ordered = alike.toSorted((a, b) => (a.first.at ?? 0) - (b.first.at ?? 0))
    const at = ordered.findIndex(({ work }) => work === null)
    return ordered.flatMap(({ work }, index) => {
      const next = index === at - 1 ? ordered[at] : undefined
      return work ? [next ? { ...work, left: [next.first] } : work] : []
    })
  })
}

const isStudents = (requests: readonly AgentRequest[]): boolean => requests.some(({ model }) => model?.startsWith(STUDENT_NAME))

function jobOf(session: Session, requests: Work['requests'], calls: readonly Call[]): Work {
  const own = calls.filter(({ agent }) => agent === 'main')
  const last = Math.max(...[...requests, ...own.map(({ endedAt: at }) => ({ at }))].map(({ at }) => at ?? 0))
  return {
    requests,
    wallMs: session.startedAt === null || last === 0 ? null : last - session.startedAt,
    toolMs: toolTime(own),
    parent: null,
  }
}

function timesOf({ id, startedAt, endedAt }: Session['subagents'][number], calls: readonly Call[]): Pick<Work, 'wallMs' | 'toolMs'> {
  const wallMs = startedAt === null || endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt)
  return { wallMs, toolMs: toolTime(calls.filter(({ agent }) => agent === id)) }
}

/** While at least one tool ran. */
function toolTime(calls: readonly Call[]): number {
  let [sum, until] = [0, -Infinity]
  for (const { at, endedAt } of calls.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))) {
    if (at === null || endedAt === null) continue
    sum += Math.max(0, endedAt - Math.max(at, until))
    until = Math.max(until, endedAt)
  }
  return sum
}

/** The answer that gave a sub-agent its task, and the first one after its end. */
function parentOf(
  session: Session,
  { parentStepId, endedAt }: Session['subagents'][number],
  calls: readonly Call[],
  requests: ReadonlyMap<string, AgentRequest[]>,
): Work['parent'] {
  const call = parentStepId === null ? undefined : calls.find(({ id }) => `${session.id}${id}` === parentStepId)
  if (!call || call.at === null) return null
  const { at } = call
  const around = requests.get(call.agent) ?? []
  const spawn = around.findLast((request) => request.at !== null && request.at <= at)
  const end = endedAt === null ? at : Date.parse(endedAt)
  return spawn ? { spawn, after: around.find((request) => request.at !== null && request.at >= end && request !== spawn) ?? null } : null
}
