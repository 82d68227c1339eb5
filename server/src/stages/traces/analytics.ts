import type { AnalyticsBy, AnalyticsRow } from '#contracts/entities/profile.ts'
import { type FilterTerm, formatFilter, parseFilter } from '#contracts/filter.ts'
import { lookup } from '#contracts/lookup.ts'
import type { Core } from '#server/core.ts'
import { costOf, type ModelUsage, type OwnPrice } from '#server/prices/prices.ts'
import { DAY, dayName } from './filter/days.ts'
import { whereOfFilter } from './filter/query.ts'
import { statementOf, type Where } from './filter/where.ts'
import type { Lists } from './list.ts'

/** Groups of one answer; those with the most time, tokens or calls. */
const MAX_GROUPS = 200
/** Answers that are kept while nothing changes. */
const MAX_KEPT = 20

type Analytics = { items: AnalyticsRow[]; total: number }
type Counted = Omit<AnalyticsRow, 'key' | 'query' | 'tokens'>

/** Sums over sessions by what they have in common, cached until something changes. */
export function createAnalytics(
  core: Pick<Core, 'now' | 'events'>,
  { query }: Lists,
  prices: () => readonly OwnPrice[],
  /** Increases with every write; a rebuild writes without events. */
  writes: () => number,
) {
  let kept: { version: string; answers: Map<string, Promise<Analytics>> } = { version: '', answers: new Map() }

  const read = async (by: AnalyticsBy, q: string): Promise<Analytics> => {
    const where = whereOfFilter({ q }, core.now())
    const isSearch = where.matches.length > 0
    const [rows, [counted]] = (await query(
      [STATEMENTS[by](where), statementOf(where, [], `SELECT count(*) AS n FROM traces t WHERE ${where.sql}`)],
      isSearch,
    )) as [unknown[], { n: number }[]]
    const groups = by === 'model' ? byModel(rows as ModelRow[], prices()) : (rows as SqlRow[]).map((row) => ofRow(row, by)) // by the statement of `by`
    return { items: groups.map((row) => ({ ...row, query: queryOf(by, row.key, q) })), total: counted!.n }
  }

  return (by: AnalyticsBy, q = ''): Promise<Analytics> => {
    const version = `${core.events.lastSeq()} ${writes()}`
    if (kept.version !== version || kept.answers.size >= MAX_KEPT) kept = { version, answers: new Map() }
    const { answers } = kept
    const key = `${by} ${q}`
    const answer = answers.get(key) ?? read(by, q)
    answers.set(key, answer)
    answer.catch(() => answers.delete(key))
    return answer
  }
}

interface SqlRow extends Counted {
  key: string | number | null
  input?: number | null
  output?: number | null
  cacheRead?: number | null
  cacheWrite?: number | null
}

const SESSION_SUMS = `count(*) AS sessions, sum(t.duration_ms) AS durationMs, sum(t.waiting_ms) AS waitingMs,
  sum(max(0, t.duration_ms - t.waiting_ms)) AS workingMs, sum(t.tokens_input) AS input, sum(t.tokens_output) AS output,
  sum(t.tokens_cache_read) AS cacheRead, sum(t.tokens_cache_write) AS cacheWrite, sum(t.cost_usd) AS costUsd,
  count(*) FILTER (WHERE t.cost_usd IS NULL AND t.tokens > 0) AS unpriced, sum(t.tool_calls) AS toolCalls,
  sum(t.failed_tool_calls) AS failedToolCalls, NULL AS p50Ms, NULL AS p95Ms`

const sessionsBy = (key: string, order: string) => (where: Where) =>
  statementOf(
    where,
    [],
    `SELECT ${key} AS key, ${SESSION_SUMS} FROM traces t WHERE ${where.sql} GROUP BY 1 ORDER BY ${order} LIMIT ${MAX_GROUPS}`,
  )

/** The first day that is counted, 0001-01-01, was a Monday. */
const WEEK = `CASE WHEN t.started_at IS NOT NULL THEN ${DAY} - ${DAY} % 7 END`

/** The percentile of sorted values: the smallest one that at least this share of them does not exceed. */
const percentile = (share: string) => `min(ms) FILTER (WHERE place >= measured * ${share})`

