import type { ExampleFilter } from '#contracts/routes/factory.ts'
import type { Core } from '#server/core.ts'
import { FROM_EXAMPLES, toWhere } from './list.ts'

const QUERY_JOB = new URL('../../../db/query.job.ts', import.meta.url)

/** Powers of two, so that usual training lengths are edges. */
const TOKEN_EDGES = [0, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]
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
const BIN = `CASE ${TOKEN_EDGES.map((edge, index) => `WHEN e.tokens >= ${edge} THEN ${index}`)
  .toReversed()
  .join(' ')} END`

/** Counts of the review table. */
export async function exampleFacets({ workers, paths }: Pick<Core, 'workers' | 'paths'>, filter: ExampleFilter) {
  const { state: _state, ...anyState } = filter
  const { minTokens: _min, maxTokens: _max, ...anyLength } = filter
  const [all, states, lengths] = [toWhere(filter), toWhere(anyState), toWhere(anyLength)]
  const statements = [
    { sql: `SELECT count(*) AS n ${FROM_EXAMPLES} WHERE ${all.sql}`, params: all.params },
    { sql: `SELECT ${STATES} ${FROM_EXAMPLES} WHERE ${states.sql}`, params: states.params },
    {
      sql: `SELECT repo, ${STATES} ${FROM_EXAMPLES} WHERE ${states.sql} GROUP BY repo ORDER BY count(*) DESC, repo LIMIT ?`,
      params: [...states.params, MAX_REPOS],
    },
    {
      sql: `SELECT tier AS value, count(*) AS count ${FROM_EXAMPLES} WHERE ${all.sql} GROUP BY tier ORDER BY 2 DESC, 1`,
      params: all.params,
    },
    {
      sql: `SELECT f.value AS value, count(*) AS count ${FROM_EXAMPLES}, json_each(e.flags) AS f WHERE ${all.sql} GROUP BY f.value ORDER BY 2 DESC, 1`,
      params: all.params,
    },
    { sql: `SELECT ${BIN} AS bin, count(*) AS count ${FROM_EXAMPLES} WHERE ${lengths.sql} GROUP BY 1`, params: lengths.params },
  ]
  const [[total], [stateCounts], repos, tier, flag, bins] = await workers.run<Row>(
    QUERY_JOB,
    { database: paths.database, statements },
    { lane: 'query' },
  )
  const countOf = new Map(bins.map(({ bin, count }) => [bin, count]))
  return {
    total: total.n,
    states: stateCounts,
    repos,
    tier,
    flag,
    tokens: TOKEN_EDGES.map((from, index) => ({ from, to: TOKEN_EDGES[index + 1] ?? null, count: countOf.get(index) ?? 0 })),
  }
}
