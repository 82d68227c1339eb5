import type { AfterRestore } from '#server/db/schema.ts'

/** Waiting runs are paused until the user resumes them; a run that was active has no process here that could be followed or ended. */
export const pauseRestoredRuns: AfterRestore = (db, { has }) => {
  if (!has('runs')) return {}
  const error = { code: 'restored', message: 'It was running when the backup was made. Start it again.', row: null, logTail: '' }
  db.prepare(
    `UPDATE runs SET state = 'failed', error = ?, ended_at = coalesce(started_at, created_at) WHERE state IN ('preparing', 'running', 'pausing')`,
  ).run(JSON.stringify(error))
  db.prepare('UPDATE runs SET handle = NULL, wish = NULL').run()
  return { pausedRuns: db.prepare("UPDATE runs SET state = 'paused', queue_place = NULL WHERE state = 'queued'").run().changes }
}
