import { isoOf } from '#server/instant.ts'
import { lookup } from '#contracts/lookup.ts'
import type { Agent } from '#contracts/entities/common.ts'
import type { Subagent, TouchedFile, TraceProblem, Turn } from '#contracts/entities/trace.ts'
import type { DerivedTrace, ResponseRow } from '../../derived.ts'
import type { Arranged } from './arrange.ts'
import type { TokenCounts } from '#server/prices/prices.ts'
import { isEditing, isReading, isWriting } from './calls.ts'
import type { HookFacts } from './hooks.ts'
import { entryId } from './ingest.ts'
import { type Call, contradictionIn, type Placed, type SourceState } from './model.ts'
import { firstLine } from './record.ts'
import { repoOf } from './repo.ts'
import { idOf } from './rows.ts'
import { waitingTime } from '../../waits.ts'

interface TraceInput {
  agent: Agent
  traceId: string
  sessionId: string
  arranged: Arranged
  responses: ResponseRow[]
  sources: SourceState[]
  hooks: HookFacts
  entrypoint?: string | null
}

/** A longer pause is not counted as work, in milliseconds. */
const PAUSE = 5 * 60_000
const TITLE_LENGTH = 120
const MAX_PROBLEMS = 100
const MAX_TURNS = 500

/** Data for lists and the header of a session's page. */
export function deriveTrace(input: TraceInput): DerivedTrace {
  const { arranged, responses } = input
  const calls = arranged.placed.filter(isCall)
  const prompts = arranged.placed.filter(({ kind }) => kind === 'prompt')
  const hooksOnly = input.sources.length > 0 && input.sources.every(({ source }) => source.kind === 'hooks')
  const hookFacts = hooksOnly ? input.hooks : null
  const times = timesOf(input)
  const records = [arranged.main, ...arranged.agents].flatMap((conversation) => conversation.records)
  const firstPrompt = (prompts.find(({ abandoned }) => !abandoned) ?? prompts[0])?.entry.text ?? null
  const opening = firstPrompt ?? arranged.placed.find(({ asks, abandoned }) => asks !== null && !abandoned)?.entry.label ?? null
  const { turns, turnList } = turnsOf(arranged.placed)
  const { problems, problemCount } = problemsOf(input)
  const commitList = commitsOf(input, calls)
  return {
    traceId: input.traceId,
    hooksOnly,
    agent: input.agent,
    sessionId: input.sessionId,
    title:
      titleOf(input.sources, records) ?? (opening === null ? null : firstLine(opening, TITLE_LENGTH) || null) ?? hookFacts?.title ?? null,
    firstPrompt,
    cwd: mostOften(records.map(({ cwd }) => cwd)) ?? hookFacts?.cwd ?? null,
    repo: repoOf(calls.map(({ entry }) => entry.rec.cwd)) ?? repoOf(records.map(({ cwd }) => cwd)) ?? repoOf([hookFacts?.cwd ?? null]),
    gitBranch: arranged.main.records.findLast(({ branch }) => branch !== null)?.branch?.replace(/^HEAD$/, '') || null,
    clientVersion: arranged.main.records.findLast(({ version }) => version !== null)?.version ?? null,
    entrypoint: input.entrypoint ?? null,
    startedAt: times[0] ?? hookFacts?.firstAt ?? null,
    endedAt: times.at(-1) ?? hookFacts?.lastAt ?? null,
    activeMs: times.length === 0 ? null : activeTime(times),
    waitingMs: times.length === 0 ? null : waitingTime(arranged.placed.map(timedOf)),
    state: stateOf(calls, input.hooks),
    models: [...new Set(responses.length === 0 ? [] : modelsInOrder(arranged.placed, responses))],
    counts: {
      prompts: prompts.length,
      abandonedTurns: prompts.filter(({ abandoned }) => abandoned).length,
      toolCalls: calls.length,
      failedToolCalls: calls.filter(hasFailed).length,
      rejectedToolCalls: calls.filter(({ entry }) => entry.call.outcome?.rejectedBy != null).length,
      subagents: arranged.agents.length,
      commits: commitList.length,
    },
    commitList,
    turns,
    tools: tally(calls.map(({ entry }) => entry.call.tool)),
    tokensByModel: tokensByModel(responses),
    turnList,
    subagents: arranged.agents.map((agent) => subagentOf(agent.id, input, calls)),
    files: filesOf(input, calls),
    problems,
    problemCount,
  }
}

type PlacedCall = Placed & { entry: { call: Call } }

const timedOf = ({ entry, kind, agent }: Placed) => ({
  kind,
  agent,
  at: entry.rec.at,
  endedAt: entry.call?.result?.rec.at ?? null,
  tool: entry.call?.tool ?? null,
  rejectedBy: entry.call?.outcome?.rejectedBy ?? null,
})

