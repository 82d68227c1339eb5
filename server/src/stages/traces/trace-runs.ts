import type { Database } from '#server/db/open.ts'

export interface TraceRun {
  taskId: string
  title: string
  /** Name of the repository that the agent worked on, which its sandbox shows under another name; null if there is none. */
  repo: string | null
}

/** Which sessions come from agent runs. */
export function createTraceRuns(db: Database) {
  const put = db.prepare(
    `INSERT INTO trace_runs (trace_id, task_id, title, repo) VALUES (?, ?, ?, ?)
     ON CONFLICT (trace_id) DO UPDATE SET task_id = excluded.task_id, title = excluded.title, repo = excluded.repo`,
  )
  const drop = db.prepare('DELETE FROM trace_runs WHERE trace_id = ?')
  return {
    /** Called before the session is imported, so that the session is never shown as the user's own. */
    keep: (traceId: string, { taskId, title, repo }: TraceRun): void => void put.run(traceId, taskId, title, repo),
    forget: (traceId: string): void => void drop.run(traceId),
  }
}
