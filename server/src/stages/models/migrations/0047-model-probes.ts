import type { Migration } from '#server/db/schema.ts'

/** The newest probe of each model. */
export const modelProbes: Migration = {
  number: 47,
  name: 'model probes',
  sql: `
    CREATE TABLE model_probes (
      model_no INTEGER PRIMARY KEY REFERENCES models (no) ON DELETE CASCADE, at INTEGER NOT NULL, result TEXT NOT NULL -- JSON: a Probe
    ) STRICT;
  `,
}
