import { birthOf, isGone } from '#server/process/marks.ts'
import type { Database } from '#server/db/open.ts'

/** A hook this recent means that its client is alive: if its process is not visible, it runs in a container. */
const FRESH_MS = 5000
/** Value of `born` for a process that had ended before it was looked up. */
const ENDED_EARLIER = ''

interface Row {
  pid: number
  born: string
  gone_at: number | null
}

/** The client process of a session: running, or known to have ended at `endedAt` (ms). */
export type ClientState = { isRunning: true } | { isRunning: false; endedAt: number }

export type Clients = ReturnType<typeof createClients>

/** The client process of each session, from the names of spool files. Stored, so that it survives a restart. */
export function createClients(db: Database, now: () => number) {
  const find = db.prepare<[string], Row>('SELECT pid, born, gone_at FROM client_processes WHERE session_id = ?')
  const save = db.prepare('INSERT OR REPLACE INTO client_processes (session_id, pid, born, gone_at) VALUES (?, ?, ?, NULL)')
  const setEnded = db.prepare('UPDATE client_processes SET gone_at = ? WHERE session_id = ?')
  const drop = db.prepare('DELETE FROM client_processes WHERE session_id = ?')

  return {
    /** A hook of this session ran under the process `pid`, at `at` (ms). */
    recordProcess(sessionId: string, pid: number, at: number): void {
      const known = find.get(sessionId)
      if (known?.pid === pid) return
      const born = birthOf(pid)
      if (born !== null) save.run(sessionId, pid, born)
      else if (now() - at > FRESH_MS) save.run(sessionId, pid, ENDED_EARLIER)
      else drop.run(sessionId)
    },
    /** The client reported the end of the session, or the session is being deleted. */
    end: (sessionId: string): void => void drop.run(sessionId),
    /** Null if no process is known. */
    stateOf(sessionId: string): ClientState | null {
      const row = find.get(sessionId)
      if (!row) return null
      if (row.gone_at !== null) return { isRunning: false, endedAt: row.gone_at }
      if (row.born !== ENDED_EARLIER && !isGone(row)) return { isRunning: true }
      const endedAt = now()
      setEnded.run(endedAt, sessionId)
      return { isRunning: false, endedAt }
    },
  }
}
