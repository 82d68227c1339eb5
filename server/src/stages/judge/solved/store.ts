import { hash } from 'node:crypto'
import type { ExamAttempt, ExamCandidate, ExamTask } from '#contracts/entities/exam.ts'
import { AppError } from '#contracts/errors.ts'
import type { Database } from '#server/db/open.ts'
import { numberBefore, pageOf } from '#server/db/paging.ts'
import type { Side } from '../exam/store.ts'
import type { Candidate } from './candidates.ts'

/** A task with what its runs need. */
export interface TaskRow extends Omit<ExamTask, 'folder'> {
  project: string
  /** Commits of the exam's repository. */
  start: string
  reference: string
  /** Folders of installed packages in the project. */
  packages: string[]
  /** The commit of the user's repository that the states were restored from. */
  commit: string
}

export interface Attempt extends ExamAttempt {
  itemNo: number
  side: Side
  attempt: number
  ms: number | null
}

/** The first of the tasks of a session; the others begin with it. */
export const taskIdOf = (traceId: string): string => `s-${hash('sha256', traceId).slice(0, 12)}`
/** The name of our repository with the states of a session. */
export const statesOf = (traceId: string): string => `${taskIdOf(traceId)}.git`

type Raw = Record<string, string | number | null>

export type SolvedStore = ReturnType<typeof createSolvedStore>

