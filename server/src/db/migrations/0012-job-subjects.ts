import type { Migration } from '../schema.ts'

/** The subject of a job, such as the data set version that is measured. */
export const jobSubjects: Migration = {
  number: 12,
  name: 'job-subjects',
  sql: `
    ALTER TABLE jobs ADD COLUMN subject TEXT;
    CREATE INDEX jobs_by_subject ON jobs (subject, created_at DESC) WHERE subject IS NOT NULL; -- GET /api/jobs?subject=
  `,
}
