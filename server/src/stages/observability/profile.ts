import { type Profile, type ProfileSummary, RecordedId } from '#contracts/entities/profile.ts'
import type { Database } from '#server/db/open.ts'
import { type OwnPrice, priceOf, responseCost } from '#server/prices/prices.ts'
import { readRecorded, readReported, type ReportedRequest } from '#server/spans/index.ts'
import { readTiming, type SessionTiming, type TimingResponse } from '#server/stages/traces/index.ts'
import { bottlenecksOf } from './bottlenecks.ts'
import { recordedProfile } from './recorded.ts'
import { compareCosts } from './reported.ts'
import { spansOf, sumOf } from './spans.ts'
import { totalOf, workingTime } from './sums.ts'

/** The profile of a stored session or of what was recorded; null if there is neither. */
export function readProfile(db: Database, id: string, prices: readonly OwnPrice[]): Profile | null {
  if (RecordedId.safeParse(id).success) {
    const recorded = readRecorded(db, id)
    return recorded && recordedProfile(recorded)
  }
  const session = readTiming(db, id)
  return session && profileOf(session, prices, readReported(db, id))
}

export function profileOf(session: SessionTiming, prices: readonly OwnPrice[], requests: readonly ReportedRequest[] = []): Profile {
  const { trace, responses } = session
  const applied = new Map<string, ReturnType<typeof priceOf>>()
  const price = (model: string) => {
    if (!applied.has(model)) applied.set(model, priceOf(model, prices))
    return applied.get(model)!
  }
  const costOf = (one: TimingResponse) =>
    one.model === null || one.input === null || one.output === null ? null : responseCost(one.model, one, price(one.model))
  const spans = spansOf(session, costOf)
  const reported = compareCosts(session, requests, costOf)
  for (const { span } of spans) {
    const cost = reported?.bySpan.get(span.id)
    if (cost !== undefined) span.reportedUsd = cost
  }
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
    reported: reported?.total ?? null,
    unmeasured: spans.filter(({ span }) => span.durationMs === null).length,
    bottlenecks: bottlenecksOf({ spans, durationMs, waitingMs, workingMs }),
  }
  const { id, title, agent, repo, models, taskId, startedAt } = trace
  return {
    id,
    source: 'session',
    sessionId: id,
    title,
    agent,
    repo,
    models,
    taskId,
    startedAt,
    spans: spans.map(({ span }) => span),
    summary,
  }
}
