import type { Schema } from './schema.ts'
import { infrastructure } from './migrations/0001-infrastructure.ts'
import { jobSubjects } from './migrations/0012-job-subjects.ts'

/** Tables that every stage uses. */
export const coreSchema: Schema = {
  own: ['settings'],
  plumbing: ['meta', 'events', 'jobs'],
  migrations: [infrastructure, jobSubjects],
}
