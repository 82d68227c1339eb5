import type { Migration } from '#server/db/schema.ts'

/** Where conversations go, and why the share of a model was taken back. */
export const routeConversations: Migration = {
  number: 53,
  name: 'route conversations',
  sql: `
    ALTER TABLE route_decisions ADD COLUMN agent TEXT;
    ALTER TABLE route_decisions ADD COLUMN cause TEXT NOT NULL DEFAULT 'passed';
    ALTER TABLE route_decisions ADD COLUMN reason TEXT; -- null: everything passed then
    ALTER TABLE route_decisions ADD COLUMN strategy TEXT NOT NULL DEFAULT 'teacher_only';
    ALTER TABLE route_decisions ADD COLUMN student_id TEXT; -- that answered, or was asked first
    ALTER TABLE route_decisions ADD COLUMN student TEXT; -- what was known of it then
    ALTER TABLE route_decisions ADD COLUMN asked INTEGER NOT NULL DEFAULT 0; -- the student was sent the conversation
    ALTER TABLE route_decisions ADD COLUMN fallback INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE route_decisions ADD COLUMN confidence REAL;
    ALTER TABLE route_decisions ADD COLUMN complexity REAL;
    CREATE INDEX route_decisions_by_student ON route_decisions (student_id, no) WHERE student_id IS NOT NULL;
    CREATE TABLE route_conversations (
      key TEXT PRIMARY KEY, -- session and agent, as the client names them
      prefix TEXT NOT NULL, -- hash of how it began: it may go on under another key
      trace_id TEXT, -- of its session, whose checks say how it went
      model_id TEXT, -- null: Claude
      choice TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX route_conversations_by_prefix ON route_conversations (prefix);
    CREATE TABLE route_alarms (
      no INTEGER PRIMARY KEY,
      model_id TEXT NOT NULL,
      reason TEXT NOT NULL,
      at INTEGER NOT NULL,
      ended_at INTEGER -- the user allowed it again
    ) STRICT;
    CREATE INDEX route_alarms_by_model ON route_alarms (model_id, no);
  `,
}
