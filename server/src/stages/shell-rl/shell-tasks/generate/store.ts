import type { ShellGeneration, ShellGenerationRequest } from '#contracts/entities/shell-generation.ts'
import { AppError } from '#contracts/errors.ts'
import { isoOf } from '#server/instant.ts'
import type { Database } from '#server/db/open.ts'
import type { TaskDraft } from './parse.ts'
import type { SolveResult } from './solve.ts'

export interface Candidate {
  no: number
  difficulty: number
  body: TaskDraft | null
  rollouts: SolveResult[]
}

interface Row {
  id: string
  state: ShellGeneration['state']
  message: string | null
  request: string
  tokens: number
  usd: number
  is_priced: number
  created_at: number
  ended_at: number | null
}

export type GenerationStore = ReturnType<typeof createGenerationStore>

/** Synchronous; runs in the caller's transaction. */
export function createGenerationStore(db: Database) {
  const insert = db.prepare("INSERT INTO shell_generations (id, state, request, is_priced, created_at) VALUES (?, 'running', ?, ?, ?)")
  const byId = db.prepare<[string], Row>('SELECT * FROM shell_generations WHERE id = ?')
  const all = db.prepare<[number], Row>('SELECT * FROM shell_generations ORDER BY no DESC LIMIT ?')
  const setState = db.prepare('UPDATE shell_generations SET state = ?, message = ?, ended_at = ? WHERE id = ?')
  const setSpent = db.prepare('UPDATE shell_generations SET tokens = ?, usd = ? WHERE id = ?')
  const interrupt = db.prepare("UPDATE shell_generations SET state = 'interrupted', message = ?, ended_at = ? WHERE state = 'running'")
  const addCandidate = db.prepare("INSERT INTO shell_candidates (generation, difficulty, no, state) VALUES (?, ?, ?, 'open')")
  const setBody = db.prepare('UPDATE shell_candidates SET body = ? WHERE generation = ? AND difficulty = ? AND no = ?')
  const setRollouts = db.prepare('UPDATE shell_candidates SET rollouts = ? WHERE generation = ? AND difficulty = ? AND no = ?')
  const settle = db.prepare(
    'UPDATE shell_candidates SET state = ?, reason = ?, detail = ?, task_id = ? WHERE generation = ? AND difficulty = ? AND no = ?',
  )
  const open = db.prepare<[string], { no: number; difficulty: number; body: string | null; rollouts: string }>(
    "SELECT no, difficulty, body, rollouts FROM shell_candidates WHERE generation = ? AND state = 'open' ORDER BY difficulty, no",
  )
  const counts = db.prepare<[string], { difficulty: number; state: string; n: number }>(
    'SELECT difficulty, state, count(*) AS n FROM shell_candidates WHERE generation = ? GROUP BY 1, 2',
  )
  const reasons = db.prepare<[string], { reason: string; count: number }>(
    "SELECT reason, count(*) AS count FROM shell_candidates WHERE generation = ? AND state = 'rejected' GROUP BY 1 ORDER BY 2 DESC, 1",
  )
  const require = (id: string): Row => {
    const row = byId.get(id)
    if (!row) throw new AppError('shell_generation_not_found', { message: `There is no generation of shell tasks with the id "${id}".` })
    return row
  }
  const view = (row: Row): ShellGeneration => {
    const rows = counts.all(row.id)
    const kept = (difficulty: number) => rows.find((one) => one.difficulty === difficulty && one.state === 'kept')?.n ?? 0
    return {
      id: row.id,
      state: row.state,
      message: row.message,
      request: JSON.parse(row.request) as ShellGenerationRequest, // written by insert
      kept: { '1': kept(1), '2': kept(2), '3': kept(3), '4': kept(4) },
      made: rows.reduce((sum, { n }) => sum + n, 0),
      rejected: reasons.all(row.id),
      spent: { tokens: row.tokens, usd: row.is_priced === 1 ? row.usd : null },
      createdAt: isoOf(row.created_at),
      endedAt: isoOf(row.ended_at),
    }
  }
  return {
    get: (id: string): ShellGeneration => view(require(id)),
    list: (limit: number): ShellGeneration[] => all.all(limit).map(view),
    insert: (id: string, request: ShellGenerationRequest, isPriced: boolean, at: number): void =>
      void insert.run(id, JSON.stringify(request), Number(isPriced), at),
    setState: (id: string, state: ShellGeneration['state'], message: string | null, endedAt: number | null): void =>
      void setState.run(state, message, endedAt, id),
    spent(id: string): { tokens: number; usd: number } {
      const { tokens, usd } = require(id)
      return { tokens, usd }
    },
    setSpent: (id: string, { tokens, usd }: { tokens: number; usd: number }): void => void setSpent.run(Math.round(tokens), usd, id),
    interrupt: (message: string, at: number): void => void interrupt.run(message, at),
    /** How many candidates of a difficulty were stored as tasks, and how many were made. */
    counts(id: string, difficulty: number): { kept: number; made: number } {
      const rows = counts.all(id).filter((one) => one.difficulty === difficulty)
      return { kept: rows.find(({ state }) => state === 'kept')?.n ?? 0, made: rows.reduce((sum, { n }) => sum + n, 0) }
    },
    add: (id: string, { difficulty, no }: Pick<Candidate, 'difficulty' | 'no'>): void => void addCandidate.run(id, difficulty, no),
    open: (id: string): Candidate[] =>
      open.all(id).map(({ no, difficulty, body, rollouts }) => ({
        no,
        difficulty,
        body: body === null ? null : (JSON.parse(body) as TaskDraft), // written below
        rollouts: JSON.parse(rollouts) as SolveResult[],
      })),
    setBody: (id: string, { difficulty, no, body }: Candidate): void => void setBody.run(JSON.stringify(body), id, difficulty, no),
    setRollouts: (id: string, { difficulty, no, rollouts }: Candidate): void =>
      void setRollouts.run(JSON.stringify(rollouts), id, difficulty, no),
    keep: (id: string, { difficulty, no }: Candidate, taskId: string): void =>
      void settle.run('kept', null, null, taskId, id, difficulty, no),
    reject: (id: string, { difficulty, no }: Candidate, reason: string, detail: string): void =>
      void settle.run('rejected', reason, detail.slice(0, 4000), null, id, difficulty, no),
  }
}
