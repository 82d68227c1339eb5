import type { Evaluation, ExamVerdict } from '#contracts/entities/evaluation.ts'
import {
  type Exam,
  type ExamCall,
  type ExamCertificate,
  type ExamIdentity,
  ExamRequest,
  type ExamRun,
  ExamRunRequest,
} from '#contracts/entities/exam.ts'
import type { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import { AppError } from '#contracts/errors.ts'
import { isoOf } from '#server/instant.ts'
import { type Charged, NOTHING_CHARGED } from '#server/adapters/llm/index.ts'
import type { Database } from '#server/db/open.ts'
import { numberBefore, pageOf } from '#server/db/paging.ts'

export type Side = 'base' | 'model'

export interface ExamRow {
  no: number
  id: string
  kind: Exam['kind']
  state: Exam['state']
  detail: string | null
  name: string
  hash: string
  request: ExamRequest
  leftOut: { reason: string; count: number }[]
  createdAt: number
}

export interface Item {
  no: number
  id: string
  traceId: string
  repo: string | null
  stepId: string | null
  /** Null for a task. */
  call: ExamCall | null
}
export interface ItemContext {
  messages: ChatMessage[]
  tools: ToolSchema[]
}

export type NewItem = Omit<Item, 'repo' | 'call'> & ItemContext & { call: ExamCall }

export interface Sides {
  model: ExamIdentity
  base: ExamIdentity
  labels: { model: string; base: string }
}
export interface RunRow {
  no: number
  id: string
  examNo: number
  state: ExamRun['state']
  detail: string | null
  request: ExamRunRequest
  sides: Sides
  charged: Charged
  isPriced: boolean
  /** Of the thermometer: only `model` is asked, and `base` has its answers of the run `earlier`. */
  isReading: boolean
  earlier: string | null
  queuePlace: number | null
  createdAt: number
  startedAt: number | null
  endedAt: number | null
}

export interface Answer {
  /** `truncated`: cut off before its call was complete. `timeout_with_verdict`: of tasks. */
  state: 'answered' | 'truncated' | 'timeout_with_verdict' | 'error'
  call: ExamCall | null
  text: string | null
  error: string | null
  ms: number | null
  attempt: number
}
/** An answer without its text, or null if the item was not asked in the attempt that counts. */
export type Known = Omit<Answer, 'text'> | null
export interface Pair {
  item: Item
  /** The attempt that counts. */
  attempt: number
  /** Of a reading: the base is never asked. */
  isReading: boolean
  model: Known
  base: Known
}

/** A session of an exam. `texts`: what rows of data sets are compared with. */
export interface ExamSession {
  traceId: string
  repo: string | null
  texts: string[]
}

type Raw = Record<string, string | number | null>

export type ExamStore = ReturnType<typeof createExamStore>

/** The tables of exams. Synchronous, in the caller's transaction. */
export function createExamStore(db: Database, now: () => number) {
  const addExam = db.prepare(
    `INSERT INTO exams (id, kind, state, name, hash, request, left_out, created_at)
     VALUES (@id, @kind, @state, @name, @hash, @request, @leftOut, @at)`,
  )
  const addSession = db.prepare('INSERT INTO exam_sessions (exam_no, trace_id, repo, texts) VALUES (?, ?, ?, ?)')
  const addItem = db.prepare(
    `INSERT INTO exam_items (exam_no, no, id, trace_id, step_id, tool, call, context)
     VALUES (@examNo, @no, @id, @traceId, @stepId, @tool, @call, @context)`,
  )
  const setExam = db.prepare('UPDATE exams SET state = @state, detail = @detail, hash = @hash WHERE no = @no')
  const interruptExams = db.prepare("UPDATE exams SET state = 'interrupted', detail = ? WHERE state = 'making'")
  const examById = db.prepare<[string], Raw>('SELECT * FROM exams WHERE id = ?')
  const examByNo = db.prepare<[number], Raw>('SELECT * FROM exams WHERE no = ?')
  const exams = db.prepare<[number, number], Raw>('SELECT * FROM exams WHERE no < ? ORDER BY no DESC LIMIT ?')
  const countExams = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM exams')
  const sizes = db.prepare<[{ no: number }], Raw>(
    `SELECT (SELECT count(DISTINCT trace_id) FROM (SELECT trace_id FROM exam_items WHERE exam_no = @no
         UNION SELECT trace_id FROM exam_tasks WHERE exam_no = @no AND is_removed = 0)) AS sessions,
       (SELECT count(*) FROM exam_items WHERE exam_no = @no) + (SELECT count(*) FROM exam_tasks WHERE exam_no = @no AND is_removed = 0) AS items,
       (SELECT count(*) FROM exam_runs WHERE exam_no = @no) AS runs`,
  )
  const tools = db.prepare<[number], { tool: string; items: number }>(
    'SELECT tool, count(*) AS items FROM exam_items WHERE exam_no = ? GROUP BY tool ORDER BY items DESC, tool',
  )
  const sessions = db.prepare<[], Raw>('SELECT s.trace_id, e.name FROM exam_sessions s JOIN exams e ON e.no = s.exam_no ORDER BY e.no DESC')
  const texts = db.prepare<[], Raw>('SELECT s.texts, e.name FROM exam_sessions s JOIN exams e ON e.no = s.exam_no')
  const ofExam = db.prepare<[number], { trace_id: string }>('SELECT trace_id FROM exam_sessions WHERE exam_no = ?')
  const items = db.prepare<[number], Raw>(
    `SELECT i.no, i.id, i.trace_id, s.repo, i.step_id, i.call FROM exam_items i
     JOIN exam_sessions s ON s.exam_no = i.exam_no AND s.trace_id = i.trace_id WHERE i.exam_no = ? ORDER BY i.no`,
  )
  const context = db.prepare<[number, number], Raw>('SELECT context FROM exam_items WHERE exam_no = ? AND no = ?')
  const contextById = db.prepare<[number, string], Raw>('SELECT context, call FROM exam_items WHERE exam_no = ? AND id = ?')
  const chars = db.prepare<[number], { n: number }>('SELECT coalesce(sum(length(context)), 0) AS n FROM exam_items WHERE exam_no = ?')

  const addRun = db.prepare(
    `INSERT INTO exam_runs (id, exam_no, state, request, sides, charged, is_priced, is_reading, earlier, queue_place, created_at)
     VALUES (@id, @examNo, 'queued', @request, @sides, @charged, @isPriced, @isReading, @earlier, @place, @at)`,
  )
  const runById = db.prepare<[string], Raw>('SELECT * FROM exam_runs WHERE id = ?')
  const setRun = db.prepare(
    `UPDATE exam_runs SET state = @state, detail = @detail, request = @request, charged = @charged, queue_place = @queuePlace,
       started_at = @startedAt, ended_at = @endedAt WHERE no = @no`,
  )
  const runs = db.prepare<[Raw], Raw>(
    `SELECT * FROM exam_runs WHERE exam_no = @examNo AND no < @before AND (@model IS NULL OR request ->> '$.model.model' = @model)
     ORDER BY no DESC LIMIT @limit`,
  )
  const countRuns = db.prepare<[Raw], { n: number }>(
    `SELECT count(*) AS n FROM exam_runs WHERE exam_no = @examNo AND (@model IS NULL OR request ->> '$.model.model' = @model)`,
  )
  const completed = db.prepare<[number], Raw>("SELECT * FROM exam_runs WHERE exam_no = ? AND state = 'completed' ORDER BY no DESC")
  const active = db.prepare<[], Raw>("SELECT * FROM exam_runs WHERE state = 'running' ORDER BY no")
  const waiting = db.prepare<[], { id: string }>("SELECT id FROM exam_runs WHERE state = 'queued' ORDER BY queue_place, no")
  const lastPlace = db.prepare<[], { n: number }>('SELECT coalesce(max(queue_place), 0) AS n FROM exam_runs')

  const repeats = db.prepare<[number], { item_no: number; attempt: number }>('SELECT item_no, attempt FROM exam_repeats WHERE run_no = ?')
  const repeat = db.prepare(
    'INSERT INTO exam_repeats (run_no, item_no, attempt) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET attempt = excluded.attempt',
  )
  const counting = 'a.attempt = coalesce((SELECT p.attempt FROM exam_repeats p WHERE p.run_no = a.run_no AND p.item_no = a.item_no), 1)'
  const fromEarlier = [
    `INSERT OR IGNORE INTO exam_answers (run_no, item_no, side, attempt, state, call, text, error, ms, at)
     SELECT @to, n.no, 'base', 1, a.state, a.call, a.text, a.error, a.ms, a.at FROM exam_answers a
       JOIN exam_runs f ON f.no = a.run_no JOIN exam_runs t ON t.no = @to
       JOIN exam_items o ON o.exam_no = f.exam_no AND o.no = a.item_no JOIN exam_items n ON n.exam_no = t.exam_no AND n.id = o.id
     WHERE a.run_no = @from AND a.side = 'model' AND a.state <> 'error' AND ${counting}`,
    `INSERT OR IGNORE INTO exam_attempts (run_no, item_no, side, attempt, sample, task_id, trace_id, state, passed, detail, usd, ms, at)
     SELECT @to, n.no, 'base', 1, a.sample, a.task_id, a.trace_id, a.state, a.passed, a.detail, 0, a.ms, a.at FROM exam_attempts a
       JOIN exam_runs f ON f.no = a.run_no JOIN exam_runs t ON t.no = @to
       JOIN exam_tasks o ON o.exam_no = f.exam_no AND o.no = a.item_no
       JOIN exam_tasks n ON n.exam_no = t.exam_no AND n.id = o.id AND n.body ->> '$.mustPass' = o.body ->> '$.mustPass'
     WHERE a.run_no = @from AND a.side = 'model' AND ${counting}`,
  ].map((sql) => db.prepare(sql))
  const baseAgain = [
    `INSERT INTO exam_answers (run_no, item_no, side, attempt, state, call, text, error, ms, at)
     SELECT run_no, item_no, side, attempt + 1, state, call, text, error, ms, at FROM exam_answers
     WHERE run_no = @no AND item_no = @item AND side = 'base' AND attempt = @attempt`,
    `INSERT INTO exam_attempts (run_no, item_no, side, attempt, sample, task_id, trace_id, state, passed, detail, usd, ms, at)
     SELECT run_no, item_no, side, attempt + 1, sample, task_id, trace_id, state, passed, detail, usd, ms, at FROM exam_attempts
     WHERE run_no = @no AND item_no = @item AND side = 'base' AND attempt = @attempt`,
  ].map((sql) => db.prepare(sql))
  const addAnswer = db.prepare(
    `INSERT INTO exam_answers (run_no, item_no, side, attempt, state, call, text, error, ms, at)
     VALUES (@runNo, @itemNo, @side, @attempt, @state, @call, @text, @error, @ms, @at)`,
  )
  const answers = db.prepare<[number], Raw>('SELECT item_no, side, attempt, state, call, error, ms FROM exam_answers WHERE run_no = ?')
  const text = db.prepare<[number, number, string, number], { text: string | null }>(
    'SELECT text FROM exam_answers WHERE run_no = ? AND item_no = ? AND side = ? AND attempt = ?',
  )
  const certificate = db.prepare<[number], { body: string }>('SELECT body FROM exam_certificates WHERE run_no = ? ORDER BY no DESC LIMIT 1')
  const addCertificate = db.prepare('INSERT INTO exam_certificates (run_no, body, at) VALUES (?, ?, ?)')
  const verdicts = db.prepare<[string], Raw>(
    `SELECT v.run_id, v.verdict, v.against, v.at, e.id AS exam_id, e.name, v.body ->> '$.delta' AS delta, v.body ->> '$.sessions' AS sessions,
       v.body ->> '$.intervals.clustered.low' AS low, v.body ->> '$.intervals.clustered.high' AS high,
       CASE c.is_proof WHEN 1 THEN 'proof' WHEN 0 THEN 'counts' ELSE 'beside' END AS standing
     FROM model_verdicts v JOIN exams e ON e.no = v.exam_no LEFT JOIN counting_verdicts c ON c.no = v.no WHERE v.model_id = ? ORDER BY v.no`,
  )
  const times = db.prepare<[{ run: string }], { ms: number; of: 'call' | 'task' }>(
    `SELECT a.ms, 'call' AS of FROM exam_answers a JOIN exam_runs r ON r.no = a.run_no
     WHERE r.id = @run AND a.side = 'model' AND a.state = 'answered' AND a.ms IS NOT NULL
     UNION ALL
     SELECT a.ms, 'task' FROM exam_attempts a JOIN exam_runs r ON r.no = a.run_no
     WHERE r.id = @run AND a.side = 'model' AND a.passed IS NOT NULL AND a.ms IS NOT NULL`,
  )
  const forgotten = db.prepare<[string], { n: number }>('SELECT count(*) AS n FROM forgotten WHERE trace_id = ?')
  const forgetAnswers = db.prepare(
    `DELETE FROM exam_answers WHERE (run_no, item_no) IN (
       SELECT r.no, i.no FROM exam_items i JOIN exam_runs r ON r.exam_no = i.exam_no WHERE i.trace_id = ?)`,
  )
  const forgetItems = ['exam_items', 'exam_sessions'].map((table) => db.prepare(`DELETE FROM ${table} WHERE trace_id = ?`))

  const require = (id: string): ExamRow => {
    const raw = examById.get(id)
    if (!raw) throw new AppError('exam_not_found', { message: `There is no exam with the id "${id}".` })
    return toExam(raw)
  }
  const find = (id: string): RunRow | null => {
    const raw = runById.get(id)
    return raw ? toRun(raw) : null
  }
  const requireRun = (id: string): RunRow => {
    const run = find(id)
    if (!run) throw new AppError('exam_run_not_found', { message: `There is no run of an exam with the id "${id}".` })
    return run
  }
  const itemsOf = (examNo: number): Item[] => items.all(examNo).map(toItem)

  return {
    require,
    examOf: (run: RunRow): ExamRow => toExam(examByNo.get(run.examNo)!),
    add(exam: Omit<ExamRow, 'no' | 'createdAt' | 'detail'>, work: { sessions: ExamSession[]; items: NewItem[] }): number {
      const { lastInsertRowid } = addExam.run({
        ...exam,
        request: JSON.stringify(exam.request),
        leftOut: JSON.stringify(exam.leftOut),
        at: now(),
      })
      const examNo = Number(lastInsertRowid)
      for (const session of work.sessions) addSession.run(examNo, session.traceId, session.repo, JSON.stringify(session.texts))
      for (const { no, id, traceId, stepId, call, messages, tools: offered } of work.items)
        addItem.run({
          examNo,
          no,
          id,
          traceId,
          stepId,
          tool: call.name,
          call: JSON.stringify(call),
          context: JSON.stringify({ messages, tools: offered }),
        })
      return examNo
    },
    /** Holds a session out of data sets. */
    addSession: (examNo: number, { traceId, repo, texts: own }: ExamSession): void =>
      void addSession.run(examNo, traceId, repo, JSON.stringify(own)),
    changeExam: ({ no, ...exam }: ExamRow, values: Partial<Pick<ExamRow, 'state' | 'detail' | 'hash'>>): void => {
      const { state, detail, hash } = { ...exam, ...values }
      setExam.run({ no, state, detail, hash })
    },
    interruptExams: (detail: string): void => void interruptExams.run(detail),
    isForgotten: (traceId: string): boolean => (forgotten.get(traceId)?.n ?? 0) > 0,
    list(cursor: string | undefined, limit: number) {
      const rows = exams.all(numberBefore(cursor), limit + 1).map(toExam)
      return { ...pageOf(rows, limit, ({ no }) => no), total: countExams.get()!.n }
    },
    sizes(no: number): { sessions: number; items: number; runs: number; tools: { tool: string; items: number }[] } {
      const found = sizes.get({ no })!
      return { sessions: Number(found['sessions']), items: Number(found['items']), runs: Number(found['runs']), tools: tools.all(no) }
    },
    /** The sessions of all exams, with the name of the exam. */
    examined: (): Map<string, string> => new Map(sessions.all().map((raw) => [String(raw['trace_id']), String(raw['name'])])),
    examinedTexts: (): { name: string; texts: string[] }[] =>
      texts.all().map((raw) => ({ name: `exam ${raw['name']}`, texts: JSON.parse(String(raw['texts'])) as string[] })), // written by add
    sessionsOf: (examNo: number): string[] => ofExam.all(examNo).map(({ trace_id }) => trace_id),
    items: itemsOf,
    /** Characters of all that is asked. */
    chars: (examNo: number): number => chars.get(examNo)!.n,
    /** Null if the session of the item was deleted. */
    context(examNo: number, itemNo: number): ItemContext | null {
      const raw = context.get(examNo, itemNo)
      return raw ? (JSON.parse(String(raw['context'])) as ItemContext) : null // written by add
    },
    contextById(examNo: number, id: string): (ItemContext & { recorded: ExamCall }) | null {
      const raw = contextById.get(examNo, id)
      return raw ? { ...(JSON.parse(String(raw['context'])) as ItemContext), recorded: JSON.parse(String(raw['call'])) as ExamCall } : null
    },

    /** What exams decided about a model of the registry, oldest first. */
    verdictsOf: (modelId: string): Evaluation[] => verdicts.all(modelId).map(toEvaluation),
    /** How long the examined model took for a call or a task of a run: the median. Null if that was not measured. */
    paceOf(run: string): { ms: number; n: number; of: 'call' | 'task' } | null {
      const all = times.all({ run }).toSorted((a, b) => a.ms - b.ms)
      const middle = all[Math.floor(all.length / 2)]
      return middle ? { ...middle, n: all.length } : null
    },
    find,
    requireRun,
    /** The run of this exam. Throws `exam_not_found` or `exam_run_not_found`. */
    runOf(examId: string, id: string): RunRow {
      const { no } = require(examId)
      const run = requireRun(id)
      if (run.examNo !== no) throw new AppError('exam_run_not_found')
      return run
    },
    addRun(run: Pick<RunRow, 'id' | 'examNo' | 'request' | 'sides' | 'isPriced'> & Partial<Pick<RunRow, 'isReading' | 'earlier'>>): void {
      addRun.run({
        id: run.id,
        examNo: run.examNo,
        request: JSON.stringify(run.request),
        sides: JSON.stringify(run.sides),
        charged: JSON.stringify(NOTHING_CHARGED),
        isPriced: Number(run.isPriced),
        isReading: Number(run.isReading ?? false),
        earlier: run.earlier ?? null,
        place: lastPlace.get()!.n + 1,
        at: now(),
      })
    },
    change(
      id: string,
      values: Partial<Pick<RunRow, 'state' | 'detail' | 'request' | 'charged' | 'queuePlace' | 'startedAt' | 'endedAt'>>,
    ): void {
      const { no, state, detail, request, charged, queuePlace, startedAt, endedAt } = { ...requireRun(id), ...values }
      setRun.run({ no, state, detail, request: JSON.stringify(request), charged: JSON.stringify(charged), queuePlace, startedAt, endedAt })
    },
    runs(examNo: number, { model = null, cursor, limit }: { model?: string | null; cursor?: string | undefined; limit: number }) {
      const rows = runs.all({ examNo, model, before: numberBefore(cursor), limit: limit + 1 }).map(toRun)
      return { ...pageOf(rows, limit, ({ no }) => no), total: countRuns.get({ examNo, model })!.n }
    },
    completed: (examNo: number): RunRow[] => completed.all(examNo).map(toRun),
    active: (): RunRow[] => active.all().map(toRun),
    queue: (): string[] => waiting.all().map(({ id }) => id),
    nextPlace: (): number => lastPlace.get()!.n + 1,

    /** The attempt of an item that counts. */
    attemptOf(run: RunRow): (itemNo: number) => number {
      const attempts = new Map(repeats.all(run.no).map(({ item_no, attempt }) => [item_no, attempt]))
      return (itemNo) => attempts.get(itemNo) ?? 1
    },
    /** Every item with the answers of the attempt that counts. */
    pairs(run: RunRow): Pair[] {
      const attemptOf = this.attemptOf(run)
      const found = new Map(answers.all(run.no).map((raw) => [`${raw['item_no']} ${raw['side']} ${raw['attempt']}`, toAnswer(raw)]))
      return itemsOf(run.examNo).map((item) => {
        const attempt = attemptOf(item.no)
        const of = (side: Side) => found.get(`${item.no} ${side} ${attempt}`) ?? null
        return { item, attempt, isReading: run.isReading, model: of('model'), base: of('base') }
      })
    },
    textOf: (run: RunRow, itemNo: number, side: Side, attempt: number): string | null =>
      text.get(run.no, itemNo, side, attempt)?.text ?? null,
    addAnswer: (run: RunRow, itemNo: number, side: Side, { call, ...answer }: Answer): void =>
      void addAnswer.run({ ...answer, runNo: run.no, itemNo, side, call: call && JSON.stringify(call), at: now() }),
    /** Copies what a model answered in an earlier run, as the base of this one: the items that both have. */
    copyEarlier(from: number, to: number): void {
      for (const statement of fromEarlier) statement.run({ from, to })
    },
    /** Copies what the base has of an item to its next attempt. */
    keepBase(run: RunRow, item: number, attempt: number): void {
      for (const statement of baseAgain) statement.run({ no: run.no, item, attempt })
    },
    repeat: (run: RunRow, itemNo: number, attempt: number): void => void repeat.run(run.no, itemNo, attempt),

    certificate(run: RunRow): ExamCertificate | null {
      const raw = certificate.get(run.no)
      return raw ? (JSON.parse(raw.body) as ExamCertificate) : null // written by addCertificate
    },
    addCertificate: (run: RunRow, body: ExamCertificate): void => void addCertificate.run(run.no, JSON.stringify(body), now()),
    /** Call only when the user permanently removes the session: its items end with it. */
    forget(traceId: string): void {
      forgetAnswers.run(traceId)
      for (const statement of forgetItems) statement.run(traceId)
    },
  }
}

const toExam = (raw: Raw): ExamRow => ({
  no: Number(raw['no']),
  id: String(raw['id']),
  kind: raw['kind'] as ExamRow['kind'],
  state: raw['state'] as ExamRow['state'],
  detail: raw['detail'] as string | null,
  name: String(raw['name']),
  hash: String(raw['hash']),
  request: ExamRequest.parse(JSON.parse(String(raw['request']))), // of earlier versions too
  leftOut: JSON.parse(String(raw['left_out'])) as ExamRow['leftOut'], // written by add
  createdAt: Number(raw['created_at']),
})

const toItem = (raw: Raw): Item => ({
  no: Number(raw['no']),
  id: String(raw['id']),
  traceId: String(raw['trace_id']),
  repo: raw['repo'] as string | null,
  stepId: raw['step_id'] as string | null,
  call: JSON.parse(String(raw['call'])) as ExamCall, // written by add
})

const toRun = (raw: Raw): RunRow => ({
  no: Number(raw['no']),
  id: String(raw['id']),
  examNo: Number(raw['exam_no']),
  state: raw['state'] as RunRow['state'],
  detail: raw['detail'] as string | null,
  request: ExamRunRequest.parse(JSON.parse(String(raw['request']))), // of earlier versions too
  sides: JSON.parse(String(raw['sides'])) as Sides, // written by addRun
  charged: JSON.parse(String(raw['charged'])) as Charged, // written by addRun and change
  isPriced: raw['is_priced'] === 1,
  isReading: raw['is_reading'] === 1,
  earlier: raw['earlier'] as string | null,
  queuePlace: raw['queue_place'] as number | null,
  createdAt: Number(raw['created_at']),
  startedAt: raw['started_at'] as number | null,
  endedAt: raw['ended_at'] as number | null,
})

const toAnswer = (raw: Raw): NonNullable<Known> => ({
  state: raw['state'] as Answer['state'],
  call: raw['call'] === null ? null : (JSON.parse(String(raw['call'])) as ExamCall), // written by addAnswer
  error: raw['error'] as string | null,
  ms: raw['ms'] as number | null,
  attempt: Number(raw['attempt']),
})

const toEvaluation = (raw: Raw): Evaluation => {
  const [name, against] = [String(raw['name']), String(raw['against'])]
  return {
    name: `Exam ${name}: difference from ${against}`,
    value: raw['delta'] as number | null,
    n: Number(raw['sessions']),
    at: isoOf(Number(raw['at'])),
    exam: {
      examId: String(raw['exam_id']),
      run: String(raw['run_id']),
      name,
      against,
      verdict: raw['verdict'] as ExamVerdict, // of a certificate
      standing: raw['standing'] as NonNullable<Evaluation['exam']>['standing'],
      interval: raw['low'] === null || raw['high'] === null ? null : { low: Number(raw['low']), high: Number(raw['high']) },
    },
  }
}
