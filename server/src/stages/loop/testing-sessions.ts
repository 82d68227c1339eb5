import type { Database } from '#server/db/open.ts'

/** Rows of sessions, as many as are named, by their tiers. */
export function addSessions(db: Database, sessions: readonly { id: string; tier: string; source?: string; verification?: string }[]): void {
  const insert = db.prepare(
    `INSERT INTO traces (id, rev, agent, session_id, started_at, ended_at, state, sample, models, prompts, tool_calls, failed_tool_calls,
       rejected_tool_calls, subagents, commits, turns, problems, policy_tier, tier, tier_rank, tier_source, verification,
       longest_failure_run, index_pending, index_pending_bytes)
     VALUES (@id, 1, 'claude-code', @id, @at, @at, 'ended', 0, '[]', 1, 1, 0, 0, 0, 0, 1, 0, @tier, @tier, 0, @source, @verification, 0, 0, 0)`,
  )
  for (const { id, tier, source = 'policy', verification = 'passed' } of sessions)
    insert.run({ id, tier, source, verification, at: Date.now() })
}

export function addDataSet(db: Database, id: string, sessions: readonly { id: string; split: string }[], at: number): void {
  db.prepare("INSERT INTO datasets (id, name, version, kind, created_at, counts, size_bytes) VALUES (?, ?, 1, 'sft', ?, '{}', 0)").run(
    id,
    id,
    at,
  )
  const insert = db.prepare('INSERT INTO dataset_sessions (dataset_id, trace_id, split) VALUES (?, ?, ?)')
  for (const session of sessions) insert.run(id, session.id, session.split)
}

export function addModel(db: Database, id: string, lineage: { datasetId: string | null; mix?: { datasetId: string }[] }, at: number): void {
  db.prepare('INSERT INTO models (id, name, created_at, origin) VALUES (?, ?, ?, ?)').run(
    id,
    `Model ${id}`,
    at,
    JSON.stringify({ lineage }),
  )
}

/** A decided run of an exam of this model against its base. */
export function addVerdict(db: Database, model: string, verdict: string, at: number, body: object = {}): void {
  db.prepare(
    "INSERT OR IGNORE INTO exams (no, id, name, hash, request, left_out, created_at) VALUES (1, 'exam', 'Mine', '', '{}', '[]', 0)",
  ).run()
  const { lastInsertRowid } = db
    .prepare(
      `INSERT INTO exam_runs (id, exam_no, state, request, sides, charged, is_priced, created_at) VALUES (?, 1, 'completed', ?, ?, '{}', 0, 0)`,
    )
    .run(
      `run ${model} ${at}`,
      JSON.stringify({ model: { kind: 'model', model }, against: { kind: 'base', model } }),
      JSON.stringify({ model: { id: model }, base: { id: 'Base' }, labels: { model, base: 'Base' } }),
    )
  db.prepare('INSERT INTO exam_certificates (run_no, body, at) VALUES (?, ?, ?)').run(
    lastInsertRowid,
    JSON.stringify({ verdict, ...body }),
    at,
  )
}