const STATEMENTS: Record<AnalyticsBy, (where: Where) => { sql: string; params: unknown[] }> = lookup({
  repo: sessionsBy('t.repo COLLATE NOCASE', 'workingMs DESC NULLS LAST'),
  week: sessionsBy(WEEK, 'key DESC'),
  model: (where) =>
    statementOf(where, [], `SELECT d.tokens_by_model AS usage FROM traces t JOIN trace_details d ON d.trace = t.no WHERE ${where.sql}`),
  tool: (where) =>
    statementOf(
      where,
      [
        `chosen AS MATERIALIZED (SELECT t.no FROM traces t WHERE ${where.sql})`,
        `calls AS MATERIALIZED (SELECT e.tool, e.trace, e.success, CASE WHEN e.ended_at >= e.at THEN e.ended_at - e.at END AS ms
           FROM chosen c CROSS JOIN entries e ON e.trace = c.no WHERE e.kind = 'call' AND e.tool IS NOT NULL)`,
        `ranked AS MATERIALIZED (SELECT tool, ms, row_number() OVER (PARTITION BY tool ORDER BY ms) AS place, count(*) OVER (PARTITION BY tool) AS measured
           FROM calls WHERE ms IS NOT NULL)`,
        `places AS MATERIALIZED (SELECT tool, ${percentile('0.5')} AS p50Ms, ${percentile('0.95')} AS p95Ms FROM ranked GROUP BY tool)`,
      ],
      `SELECT c.tool AS key, count(DISTINCT c.trace) AS sessions, sum(c.ms) AS durationMs, NULL AS waitingMs, NULL AS workingMs, NULL AS costUsd,
         NULL AS unpriced, count(*) AS toolCalls, count(*) FILTER (WHERE c.success = 0) AS failedToolCalls, p.p50Ms, p.p95Ms
       FROM calls c LEFT JOIN places p ON p.tool = c.tool GROUP BY c.tool ORDER BY durationMs DESC NULLS LAST LIMIT ${MAX_GROUPS}`,
    ),
})

function ofRow({ key, input, output, cacheRead, cacheWrite, ...row }: SqlRow, by: AnalyticsBy): Omit<AnalyticsRow, 'query'> {
  const name = typeof key === 'number' ? dayName(key) : key
  const tokens =
    by === 'tool' ? null : { input: input ?? null, output: output ?? null, cacheRead: cacheRead ?? null, cacheWrite: cacheWrite ?? null }
  return { ...row, key: name, tokens }
}

interface ModelRow {
  /** JSON: usage by model. */
  usage: string
}

/** The time of a session with several models belongs to none of them. */
function byModel(rows: readonly ModelRow[], prices: readonly OwnPrice[]): Omit<AnalyticsRow, 'query'>[] {
  const models = new Map<string, Omit<AnalyticsRow, 'query'> & { tokens: Record<string, number | null> }>()
  for (const { usage } of rows) {
    for (const [model, used] of Object.entries(JSON.parse(usage) as Record<string, ModelUsage>)) {
      const row = models.get(model) ?? emptyModel(model)
      models.set(model, row)
      row.sessions += 1
      for (const kind of ['input', 'output', 'cacheRead', 'cacheWrite'] as const)
        if (used[kind] !== null) row.tokens[kind] = (row.tokens[kind] ?? 0) + used[kind]
      const cost = costOf({ [model]: used }, prices)
      if (cost === null) row.unpriced = (row.unpriced ?? 0) + 1
      else row.costUsd = (row.costUsd ?? 0) + cost
    }
  }
  const total = ({ tokens }: { tokens: Record<string, number | null> }) =>
    Object.values(tokens).reduce<number>((sum, count) => sum + (count ?? 0), 0)
  return [...models.values()]
    .filter((row) => total(row) > 0)
    .toSorted((a, b) => total(b) - total(a))
    .slice(0, MAX_GROUPS)
}

const emptyModel = (key: string) => ({
  key,
  sessions: 0,
  durationMs: null,
  waitingMs: null,
  workingMs: null,
  tokens: { input: null, output: null, cacheRead: null, cacheWrite: null },
  costUsd: null,
  unpriced: 0,
  toolCalls: null,
  failedToolCalls: null,
  p50Ms: null,
  p95Ms: null,
})

const FIELDS = { repo: 'repo', model: 'model', tool: 'tool', week: 'day' } as const

/** The filter with the group in place of what it says about that field, because several terms of one field mean any of them. */
function queryOf(by: AnalyticsBy, key: string | null, q: string): string | null {
  if (key === null) return null
  const field = FIELDS[by]
  const value = by === 'week' ? `${key}..${dayAfter(key, 6)}` : key
  const term: FilterTerm = { field, negated: false, start: 0, end: 0, value: { kind: 'any', values: [value], not: false } }
  const isSingle = by === 'repo'
  return formatFilter([...parseFilter(q).terms.filter((one) => !isSingle || one.field !== field || one.negated), term])
}

const dayAfter = (day: string, days: number): string => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
