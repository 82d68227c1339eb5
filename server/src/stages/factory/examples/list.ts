import { lookup } from '#contracts/lookup.ts'
import type { z } from 'zod'
import type { Tier } from '#contracts/entities/common.ts'
import type { Example, ReviewState } from '#contracts/entities/example.ts'
import type { ExampleFilter, ExampleSort } from '#contracts/routes/factory.ts'
import type { Core } from '#server/core.ts'
import { likeAnywhere } from '#server/db/like.ts'
import { invalidCursor, pageOf } from '#server/db/paging.ts'

const QUERY_JOB = new URL('../../../db/query.job.ts', import.meta.url)

/** Tier, quality and repository come from the trace. */
export const FROM_EXAMPLES = `FROM (
  SELECT e.*, t.repo, t.tier, t.unverified, t.quality,
    coalesce((SELECT state FROM example_reviews r WHERE r.example_id = e.id AND r.undone_at IS NULL ORDER BY r.no DESC LIMIT 1), 'proposed') AS state,
    EXISTS (SELECT 1 FROM example_edits d WHERE d.example_id = e.id) AS edited
  FROM examples e JOIN session_heads t ON t.id = e.trace_id
) AS e`

const COLUMNS: Record<string, string> = lookup({
  createdAt: 'e.created_at',
  tokens: 'e.tokens',
  turns: 'e.turns',
  steps: 'e.steps',
  quality: 'coalesce(e.quality, -1)',
  repo: "coalesce(e.repo, '')",
})

interface Row {
  id: string
  trace_id: string
  segment_id: string
  part: number
  prompt: string
  turns: number
  steps: number
  tokens: number
  flags: string
  findings: string
  created_at: number
  repo: string | null
  tier: Tier
  unverified: number
  quality: number | null
  state: ReviewState
  edited: number
  parent_id: string | null
  generated_by: string | null
  sort_value: string | number
}

export interface ListQuery extends ExampleFilter {
  sort: z.infer<typeof ExampleSort>
  cursor?: string | undefined
  limit: number
}

/** A page of the review table. */
export async function listExamples({ workers, paths }: Pick<Core, 'workers' | 'paths'>, query: ListQuery) {
  const where = toWhere(query)
  const isDescending = query.sort.startsWith('-')
  const column = COLUMNS[query.sort.replace('-', '')]!
  const after = query.cursor === undefined ? null : readCursor(query.cursor)
  const afterCursor = after ? ` AND (${column}, e.id) ${isDescending ? '<' : '>'} (?, ?)` : ''
  const order = isDescending ? 'DESC' : 'ASC'
  const statements = [
    {
      sql: `SELECT e.*, ${column} AS sort_value ${FROM_EXAMPLES} WHERE ${where.sql}${afterCursor} ORDER BY ${column} ${order}, e.id ${order} LIMIT ?`,
      params: [...where.params, ...(after ?? []), query.limit + 1],
    },
    { sql: `SELECT count(*) AS n ${FROM_EXAMPLES} WHERE ${where.sql}`, params: where.params },
  ]
  const [rows, [total]] = await workers.run<[Row[], [{ n: number }]]>(
    QUERY_JOB,
    { database: paths.database, statements },
    { lane: 'query' },
  )
  const { items, nextCursor } = pageOf(rows, query.limit, (last) =>
    Buffer.from(JSON.stringify([last.sort_value, last.id])).toString('base64url'),
  )
  return { items: items.map(toExample), nextCursor, total: total.n }
}

export function toWhere({ state, trace, repo, tier, flag, q, minTokens, maxTokens }: ExampleFilter): { sql: string; params: unknown[] } {
  const parts: string[] = ['1']
  const params: unknown[] = []
  const add = (sql: string, ...values: unknown[]) => {
    parts.push(sql)
    params.push(...values)
  }
  if (state?.length) add('e.state IN (SELECT value FROM json_each(?))', JSON.stringify(state))
  if (tier?.length) add('e.tier IN (SELECT value FROM json_each(?))', JSON.stringify(tier))
  if (trace !== undefined) add('e.trace_id = ?', trace)
  if (repo === '-') add('e.repo IS NULL')
  else if (repo !== undefined) add('e.repo = ? COLLATE NOCASE', repo)
  if (minTokens !== undefined) add('e.tokens >= ?', minTokens)
  if (maxTokens !== undefined) add('e.tokens < ?', maxTokens)
  if (flag === 'edited') add('e.edited = 1')
  else if (flag !== undefined) add('EXISTS (SELECT 1 FROM json_each(e.flags) WHERE value = ?)', flag)
  for (const word of q?.split(/\s+/).filter(Boolean) ?? []) add("e.prompt LIKE ? ESCAPE '\\'", likeAnywhere(word))
  return { sql: parts.join(' AND '), params }
}

function readCursor(cursor: string): [string | number, string] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Array.isArray(value) && value.length === 2 && /^(string|number)$/.test(typeof value[0]) && typeof value[1] === 'string')
      return value as [string | number, string]
  } catch {
    // reported below
  }
  throw invalidCursor()
}

const toExample = (row: Row): Example => ({
  id: row.id,
  traceId: row.trace_id,
  segmentId: row.segment_id,
  part: row.part,
  repo: row.repo,
  tier: row.tier,
  unverified: row.unverified === 1,
  quality: row.quality,
  prompt: row.prompt,
  turns: row.turns,
  steps: row.steps,
  tokens: { count: row.tokens, exact: false, tokenizer: 'estimate (o200k)' },
  findings: JSON.parse(row.findings) as Example['findings'], // written by `replaceExamples`
  flags: JSON.parse(row.flags) as string[], // as above
  state: row.state,
  edited: row.edited === 1,
  parentId: row.parent_id,
  generatedBy: row.generated_by,
  createdAt: new Date(row.created_at).toISOString(),
})
