import type { ExampleFilter } from '#contracts/routes/factory.ts'
import type { Core } from '#server/core.ts'
import { FROM, whereOf } from './list.ts'

const QUERY_JOB = new URL('../../../db/query.job.ts', import.meta.url)

/** Lengths double from bar to bar, so that a usual training length is an edge. */
const EDGES = [0, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]
const MAX_REPOS = 200

interface States {
  proposed: number
  accepted: number
  rejected: number
}
interface Count {
  value: string
  count: number
}
type Row = [[{ n: number }], [States], (States & { repo: string | null })[], Count[], Count[], { bin: number; count: number }[]]

const STATES = ['proposed', 'accepted', 'rejected'].map((state) => `count(*) FILTER (WHERE state = '${state}') AS ${state}`).join(', ')
const BIN = `CASE ${EDGES.map((edge, index) => `WHEN e.tokens >= ${edge} THEN ${index}`)
  .toReversed()
  .join(' ')} END`

/** Counts of the review table; read-only, in a worker. */
export async function exampleFacets({ workers, paths }: Pick<Core, 'workers' | 'paths'>, filter: ExampleFilter) {
  const { state: _state, ...anyState } = filter
  const { minTokens: _min, maxTokens: _max, ...anyLength } = filter
  const [all, states, lengths] = [whereOf(filter), whereOf(anyState), whereOf(anyLength)]
  const statements = [
    { sql: `SELECT count(*) AS n ${FROM} WHERE ${all.sql}`, params: all.params },
    { sql: `SELECT ${STATES} ${FROM} WHERE ${states.sql}`, params: states.params },
    {
      sql: `SELECT repo, ${STATES} ${FROM} WHERE ${states.sql} GROUP BY repo ORDER BY count(*) DESC, repo LIMIT ?`,
      params: [...states.params, MAX_REPOS],
    },
    { sql: `SELECT tier AS value, count(*) AS count ${FROM} WHERE ${all.sql} GROUP BY tier ORDER BY 2 DESC, 1`, params: all.params },
    {
      sql: `SELECT f.value AS value, count(*) AS count ${FROM}, json_each(e.flags) AS f WHERE ${all.sql} GROUP BY f.value ORDER BY 2 DESC, 1`,
      params: all.params,
    },
    { sql: `SELECT ${BIN} AS bin, count(*) AS count ${FROM} WHERE ${lengths.sql} GROUP BY 1`, params: lengths.params },
  ]
  const [[total], [ofState], repos, tier, flag, bins] = await workers.run<Row>(
    QUERY_JOB,
    { database: paths.database, statements },
    { lane: 'query' },
  )
  const countOf = new Map(bins.map(({ bin, count }) => [bin, count]))
  return {
    total: total.n,
    states: ofState,
    repos,
    tier,
    flag,
    tokens: EDGES.map((from, index) => ({ from, to: EDGES[index + 1] ?? null, count: countOf.get(index) ?? 0 })),
  }
}
