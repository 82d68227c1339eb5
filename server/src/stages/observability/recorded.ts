import type { Profile, ProfiledSession, Span } from '#contracts/entities/profile.ts'
import { isoOf } from '#server/instant.ts'
import type { RecordedSpan, RecordedTrace } from '#server/spans/index.ts'
import { bottlenecksOf } from './bottlenecks.ts'
import type { Timed } from './spans.ts'
import { totalOf, workingTime } from './sums.ts'

/** What was recorded, as the profile of a session is shown. Its session may not be stored. */
export function recordedProfile({ trace, spans }: { trace: RecordedTrace; spans: RecordedSpan[] }): Profile {
  const ordered = parentsFirst(withErrors(spans))
  const timed = ordered.map(timedOf)
  const { durationMs, waitingMs, workingMs, ...summary } = summaryOf(trace)
  return {
    id: trace.id,
    source: trace.source,
    sessionId: trace.session,
    title: trace.title,
    agent: null,
    repo: null,
    models: [...new Set(spans.flatMap(({ kind, name }) => (kind === 'llm' ? [name] : [])))],
    taskId: null,
    startedAt: isoOf(trace.startedAt),
    spans: timed.map(({ span }) => span),
    summary: {
      ...summary,
      durationMs,
      waitingMs,
      workingMs,
      reported: null,
      unmeasured: spans.filter((span) => span.durationMs === null).length,
      bottlenecks: bottlenecksOf({ spans: timed, durationMs, waitingMs, workingMs }),
    },
  }
}

/** A recorded trace in the list. */
export const recordedItem = (trace: RecordedTrace): ProfiledSession => ({
  id: trace.id,
  source: trace.source,
  title: trace.title,
  agent: null,
  repo: null,
  models: trace.model === null ? [] : [trace.model],
  startedAt: isoOf(trace.startedAt),
  summary: summaryOf(trace),
})

function summaryOf(trace: RecordedTrace): ProfiledSession['summary'] {
  const { startedAt, endedAt, waitingMs, input, output, cacheRead, cacheWrite } = trace
  const durationMs = startedAt === null || endedAt === null ? null : endedAt - startedAt
  const tokens = { input, output, cacheRead, cacheWrite }
  return {
    durationMs,
    waitingMs,
    workingMs: workingTime(durationMs, waitingMs),
    llmCalls: { count: trace.requests, totalTokens: totalOf(tokens) },
    tokens,
    toolCalls: trace.calls,
    failedToolCalls: trace.failedCalls,
    costUsd: trace.costUsd,
  }
}

/** Claude Code marks the execution inside a call as failed, not the call. */
function withErrors(spans: readonly RecordedSpan[]): RecordedSpan[] {
  const failed = new Map(
    spans.flatMap(({ kind, parentId, error }) => (kind === 'other' && parentId !== null && error !== null ? [[parentId, error]] : [])),
  )
  return spans.map((span) => (span.kind === 'tool' && span.error === null ? { ...span, error: failed.get(span.id) ?? null } : span))
}

/** Spans come in pieces, and with the clocks of several programs: a child may start before its parent, or have none here. */
function parentsFirst(spans: readonly RecordedSpan[]): RecordedSpan[] {
  const known = new Set(spans.map(({ id }) => id))
  const children = Map.groupBy(spans, ({ parentId }) => (parentId !== null && known.has(parentId) ? parentId : null))
  const ordered: RecordedSpan[] = []
  const open = (children.get(null) ?? []).toReversed()
  const seen = new Set<string>()
  const take = () => {
    for (let span = open.pop(); span; span = open.pop()) {
      if (seen.has(span.id)) continue
      seen.add(span.id)
      ordered.push(span)
      open.push(...(children.get(span.id) ?? []).toReversed())
    }
  }
  take()
  for (const span of spans) {
    if (seen.has(span.id)) continue
    open.push({ ...span, parentId: null }) // a circle of parents begins somewhere
    take()
  }
  return ordered
}

function timedOf({ traceId: _traceId, requestId: _requestId, tokens, error, startedAt, ...span }: RecordedSpan): Timed {
  return {
    agent: 'main',
    from: startedAt,
    to: startedAt === null || span.durationMs === null ? null : startedAt + span.durationMs,
    span: {
      ...span,
      turn: 0,
      entryId: null,
      startedAt: isoOf(startedAt),
      ...(tokens && { tokens }),
      ...(error !== null && { error }),
    } satisfies Span,
  }
}
