import type { ExamKind } from '#contracts/entities/exam.ts'
import type { Saved, SavingsProof } from '#contracts/entities/savings.ts'
import { type OwnPrice, priceOf, responseCost, type Usage } from '#server/prices/prices.ts'
import { CACHE_LIFE_MS, type CacheLife } from './cache.ts'

/** One answer of Claude, as it was billed. */
export interface Request extends Usage {
  at: number | null
  model: string | null
}

/** A conversation that the student may have had instead of Claude. */
export interface Work {
  /** In their order. */
  requests: readonly [Request, ...Request[]]
  /** From its begin to its end; null if that is not recorded. */
  wallMs: number | null
  /** The part of it in which tools ran. */
  toolMs: number
  /** What the conversation that asked for it sent before and after; null for one that a program asked for. */
  parent: { spawn: Request; after: Request | null } | null
  /** First requests of conversations that stay with Claude, and read from the cache what this one had written. */
  left?: readonly Request[]
}

export interface Savable {
  usd: Saved | null
  tokens: Saved | null
  ms: Saved | null
  /** What Claude writes to its cache once more, because it ended or was never filled; part of `usd`. */
  rereadUsd: number
}

type Proof = Pick<SavingsProof, 'kind' | 'share' | 'pace'>

/**
 * That a conversation of `steps` answers ends right. Solved tasks prove whole conversations; next calls prove single answers, so all of
 * them must be right.
 */
export const chanceOf = (kind: ExamKind, share: number, steps: number): number => (kind === 'solved_tasks' ? share : share ** steps)

const contextOf = ({ input, cacheRead, cacheWrite }: Usage): number | null =>
  input === null ? null : input + (cacheRead ?? 0) + (cacheWrite ?? 0)
const tokensOf = (request: Usage): number | null => {
  const context = contextOf(request)
  return context === null || request.output === null ? null : context + request.output
}
const sumOf = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0)

export const lifeOf = (requests: readonly Usage[]): CacheLife =>
  requests.some(({ cacheWrite1h = 0 }) => cacheWrite1h > 0) ? 'long' : 'short'
const isCached = ({ cacheRead, cacheWrite }: Usage): boolean => (cacheRead ?? 0) + (cacheWrite ?? 0) > 0

/**
 * What it would have saved if the student had had this conversation. A right one saves what it cost; a wrong one saves nothing, and
 * Claude does it again: with a cold cache, and with one more request of the conversation that asked for it.
 */
export function savedBy(work: Work, proof: Proof, prices: readonly OwnPrice[]): Savable {
  const { requests, parent, wallMs } = work
  const [first] = requests
  const cost = (request: Pick<Request, 'model'> & Usage) =>
    responseCost(request.model, request, request.model === null ? null : priceOf(request.model, prices))
  const sending = (like: Request, tokens: number, how: 'read' | 'write', life: CacheLife) =>
    cost({
      model: like.model,
      isFast: like.isFast ?? false,
      input: isCached(like) ? 0 : tokens,
      output: 0,
      cacheRead: isCached(like) && how === 'read' ? tokens : 0,
      cacheWrite: isCached(like) && how === 'write' ? tokens : 0,
      cacheWrite1h: isCached(like) && how === 'write' && life === 'long' ? tokens : 0,
    })
  const more = (like: Request, tokens: number, life: CacheLife): number | null => {
    const [write, read] = [sending(like, tokens, 'write', life), sending(like, tokens, 'read', life)]
    return write === null || read === null ? null : Math.max(0, write - read)
  }

  const own = sumOf(requests.map(cost))
  const cold = more(first, first.cacheRead ?? 0, lifeOf(requests))
  const student = timeOf(work, proof.pace)
  const asking = parent && { ...askingAgain(parent, work), spawn: parent.spawn }
  const again = asking && sumOf([sending(asking.spawn, asking.context, asking.how, asking.life), cost(asking.answer)])
  const isLate = parent && asking && wallMs !== null && student !== null && cacheEnds(parent, wallMs, student, asking.life)
  const reread = sumOf([
    isLate && asking ? more(asking.spawn, asking.context, asking.life) : 0,
    ...(work.left ?? []).map((one) => more(one, one.cacheRead ?? 0, lifeOf(requests))),
  ])
  const failing = sumOf([cold, asking === null ? 0 : again])

  const chances = (value: (chance: number) => number): Saved => {
    const of = (share: number) => value(chanceOf(proof.kind, share, requests.length))
    return { value: of(proof.share.value), low: of(proof.share.low), high: of(proof.share.high) }
  }
  const tokens = sumOf(requests.map(tokensOf))
  const extraTokens = asking === null ? 0 : asking.context + (asking.answer.output ?? 0)
  return {
    usd: own === null || failing === null || reread === null ? null : chances((chance) => chance * own - (1 - chance) * failing - reread),
    tokens: tokens === null ? null : chances((chance) => chance * tokens - (1 - chance) * extraTokens),
    ms: wallMs === null || student === null ? null : chances((chance) => chance * wallMs - student),
    rereadUsd: reread ?? 0,
  }
}

/** How long the student would have taken, with the same tools. */
function timeOf({ requests, wallMs, toolMs }: Work, pace: SavingsProof['pace']): number | null {
  if (pace === null || wallMs === null) return null
  return pace.of === 'task' ? pace.ms : requests.length * pace.ms + toolMs
}

/** The request with which the parent asks again, after it got a wrong report: its context, and the call that it writes again. */
function askingAgain({ spawn, after }: NonNullable<Work['parent']>, { wallMs }: Work) {
  const life = lifeOf([spawn, ...(after ? [after] : [])])
  const context = contextOf(after ?? spawn) ?? 0
  const how = (wallMs ?? 0) > CACHE_LIFE_MS[life] ? ('write' as const) : ('read' as const)
  const answer = { model: spawn.model, isFast: spawn.isFast ?? false, input: 0, output: spawn.output, cacheRead: 0, cacheWrite: 0 }
  return { life, context, how, answer }
}

/** Whether the parent's cache lived until the report came, and would not have lived until the student's. */
function cacheEnds({ spawn, after }: NonNullable<Work['parent']>, wallMs: number, studentMs: number, life: CacheLife): boolean {
  if (!after || spawn.at === null || after.at === null) return false
  const waited = after.at - spawn.at
  return waited <= CACHE_LIFE_MS[life] && waited - wallMs + studentMs > CACHE_LIFE_MS[life]
}
