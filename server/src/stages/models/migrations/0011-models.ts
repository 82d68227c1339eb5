import type { Migration } from '#server/db/schema.ts'

/** Trained models: what the user says of them, where they came from, their files and how fast they answered (own). */
export const models: Migration = {
  number: 11,
  name: 'models',
  sql: `
    -- A model has the id of the run that made it.
    CREATE TABLE models (
      no INTEGER PRIMARY KEY AUTOINCREMENT, -- the order in which they were made
      id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL, description TEXT, tags TEXT NOT NULL DEFAULT '[]', note TEXT,
      starred INTEGER NOT NULL DEFAULT 0, archived INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      parent_id TEXT, -- the model of ours that was its base
      origin TEXT NOT NULL, -- JSON: lineage, training, folder, base; as the run ended
      parameters INTEGER
    ) STRICT;
    CREATE INDEX models_of_parent ON models (parent_id); -- what a removal would take the ground from

    CREATE TABLE model_artifacts (
      model_no INTEGER NOT NULL REFERENCES models (no) ON DELETE CASCADE, id TEXT NOT NULL,
      format TEXT NOT NULL, quantization TEXT, path TEXT NOT NULL,
      files TEXT NOT NULL DEFAULT '[]', -- JSON: name, bytes, modified, sha256 of each, when they were last read
      bytes INTEGER NOT NULL, sha256 TEXT, is_changed INTEGER NOT NULL DEFAULT 0,
      made TEXT, parity TEXT, created_at INTEGER NOT NULL,
      PRIMARY KEY (model_no, id)
    ) STRICT, WITHOUT ROWID;

    -- One row an answer of a model that was tried out.
    CREATE TABLE model_answers (
      model_no INTEGER NOT NULL REFERENCES models (no) ON DELETE CASCADE, at INTEGER NOT NULL, artifact TEXT, device TEXT NOT NULL,
      first_token_ms REAL, ms REAL NOT NULL, tokens INTEGER NOT NULL, tokens_per_sec REAL
    ) STRICT;
    CREATE INDEX model_answers_of ON model_answers (model_no, at);
  `,
}
