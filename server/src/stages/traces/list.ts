import type { z } from 'zod'
import type { Tier, Verification } from '#contracts/entities/common.ts'
import type { TraceFacets, TraceFilter, TraceSort } from '#contracts/routes/traces.ts'
import type { Core } from '#server/core.ts'
import { whereOfFilter } from './filter/query.ts'
import { formatFilter, parseFilter } from '#contracts/filter.ts'
import type { HitLine, HitLinesInput } from './search/hit-lines.job.ts'
import { matchOf } from './search/match.ts'
import { encodeCursor, keysetOf } from './filter/sorting.ts'
import { DAY, dayName } from './filter/days.ts'
import { isCutShort, statementOf, whereOf } from './filter/where.ts'
import type { Where } from './filter/where.ts'
import { toTrace, TRACE_COLUMNS } from './rows.ts'
import type { TraceRow } from './rows.ts'

const QUERY_JOB = new URL('../../db/query.job.ts', import.meta.url)

type Statement = { sql: string; params: unknown[] }
type Facets = z.input<typeof TraceFacets>
type Day = NonNullable<Facets['days']>[number]

const HIT_LINES_JOB = new URL('./search/hit-lines.job.ts', import.meta.url)
/** Rows that a list shows at once. */
const MAX_LINES = 100
/** Values of one facet. */
const MAX_VALUES = 200

export type Lists = ReturnType<typeof createLists>

/**
 * Lists, facets and selections: read-only, in a worker, because a filter may read every session. `indexed` resolves when all text
 * that is stored can be found.
 */
