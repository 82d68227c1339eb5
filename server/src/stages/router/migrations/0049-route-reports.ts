import type { Migration } from '#server/db/schema.ts'

/** Reports about answers of the student, with the share of `progressive` after each. */
export const routeReports: Migration = {
  number: 49,
  name: 'route reports',
  sql: `
    CREATE TABLE route_reports (
      no INTEGER PRIMARY KEY,
      model_id TEXT NOT NULL,
      success_rate REAL NOT NULL,
      samples INTEGER NOT NULL,
      rate REAL NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX route_reports_by_model ON route_reports (model_id, no);
  `,
}
