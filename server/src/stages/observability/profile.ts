import type { Profile, ProfileSummary, SpanTokens } from '#contracts/entities/profile.ts'
import type { Database } from '#server/db/open.ts'
import { type OwnPrice, priceOf, responseCost } from '#server/prices/prices.ts'
import { readTiming, type SessionTiming, type TimingResponse } from '#server/stages/traces/index.ts'
import { bottlenecksOf } from './bottlenecks.ts'
import { spansOf, sumOf } from './spans.ts'

/** The profile of a stored session; null if there is no such trace. */
export function readProfile(db: Database, traceId: string, prices: readonly OwnPrice[]): Profile | null {
  const session = readTiming(db, traceId)
  return session && profileOf(session, prices)
}

export function profileOf(session: SessionTiming, prices: readonly OwnPrice[]): Profile {
  const { trace, responses } = session
  const applied = new Map<string, ReturnType<typeof priceOf>>()
  const price = (model: string) => {
    if (!applied.has(model)) applied.set(model, priceOf(model, prices))
    return applied.get(model)!
  }
  const costOf = (one: TimingResponse) =>
    one.model === null || one.input === null || one.output === null ? null : responseCost(one.model, one, price(one.model))
  const spans = spansOf(session, costOf)
  const { durationMs, waitingMs } = trace
  const workingMs = workingTime(durationMs, waitingMs)
  const summary: ProfileSummary = {
    durationMs,
    waitingMs,
    workingMs,
    llmCalls: { count: spans.filter(({ span }) => span.tokens !== undefined).length, totalTokens: totalOf(trace.tokens) },
    tokens: responses.length === 0 ? trace.tokens : sumOf(responses),
    toolCalls: trace.counts.toolCalls,
    failedToolCalls: trace.counts.failedToolCalls,
    costUsd: trace.costUsd,
    unmeasured: spans.filter(({ span }) => span.durationMs === null).length,
    bottlenecks: bottlenecksOf({ spans, durationMs, waitingMs, workingMs }),
  }
  const { id, title, agent, repo, models, taskId, startedAt } = trace
  return { id, title, agent, repo, models, taskId, startedAt, spans: spans.map(({ span }) => span), summary }
}

export const workingTime = (durationMs: number | null, waitingMs: number | null): number | null =>
  durationMs === null || waitingMs === null ? null : Math.max(0, durationMs - waitingMs)

/** Of the kinds that are known; null if none is. */
export function totalOf(tokens: SpanTokens): number | null {
  const known = Object.values(tokens).filter((count) => count !== null)
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0)
}