export function createLists({ workers, paths, now }: Pick<Core, 'workers' | 'paths' | 'now'>, indexed: () => Promise<void>) {
  const query = async (statements: Statement[], searches: boolean): Promise<unknown[][]> =>
    workers.run<unknown[][]>(
      QUERY_JOB,
      { database: paths.database, ...(searches ? { attach: paths.search } : {}), statements },
      { lane: 'query' },
    )

  return {
    query,

    async list(filter: TraceFilter & { sort: z.infer<typeof TraceSort>; cursor?: string | undefined; limit: number }) {
      const where = whereOfFilter(filter, now())
      const { column, orderBy, after } = keysetOf(filter.sort, filter.cursor)
      const afterCursor = after ? `(${after.sql})` : '1'
      const isSearch = where.matches.length > 0
      // Selects only the numbers first, so that tags and notes are read only for the page's rows.
      const pageOf = (source: string, condition: string) =>
        `page AS MATERIALIZED (SELECT t.no, ${column} AS sort_value FROM ${source} WHERE ${condition} ORDER BY ${orderBy} LIMIT ?)`
      const params = [...where.params, ...(after?.params ?? []), filter.limit + 1]
      // Full text hits are computed once, for both page and total.
      const statements = isSearch
        ? [
            statementOf(
              where,
              [
                `found AS MATERIALIZED (SELECT t.no FROM traces t WHERE ${where.sql})`,
                pageOf('found JOIN traces t ON t.no = found.no', afterCursor),
                `totals AS MATERIALIZED (SELECT (SELECT count(*) FROM found) AS total, ${isCutShort(where)} AS cut_short)`,
              ],
              `SELECT ${TRACE_COLUMNS}, page.sort_value, totals.total, totals.cut_short
               FROM totals LEFT JOIN page LEFT JOIN traces t ON t.no = page.no ORDER BY ${orderBy}`,
              params,
            ),
          ]
        : [
            statementOf(
              where,
              [pageOf('traces t', `${where.sql} AND ${afterCursor}`)],
              `SELECT ${TRACE_COLUMNS}, page.sort_value FROM page JOIN traces t ON t.no = page.no ORDER BY ${orderBy}`,
              params,
            ),
            countStatement(where),
          ]
      const [rows, totals] = (await query(statements, isSearch)) as [Listed[], { n: number }[] | undefined]
      const items = rows.filter(({ no }) => no !== null).slice(0, filter.limit)
      const last = items.at(-1)
      return {
        items: items.map(toTrace),
        nextCursor: rows.length > filter.limit && last ? encodeCursor(filter.sort, last.sort_value, last.id) : null,
        total: totals?.[0]?.n ?? rows[0]!.total,
        ...(isSearch && rows[0]!.cut_short === 1 && { totalIsLowerBound: true }),
      }
    },

    /** How many sessions are before this one; null if the filter excludes it. */
    async place(id: string, { sort, ...filter }: TraceFilter & { sort: z.infer<typeof TraceSort> }): Promise<number | null> {
      const where = whereOfFilter(filter, now())
      const isSearch = where.matches.length > 0
      const { column } = keysetOf(sort, undefined)
      const placeStatement = statementOf(where, [], `SELECT ${column} AS value FROM traces t WHERE (${where.sql}) AND t.id = ?`, [
        ...where.params,
        id,
      ])
      const [[row]] = (await query([placeStatement], isSearch)) as [{ value: string | number | null }[]]
      if (!row) return null
      const after = keysetOf(sort, encodeCursor(sort, row.value, id)).after!
      const counts = statementOf(
        where,
        [],
        `SELECT count(*) AS n, count(*) FILTER (WHERE ${after.sql}) AS later FROM traces t WHERE ${where.sql}`,
        [...after.params, ...where.params],
      )
      const [[counted]] = (await query([counts], isSearch)) as [{ n: number; later: number }[]]
      return counted!.n - counted!.later - 1
    },

    async hitLines(q: string, traceIds: readonly string[], signal: AbortSignal): Promise<HitLine[]> {
      const texts = parseFilter(q).terms.flatMap(({ value, negated }) => (value.kind === 'text' && !negated ? [value] : []))
      const match = matchOf(texts)
      if (match === null || traceIds.length === 0) return []
      const input: HitLinesInput = {
        database: paths.database,
        search: paths.search,
        archive: paths.archive,
        match,
        words: texts.map(({ text }) => text),
        traceIds: traceIds.slice(0, MAX_LINES),
      }
      return workers.run<HitLine[]>(HIT_LINES_JOB, input, { lane: 'query', signal })
    },

    /** Number of matches of each filter, without texts to search, and the newest end of them: one pass over all sessions. */
    async counts(queries: readonly string[], more: Statement[]): Promise<{ counts: Count[]; more: unknown[][] }> {
      const [[row], ...rows] = (await query([countsStatement(queries, now()), ...more], false)) as [
        Record<string, number | null>[],
        ...unknown[][],
      ]
      return { counts: queries.map((_, index) => ({ n: row![`n${index}`]!, newestAt: row![`at${index}`]! })), more: rows }
    },

    /** What followed each session: the prompt after its last commit or edit, and the next session in its folder. */
    async ends(traceIds: readonly string[]): Promise<SessionRow[]> {
      const [rows] = (await query([{ sql: ENDS, params: [JSON.stringify(traceIds)] }], false)) as [SessionRow[]]
      return rows
    },

    async count(filter: TraceFilter): Promise<number> {
      const where = whereOfFilter(filter, now())
      const [[row]] = (await query([countStatement(where)], where.matches.length > 0)) as [{ n: number }[]]
      return row!.n
    },

    /** Ids of all matches, for bulk actions. */
    /** Every session of a filter, for work on all of them: waits until words are found in all of them. */
    async ids(filter: TraceFilter): Promise<string[]> {
      const where = whereOfFilter(filter, now())
      if (where.matches.length > 0) await indexed()
      const [rows] = (await query([statementOf(where, [], `SELECT t.id FROM traces t WHERE ${where.sql}`)], where.matches.length > 0)) as [
        { id: string }[],
      ]
      return rows.map(({ id }) => id)
    },

    async facets(filter: TraceFilter): Promise<Facets> {
      const where = whereOfFilter(filter, now())
      const [rows] = (await query([facetStatement(where)], where.matches.length > 0)) as [FacetRow[]]
      const countsOf = (facet: string) =>
        rows.filter((row) => row.facet === facet).map(({ value, count }) => ({ value: String(value), count }))
      const grades = rows.filter(({ facet }) => facet === 'grade')
      return {
        ...(grades.length > 0 && { grades: [0, 1, 2, 3, 4].map((fifth) => grades.find(({ value }) => value === fifth)?.count ?? 0) }),
        total: rows.find((row) => row.facet === 'total')!.count,
        tier: countsOf('tier'),
        repo: countsOf('repo'),
        agent: countsOf('agent'),
        verification: countsOf('verification'),
        tag: countsOf('tag'),
        tool: countsOf('tool'),
        model: countsOf('model'),
        days: byDay(rows.flatMap(({ facet, value, tier, count }) => (facet === 'day' ? [{ day: Number(value), tier: tier!, count }] : []))),
      }
    },
  }
}

