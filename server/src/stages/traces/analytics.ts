import type { AnalyticsBy, AnalyticsRow } from '#contracts/entities/profile.ts'
import { type FilterTerm, formatFilter, parseFilter } from '#contracts/filter.ts'
import { lookup } from '#contracts/lookup.ts'
import type { Core } from '#server/core.ts'
import { costOf, type ModelUsage, type OwnPrice } from '#server/prices/prices.ts'
import { DAY, dayName } from './filter/days.ts'
import { whereOfFilter } from './filter/query.ts'
import { statementOf, type Where } from './filter/where.ts'
import type { ToolTimes, ToolTimesInput } from './tool-times.job.ts'
import type { Lists } from './list.ts'

const TOOL_TIMES_JOB = new URL('./tool-times.job.ts', import.meta.url)
/** Groups of one answer; those with the most time, tokens or calls. */
const MAX_GROUPS = 200
/** Answers that are kept while nothing changes. */
const MAX_KEPT = 20

type Analytics = { items: AnalyticsRow[]; total: number }
type Counted = Omit<AnalyticsRow, 'key' | 'query' | 'tokens'>

/** Sums over sessions by what they have in common, cached until something changes. */
export function createAnalytics(
  core: Pick<Core, 'now' | 'events' | 'workers' | 'paths'>,
  { query }: Lists,
  prices: () => readonly OwnPrice[],
  /** Increases with every write; a rebuild writes without events. */
  writes: () => number,
) {
  let kept: { version: string; answers: Map<string, Promise<Analytics>> } = { version: '', answers: new Map() }

  const tools = async (where: Where): Promise<Omit<AnalyticsRow, 'query'>[]> => {
    const input: ToolTimesInput = {
      database: core.paths.database,
      ...(where.matches.length > 0 && { attach: core.paths.search }),
      statement: statementOf(where, [], `SELECT t.no, t.rev FROM traces t WHERE ${where.sql}`),
      most: MAX_GROUPS,
    }
    const found = await core.workers.run<ToolTimes[]>(TOOL_TIMES_JOB, input, { lane: 'query', key: 'tool-times' })
    return found.map(({ tool, sessions, calls, failed, totalMs, p50Ms, p95Ms }) => ({
      ...NOTHING,
      key: tool,
      sessions,
      toolCalls: calls,
      failedToolCalls: failed,
      durationMs: totalMs,
      p50Ms,
      p95Ms,
    }))
  }

  const read = async (by: AnalyticsBy, q: string): Promise<Analytics> => {
    const where = whereOfFilter({ q }, core.now())
    const isSearch = where.matches.length > 0
    const count = statementOf(where, [], `SELECT count(*) AS n FROM traces t WHERE ${where.sql}`)
    const [[counted], rows = []] = (await query(by === 'tool' ? [count] : [count, STATEMENTS[by](where)], isSearch)) as [
      { n: number }[],
      unknown[]?,
    ]
    const groups =
      by === 'tool' ? await tools(where) : by === 'model' ? byModel(rows as ModelRow[], prices()) : (rows as SqlRow[]).map(ofRow) // by the statement of `by`
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
  input: number | null
  output: number | null
  cacheRead: number | null
  cacheWrite: number | null
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

const STATEMENTS: Record<Exclude<AnalyticsBy, 'tool'>, (where: Where) => { sql: string; params: unknown[] }> = lookup({
  repo: sessionsBy('t.repo COLLATE NOCASE', 'workingMs DESC NULLS LAST'),
  week: sessionsBy(WEEK, 'key DESC'),
  model: (where) =>
    statementOf(where, [], `SELECT d.tokens_by_model AS usage FROM traces t JOIN trace_details d ON d.trace = t.no WHERE ${where.sql}`),
})

const ofRow = ({ key, input, output, cacheRead, cacheWrite, ...row }: SqlRow): Omit<AnalyticsRow, 'query'> => ({
  ...row,
  key: typeof key === 'number' ? dayName(key) : key,
  tokens: { input, output, cacheRead, cacheWrite },
})

interface ModelRow {
  /** JSON: usage by model. */
  usage: string
}

/** The time of a session with several models belongs to none of them. */
function byModel(rows: readonly ModelRow[], prices: readonly OwnPrice[]): Omit<AnalyticsRow, 'query'>[] {
  const models = new Map<string, ReturnType<typeof emptyModel>>()
  for (const { usage } of rows) {
    for (const [model, used] of Object.entries(JSON.parse(usage) as Record<string, ModelUsage>)) {
      const row = models.get(model) ?? emptyModel(model)
      models.set(model, row)
      row.sessions += 1
      for (const kind of ['input', 'output', 'cacheRead', 'cacheWrite'] as const)
        if (used[kind] !== null) row.tokens[kind] = (row.tokens[kind] ?? 0) + used[kind]
      const cost = costOf({ [model]: used }, prices)
      if (cost === null) row.unpriced += 1
      else row.costUsd = (row.costUsd ?? 0) + cost
    }
  }
  const total = ({ tokens }: { tokens: ModelTokens }) => Object.values(tokens).reduce<number>((sum, count) => sum + (count ?? 0), 0)
  return [...models.values()]
    .filter((row) => total(row) > 0)
    .toSorted((a, b) => total(b) - total(a))
    .slice(0, MAX_GROUPS)
}

/** What cannot be told for a group. */
const NOTHING = {
  durationMs: null,
  waitingMs: null,
  workingMs: null,
  tokens: null,
  costUsd: null,
  unpriced: null,
  toolCalls: null,
  failedToolCalls: null,
  p50Ms: null,
  p95Ms: null,
}

const emptyModel = (key: string) => ({
  ...NOTHING,
  key,
  sessions: 0,
  unpriced: 0,
  costUsd: null as number | null,
  tokens: { input: null, output: null, cacheRead: null, cacheWrite: null } as Record<keyof ModelTokens, number | null>,
})
type ModelTokens = Pick<ModelUsage, 'input' | 'output' | 'cacheRead' | 'cacheWrite'>

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
