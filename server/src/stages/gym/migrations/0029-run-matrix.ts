import type { Migration } from '#server/db/schema.ts'

/** Runs that were started together for a table of settings (own: beside what each was asked). */
export const runMatrix: Migration = {
  number: 29,
  name: 'run matrix',
  sql: `
    ALTER TABLE runs ADD COLUMN matrix_id TEXT; -- NULL: started alone
    CREATE INDEX runs_of_matrix ON runs (matrix_id) WHERE matrix_id IS NOT NULL; -- its table
  `,
}