export interface SessionRow {
  id: string
  cwd: string | null
  endedAt: number | null
  verification: Verification
  /** JSON. */
  commits: string
  /** JSON: id, at and first line of the prompt in the session; null if there is none. */
  prompt: string | null
  nextId: string | null
  nextAt: number | null
  nextPrompt: string | null
}

const ENDS = `WITH following AS MATERIALIZED (SELECT no, lead(no) OVER (PARTITION BY cwd ORDER BY started_at, no) AS next FROM traces WHERE cwd IS NOT NULL)
  SELECT t.id, t.cwd, t.ended_at AS endedAt, t.verification, d.commits, n.id AS nextId, n.started_at AS nextAt, nd.first_prompt AS nextPrompt,
    (SELECT json_object('id', t.id || ':' || e.id, 'at', e.at, 'text', e.label) FROM entries e
     WHERE e.trace = t.no AND e.kind = 'prompt' AND e.abandoned = 0 AND e.at > coalesce(
       (SELECT max(c.value ->> '$.at') FROM json_each(d.commits) c), (SELECT max(x.at) FROM entries x WHERE x.trace = t.no AND x.edits = 1))
     ORDER BY e.ord LIMIT 1) AS prompt
  FROM traces t JOIN trace_details d ON d.trace = t.no
    LEFT JOIN following f ON f.no = t.no LEFT JOIN traces n ON n.no = f.next LEFT JOIN trace_details nd ON nd.trace = n.no
  WHERE t.id IN (SELECT value FROM json_each(?))`

export interface Count {
  n: number
  /** Null without a match. */
  newestAt: number | null
}

/** A row of the list; if a search found nothing, one row with only the totals. */
type Listed = TraceRow & { no: number | null; sort_value: string | number | null; total: number; cut_short: number }

interface FacetRow {
  facet: string
  value: string | number
  /** Only set for a day. */
  tier: Tier | null
  count: number
}

const countStatement = (where: Where): Statement => statementOf(where, [], `SELECT count(*) AS n FROM traces t WHERE ${where.sql}`)

/** Each term is computed once for a session, because many filters share the terms that are slow. */
function countsStatement(queries: readonly string[], now: number): Statement {
  const terms = new Map<string, Where>()
  const conditions = queries.map((q) =>
    parseFilter(q).terms.map((term) => {
      const key = formatFilter([{ ...term, negated: false }])
      if (!terms.has(key)) terms.set(key, whereOf([{ ...term, negated: false }], now))
      return `${term.negated ? 'NOT ' : ''}c${[...terms.keys()].indexOf(key)}`
    }),
  )
  const columns = [...terms.values()].map(({ sql }, index) => `coalesce((${sql}), 0) AS c${index}`)
  const counts = conditions.map((all, index) => {
    const matches = all.join(' AND ') || '1'
    return `count(*) FILTER (WHERE ${matches}) AS n${index}, max(ended_at) FILTER (WHERE ${matches}) AS at${index}`
  })
  return {
    sql: `WITH facts AS MATERIALIZED (SELECT ${['t.ended_at', ...columns].join(', ')} FROM traces t) SELECT ${counts.join(', ')} FROM facts`,
    params: [...terms.values()].flatMap(({ params }) => params),
  }
}

export interface DayRow {
  /** As in filter/days.ts. */
  day: number
  tier: Tier
  count: number
}

export function byDay(rows: readonly DayRow[]): Day[] {
  const days = new Map<number, Day>()
  for (const { day, tier, count } of rows) {
    const entry = days.get(day) ?? { day: dayName(day), gold: 0, silver: 0, bronze: 0, failed: 0, pending: 0 }
    entry[tier] += count
    days.set(day, entry)
  }
  return [...days.values()]
}

