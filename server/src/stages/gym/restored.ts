import type { AfterRestore } from '#server/db/schema.ts'

/** After a restore, waiting runs are paused until the user resumes them. Active runs have failed, because their process is not on this machine. */
export const pauseRestoredRuns: AfterRestore = (db, { has }) => {
  if (!has('runs')) return {}
  const error = { code: 'restored', message: 'It was running when the backup was made. Start it again.', row: null, logTail: '' }
  db.prepare(
    `UPDATE runs SET state = 'failed', error = ?, ended_at = coalesce(started_at, created_at) WHERE state IN ('preparing', 'running', 'pausing')`,
  ).run(JSON.stringify(error))
  db.prepare('UPDATE runs SET handle = NULL, wish = NULL').run()
  return { pausedRuns: db.prepare("UPDATE runs SET state = 'paused', queue_place = NULL WHERE state = 'queued'").run().changes }
}
