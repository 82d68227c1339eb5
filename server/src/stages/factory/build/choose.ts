import { setImmediate as nextTurn } from 'node:timers/promises'
import { Tier } from '#contracts/entities/common.ts'
import type { DatasetPlan, DatasetRecipe, DroppedRow, FunnelStage } from '#contracts/entities/dataset.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import { parseFilter } from '#contracts/filter.ts'
import type { TraceFilter } from '#contracts/routes/traces.ts'
import { formatScore, reaches } from '#contracts/score-figure.ts'
import { createGroups } from '../curate/groups.ts'
import { countReasons } from './pool.ts'

/** Sessions below it give no rows if neither traces nor tiers are named; preferences need the bad ones too. */
const LEAST_QUALITY = 0.7
const AT_A_TIME = 100
/** Sessions with this tag are for exams only: they, and what holds their records again, never give rows. */
const HELD_OUT = 'held-out'
const NOT_SELECTED = 'not selected'
/** The reason of a session that is gold although no verification passed. */
const UNVERIFIED = 'unverified'

export interface ChosenSessions {
  /** Sorted, so that nothing depends on when a session came in. */
  ids: string[]
  stage: FunnelStage
  dropped: DroppedRow[]
}

export interface ChoosingFrom {
  ids(filter: TraceFilter): Promise<string[]>
  trace(id: string): Pick<Trace, 'quality' | 'tags' | 'tier' | 'unverified'>
  /** Pairs of sessions that share records: forks and continuations. */
  families(): Promise<[string, string][]>
}

type Wanted = Pick<DatasetRecipe, 'kind' | 'query' | 'tiers' | 'repos' | 'traceIds' | 'minQuality' | 'unverified' | 'include'>

/** The sessions that a recipe asks for; what is left out is listed with its reason. Throws `filter_invalid`. */
export async function chooseSessions(recipe: Wanted, from: ChoosingFrom): Promise<ChosenSessions> {
  const { query = '', tiers = [], repos = [], traceIds = [] } = recipe
  const all = (await from.ids({})).toSorted()
  const asksForSessions = query !== '' || tiers.length > 0 || repos.length > 0 || traceIds.length > 0 || recipe.minQuality !== undefined
  if (recipe.include.length > 0 && !asksForSessions) return chosen([], [])

  const matches = await matchingOf(recipe, from)
  const namesTiers = tiers.length > 0 || parseFilter(query).terms.some(({ field }) => field === 'tier')
  const isPreference = recipe.kind === 'dpo' || recipe.kind === 'kto'
  const least = recipe.minQuality ?? (traceIds.length > 0 || namesTiers || isPreference ? null : LEAST_QUALITY)

  const exam = await heldOut(all, from)
  const dropped: DroppedRow[] = []
  const drop = (traceId: string, reason: string, detail: string | null = null) =>
    dropped.push({ stage: 'filter', reason, traceId, exampleId: null, detail })
  const ids: string[] = []
  const known = new Set(all)
  const named = new Set(traceIds) // whoever names a session has looked at it
  const takesUnverified = recipe.unverified || asksForUnverified(query)
  for (const id of traceIds) if (!known.has(id)) drop(id, 'session not found')
  for (const [index, id] of all.entries()) {
    if (index % AT_A_TIME === 0) await nextTurn()
    if (!matches.has(id)) drop(id, NOT_SELECTED)
    else if (exam.has(id)) drop(id, HELD_OUT, exam.get(id))
    else if (!takesUnverified && !named.has(id) && from.trace(id).unverified) drop(id, UNVERIFIED)
    else if (least === null) ids.push(id)
    else {
      const { quality } = from.trace(id)
      if (quality === null) drop(id, 'quality not measured')
      else if (!reaches(quality, least)) drop(id, `quality below ${least}`, formatScore(quality))
      else ids.push(id)
    }
  }
  return chosen(ids, dropped)
}

/** The sessions that filter, tiers, repositories and choice name. */
async function matchingOf({ query = '', tiers = [], repos = [], traceIds = [] }: Wanted, from: ChoosingFrom): Promise<Set<string>> {
  const filter: TraceFilter = { q: query, ...(tiers.length > 0 && { tier: [...tiers] }) }
  const ids = repos.length > 0 ? (await Promise.all(repos.map((repo) => from.ids({ ...filter, repo })))).flat() : await from.ids(filter)
  return traceIds.length > 0 ? new Set(traceIds).intersection(new Set(ids)) : new Set(ids)
}

/** The same choice as counts, before anything is built: a session that only the tiers leave out has its tier as reason. */
export async function countSessions(recipe: Wanted, from: ChoosingFrom): Promise<DatasetPlan> {
  const { ids, dropped } = await chooseSessions(recipe, from)
  const matching = await matchingOf({ ...recipe, tiers: [] }, from)
  const reasons = dropped.flatMap(({ traceId, reason }) => {
    if (reason !== NOT_SELECTED) return [reason]
    return traceId !== null && matching.has(traceId) ? [from.trace(traceId).tier] : []
  })
  const tiers = Map.groupBy(ids, (id) => from.trace(id).tier)
  return {
    matching: ids.length + reasons.length,
    sessions: ids.length,
    tiers: Tier.options.flatMap((tier) => (tiers.has(tier) ? [{ tier, count: tiers.get(tier)!.length }] : [])),
    left: countReasons(reasons),
  }
}

/** `is:unverified` in the filter asks for these sessions themselves. */
const asksForUnverified = (query: string): boolean =>
  parseFilter(query).terms.some(
    ({ field, negated, value }) => field === 'is' && !negated && value.kind === 'any' && value.values.includes('unverified'),
  )

/** Tagged sessions, and their forks and continuations with the tagged one as detail. */
async function heldOut(all: readonly string[], from: ChoosingFrom): Promise<Map<string, string | null>> {
  const tagged = new Set<string>()
  for (const [index, id] of all.entries()) {
    if (index % AT_A_TIME === 0) await nextTurn()
    if (from.trace(id).tags.includes(HELD_OUT)) tagged.add(id)
  }
  const found = new Map<string, string | null>([...tagged].map((id) => [id, null]))
  if (tagged.size === 0) return found
  const groups = createGroups()
  for (const [a, b] of await from.families()) groups.join(a, b)
  const exams = new Map([...tagged].toReversed().map((id) => [groups.of(id), id]))
  for (const id of all) {
    const exam = exams.get(groups.of(id))
    if (exam !== undefined && !tagged.has(id)) found.set(id, `shares records with ${exam}`)
  }
  return found
}

const chosen = (ids: string[], dropped: DroppedRow[]): ChosenSessions => ({
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
