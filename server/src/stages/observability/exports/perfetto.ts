import type { Profile, Span } from '#contracts/entities/profile.ts'

const PROCESS = 1

interface TraceEvent {
  ph: 'X' | 'i' | 'M'
  pid: number
  tid: number
  name: string
  cat?: string
  /** Microseconds. */
  ts?: number
  dur?: number
  s?: 't'
  args?: Record<string, unknown>
}

/**
 * Chrome trace events, which Perfetto and chrome://tracing open:
 * https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU. Events of one track must nest, so spans
 * that overlap get tracks of their own. A span without a duration is an instant; one without a time is left out and counted.
 */
export function perfettoOf({ title, agent, spans }: Profile): { displayTimeUnit: 'ms'; traceEvents: TraceEvent[]; otherData: object } {
  const tracks: { name: string; open: number[] }[] = []
  const events: TraceEvent[] = []
  let untimed = 0
  for (const span of spans.toSorted(byTime)) {
    if (span.startedAt === null) {
      untimed += 1
      continue
    }
    const from = Date.parse(span.startedAt)
    const tid = trackOf(tracks, span.kind, from, from + (span.durationMs ?? 0))
    const common = { pid: PROCESS, tid, name: span.name, cat: span.kind, ts: from * 1000, args: argsOf(span) }
    events.push(span.durationMs === null ? { ph: 'i', s: 't', ...common } : { ph: 'X', dur: span.durationMs * 1000, ...common })
  }
  const names = tracks.map(({ name }, index): TraceEvent => ({
    ph: 'M',
    pid: PROCESS,
    tid: index + 1,
    name: 'thread_name',
    args: { name },
  }))
  const process: TraceEvent = { ph: 'M', pid: PROCESS, tid: 0, name: 'process_name', args: { name: title ?? agent } }
  return { displayTimeUnit: 'ms', traceEvents: [process, ...names, ...events], otherData: { spansWithoutTime: untimed } }
}

/** Longer spans first, so that what is inside comes after. */
const byTime = (a: Span, b: Span): number =>
  Date.parse(a.startedAt ?? '') - Date.parse(b.startedAt ?? '') || (b.durationMs ?? 0) - (a.durationMs ?? 0) || 0

const NAMES = { agent: 'Agents', llm: 'Models', tool: 'Tools', wait: 'Waiting', guard: 'Guards', other: 'Other' } as const

/** The first track of the kind in which the span is inside or after all earlier ones. */
function trackOf(tracks: { name: string; open: number[] }[], kind: Span['kind'], from: number, to: number): number {
  for (const [index, { name, open }] of tracks.entries()) {
    if (name !== NAMES[kind]) continue
    while ((open.at(-1) ?? Infinity) <= from) open.pop()
    if (to > (open.at(-1) ?? Infinity)) continue
    open.push(to)
    return index + 1
  }
  return tracks.push({ name: NAMES[kind], open: [to] })
}

const argsOf = ({ id, label, tokens, costUsd, error }: Span): Record<string, unknown> => ({
  id,
  ...(label !== null && { label }),
  ...tokens,
  ...(costUsd !== null && { costUsd }),
  ...(error !== undefined && { error }),
})