/** The tables of exams of solved tasks. Synchronous, in the caller's transaction. */
export function createSolvedStore(db: Database, now: () => number) {
  const addCandidate = db.prepare(
    'INSERT INTO exam_candidates (exam_no, no, trace_id, outcome, reason, detail) VALUES (@examNo, @no, @traceId, @outcome, @reason, @detail)',
  )
  const setCandidate = db.prepare(
    'UPDATE exam_candidates SET outcome = @outcome, reason = @reason, detail = @detail WHERE exam_no = @examNo AND trace_id = @traceId',
  )
  const waiting = db.prepare<[number], { trace_id: string }>(
    "SELECT trace_id FROM exam_candidates WHERE exam_no = ? AND outcome = 'waiting' ORDER BY no",
  )
  const notUndone = db.prepare<[number], { trace_id: string }>(
    "SELECT trace_id FROM exam_candidates WHERE exam_no = ? AND outcome = 'proven' AND is_undone = 0 ORDER BY no",
  )
  const setUndone = db.prepare('UPDATE exam_candidates SET is_undone = 1 WHERE exam_no = ? AND trace_id = ?')
  const counts = db.prepare<[number], { outcome: string; reason: string | null; n: number }>(
    'SELECT outcome, reason, count(*) AS n FROM exam_candidates WHERE exam_no = ? GROUP BY outcome, reason ORDER BY n DESC, reason',
  )
  const candidates = db.prepare<[Raw], Raw>(
    `SELECT c.*, (SELECT count(*) FROM exam_tasks t WHERE t.exam_no = c.exam_no AND t.trace_id = c.trace_id AND t.is_removed = 0) AS tasks
     FROM exam_candidates c WHERE c.exam_no = @examNo AND c.no < @before AND (@reason IS NULL OR c.reason = @reason)
     ORDER BY c.no DESC LIMIT @limit`,
  )
  const countCandidates = db.prepare<[Raw], { n: number }>(
    'SELECT count(*) AS n FROM exam_candidates WHERE exam_no = @examNo AND (@reason IS NULL OR reason = @reason)',
  )
  const addTask = db.prepare(
    `INSERT INTO exam_tasks (exam_no, no, id, trace_id, project, start, reference, body)
     VALUES (@examNo, (SELECT coalesce(max(no) + 1, 0) FROM exam_tasks WHERE exam_no = @examNo), @id, @traceId, @project, @start, @reference, @body)`,
  )
  const tasks = db.prepare<[number], Raw>('SELECT * FROM exam_tasks WHERE exam_no = ? AND is_removed = 0 ORDER BY no')
  const removeTask = db.prepare('UPDATE exam_tasks SET is_removed = 1 WHERE exam_no = ? AND id = ? AND is_removed = 0')
  const setBody = db.prepare('UPDATE exam_tasks SET body = @body WHERE exam_no = @examNo AND id = @id AND is_removed = 0')
  const addAttempt = db.prepare(
    `INSERT INTO exam_attempts (run_no, item_no, side, attempt, sample, task_id, trace_id, state, passed, detail, usd, ms, at)
     VALUES (@runNo, @itemNo, @side, @attempt, @sample, @taskId, @traceId, @state, @passed, @detail, @usd, @ms, @at)
     ON CONFLICT DO UPDATE SET task_id = excluded.task_id, trace_id = excluded.trace_id, state = excluded.state, passed = excluded.passed,
       detail = excluded.detail, usd = usd + excluded.usd, ms = excluded.ms, at = excluded.at WHERE state = 'not_run'`,
  )
  const attempts = db.prepare<[number], Raw>('SELECT * FROM exam_attempts WHERE run_no = ? ORDER BY item_no, sample')
  const spent = db.prepare<[number], { usd: number }>('SELECT coalesce(sum(usd), 0) AS usd FROM exam_attempts WHERE run_no = ?')
  const sessions = db.prepare<[], Raw>(
    `SELECT a.trace_id, e.name FROM exam_attempts a JOIN exam_runs r ON r.no = a.run_no JOIN exams e ON e.no = r.exam_no
     WHERE a.trace_id IS NOT NULL`,
  )
  const examsOf = db.prepare<[string], { id: string }>(
    'SELECT e.id FROM exam_candidates c JOIN exams e ON e.no = c.exam_no WHERE c.trace_id = ?',
  )
  const forgetting = [
    'DELETE FROM exam_candidates WHERE trace_id = ?',
    `DELETE FROM exam_attempts WHERE (run_no, item_no) IN (
       SELECT r.no, t.no FROM exam_tasks t JOIN exam_runs r ON r.exam_no = t.exam_no WHERE t.trace_id = ?)`,
    'DELETE FROM exam_tasks WHERE trace_id = ?',
    'UPDATE exam_attempts SET trace_id = NULL WHERE trace_id = ?',
  ].map((sql) => db.prepare(sql))

  return {
    addCandidates(examNo: number, found: readonly Candidate[]): void {
      for (const [no, one] of found.entries()) addCandidate.run({ examNo, no, ...one })
    },
    setCandidate: (examNo: number, one: Candidate): void => void setCandidate.run({ examNo, ...one }),
    waiting: (examNo: number): string[] => waiting.all(examNo).map(({ trace_id }) => trace_id),
    /** Proven sessions whose parts were not tried yet. */
    notUndone: (examNo: number): string[] => notUndone.all(examNo).map(({ trace_id }) => trace_id),
    setUndone: (examNo: number, traceId: string): void => void setUndone.run(examNo, traceId),
    /** How many sessions were considered, are still to be tried, and fell out. */
    funnel(examNo: number) {
      const all = counts.all(examNo)
      const sum = (rows: typeof all) => rows.reduce((total, { n }) => total + n, 0)
      return {
        considered: sum(all),
        waiting: sum(all.filter(({ outcome }) => outcome === 'waiting')),
        leftOut: all.flatMap(({ outcome, reason, n }) => (outcome === 'left_out' ? [{ reason: reason ?? '', count: n }] : [])),
      }
    },
    candidates(
      examNo: number,
      { reason = null, cursor, limit }: { reason?: string | undefined | null; cursor?: string | undefined; limit: number },
    ) {
      const rows = candidates.all({ examNo, reason, before: numberBefore(cursor), limit: limit + 1 })
      const { items, ...page } = pageOf(rows, limit, (raw) => Number(raw['no']))
      return { items: items.map(toCandidate), ...page, total: countCandidates.get({ examNo, reason })!.n }
    },
    addTask(examNo: number, { id, traceId, project, start, reference, ...body }: Omit<TaskRow, 'no'>): void {
      addTask.run({ examNo, id, traceId, project, start, reference, body: JSON.stringify(body) })
    },
    tasks: (examNo: number): TaskRow[] => tasks.all(examNo).map(toTask),
    /** Throws `not_found`. */
    removeTask(examNo: number, id: string): void {
      if (removeTask.run(examNo, id).changes === 0) throw new AppError('not_found', { message: 'This exam has no such task.' })
    },
    /** Throws `not_found`. */
    setPrompt(examNo: number, id: string, prompt: string): TaskRow {
      const task = tasks
        .all(examNo)
        .map(toTask)
        .find((one) => one.id === id)
      if (!task) throw new AppError('not_found', { message: 'This exam has no such task.' })
      const changed = { ...task, prompt, isEdited: true }
      const { no: _no, id: _id, traceId: _traceId, project: _project, start: _start, reference: _reference, ...body } = changed
      setBody.run({ examNo, id, body: JSON.stringify(body) })
      return changed
    },
    addAttempt(runNo: number, { passed, ...one }: Attempt & { traceId: string | null; usd: number }): void {
      addAttempt.run({ runNo, ...one, passed: passed === null ? null : Number(passed), at: now() })
    },
    attempts: (runNo: number): Attempt[] => attempts.all(runNo).map(toAttempt),
    spent: (runNo: number): number => spent.get(runNo)!.usd,
    /** Sessions of agents that took an exam, with its name. */
    sessions: (): [string, string][] => sessions.all().map((raw) => [String(raw['trace_id']), String(raw['name'])]),
    examsOf: (traceId: string): string[] => examsOf.all(traceId).map(({ id }) => id),
    /** Call only when the user permanently removes the session. */
    forget(traceId: string): void {
      for (const statement of forgetting) statement.run(traceId)
    },
  }
}

const toCandidate = (raw: Raw): ExamCandidate => ({
  id: String(raw['trace_id']),
  outcome: raw['outcome'] as ExamCandidate['outcome'],
  reason: raw['reason'] as string | null,
  detail: raw['detail'] as string | null,
  tasks: Number(raw['tasks']),
})

const toTask = (raw: Raw): TaskRow => ({
  isEdited: false, // of tasks that were stored before prompts could be edited
  ...(JSON.parse(String(raw['body'])) as Omit<TaskRow, 'no' | 'id' | 'traceId' | 'project' | 'start' | 'reference' | 'isEdited'>), // written by addTask
  no: Number(raw['no']),
  id: String(raw['id']),
  traceId: String(raw['trace_id']),
  project: String(raw['project']),
  start: String(raw['start']),
  reference: String(raw['reference']),
})

const toAttempt = (raw: Raw): Attempt => ({
  itemNo: Number(raw['item_no']),
  side: raw['side'] as Side,
  attempt: Number(raw['attempt']),
  sample: Number(raw['sample']),
  taskId: raw['task_id'] as string | null,
  state: raw['state'] as Attempt['state'],
  passed: raw['passed'] === null ? null : raw['passed'] === 1,
  detail: raw['detail'] as string | null,
  ms: raw['ms'] as number | null,
})