const isCall = (placed: Placed): placed is PlacedCall => placed.entry.call !== null
const hasFailed = ({ entry }: Placed): boolean => entry.call?.outcome?.success === false

/** Sorted times of all counted records and of the state records of the main files. */
function timesOf({ arranged, sources }: TraceInput): number[] {
  const times: number[] = []
  for (const { records } of [arranged.main, ...arranged.agents]) for (const { at } of records) if (at !== null) times.push(at)
  for (const state of sources) if (arranged.countsSource(state)) for (const at of state.stateTimes) times.push(at)
  return [...Float64Array.from(times).toSorted()]
}

function activeTime(times: number[]): number {
  let active = 0
  for (let index = 1; index < times.length; index += 1) {
    const gap = times[index]! - times[index - 1]!
    if (gap <= PAUSE) active += gap
  }
  return active
}

/**
 * From the archive alone: a session that stops with an open call was interrupted, any other has ended. Whether it is live is
 * only known to the service, which overrides this.
 */
function stateOf(calls: PlacedCall[], hooks: HookFacts): DerivedTrace['state'] {
  const last = calls.findLast(({ agent }) => agent === 'main')
  if (last && last.entry.call.outcome === null) return 'interrupted'
  return hooks.hasEnded || !calls.some(({ entry, agent }) => agent !== 'main' && entry.call.outcome === null) ? 'ended' : 'interrupted'
}

/** The user's title, else the client's, else a summary whose leaf is a record of this session; the last of each kind wins. */
function titleOf(sources: SourceState[], records: { uuid: string }[]): string | null {
  const ordered = sources.toSorted((a, b) => a.source.generation - b.source.generation || (a.source.name < b.source.name ? -1 : 1))
  const titles = ordered.flatMap((state) => state.titles)
  const uuids = titles.some(({ kind }) => kind === 'summary') ? new Set(records.map(({ uuid }) => uuid)) : new Set<string>()
  const title =
    titles.findLast(({ kind }) => kind === 'custom') ??
    titles.findLast(({ kind }) => kind === 'ai') ??
    titles.findLast(({ kind, leaf }) => kind === 'summary' && leaf !== null && uuids.has(leaf))
  return title ? firstLine(title.text, TITLE_LENGTH) || null : null
}

function modelsInOrder(placed: Placed[], responses: ResponseRow[]): string[] {
  const billed = new Set(responses.flatMap(({ model }) => (model === null || model === '<synthetic>' ? [] : [model])))
  const modelsOfEntries = placed.flatMap(({ entry }) => (entry.model !== null && billed.has(entry.model) ? [entry.model] : []))
  return [...modelsOfEntries, ...billed]
}

function tokensByModel(responses: ResponseRow[]): DerivedTrace['tokensByModel'] {
  const sums: DerivedTrace['tokensByModel'] = lookup()
  for (const response of responses) {
    const sum = (sums[response.model ?? 'unknown'] ??= { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 })
    addTo(sum, response)
    if (response.webSearches) sum.webSearches = (sum.webSearches ?? 0) + response.webSearches
    if (response.cacheWrite1h) sum.cacheWrite1h = (sum.cacheWrite1h ?? 0) + response.cacheWrite1h
    if (!response.isFast) continue
    const fast = (sum.fast ??= { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 })
    addTo(fast, response)
    if (response.cacheWrite1h) fast.cacheWrite1h = (fast.cacheWrite1h ?? 0) + response.cacheWrite1h
  }
  return sums
}

/** A sum with an unknown part is unknown. */
function addTo(sum: TokenCounts, counts: TokenCounts): void {
  for (const kind of ['input', 'output', 'cacheRead', 'cacheWrite'] as const) {
    const before = sum[kind]
    const more = counts[kind]
    sum[kind] = before === null || more === null ? null : before + more
  }
}

