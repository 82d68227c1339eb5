import { openReadOnly, type Database } from '#server/db/open.ts'

export interface ToolTimesInput {
  database: string
  /** A database to attach as `search`, if the statement looks there. */
  attach?: string
  /** Selects `no` and `rev` of sessions. */
  statement: { sql: string; params: unknown[] }
  /** Tools in the answer; those with the most time. */
  most: number
}

export interface ToolTimes {
  tool: string
  sessions: number
  calls: number
  failed: number
  /** Null: no call was measured. */
  totalMs: number | null
  p50Ms: number | null
  p95Ms: number | null
}

/** The calls of one tool in one session. */
interface Calls {
  calls: number
  failed: number
  ms: number[]
}

interface Kept {
  db: Database
  /** By session, as it was at a revision: only sessions that changed are read again. */
  sessions: Map<number, { rev: number; tools: Map<string, Calls> }>
}

const kept = new Map<string, Kept>()

/** How long the tools of sessions took, exactly. Runs on one thread, which remembers what it read. */
export default function toolTimes({ database, attach, statement, most }: ToolTimesInput): ToolTimes[] {
  const { db, sessions } = open(database, attach)
  const read = db.prepare<[number, number], { tool: string; success: number | null; ms: number | null }>(
    `SELECT tool, success, CASE WHEN ended_at >= at THEN ended_at - at END AS ms FROM entries
     WHERE trace = ? AND rev <= ? AND kind = 'call' AND tool IS NOT NULL`,
  )
  const sums = new Map<string, Calls & { sessions: number }>()
  const chosen = db.transaction(() => {
    const rows = db.prepare(statement.sql).all(...statement.params) as { no: number; rev: number }[] // by the caller
    for (const { no, rev } of rows) {
      if (sessions.get(no)?.rev === rev) continue
      const tools = new Map<string, Calls>()
      for (const { tool, success, ms } of read.all(no, rev))
        add(tools, tool, { calls: 1, failed: success === 0 ? 1 : 0, ms: ms === null ? [] : [ms] })
      sessions.set(no, { rev, tools })
    }
    return rows
  })()
  for (const { no } of chosen) {
    for (const [tool, calls] of sessions.get(no)?.tools ?? []) {
      const sum = sums.get(tool) ?? { calls: 0, failed: 0, ms: [], sessions: 0 }
      sums.set(tool, sum)
      sum.sessions += 1
      add(sums, tool, calls)
    }
  }
  return [...sums]
    .map(([tool, sum]) => measured(tool, sum))
    .toSorted((a, b) => (b.totalMs ?? -1) - (a.totalMs ?? -1))
    .slice(0, most)
}

function add(tools: Map<string, Calls>, tool: string, { calls, failed, ms }: Calls): void {
  const sum = tools.get(tool)
  if (sum === undefined) return void tools.set(tool, { calls, failed, ms })
  sum.calls += calls
  sum.failed += failed
  for (const one of ms) sum.ms.push(one)
}

function measured(tool: string, { sessions, calls, failed, ms }: Calls & { sessions: number }): ToolTimes {
  const sorted = Float64Array.from(ms).toSorted()
  const place = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null
  const totalMs = sorted.length === 0 ? null : sorted.reduce((sum, one) => sum + one, 0)
  return { tool, sessions, calls, failed, totalMs, p50Ms: place(0.5), p95Ms: place(0.95) }
}

function open(database: string, attach: string | undefined): Kept {
  const known = kept.get(database) ?? { db: openReadOnly(database), sessions: new Map() }
  kept.set(database, known)
  const isAttached = (known.db.pragma('database_list') as { name: string }[]).some(({ name }) => name === 'search')
  if (attach !== undefined && !isAttached) known.db.prepare('ATTACH DATABASE ? AS search').run(attach)
  return known
}
