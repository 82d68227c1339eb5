import type { Migration } from '#server/db/schema.ts'

/** One row a request that passed the router: figures only, no key, no text. */
export const routeDecisions: Migration = {
  number: 50,
  name: 'route decisions',
  sql: `
    CREATE TABLE route_decisions (
      no INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      session TEXT,
      model TEXT,
      http_status INTEGER,
      first_ms REAL,
      ms REAL NOT NULL,
      tokens INTEGER,
      error TEXT
    ) STRICT;
  `,
}
