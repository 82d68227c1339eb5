import { createMeta } from '#server/db/meta.ts'
import { randomUUID } from 'node:crypto'
import { ExampleOptions, type ChatMessage, type ReviewState, type SegmentCut } from '#contracts/entities/example.ts'
import type { ExampleSelection } from '#contracts/routes/factory.ts'
import type { Database } from '#server/db/open.ts'
import type { ExamplesJobOutput } from './examples/examples.job.ts'
import { FROM_EXAMPLES, toWhere } from './examples/list.ts'
import type { SegmentFacts } from './segment-analyser.ts'

/** Key of the policy that all examples except stale ones were made under. */
const POLICY = 'examples.policy'

/** Fills in defaults for options that a later version added. */
const optionsOf = ({ options }: { options: string }): ExampleOptions => ExampleOptions.parse(JSON.parse(options))

export type FactoryStore = ReturnType<typeof createFactoryStore>

/** The tables of segments and examples. Synchronous, in the caller's transaction. */
export function createFactoryStore(db: Database, now: () => number) {
  const upsertFacts = db.prepare(
    'INSERT INTO segment_facts (trace_id, git) VALUES (?, ?) ON CONFLICT (trace_id) DO UPDATE SET git = excluded.git WHERE git <> excluded.git',
  )
  const addScope = db.prepare('INSERT OR IGNORE INTO directory_scopes (cwd, scope, seen_at) VALUES (?, ?, ?)')

  const addCuts = db.prepare('INSERT INTO segment_cuts (trace_id, cuts, who, at) VALUES (?, ?, ?, ?)')
  const cutsOf = db.prepare<[string], { no: number; cuts: string }>(
    'SELECT no, cuts FROM segment_cuts WHERE trace_id = ? AND undone_at IS NULL ORDER BY no DESC LIMIT 1',
  )
  const undoCuts = db.prepare('UPDATE segment_cuts SET undone_at = ? WHERE no = ?')

  const upsertSource = db.prepare(
    `INSERT INTO example_sources (trace_id, options, at, stale) VALUES (?, ?, ?, 0)
     ON CONFLICT (trace_id) DO UPDATE SET options = excluded.options, at = excluded.at, stale = max(stale - ?, 0)`,
  )
  const source = db.prepare<[string], { options: string }>('SELECT options FROM example_sources WHERE trace_id = ?')
  // a counter, so that a change while the examples are remade is not lost
  const markStale = db.prepare('UPDATE example_sources SET stale = stale + 1 WHERE trace_id = ?')
  const markAllStale = db.prepare('UPDATE example_sources SET stale = stale + 1')
  const staleness = db.prepare<[string], { stale: number }>('SELECT stale FROM example_sources WHERE trace_id = ?')
  const meta = createMeta(db)
  const nextStale = db.prepare<[], { trace_id: string; options: string }>(
    `SELECT s.trace_id, s.options FROM example_sources s JOIN session_heads t ON t.id = s.trace_id
     WHERE s.stale > 0 AND t.state <> 'live' ORDER BY s.at LIMIT 1`,
  )
  const settle = db.prepare('UPDATE example_sources SET stale = max(stale - ?, 0) WHERE trace_id = ?')

  const sessionExists = db.prepare('SELECT 1 FROM session_heads WHERE id = ?')
  const dropExamples = db.prepare('DELETE FROM examples WHERE trace_id = ?')
  const creationTimes = db.prepare<[string], { id: string; created_at: number }>('SELECT id, created_at FROM examples WHERE trace_id = ?')
  const addExample = db.prepare(
    `INSERT INTO examples (id, trace_id, segment_id, ord, part, prompt, turns, steps, tokens, flags, findings, source_hash, created_at, parent_id, generated_by)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const count = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM examples')
  const example = db.prepare<[string], { trace_id: string; source_hash: string; created_at: number; flags: string }>(
    'SELECT trace_id, source_hash, created_at, flags FROM examples WHERE id = ?',
  )

  const addReview = db.prepare(
    `INSERT INTO example_reviews (example_id, trace_id, state, who, at, bulk_id)
     SELECT id, trace_id, ?, ?, ?, ? FROM examples WHERE id = ?
       AND coalesce((SELECT state FROM example_reviews WHERE example_id = examples.id AND undone_at IS NULL ORDER BY no DESC LIMIT 1), 'proposed') <> ?`,
  )
  const reviewedTraces = db.prepare<[string], { trace_id: string }>(
    'SELECT DISTINCT trace_id FROM example_reviews WHERE bulk_id = ? AND undone_at IS NULL',
  )
  const undoReview = db.prepare('UPDATE example_reviews SET undone_at = ? WHERE bulk_id = ? AND undone_at IS NULL')

  const upsertEdit = db.prepare(
    `INSERT INTO example_edits (example_id, trace_id, messages, source_hash, who, at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (example_id) DO UPDATE SET messages = excluded.messages, source_hash = excluded.source_hash, who = excluded.who, at = excluded.at`,
  )
  const dropEdit = db.prepare('DELETE FROM example_edits WHERE example_id = ?')
  const forgetStatements = ['segment_cuts', 'example_reviews', 'example_edits', 'example_sources', 'examples', 'segment_facts'].map(
    (table) => db.prepare(`DELETE FROM ${table} WHERE trace_id = ?`),
  )

  return {
    /** The first scope of a directory is permanent. */
    saveFacts(traceId: string, { git, scopes }: SegmentFacts): void {
      upsertFacts.run(traceId, JSON.stringify(git))
      for (const [cwd, scope] of Object.entries(scopes)) addScope.run(cwd, scope, now())
    },

    cuts(traceId: string): { cuts: SegmentCut[]; no: number | null } {
      const row = cutsOf.get(traceId)
      return row ? { cuts: JSON.parse(row.cuts) as SegmentCut[], no: row.no } : { cuts: [], no: null } // written by `setCuts`
    },
    setCuts(traceId: string, cuts: readonly SegmentCut[], who: string): void {
      addCuts.run(traceId, JSON.stringify(cuts), who, now())
    },
    undoCuts: (no: number) => undoCuts.run(now(), no),

    source(traceId: string): ExampleOptions | null {
      const row = source.get(traceId)
      return row ? optionsOf(row) : null
    },
    markStale: (traceId: string): boolean => markStale.run(traceId).changes > 0,
    /** A session that changed and is not live. */
    nextStale(): { traceId: string; options: ExampleOptions } | null {
      const row = nextStale.get()
      return row ? { traceId: row.trace_id, options: optionsOf(row) } : null
    },
    /** The number of changes since the session's examples were made. */
    staleness: (traceId: string): number => staleness.get(traceId)?.stale ?? 0,
    settle: (traceId: string, changes: number) => settle.run(changes, traceId),
    /** Marks all examples stale if the policy has changed. Returns whether it has. */
    applyPolicy(hash: string): boolean {
      if (meta.get(POLICY) === hash) return false
      markAllStale.run()
      meta.set(POLICY, hash)
      return true
    },
    /**
     * Replaces the examples of a session, as of this number of `changes`; known ids keep their creation time. Returns false,
     * and writes nothing, if the session was forgotten meanwhile.
     */
    replaceExamples(traceId: string, options: ExampleOptions, examples: ExamplesJobOutput['examples'], changes: number): boolean {
      if (!sessionExists.get(traceId)) return false
      const createdAt = new Map(creationTimes.all(traceId).map(({ id, created_at }) => [id, created_at]))
      dropExamples.run(traceId)
      upsertSource.run(traceId, JSON.stringify(options), now(), changes)
      examples.forEach((example, index) =>
        addExample.run(
          example.id,
          traceId,
          example.segmentId,
          index,
          example.part,
          example.prompt,
          example.turns,
          example.steps,
          example.tokens.count,
          JSON.stringify(example.flags),
          JSON.stringify(example.findings),
          example.sourceHash,
          createdAt.get(example.id) ?? now(),
          example.parentId,
          example.generatedBy,
        ),
      )
      return true
    },
    count: (): number => count.get()!.n,
    example: (id: string) => example.get(id),

    /** `changed`: the number of examples that had another state. */
    review(selection: ExampleSelection, state: ReviewState, who: string): { bulkId: string; changed: number; traceIds: string[] } {
      const bulkId = randomUUID()
      const at = now()
      let changed = 0
      if ('ids' in selection) for (const id of new Set(selection.ids)) changed += addReview.run(state, who, at, bulkId, id, state).changes
      else {
        const { sql, params } = toWhere(selection.filter)
        changed = db
          .prepare(
            `INSERT INTO example_reviews (example_id, trace_id, state, who, at, bulk_id)
             SELECT e.id, e.trace_id, ?, ?, ?, ? ${FROM_EXAMPLES} WHERE ${sql} AND e.state <> ? ORDER BY e.id`,
          )
          .run(state, who, at, bulkId, ...params, state).changes
      }
      return { bulkId, changed, traceIds: reviewedTraces.all(bulkId).map(({ trace_id }) => trace_id) }
    },
    undoReview(bulkId: string): { changed: number; traceIds: string[] } {
      const traceIds = reviewedTraces.all(bulkId).map(({ trace_id }) => trace_id)
      return { changed: undoReview.run(now(), bulkId).changes, traceIds }
    },
    edit(id: string, traceId: string, messages: readonly ChatMessage[], sourceHash: string, who: string): void {
      upsertEdit.run(id, traceId, JSON.stringify(messages), sourceHash, who, now())
    },
    dropEdit: (id: string): boolean => dropEdit.run(id).changes > 0,
    /** Call only when the user permanently removes the session. */
    forget(traceId: string): void {
      for (const statement of forgetStatements) statement.run(traceId)
    },
  }
}
