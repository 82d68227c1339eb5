import { createMeta } from '#server/db/meta.ts'
import { randomUUID } from 'node:crypto'
import { ExampleOptions, type Pair, type ReviewState } from '#contracts/entities/example.ts'
import type { PairFilter, PairSelection } from '#contracts/routes/pairs.ts'
import { likeAnywhere } from '#server/db/like.ts'
import type { Database } from '#server/db/open.ts'
import { pageOf } from '#server/db/paging.ts'
import type { FoundPair } from './types.ts'
import type { PairWords } from './words.ts'

interface Row {
  id: string
  pair: string
  options: string
  state: ReviewState
  chosen_unverified: number
  rejected_unverified: number
}

const STATE = `coalesce((SELECT state FROM pair_reviews r WHERE r.pair_id = p.id AND r.undone_at IS NULL ORDER BY r.no DESC LIMIT 1), 'proposed')`

const unverifiedOf = (side: 'chosen' | 'rejected') =>
  `EXISTS (SELECT 1 FROM session_heads t WHERE t.id = p.pair ->> '$.${side}.traceId' AND t.unverified) AS ${side}_unverified`
const COLUMNS = `p.id, p.pair, p.options, ${STATE} AS state, ${unverifiedOf('chosen')}, ${unverifiedOf('rejected')}`

/** Key of the policy that cleared the words of all stored pairs; empty if several policies did. */
const POLICY = 'pairs.policy'

export type PairStore = ReturnType<typeof createPairStore>

