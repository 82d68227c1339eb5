import type { Migration } from '#server/db/schema.ts'

/** Readings: runs of an exam by one model alone, compared with its reading before; and their schedule. */
export const thermometer: Migration = {
  number: 51,
  name: 'thermometer',
  sql: `
    ALTER TABLE exam_runs ADD COLUMN is_reading INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE exam_runs ADD COLUMN earlier TEXT; -- id of the reading before
    CREATE TABLE thermometer (
      no INTEGER PRIMARY KEY CHECK (no = 1),
      is_on INTEGER NOT NULL,
      request TEXT NOT NULL,
      seen TEXT NOT NULL, -- clients and models of sessions that are not new
      on_at INTEGER NOT NULL,
      last_at INTEGER NOT NULL, -- of the last reading
      problem TEXT
    ) STRICT;
    CREATE TABLE thermometer_readings (
      no INTEGER PRIMARY KEY,
      run_no INTEGER NOT NULL UNIQUE REFERENCES exam_runs (no),
      reason TEXT NOT NULL, -- on, date, client, model, user
      client TEXT,
      series TEXT NOT NULL, -- what was asked of whom; only readings with the same are compared
      at INTEGER NOT NULL
    ) STRICT;
  `,
}