function turnsOf(placed: Placed[]): { turns: number; turnList: Turn[] } {
  const turnList: Turn[] = []
  let turn: Turn | null = null
  let last: number | null = null
  let turns = 0
  const close = () => {
    if (turn) turn.endedAt = isoOf(last)
  }
  const begin = (at: Placed, prompt: string | null): Turn => {
    close()
    last = at.entry.rec.at
    const newTurn: Turn = {
      index: turns,
      promptId: at.promptId,
      prompt,
      abandoned: at.abandoned,
      startedAt: isoOf(at.entry.rec.at),
      endedAt: null,
      toolCalls: 0,
      failedToolCalls: 0,
      firstSeq: null,
      lastSeq: null,
    }
    turns += 1
    if (turnList.length < MAX_TURNS) turnList.push(newTurn)
    return newTurn
  }
  for (const item of placed) {
    const { entry } = item
    if (item.kind === 'prompt') turn = begin(item, entry.text)
    // Commands and notices before the first prompt are not a turn; calls are.
    else if (turn === null && (entry.kind === 'call' || entry.kind === 'text')) turn = begin(item, null)
    if (turn === null) continue
    const end = entry.call?.result?.rec.at ?? entry.rec.at
    if (end !== null && (last === null || end > last)) last = end
    if (!entry.call) continue
    turn.toolCalls += 1
    if (hasFailed(item)) turn.failedToolCalls += 1
    turn.firstSeq ??= item.seq
    turn.lastSeq = item.seq
  }
  close()
  return { turns, turnList }
}

function subagentOf(id: string, { traceId, arranged, responses, hooks }: TraceInput, calls: PlacedCall[]): Subagent {
  const conversation = arranged.agents.find((agent) => agent.id === id)!
  const agentCalls = calls.filter(({ agent }) => agent === id)
  const tokens: TokenCounts = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  for (const response of responses) if (response.agent === id) addTo(tokens, response)
  const times = conversation.records.flatMap(({ at }) => (at === null ? [] : [at]))
  const parent = conversation.parent
  const meta = arranged.metaOf(id)
  return {
    id,
    type: meta?.type ?? hooks.agentTypes.get(id) ?? parent?.call?.agentType ?? null,
    description: meta?.description ?? parent?.call?.agentDescription ?? null,
    parentStepId: parent ? entryId(traceId, parent) : null,
    startedAt: isoOf(least(times)),
    endedAt: isoOf(greatest(times)),
    toolCalls: agentCalls.length,
    failedToolCalls: agentCalls.filter(hasFailed).length,
    tokens,
  }
}

function filesOf({ traceId, hooks }: TraceInput, calls: PlacedCall[]): TouchedFile[] {
  const files = new Map<string, TouchedFile>()
  const touchedBy = (placed: PlacedCall, file: string): TouchedFile => {
    const touched = files.get(file) ?? { path: file, reads: 0, edits: 0, writes: 0, firstStepId: idOf(traceId, placed) }
    files.set(file, touched)
    return touched
  }
  for (const placed of calls) {
    const { tool, file, outcome } = placed.entry.call
    for (const { file: changed, created } of hooks.changedBy(placed.entry.call))
      touchedBy(placed, changed)[created ? 'writes' : 'edits'] += 1
    if (file === null || outcome?.success !== true) continue
    const touched = touchedBy(placed, file)
    if (isWriting(tool)) touched.writes += 1
    else if (isEditing(tool)) touched.edits += 1
    else if (isReading(tool)) touched.reads += 1
  }
  return [...files.values()]
}

function commitsOf({ traceId, hooks }: TraceInput, calls: PlacedCall[]): NonNullable<DerivedTrace['commitList']> {
  const commits = new Map<string, { sha: string; stepId: string; at: number | null }>()
  for (const placed of calls) {
    const { call, rec } = placed.entry
    const { commit, toolUseId, outcome } = call
    const sha = outcome?.success === true ? (commit ?? (toolUseId ? hooks.results.get(toolUseId)?.commit : null)) : null
    if (sha && !commits.has(sha)) commits.set(sha, { sha, stepId: idOf(traceId, placed), at: rec.at })
  }
  return [...commits.values()]
}

function problemsOf({ sources, arranged }: TraceInput): { problems: TraceProblem[]; problemCount: number } {
  const readProblems = sources
    .toSorted(
      (a, b) => (a.source.name < b.source.name ? -1 : Number(a.source.name > b.source.name)) || a.source.generation - b.source.generation,
    )
    .flatMap((state) => state.problems.map((problem) => ({ ...problem, source: state.source.name })))
  const contradictions = arranged.contradictions.map((rec) => ({
    kind: 'contradiction',
    source: rec.source.source.name,
    line: rec.line,
    message: contradictionIn(rec),
  }))
  const all = [...readProblems, ...contradictions]
  return { problems: all.slice(0, MAX_PROBLEMS), problemCount: all.length }
}

function mostOften(values: (string | null)[]): string | null {
  const counts = new Map<string, number>()
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  let best: string | null = null
  for (const [value, count] of counts) if (best === null || count > counts.get(best)!) best = value
  return best
}

function tally(names: string[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries(counts)
}

const least = (values: number[]): number | null =>
  values.reduce<number | null>((min, value) => (min === null || value < min ? value : min), null)
const greatest = (values: number[]): number | null =>
  values.reduce<number | null>((max, value) => (max === null || value > max ? value : max), null)
