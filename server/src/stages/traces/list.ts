import type { z } from 'zod'
import type { Tier } from '#contracts/entities/common.ts'
import type { TraceFacets, TraceFilter, TraceSort } from '#contracts/routes/traces.ts'
import type { Core } from '#server/core.ts'
import { whereOfFilter } from './filter/query.ts'
import { encodeCursor, keysetOf } from './filter/sorting.ts'
import { DAY, MOST_HITS } from './filter/where.ts'
import type { Where } from './filter/where.ts'
import { toTrace, TRACE_COLUMNS } from './rows.ts'
import type { TraceRow } from './rows.ts'

const QUERY_JOB = new URL('../../db/query.job.ts', import.meta.url)

type Statement = { sql: string; params: unknown[] }
type Facets = z.input<typeof TraceFacets>
type Day = NonNullable<Facets['days']>[number]

/** Values shown of a facet; the rest is reached by typing. */
const MOST_VALUES = 200

export type Lists = ReturnType<typeof createLists>

/** Lists, facets and selections: read-only, in a worker, because a filter may look at every session. */
export function createLists({ workers, paths, now }: Pick<Core, 'workers' | 'paths' | 'now'>) {
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
      const rest = after ? `(${after.sql})` : '1'
      const limits = [...(after?.params ?? []), filter.limit + 1]
      // By number alone first, so that tags and notes are looked up for the page's rows only.
      const chosen = (source: string, condition: string) =>
        `page AS MATERIALIZED (SELECT t.no, ${column} AS sort_value FROM ${source} WHERE ${condition} ORDER BY ${orderBy} LIMIT ?)
         SELECT ${TRACE_COLUMNS}, page.sort_value`
      const fromPage = `FROM page JOIN traces t ON t.no = page.no ORDER BY ${orderBy}`
      const total: Statement = { sql: `SELECT count(*) AS n FROM traces t WHERE ${where.sql}`, params: where.params }
      const isSearch = where.matches.length > 0
      // A full text condition is worked out once, for the page and the total alike.
      const page: Statement = isSearch
        ? {
            sql: `WITH found AS MATERIALIZED (SELECT t.no FROM traces t WHERE ${where.sql}),
              ${chosen('found JOIN traces t ON t.no = found.no', rest)}, (SELECT count(*) FROM found) AS total ${fromPage}`,
            params: [...where.params, ...limits],
          }
        : { sql: `WITH ${chosen('traces t', `${where.sql} AND ${rest}`)} ${fromPage}`, params: [...where.params, ...limits] }
      const [rows, ...others] = (await query([page, ...(isSearch ? where.matches.map(hitsStatement) : [total])], isSearch)) as [
        (TraceRow & { sort_value: string | number | null; total?: number })[],
        ...{ n: number }[][],
      ]
      const numbers = others.map(([row]) => row!.n)
      const items = rows.slice(0, filter.limit)
      const last = items.at(-1)
      return {
        items: items.map(toTrace),
        nextCursor: rows.length > filter.limit && last ? encodeCursor(filter.sort, last.sort_value, last.id) : null,
        total: isSearch ? (rows[0]?.total ?? 0) : numbers[0]!,
        ...(isSearch && numbers.some((hits) => hits > MOST_HITS) && { totalIsLowerBound: true }),
      }
    },

    async count(filter: TraceFilter): Promise<number> {
      const where = whereOfFilter(filter, now())
      const [[row]] = (await query(
        [{ sql: `SELECT count(*) AS n FROM traces t WHERE ${where.sql}`, params: where.params }],
        where.matches.length > 0,
      )) as [{ n: number }[]]
      return row!.n
    },

    /** Ids of everything that a filter matches, for acts on many. */
    async ids(filter: TraceFilter): Promise<string[]> {
      const where = whereOfFilter(filter, now())
      const [rows] = (await query(
        [{ sql: `SELECT t.id FROM traces t WHERE ${where.sql}`, params: where.params }],
        where.matches.length > 0,
      )) as [{ id: string }[]]
      return rows.map(({ id }) => id)
    },

    async facets(filter: TraceFilter): Promise<Facets> {
      const where = whereOfFilter(filter, now())
      const [rows, days] = (await query([facetStatement(where), dayStatement(where)], where.matches.length > 0)) as [
        { facet: string; value: string; count: number }[],
        { day: string; tier: Tier; count: number }[],
      ]
      const of = (facet: string) => rows.filter((row) => row.facet === facet).map(({ value, count }) => ({ value, count }))
      return {
        total: rows.find((row) => row.facet === 'total')?.count ?? 0,
        tier: of('tier'),
        repo: of('repo'),
        agent: of('agent'),
        verification: of('verification'),
        tag: of('tag'),
        tool: of('tool'),
        model: of('model'),
        days: byDay(days),
      }
    },
  }
}

export function byDay(rows: readonly { day: string; tier: Tier; count: number }[]): Day[] {
  const days = new Map<string, Day>()
  for (const { day, tier, count } of rows) {
    const entry = days.get(day) ?? { day, gold: 0, silver: 0, bronze: 0, failed: 0, pending: 0 }
    entry[tier] += count
    days.set(day, entry)
  }
  return [...days.values()]
}

export const dayStatement = (where: Pick<Where, 'sql' | 'params'>): Statement => ({
  sql: `SELECT ${DAY} AS day, t.tier, count(*) AS count FROM traces t
        WHERE t.started_at IS NOT NULL AND (${where.sql}) GROUP BY 1, 2 ORDER BY 1`,
  params: where.params,
})

function facetStatement(where: Where): Statement {
  const own = (column: string) =>
    `SELECT * FROM (SELECT '${column}', ${column}, count(*) AS n FROM chosen WHERE ${column} IS NOT NULL GROUP BY ${column} ORDER BY n DESC, ${column} LIMIT ${MOST_VALUES})`
  // Without a filter there is nothing to look up: all of them are chosen.
  const among = (column: string, of: string) => (where.sql === '1' ? '' : ` AND ${column} IN (SELECT ${of} FROM chosen)`)
  const many = (kind: string) =>
    `SELECT * FROM (SELECT '${kind}', value, count(*) AS n FROM trace_facets WHERE kind = '${kind}'${among('trace', 'no')} GROUP BY value ORDER BY n DESC, value LIMIT ${MOST_VALUES})`
  return {
    sql: `WITH chosen AS MATERIALIZED (SELECT t.no, t.id, t.tier, t.repo, t.agent, t.verification FROM traces t WHERE ${where.sql})
      SELECT 'total' AS facet, '' AS value, count(*) AS count FROM chosen
      UNION ALL ${['tier', 'repo', 'agent', 'verification'].map(own).join(' UNION ALL ')}
      UNION ALL ${['tool', 'model'].map(many).join(' UNION ALL ')}
      UNION ALL SELECT * FROM (SELECT 'tag', tag, count(*) AS n FROM tags WHERE trace_id IN (SELECT id FROM ${where.sql === '1' ? 'traces' : 'chosen'}) GROUP BY tag ORDER BY n DESC, tag LIMIT ${MOST_VALUES})`,
    params: where.params,
  }
}

/** Whether a text has more hits than are looked at, so that a total is only a lower bound. */
const hitsStatement = (match: string): Statement => ({
  sql: `SELECT count(*) AS n FROM (SELECT 1 FROM search.docs WHERE docs MATCH ? LIMIT ${MOST_HITS + 1})`,
  params: [match],
})
