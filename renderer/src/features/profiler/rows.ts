import type { Profile, Span, SpanTokens } from '#contracts/entities/profile.ts'
import { type Axis, axisOf, placeOfSpan, type View } from './axis.ts'

/** A span as a row: how deep it is, and where it is drawn. */
export interface SpanRow {
  id: string
  span: Span
  depth: number
  /** Null: not measured. */
  place: View | null
}

export interface Laid {
  axis: Axis
  rows: SpanRow[]
  byId: ReadonlyMap<string, SpanRow>
}

/** All spans in the order of the session; parents come before their children. */
export function layOut({ spans }: Pick<Profile, 'spans'>): Laid {
  const axis = axisOf(spans)
  const byId = new Map<string, SpanRow>()
  const rows = spans.map((span) => {
    const parent = span.parentId === null ? undefined : byId.get(span.parentId)
    const row: SpanRow = { id: span.id, span, depth: parent ? parent.depth + 1 : 0, place: placeOfSpan(span, axis) }
    byId.set(span.id, row)
    return row
  })
  return { axis, rows, byId }
}

export const KINDS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const satisfies readonly (keyof SpanTokens)[]
/** Bars or points of a chart; more are put together. */
const MOST = 80

type Sums = Record<(typeof KINDS)[number], number>
export type TokenRow = { label: string; id: string } & Sums

const tokensOf = ({ tokens }: Span, kind: keyof SpanTokens): number => tokens?.[kind] ?? 0
const isRequest = ({ kind, tokens }: Span): boolean => kind === 'llm' && tokens !== undefined

/** Tokens of all requests by turn; of a session with many turns, several are one row. */
export function tokensByTurn(spans: readonly Span[]): TokenRow[] {
  const turns = [...Map.groupBy(spans.filter(isRequest), ({ turn }) => turn)]
  return inGroups(turns).map((group) => {
    const requests = group.flatMap(([, some]) => some)
    const [first, last] = [group[0]![0], group.at(-1)![0]]
    const sums = Object.fromEntries(KINDS.map((kind) => [kind, requests.reduce((sum, span) => sum + tokensOf(span, kind), 0)])) as Sums // by KINDS
    return { label: first === last ? String(first) : `${first}–${last}`, id: requests[0]!.id, ...sums }
  })
}

export type ContextRow = { label: string; id: string; cacheRead: number; cacheWrite: number; input: number; total: number }

/** What each request of the main conversation sent; of several in one row, the largest. */
export function contextOf(spans: readonly Span[], mainId: string): ContextRow[] {
  const requests = spans.filter((span) => isRequest(span) && span.parentId === mainId)
  const rows = requests.map((span, index) => {
    const [input, cacheRead, cacheWrite] = [tokensOf(span, 'input'), tokensOf(span, 'cacheRead'), tokensOf(span, 'cacheWrite')]
    return { label: String(index + 1), id: span.id, input, cacheRead, cacheWrite, total: input + cacheRead + cacheWrite }
  })
  return inGroups(rows).map((group) => group.reduce((most, row) => (row.total > most.total ? row : most)))
}

function inGroups<One>(all: readonly One[]): One[][] {
  const size = Math.ceil(all.length / MOST) || 1
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
}

/** The share of all that was sent that came from the cache; null if nothing was sent. */
export function cacheShare({ input, cacheRead, cacheWrite }: SpanTokens): number | null {
  if (input === null || cacheRead === null || cacheWrite === null) return null
  const sent = input + cacheRead + cacheWrite
  return sent === 0 ? null : cacheRead / sent
}

export interface ToolRow {
  name: string
  calls: number
  failed: number
  totalMs: number
  /** Null: no call was measured. */
  p50Ms: number | null
  p95Ms: number | null
  /** The longest call. */
  slowest: Span
}

/** Tools of the session, those with the most time first. */
export function slowTools(spans: readonly Span[]): ToolRow[] {
  const byTool = Map.groupBy(
    spans.filter(({ kind }) => kind === 'tool'),
    ({ name }) => name,
  )
  const rows = [...byTool].map(([name, calls]): ToolRow => {
    const measured = calls.flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs])).toSorted((a, b) => a - b)
    const place = (share: number) => measured[Math.max(0, Math.ceil(measured.length * share) - 1)] ?? null
    return {
      name,
      calls: calls.length,
      failed: calls.filter(({ error }) => error?.startsWith('failed')).length,
      totalMs: measured.reduce((sum, ms) => sum + ms, 0),
      p50Ms: place(0.5),
      p95Ms: place(0.95),
      slowest: calls.reduce((most, call) => ((call.durationMs ?? -1) > (most.durationMs ?? -1) ? call : most)),
    }
  })
  return rows.toSorted((a, b) => b.totalMs - a.totalMs)
}
