import type { Migration } from '#server/db/schema.ts'

/** What requests cost, how their answers turned out, and which steps a model of the user's own answered. */
export const routeOutcomes: Migration = {
  number: 60,
  name: 'route outcomes',
  sql: `
    ALTER TABLE route_decisions ADD COLUMN trace_id TEXT; -- of its session
    ALTER TABLE route_decisions ADD COLUMN input INTEGER; -- tokens read, of \`tokens\`
    ALTER TABLE route_decisions ADD COLUMN cost_usd REAL; -- null: not known
    ALTER TABLE route_decisions ADD COLUMN teacher_usd REAL; -- of the same tokens at the model that the client asked for
    ALTER TABLE route_decisions ADD COLUMN success REAL; -- reported of this answer: 1 right, 0 wrong
    UPDATE route_decisions SET trace_id =
      (SELECT c.trace_id FROM route_conversations c WHERE c.key >= session || '/' AND c.key < session || '0' AND c.trace_id IS NOT NULL LIMIT 1)
      WHERE session IS NOT NULL;
    CREATE INDEX route_decisions_by_trace ON route_decisions (trace_id, cause, student_id, fallback, at) WHERE trace_id IS NOT NULL;
    CREATE INDEX route_decisions_reported ON route_decisions (student_id, at) WHERE success IS NOT NULL;
    CREATE INDEX route_decisions_by_at ON route_decisions (at);
    -- Jobs to which the student was asked first, and gave no answer; kept longer than decisions.
    CREATE TABLE route_tried (trace_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    INSERT OR IGNORE INTO route_tried SELECT trace_id FROM route_decisions WHERE asked = 1 AND fallback = 1 AND trace_id IS NOT NULL;
    CREATE VIEW student_steps AS
      SELECT model_id, at FROM mod_steps WHERE failed = 0
      UNION ALL SELECT student_id, at FROM route_decisions WHERE student_id IS NOT NULL AND fallback = 0 AND error IS NULL;
  `,
}
