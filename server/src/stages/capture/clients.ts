import { birthOf, isGone } from '#server/process/marks.ts'
import type { Database } from '#server/db/open.ts'

/** A client named by a hook this recently was alive: if its process is not visible, it runs elsewhere (in a container). */
const FRESH_MS = 5000
/** `born` of a process that had ended before it was looked up. */
const NEVER_SEEN = ''

interface Row {
  pid: number
  born: string
  gone_at: number | null
}

/** The client process of a session: running, or found to have ended at `goneAt` (ms). */
export type ClientState = { isRunning: true } | { isRunning: false; goneAt: number }

export type Clients = ReturnType<typeof createClients>

/** Processes of the client by session, from the names of spool files. Kept across restarts. */
export function createClients(db: Database, now: () => number) {
  const find = db.prepare<[string], Row>('SELECT pid, born, gone_at FROM client_processes WHERE session_id = ?')
  const save = db.prepare('INSERT OR REPLACE INTO client_processes (session_id, pid, born, gone_at) VALUES (?, ?, ?, NULL)')
  const setGone = db.prepare('UPDATE client_processes SET gone_at = ? WHERE session_id = ?')
  const drop = db.prepare('DELETE FROM client_processes WHERE session_id = ?')

  return {
    /** A hook of this session ran under the process `pid`, at `at` (ms). */
    hear(sessionId: string, pid: number, at: number): void {
      const known = find.get(sessionId)
      if (known?.pid === pid) return
      const born = birthOf(pid)
      if (born !== null) save.run(sessionId, pid, born)
      else if (now() - at > FRESH_MS) save.run(sessionId, pid, NEVER_SEEN)
      else drop.run(sessionId)
    },
    /** The client reported the end of the session, or the session is being deleted. */
    end: (sessionId: string): void => void drop.run(sessionId),
    /** Null if no process is known. */
    stateOf(sessionId: string): ClientState | null {
      const row = find.get(sessionId)
      if (!row) return null
      if (row.gone_at !== null) return { isRunning: false, goneAt: row.gone_at }
      if (row.born !== NEVER_SEEN && !isGone(row)) return { isRunning: true }
      const goneAt = now()
      setGone.run(goneAt, sessionId)
      return { isRunning: false, goneAt }
    },
  }
}
