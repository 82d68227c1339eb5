import { keeps, type Schema } from './schema.ts'
import { infrastructure } from './migrations/0001-infrastructure.ts'
import { jobSubjects } from './migrations/0012-job-subjects.ts'
import { restoredItems } from './migrations/0030-restored-items.ts'

/** Tables that every stage uses. */
export const coreSchema: Schema = {
  own: {
    settings: keeps('the restore decides about each key (system/maintenance/settings-after-restore.ts)'),
    restored_items: keeps('the restore empties it and fills it anew'),
  },
  plumbing: ['meta', 'events', 'jobs'],
  migrations: [infrastructure, jobSubjects, restoredItems],
}
