import { randomUUID } from 'node:crypto'
import { isoOf } from '#server/instant.ts'
import type { TagChange, Tier } from '#contracts/entities/common.ts'
import type { Decision } from '#contracts/entities/trace.ts'
import type { Database } from '#server/db/open.ts'
import { withTags } from '#server/tags.ts'

interface Row {
  no: number
  id: string
  trace_id: string
  tier: Tier | null
  from_tier: Tier
  who: string
  at: number
  why: string | null
  undone_at: number | null
  bulk_id: string | null
}

export interface NewDecision {
  traceId: string
  /** Null resets the tier to the policy's. */
  tier: Tier | null
  from: Tier
  who: string
  why: string | null
  bulkId: string | null
}

/** User data of traces: tiers with their history, tags, notes. Own tables; the history is never deleted. */
export type DecisionStore = ReturnType<typeof createDecisionStore>

export function createDecisionStore(db: Database, now: () => number) {
  const insert = db.prepare('INSERT INTO decisions (id, trace_id, tier, from_tier, who, at, why, bulk_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const activeDecision = db.prepare<[string], Row>(
    'SELECT * FROM decisions WHERE trace_id = ? AND undone_at IS NULL ORDER BY no DESC LIMIT 1',
  )
  const history = db.prepare<[string], Row>('SELECT * FROM decisions WHERE trace_id = ? ORDER BY no DESC')
  const undo = db.prepare('UPDATE decisions SET undone_at = ? WHERE no = ?')
  const findUndone = db.prepare<[string], { no: number }>('SELECT no FROM decisions WHERE id = ? AND undone_at IS NOT NULL')
  const selectBulk = db.prepare<[string], Row>('SELECT * FROM decisions WHERE bulk_id = ? AND undone_at IS NULL ORDER BY no DESC')
  const tagsOf = db.prepare<[string], { tag: string }>('SELECT tag FROM tags WHERE trace_id = ?')
  const addTag = db.prepare('INSERT OR IGNORE INTO tags (trace_id, tag, added_at) VALUES (?, ?, ?)')
  const dropTag = db.prepare('DELETE FROM tags WHERE trace_id = ? AND tag = ?')
  const insertTagChange = db.prepare('INSERT INTO tag_acts (bulk_id, trace_id, tag, added, at) VALUES (?, ?, ?, ?, ?)')
  const selectTagChanges = db.prepare<[string], { trace_id: string; tag: string; added: number }>(
    'SELECT trace_id, tag, added FROM tag_acts WHERE bulk_id = ? AND undone_at IS NULL',
  )
  const undoTagChanges = db.prepare('UPDATE tag_acts SET undone_at = ? WHERE bulk_id = ? AND undone_at IS NULL')
  const putNote = db.prepare(
    'INSERT INTO notes (trace_id, note, updated_at) VALUES (?, ?, ?) ON CONFLICT (trace_id) DO UPDATE SET note = excluded.note, updated_at = excluded.updated_at',
  )
  const dropNote = db.prepare('DELETE FROM notes WHERE trace_id = ?')
  const deleteStatements = ['decisions', 'tags', 'tag_acts', 'notes', 'trace_runs'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE trace_id = ?`),
  )

  return {
    /** Returns the id of the new decision. */
    add(decision: NewDecision): string {
      const id = randomUUID()
      insert.run(id, decision.traceId, decision.tier, decision.from, decision.who, now(), decision.why, decision.bulkId)
      return id
    },
    /** The newest decision that is not undone. */
    activeDecision: (traceId: string) => activeDecision.get(traceId),
    history: (traceId: string): Decision[] =>
      history.all(traceId).map((row) => ({
        id: row.id,
        traceId: row.trace_id,
        tier: row.tier,
        from: row.from_tier,
        who: row.who,
        when: isoOf(row.at),
        why: row.why,
        undoneAt: isoOf(row.undone_at),
        bulkId: row.bulk_id,
      })),
    undo: (no: number) => undo.run(now(), no),
    isUndone: (id: string): boolean => findUndone.get(id) !== undefined,
    activeBulkDecisions: (bulkId: string) => selectBulk.all(bulkId),

    changeTags(traceId: string, change: TagChange): void {
      const before = tagsOf.all(traceId).map(({ tag }) => tag)
      const after = withTags(before, change)
      for (const tag of before) if (!after.includes(tag)) dropTag.run(traceId, tag)
      for (const tag of after) addTag.run(traceId, tag, now())
    },
    /** Adds or removes one tag as part of a bulk action; false if nothing changed. */
    changeTag(traceId: string, tag: string, add: boolean, bulkId: string): boolean {
      const changed = (add ? addTag.run(traceId, tag, now()) : dropTag.run(traceId, tag)).changes > 0
      if (changed) insertTagChange.run(bulkId, traceId, tag, add ? 1 : 0, now())
      return changed
    },
    countTagChanges: (bulkId: string): number => selectTagChanges.all(bulkId).length,
    /** Restores the tags before the bulk action; returns the changed traces. */
    undoTags(bulkId: string): string[] {
      const changes = selectTagChanges.all(bulkId)
      for (const { trace_id, tag, added } of changes) {
        if (added) dropTag.run(trace_id, tag)
        else addTag.run(trace_id, tag, now())
      }
      undoTagChanges.run(now(), bulkId)
      return [...new Set(changes.map((change) => change.trace_id))]
    },
    setNote(traceId: string, note: string | null): void {
      if (note === null || note === '') dropNote.run(traceId)
      else putNote.run(traceId, note, now())
    },
    /** Only when the user deletes the session for good. */
    forget(traceId: string): void {
      for (const statement of deleteStatements) statement.run(traceId)
    },
  }
}