/** Sessions per day and tier, from a table or query with the columns of `traces`. */
export const daysSql = (from: string, extraColumns = ''): string =>
  `SELECT ${DAY} AS day, t.tier, count(*) AS count${extraColumns} FROM ${from} AS t WHERE t.started_at IS NOT NULL GROUP BY 1, 2 ORDER BY 1`

/** Values of a multi-valued fact with their number of sessions, over all sessions. */
const valuesOfAll = (kind: string): string => `SELECT value, count(*) AS n FROM trace_facets WHERE kind = '${kind}' GROUP BY value`

/**
 * The same for the sessions in `chosen`. If `most` sessions are chosen, the few `others` are counted instead and
 * subtracted from the total.
 */
const valuesOfChosen = (kind: string): string =>
  `SELECT f.value, count(*) AS n FROM most CROSS JOIN trace_facets f
     WHERE NOT most.it AND f.kind = '${kind}' AND f.trace IN (SELECT no FROM chosen) GROUP BY f.value
   UNION ALL
   SELECT whole.value, whole.n - coalesce(rest.n, 0) FROM most CROSS JOIN (${valuesOfAll(kind)}) whole
     LEFT JOIN (SELECT f.value, count(*) AS n FROM others o CROSS JOIN trace_facets f ON f.trace = o.no AND f.kind = '${kind}' GROUP BY f.value) rest
       ON rest.value = whole.value
     WHERE most.it AND whole.n > coalesce(rest.n, 0)`

function facetStatement(where: Where): Statement {
  // Without a filter the table with its indices is used directly. With a filter the sessions are read
  // once, and each fact is counted from a few groups.
  const isAll = where.sql === '1'
  const source = isAll ? 'traces' : 'chosen'
  const [counted, count] = isAll ? ['traces', 'count(*)'] : ['grouped', 'sum(n)']
  const columnCounts = (column: string) =>
    `SELECT * FROM (SELECT '${column}', ${column}, NULL, ${count} FROM ${counted} WHERE ${column} IS NOT NULL GROUP BY ${column} ORDER BY ${count} DESC, ${column} LIMIT ${MAX_VALUES})`
  const valueCounts = (kind: string) =>
    `SELECT * FROM (SELECT '${kind}', value, NULL, n FROM (${isAll ? valuesOfAll(kind) : valuesOfChosen(kind)}) ORDER BY n DESC, value LIMIT ${MAX_VALUES})`
  return statementOf(
    where,
    isAll
      ? []
      : [
          `chosen AS MATERIALIZED (SELECT t.no, t.tier, t.repo, t.agent, t.verification, t.started_at FROM traces t WHERE ${where.sql})`,
          'grouped AS MATERIALIZED (SELECT tier, repo, agent, verification, count(*) AS n FROM chosen GROUP BY 1, 2, 3, 4)',
          'most AS MATERIALIZED (SELECT (SELECT count(*) FROM chosen) * 4 > (SELECT count(*) FROM traces) * 3 AS it)',
          'others AS MATERIALIZED (SELECT no FROM traces WHERE no NOT IN (SELECT no FROM chosen))',
        ],
    `SELECT 'total' AS facet, '' AS value, NULL AS tier, count(*) AS count FROM ${source}
      UNION ALL ${['tier', 'repo', 'agent', 'verification'].map(columnCounts).join(' UNION ALL ')}
      UNION ALL ${['tool', 'model'].map(valueCounts).join(' UNION ALL ')}
      UNION ALL SELECT * FROM (SELECT 'tag', tag, NULL, count(*) AS n FROM tags JOIN traces t ON t.id = tags.trace_id WHERE t.no IN (SELECT no FROM ${source}) GROUP BY tag ORDER BY n DESC, tag LIMIT ${MAX_VALUES})
      UNION ALL SELECT * FROM (SELECT 'grade', CAST(min(4, g.score * 5) AS INTEGER), NULL, count(*) FROM trace_answer_scores g JOIN traces t ON t.id = g.trace_id WHERE t.no IN (SELECT no FROM ${source}) GROUP BY 2)
      UNION ALL SELECT * FROM (SELECT 'day', day, tier, count FROM (${daysSql(source)}))`,
  )
}
