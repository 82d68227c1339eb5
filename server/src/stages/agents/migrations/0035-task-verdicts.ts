import type { Migration } from '#server/db/schema.ts'

/** Applying a change no longer makes a run that was not verified `done`. Reports say what failed before the work as well. */
export const taskVerdicts: Migration = {
  number: 35,
  name: 'task verdicts',
  sql: `
    UPDATE tasks SET state = iif(facts ->> '$.verification.status' = 'failed', 'failed', 'unverified')
    WHERE state = 'done' AND facts ->> '$.handedBack' IS NOT NULL AND coalesce(facts ->> '$.verification.status', 'none') <> 'passed';
    UPDATE tasks SET facts = json_set(facts, '$.verification.before', NULL, '$.verification.knownFailures', json('[]'),
      '$.verification.newFailures', json('[]'), '$.verification.missing', json('[]'), '$.verification.parts', json('[]'), '$.verification.isDoubted', json('false'))
    WHERE facts ->> '$.verification' IS NOT NULL;
  `,
}