/** Found pairs and the user's reviews of them. Synchronous, in the caller's transaction. */
export function createPairStore(db: Database, now: () => number) {
  const clear = db.prepare('DELETE FROM pairs WHERE id NOT IN (SELECT pair_id FROM pair_reviews WHERE undone_at IS NULL)')
  const upsert = db.prepare(
    `INSERT INTO pairs (id, source, repo, prompt, pair, options) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET repo = excluded.repo, prompt = excluded.prompt, pair = excluded.pair, options = excluded.options`,
  )
  const byId = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM pairs p WHERE p.id = ?`)
  const addReview = db.prepare('INSERT INTO pair_reviews (pair_id, state, who, at, bulk_id) VALUES (?, ?, ?, ?, ?)')
  const undo = db.prepare('UPDATE pair_reviews SET undone_at = ? WHERE bulk_id = ? AND undone_at IS NULL')
  const all = db.prepare<[], Pick<Row, 'pair' | 'options'>>("SELECT pair, options FROM pairs ORDER BY pair ->> '$.rejected.traceId', id")
  const setWords = db.prepare("UPDATE pairs SET prompt = ?, pair = json_set(pair, '$.promptText', ?, '$.why', ?) WHERE id = ?")
  const meta = createMeta(db)
  const states = db.prepare<[], { pair_id: string; state: ReviewState }>(
    'SELECT pair_id, state FROM pair_reviews WHERE undone_at IS NULL ORDER BY no',
  )

  const matching = (filter: PairFilter): string[] => {
    const { sql, params } = toWhere(filter)
    return db
      .prepare<unknown[], { id: string }>(`SELECT p.id FROM pairs p WHERE ${sql} ORDER BY p.id`)
      .all(...params)
      .map(({ id }) => id)
  }

  const matchesTrace = "pair ->> '$.chosen.traceId' = :traceId OR pair ->> '$.rejected.traceId' = :traceId"
  const forgetReviews = db.prepare(`DELETE FROM pair_reviews WHERE pair_id IN (SELECT id FROM pairs WHERE ${matchesTrace})`)
  const forgetPairs = db.prepare(`DELETE FROM pairs WHERE ${matchesTrace}`)

  return {
    /** Deletes the pairs of a session, and returns their number. */
    forget(traceId: string): number {
      forgetReviews.run({ traceId })
      return forgetPairs.run({ traceId }).changes
    },
    /** Replaces all pairs except reviewed ones. */
    replace(pairs: readonly FoundPair[], options: ExampleOptions): void {
      clear.run()
      const text = JSON.stringify(options)
      for (const pair of pairs) upsert.run(pair.id, pair.source, pair.repo, pair.promptText, JSON.stringify(pair), text)
    },
    get(id: string): { pair: FoundPair; options: ExampleOptions; marks: PairMarks } | null {
      const row = byId.get(id)
      return row ? { pair: parsePair(row), options: ExampleOptions.parse(JSON.parse(row.options)), marks: marksOf(row) } : null
    },
    list(filter: PairFilter, after: string, limit: number) {
      const { sql, params } = toWhere(filter)
      const rows = db
        .prepare<unknown[], Row>(`SELECT ${COLUMNS} FROM pairs p WHERE ${sql} AND p.id > ? ORDER BY p.id LIMIT ?`)
        .all(...params, after, limit + 1)
      const count = (column: string) =>
        Object.fromEntries(
          db
            .prepare<unknown[], { key: string; n: number }>(`SELECT ${column} AS key, count(*) AS n FROM pairs p WHERE ${sql} GROUP BY 1`)
            .all(...params)
            .map(({ key, n }) => [key, n]),
        )
      const source = count('p.source')
      const { items, nextCursor } = pageOf(rows, limit, ({ id }) => id)
      return {
        items: items.map((row) => toPair(parsePair(row), marksOf(row))),
        nextCursor,
        total: Object.values(source).reduce((sum, n) => sum + n, 0),
        counts: { source, state: count(STATE) },
      }
    },
    review(selection: PairSelection, state: ReviewState, who: string): { bulkId: string; changed: number } {
      const bulkId = randomUUID()
      let changed = 0
      for (const id of 'ids' in selection ? selection.ids : matching(selection.filter)) {
        const row = byId.get(id)
        if (!row || row.state === state) continue
        addReview.run(id, state, who, now(), bulkId)
        changed += 1
      }
      return { bulkId, changed }
    },
    undoReview: (bulkId: string): number => undo.run(now(), bulkId).changes,
    /** Ordered by session. */
    all: () => all.all().map((row) => ({ pair: parsePair(row), options: ExampleOptions.parse(JSON.parse(row.options)) })),
    setWords: ({ id, promptText, why }: { id: string } & PairWords): void => void setWords.run(promptText, promptText, why, id),
    policy: (): string | null => meta.get(POLICY) ?? null,
    setPolicy: (hash: string | null): void => meta.set(POLICY, hash ?? ''),
    states: (): Map<string, ReviewState> => new Map(states.all().map(({ pair_id, state }) => [pair_id, state])),
  }
}

const parsePair = ({ pair }: Pick<Row, 'pair'>) => JSON.parse(pair) as FoundPair // written by `replace`

/** The changeable part of a pair: the user's review, and whether a gold side is unverified. */
export type PairMarks = Pick<Row, 'state' | 'chosen_unverified' | 'rejected_unverified'>
const marksOf = ({ state, chosen_unverified, rejected_unverified }: Row): PairMarks => ({ state, chosen_unverified, rejected_unverified })

export function toPair({ chosen, rejected, ...pair }: FoundPair, marks: PairMarks): Pair {
  const side = ({ traceId, stepId, tier, steps }: FoundPair['chosen'], isUnverified: number) => ({
    traceId,
    stepId,
    tier,
    unverified: tier === 'gold' && isUnverified === 1,
    steps,
  })
  return {
    ...pair,
    chosen: side(chosen, marks.chosen_unverified),
    rejected: side(rejected, marks.rejected_unverified),
    state: marks.state,
  }
}

function toWhere({ state, source, repo, trace, q }: PairFilter): { sql: string; params: unknown[] } {
  const parts = ['1']
  const params: unknown[] = []
  const add = (sql: string, ...values: unknown[]) => {
    parts.push(sql)
    params.push(...values)
  }
  if (state?.length) add(`${STATE} IN (SELECT value FROM json_each(?))`, JSON.stringify(state))
  if (source?.length) add('p.source IN (SELECT value FROM json_each(?))', JSON.stringify(source))
  if (repo !== undefined) add('p.repo = ? COLLATE NOCASE', repo)
  if (trace !== undefined) add("(p.pair ->> '$.chosen.traceId' = ? OR p.pair ->> '$.rejected.traceId' = ?)", trace, trace)
  for (const word of q?.split(/\s+/).filter(Boolean) ?? []) add("p.prompt LIKE ? ESCAPE '\\'", likeAnywhere(word))
  return { sql: parts.join(' AND '), params }
}
