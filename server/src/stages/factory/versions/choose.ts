import { setImmediate as nextTurn } from 'node:timers/promises'
import { Tier } from '#contracts/entities/common.ts'
import {
  DEFAULT_MIN_QUALITY,
  type DatasetPlan,
  type DatasetRecipe,
  type DroppedRow,
  type FunnelStage,
} from '#contracts/entities/dataset.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import { parseFilter, type IS_VALUES } from '#contracts/filter.ts'
import type { TraceFilter } from '#contracts/routes/traces.ts'
import { formatScore, reaches } from '#contracts/score-figure.ts'
import { createGroups } from '../curate/groups.ts'
import { countReasons } from './pool.ts'

const SESSIONS_PER_TURN = 100
/** Sessions with this tag, and sessions that share records with them, are reserved for evaluation and never give rows. */
const HELD_OUT_TAG = 'held-out'
const IN_EXAM = 'in an exam'
export const NOT_SELECTED = 'not selected'
/** Gold, although no verification passed. */
const UNVERIFIED = 'unverified'
const AGENT_RUN = 'agent run'
const FAILED_BY_USER = 'set to failed by you'

export interface ChosenSessions {
  /** Sorted, so that the order of import does not matter. */
  ids: string[]
  stage: FunnelStage
  dropped: DroppedRow[]
}

export interface SessionLookup {
  ids(filter: TraceFilter): Promise<string[]>
  trace(id: string): Pick<Trace, 'quality' | 'tags' | 'tier' | 'tierSource' | 'unverified' | 'taskId' | 'models'>
  /** Pairs of sessions that share records: forks and continuations. */
  families(): Promise<[string, string][]>
  /** The sessions of exams, with the name of the exam. */
  examined?(): ReadonlyMap<string, string>
}

export interface SessionCriteria extends Pick<
  DatasetRecipe,
  'kind' | 'query' | 'tiers' | 'repos' | 'traceIds' | 'minQuality' | 'unverified' | 'runs' | 'include'
> {
  /** Further conditions, which every session must match. */
  filter?: TraceFilter
  /** True: held-out sessions are not left out, because they are chosen for an exam. */
  forExam?: boolean
}

/** The sessions that a recipe selects, and the reason of each dropped one. Throws `filter_invalid`. */
export async function chooseSessions(recipe: SessionCriteria, traces: SessionLookup): Promise<ChosenSessions> {
  const { query = '', tiers = [], repos = [], traceIds = [] } = recipe
  const all = (await traces.ids({})).toSorted()
  const asksForSessions =
    recipe.filter !== undefined ||
    query !== '' ||
    tiers.length > 0 ||
    repos.length > 0 ||
    traceIds.length > 0 ||
    recipe.minQuality !== undefined
  if (recipe.include.length > 0 && !asksForSessions) return toChosen([], [])

  const matchingIds = await findMatching(recipe, traces)
  const namesTiers =
    tiers.length > 0 || (recipe.filter?.tier?.length ?? 0) > 0 || parseFilter(query).terms.some(({ field }) => field === 'tier')
  const isPreference = recipe.kind === 'dpo' || recipe.kind === 'kto'
  const minQuality = recipe.minQuality ?? (traceIds.length > 0 || namesTiers || isPreference ? null : DEFAULT_MIN_QUALITY)

  const heldOut = recipe.forExam ? new Map<string, HeldOutReason>() : await findHeldOut(all, traces)
  const dropped: DroppedRow[] = []
  const drop = (traceId: string, reason: string, detail: string | null = null) =>
    dropped.push({ stage: 'filter', reason, traceId, exampleId: null, detail })
  const ids: string[] = []
  const knownIds = new Set(all)
  const namedIds = new Set(traceIds) // the user chose these one by one, so they need no verification
  const wholeQuery = [recipe.filter?.q, query].filter(Boolean).join(' ')
  const allowsUnverified = recipe.unverified || asksFor('unverified', wholeQuery)
  const allowsRuns = asksFor('run', wholeQuery)
  const allowsFailed = namesTiers || isPreference
  /** Why a session is no example of the user's good work by default; null if it is. */
  const unwanted = (trace: ReturnType<SessionLookup['trace']>): string | null => {
    if (!allowsRuns && trace.taskId !== null && !trace.models.some((model) => recipe.runs.includes(model))) return AGENT_RUN
    if (!allowsFailed && trace.tierSource === 'user' && trace.tier === 'failed') return FAILED_BY_USER
    return !allowsUnverified && trace.unverified ? UNVERIFIED : null
  }
  for (const id of traceIds) if (!knownIds.has(id)) drop(id, 'session not found')
  for (const [index, id] of all.entries()) {
    if (index % SESSIONS_PER_TURN === 0) await nextTurn()
    if (!matchingIds.has(id)) drop(id, NOT_SELECTED)
    else if (heldOut.has(id)) drop(id, heldOut.get(id)!.reason, heldOut.get(id)!.detail)
    else {
      const trace = traces.trace(id)
      const reason = namedIds.has(id) ? null : unwanted(trace)
      if (reason !== null) drop(id, reason)
      else if (minQuality === null || minQuality === 0) ids.push(id)
      else if (trace.quality === null) drop(id, 'quality not measured')
      else if (!reaches(trace.quality, minQuality)) drop(id, `quality below ${minQuality}`, formatScore(trace.quality))
      else ids.push(id)
    }
  }
  return toChosen(ids, dropped)
}

