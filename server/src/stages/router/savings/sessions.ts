import type { Database } from '#server/db/open.ts'
import type { Request } from './work.ts'

export interface Session {
  no: number
  id: string
  title: string | null
  startedAt: number | null
  costUsd: number | null
  prompts: number
  entrypoint: string | null
  subagents: { id: string; type: string | null; parentStepId: string | null; startedAt: string | null; endedAt: string | null }[]
}

export interface Call {
  /** What follows the id of the session. */
  id: string
  agent: string
  tool: string | null
  at: number | null
  endedAt: number | null
}

export type AgentRequest = Request & { agent: string }

type SessionRow = Omit<Session, 'subagents'> & { subagents: string }
type RequestRow = Omit<AgentRequest, 'isFast'> & { isFast: number }

/** Reads the user's own sessions, one at a time, so that an archive of any size fits into memory. */
export function openSessions(db: Database) {
  const sessions = db.prepare<[], SessionRow>(
    `SELECT no, id, title, started_at AS startedAt, cost_usd AS costUsd, prompts, entrypoint, subagents
     FROM own_sessions ORDER BY started_at DESC, no DESC`,
  )
  const COLUMNS = `at, model, agent, input, output, cache_read AS cacheRead, cache_write AS cacheWrite, cache_write_1h AS cacheWrite1h,
    web_searches AS webSearches, is_fast AS isFast`
  const requests = db.prepare<[number], RequestRow>(`SELECT ${COLUMNS} FROM own_requests WHERE trace = ? ORDER BY at`)
  const CALL = 'SELECT id, agent, tool, at, ended_at AS endedAt FROM own_calls WHERE trace = ?'
  const calls = db.prepare<[number], Call>(`${CALL} ORDER BY ord`)
  const callsOfAgents = db.prepare<[number, string], Call>(
    `${CALL} AND (agent <> 'main' OR id IN (SELECT value FROM json_each(?))) ORDER BY ord`,
  )
  const turns = db.prepare<[number], { agent: string; at: number }>(
    'SELECT agent, at FROM own_turns WHERE trace = ? AND at IS NOT NULL ORDER BY at',
  )
  return {
    *all(): Generator<Session> {
      for (const row of sessions.iterate()) yield { ...row, subagents: JSON.parse(row.subagents) as Session['subagents'] } // written by traces
    },
    requests: (no: number): AgentRequest[] => requests.all(no).map((row) => Object.assign(row, { isFast: row.isFast === 1 })),
    calls: (no: number): Call[] => calls.all(no),
    /** With the calls that asked for them. */
    callsOfAgents({ no, id, subagents }: Session): Call[] {
      const asking = subagents.flatMap(({ parentStepId }) => (parentStepId === null ? [] : [parentStepId.slice(id.length)]))
      return callsOfAgents.all(no, JSON.stringify(asking))
    },
    turns: (no: number) => turns.all(no),
  }
}