/** Sessions that match the filter, tiers, repositories and ids of a recipe. */
async function findMatching(
  { filter: more, query = '', tiers = [], repos = [], traceIds = [] }: SessionCriteria,
  traces: SessionLookup,
): Promise<Set<string>> {
  const filter: TraceFilter = { ...more, q: [more?.q, query].filter(Boolean).join(' '), ...(tiers.length > 0 && { tier: [...tiers] }) }
  const ids = repos.length > 0 ? (await Promise.all(repos.map((repo) => traces.ids({ ...filter, repo })))).flat() : await traces.ids(filter)
  return traceIds.length > 0 ? new Set(traceIds).intersection(new Set(ids)) : new Set(ids)
}

/** Counts what `chooseSessions` would choose. The reason of a session that only the tiers exclude is its tier. */
export async function countSessions(recipe: SessionCriteria, traces: SessionLookup): Promise<DatasetPlan> {
  const { ids, dropped } = await chooseSessions(recipe, traces)
  const matching = await findMatching({ ...recipe, tiers: [] }, traces)
  const reasons = dropped.flatMap(({ traceId, reason }) => {
    if (reason !== NOT_SELECTED) return [reason]
    return traceId !== null && matching.has(traceId) ? [traces.trace(traceId).tier] : []
  })
  const tiers = Map.groupBy(ids, (id) => traces.trace(id).tier)
  return {
    matching: ids.length + reasons.length,
    sessions: ids.length,
    tiers: Tier.options.flatMap((tier) => (tiers.has(tier) ? [{ tier, count: tiers.get(tier)!.length }] : [])),
    left: countReasons(reasons),
  }
}

/** True if the filter contains `is:` with the word. */
const asksFor = (word: (typeof IS_VALUES)[number], query: string): boolean =>
  parseFilter(query).terms.some(
    ({ field, negated, value }) => field === 'is' && !negated && value.kind === 'any' && value.values.includes(word),
  )

interface HeldOutReason {
  reason: string
  detail: string | null
}

/** Sessions of exams and tagged ones, and the forks and continuations of both (the detail names the session that they share records with). */
async function findHeldOut(all: readonly string[], traces: SessionLookup): Promise<Map<string, HeldOutReason>> {
  const heldOut = new Map<string, HeldOutReason>()
  const examined = traces.examined?.() ?? new Map<string, string>()
  for (const [index, id] of all.entries()) {
    if (index % SESSIONS_PER_TURN === 0) await nextTurn()
    const exam = examined.get(id)
    if (exam !== undefined) heldOut.set(id, { reason: IN_EXAM, detail: exam })
    else if (traces.trace(id).tags.includes(HELD_OUT_TAG)) heldOut.set(id, { reason: HELD_OUT_TAG, detail: null })
  }
  if (heldOut.size === 0) return heldOut
  const groups = createGroups()
  for (const [a, b] of await traces.families()) groups.join(a, b)
  const byGroup = new Map([...heldOut].toReversed().map(([id, { reason }]) => [groups.of(id), { id, reason }]))
  for (const id of all) {
    const near = byGroup.get(groups.of(id))
    if (near && !heldOut.has(id)) heldOut.set(id, { reason: near.reason, detail: `shares records with ${near.id}` })
  }
  return heldOut
}

const toChosen = (ids: string[], dropped: DroppedRow[]): ChosenSessions => ({
  ids,
  dropped,
  stage: {
    stage: 'filter',
    unit: 'sessions',
    in: ids.length + dropped.length,
    out: ids.length,
    dropped: countReasons(dropped.map(({ reason }) => reason)),
  },
})
