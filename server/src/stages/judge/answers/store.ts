import { hash } from 'node:crypto'
import type {
  AnswerLabel,
  AnswerRunRequest,
  CaseCheck,
  EvaluationCase,
  EvaluationSet,
  Rubric,
  RubricText,
} from '#contracts/entities/answer.ts'
import { AnswerMetric, type LabelMetric } from '#contracts/entities/answer.ts'
import type { ExamIdentity } from '#contracts/entities/exam.ts'
import { type Charged, NOTHING_CHARGED } from '#server/adapters/llm/index.ts'
import type { Database } from '#server/db/open.ts'
import { numberBefore, pageOf } from '#server/db/paging.ts'
import { createRows, numberAfter, type Raw } from '#server/db/rows.ts'
import { isoOf } from '#server/instant.ts'
import type { SetEnd, SetState } from '#server/runs/sets.ts'
import type { Grade } from './grade.ts'
import { DEFAULT_RUBRICS, METRICS } from './rubrics.ts'

/** What a run was prepared with; never changed. */
export interface RunFacts {
  model: ExamIdentity | null
  answerer: ExamIdentity | null
  labels: { model: string | null; answerer: string | null }
  /** By metric, as they were when the run was prepared. */
  rubrics: Record<string, { version: number; body: RubricText }>
  leftOut: { reason: string; count: number }[]
  /** Models that wrote the answers, where that is known. */
  writers: string[]
  isPriced: boolean
  /** Numbers of the cases whose prompt was changed by the gate; missing in runs of earlier versions. */
  replaced?: number[]
  /** Ids of the answers in the shadow, by the number of the item; missing in other runs. */
  shadow?: string[]
}

export interface RunRow extends SetEnd {
  no: number
  id: string
  kind: Exclude<AnswerRunRequest['source']['kind'], 'shadow'>
  setId: string | null
  title: string
  request: AnswerRunRequest
  facts: RunFacts
  charged: Charged
  total: number
  createdAt: number
  startedAt: number | null
}

export interface ItemRow {
  no: number
  /** Null until it is answered. */
  hash: string | null
  traceId: string | null
  title: string | null
  prompt: string
  system: string | null
  response: string | null
  other: string | null
  findings: Record<string, number>
  check: CaseCheck | null
  rubric: RubricText | null
  verdict: 'passed' | 'failed' | 'not_scored' | null
  why: string | null
}
export type NewItem = Omit<ItemRow, 'no' | 'hash' | 'verdict' | 'why'>

/** One question of a run: a metric of an item, or `answer` for answering a case. */
export interface Unit {
  itemNo: number
  metric: string
  repeat: number
}
export interface GradeRow extends Unit, Grade {
  isCached: boolean
}

export const ANSWER = 'answer'
export const SELF_TEST = 'self_test'

export type AnswerStore = ReturnType<typeof createAnswerStore>

/** By which a label finds its answer in every run. */
export const answerHash = (prompt: string, response: string): string => hash('sha256', JSON.stringify([prompt, response]))

/** The tables of answers. Synchronous, in the caller's transaction. */
export function createAnswerStore(db: Database, now: () => number) {
  const rubrics = db.prepare<[], Raw>('SELECT * FROM answer_rubrics ORDER BY metric, version DESC')
  const addRubric = db.prepare('INSERT INTO answer_rubrics (metric, version, body, at) VALUES (?, ?, ?, ?)')

  const addSet = db.prepare('INSERT INTO answer_sets (id, name, hash, created_at) VALUES (?, ?, ?, ?)')
  const addCase = db.prepare('INSERT INTO answer_cases (set_no, no, trace_id, body) VALUES (?, ?, ?, ?)')
  const caseCounts = db.prepare<[number], { cases: number; checked: number; graded: number }>(
    `SELECT count(*) AS cases, count(body ->> '$.check') AS checked, count(body ->> '$.rubric') AS graded FROM answer_cases WHERE set_no = ?`,
  )
  const casesOf = db.prepare<[number, number, number], Raw>(
    'SELECT no, body FROM answer_cases WHERE set_no = ? AND no > ? ORDER BY no LIMIT ?',
  )

  const addRun = db.prepare(
    `INSERT INTO answer_runs (id, kind, set_id, title, state, request, facts, charged, total, created_at)
     VALUES (@id, @kind, @setId, @title, 'stopped', @request, @facts, @charged, @total, @at)`,
  )
  const setEnd = db.prepare(
    'UPDATE answer_runs SET state = @state, detail = @detail, ended_at = @endedAt, started_at = @startedAt WHERE id = @id',
  )
  const setRequest = db.prepare('UPDATE answer_runs SET request = ? WHERE id = ?')
  const setCharged = db.prepare('UPDATE answer_runs SET charged = ? WHERE id = ?')
  const running = db.prepare<[], Raw>("SELECT * FROM answer_runs WHERE state = 'running' ORDER BY no")
  const listed = db.prepare<[Raw], Raw>(
    `SELECT * FROM answer_runs WHERE no < @before AND (@kind IS NULL OR kind = @kind) AND (@set IS NULL OR set_id = @set)
     ORDER BY no DESC LIMIT @limit`,
  )
  const countRuns = db.prepare<[Raw], { n: number }>(
    'SELECT count(*) AS n FROM answer_runs WHERE (@kind IS NULL OR kind = @kind) AND (@set IS NULL OR set_id = @set)',
  )

  const addItem = db.prepare(
    `INSERT INTO answer_items (run_no, no, hash, trace_id, title, prompt, system, response, other, findings, rule, rubric)
     VALUES (@runNo, @no, @hash, @traceId, @title, @prompt, @system, @response, @other, @findings, @rule, @rubric)`,
  )
  const answerItem = db.prepare('UPDATE answer_items SET response = ?, hash = ?, verdict = ?, why = ? WHERE run_no = ? AND no = ?')
  const item = db.prepare<[number, number], Raw>('SELECT * FROM answer_items WHERE run_no = ? AND no = ?')
  const items = db.prepare<[number, number, number], Raw>('SELECT * FROM answer_items WHERE run_no = ? AND no > ? ORDER BY no LIMIT ?')
  const outline = db.prepare<[number], Raw>(
    `SELECT no, has_rubric, verdict, findings, prompt_chars, answer_chars, other_chars FROM answer_items WHERE run_no = ? ORDER BY no`,
  )
  const countItems = db.prepare<[number], { n: number }>('SELECT count(*) AS n FROM answer_items WHERE run_no = ?')
  const ofSession = db.prepare<[string], { id: string }>(
    'SELECT DISTINCT r.id FROM answer_runs r JOIN answer_items i ON i.run_no = r.no WHERE i.trace_id = ?',
  )
  const setTotal = db.prepare('UPDATE answer_runs SET total = ? WHERE id = ?')
  const forgotten = db.prepare<[string], { n: number }>('SELECT count(*) AS n FROM forgotten WHERE trace_id = ?')
  const forgetItems = db.prepare('DELETE FROM answer_items WHERE trace_id = ?')
  const forgetCases = db.prepare('DELETE FROM answer_cases WHERE trace_id = ?')
  const ofTrace = '(run_no, item_no) IN (SELECT run_no, no FROM answer_items WHERE trace_id = ?)'
  const forgetKnown = db.prepare(`DELETE FROM answer_known WHERE key IN (SELECT key FROM answer_grades WHERE ${ofTrace})`)
  const forgetGrades = db.prepare(`DELETE FROM answer_grades WHERE ${ofTrace}`)
  const forgetLabels = db.prepare('DELETE FROM answer_labels WHERE hash IN (SELECT hash FROM answer_items WHERE trace_id = ?)')

  const addGrade = db.prepare(
    `INSERT OR REPLACE INTO answer_grades (run_no, item_no, metric, repeat, raw, reasoning, evidence, text, error, is_owed, is_cached, key, at)
     VALUES (@runNo, @itemNo, @metric, @repeat, @raw, @reasoning, @evidence, @text, @error, @isOwed, @isCached, @key, @at)`,
  )
  const grades = db.prepare<[number], Raw>(
    'SELECT item_no, metric, repeat, raw, error, is_owed FROM answer_grades WHERE run_no = ? ORDER BY item_no, metric, repeat',
  )
  const gradesOfItem = db.prepare<[number, number], Raw>(
    'SELECT * FROM answer_grades WHERE run_no = ? AND item_no = ? ORDER BY metric, repeat',
  )
  const counts = db.prepare<[number, number], { done: number; owed: number }>(
    `SELECT (SELECT count(*) FROM answer_grades WHERE run_no = ?) AS done,
       (SELECT count(*) FROM answer_grades WHERE run_no = ? AND is_owed = 1) AS owed`,
  )
  const dropOwed = db.prepare('DELETE FROM answer_grades WHERE run_no = ? AND is_owed = 1')
  const known = db.prepare<[string], Raw>('SELECT * FROM answer_known WHERE key = ?')
  const addKnown = db.prepare('INSERT OR IGNORE INTO answer_known (key, raw, reasoning, evidence, text) VALUES (?, ?, ?, ?, ?)')

  const putLabel = db.prepare(
    `INSERT INTO answer_labels (hash, metric, scale, value, at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET scale = excluded.scale, value = excluded.value, at = excluded.at`,
  )
  const dropLabel = db.prepare('DELETE FROM answer_labels WHERE hash = ? AND metric = ?')
  const labelsOf = db.prepare<[string], AnswerLabel>('SELECT metric, scale, value FROM answer_labels WHERE hash = ? ORDER BY metric')
  const labelled = db.prepare<[], Raw>(
    `SELECT l.hash, l.metric, l.scale, l.value, g.raw, r.facts ->> '$.labels.model' AS model,
       json_extract(r.facts, '$.rubrics.' || l.metric || '.version') AS version
     FROM answer_labels l JOIN answer_items i ON i.hash = l.hash
     JOIN answer_grades g ON g.run_no = i.run_no AND g.item_no = i.no AND g.metric = l.metric AND g.repeat = 0 AND g.raw IS NOT NULL
     JOIN answer_runs r ON r.no = i.run_no ORDER BY r.no`,
  )
  const traceMean = db.prepare<[number, number], { mean: number | null }>(
    `SELECT avg((raw - 1) / 4.0) AS mean FROM answer_grades WHERE run_no = ? AND item_no = ? AND repeat = 0 AND raw IS NOT NULL`,
  )

  const runs = createRows(db, {
    table: 'answer_runs',
    toRow: toRun,
    missing: { code: 'answer_run_not_found', what: 'run that grades answers' },
  })
  const missingSet = { code: 'answer_set_not_found' as const, what: 'own evaluation set' }
  const sets = createRows(db, { table: 'answer_sets', toRow: (raw) => ({ no: Number(raw['no']), raw }), missing: missingSet })
  const toSet = ({ no, raw }: { no: number; raw: Raw }): EvaluationSet => ({
    id: String(raw['id']),
    name: String(raw['name']),
    hash: String(raw['hash']),
    createdAt: isoOf(Number(raw['created_at'])),
    ...caseCounts.get(no)!,
  })
  const current = (): Rubric[] => {
    const stored = rubrics.all().map((raw): Rubric => ({
      metric: AnswerMetric.parse(raw['metric']),
      version: Number(raw['version']),
      createdAt: isoOf(Number(raw['at'])),
      ...(JSON.parse(String(raw['body'])) as RubricText), // written by saveRubric
    }))
    return METRICS.flatMap((metric) => [
      ...stored.filter((one) => one.metric === metric),
      { metric, version: 0, createdAt: null, ...DEFAULT_RUBRICS[metric] },
    ])
  }

  return {
    rubrics: current,
    /** The current one. */
    rubric: (metric: AnswerMetric): Rubric => current().find((one) => one.metric === metric)!,
    saveRubric(metric: AnswerMetric, body: RubricText): void {
      addRubric.run(metric, current().find((one) => one.metric === metric)!.version + 1, JSON.stringify(body), now())
    },

    addSet(set: { id: string; name: string }, cases: readonly EvaluationCase[]): void {
      const bodies = cases.map((one) => JSON.stringify(one))
      const { lastInsertRowid } = addSet.run(set.id, set.name, hash('sha256', bodies.join('\n')), now())
      for (const [no, one] of cases.entries()) addCase.run(Number(lastInsertRowid), no, one.traceId ?? null, bodies[no])
    },
    set: (id: string): EvaluationSet => toSet(sets.require(id)),
    sets(query: { cursor?: string | undefined; limit: number }) {
      const { items: rows, ...page } = sets.list(query)
      return { items: rows.map(toSet), ...page }
    },
    cases(id: string, cursor: string | undefined, limit: number) {
      const { no } = sets.require(id)
      const rows = casesOf
        .all(no, numberAfter(cursor), limit + 1)
        .map((raw) => ({ id: `${id}-${raw['no']}`, no: Number(raw['no']), ...(JSON.parse(String(raw['body'])) as EvaluationCase) })) // written by addSet
      return { ...pageOf(rows, limit, (row) => row.no), total: caseCounts.get(no)!.cases }
    },

    require: runs.require,
    get: runs.get,
    byKey: (): null => null,
    addRun(run: Pick<RunRow, 'id' | 'kind' | 'setId' | 'title' | 'request' | 'facts' | 'total'>, list: readonly NewItem[]): void {
      const { lastInsertRowid } = addRun.run({
        ...run,
        request: JSON.stringify(run.request),
        facts: JSON.stringify(run.facts),
        charged: JSON.stringify(NOTHING_CHARGED),
        at: now(),
      })
      for (const [no, { check, rubric, findings, ...one }] of list.entries())
        addItem.run({
          ...one,
          runNo: Number(lastInsertRowid),
          no,
          hash: one.response === null || one.other !== null ? null : answerHash(one.prompt, one.response),
          findings: JSON.stringify(findings),
          rule: check && JSON.stringify(check),
          rubric: rubric && JSON.stringify(rubric),
        })
    },
    change(id: string, { state, detail, endedAt }: SetEnd): void {
      const row = runs.require(id)
      setEnd.run({ id, state, detail, endedAt, startedAt: state === 'running' ? (row.startedAt ?? now()) : row.startedAt })
    },
    setRequest: (id: string, request: AnswerRunRequest): void => void setRequest.run(JSON.stringify(request), id),
    setCharged: (id: string, charged: Charged): void => void setCharged.run(JSON.stringify(charged), id),
    running: (): RunRow[] => running.all().map(toRun),
    list({
      kind = null,
      set = null,
      cursor,
      limit,
    }: {
      kind?: string | null | undefined
      set?: string | null | undefined
      cursor?: string | undefined
      limit: number
    }) {
      const rows = listed.all({ kind, set, before: numberBefore(cursor), limit: limit + 1 }).map(toRun)
      return { ...pageOf(rows, limit, ({ no }) => no), total: countRuns.get({ kind, set })!.n }
    },

    item(run: Pick<RunRow, 'no'>, no: number): ItemRow | null {
      const raw = item.get(run.no, no)
      return raw ? toItem(raw) : null
    },
    items(run: Pick<RunRow, 'no'>, cursor: string | undefined, limit: number) {
      const rows = items.all(run.no, numberAfter(cursor), limit + 1).map(toItem)
      return { ...pageOf(rows, limit, ({ no }) => no), total: countItems.get(run.no)!.n }
    },
    /** The items without their texts. */
    outline: (run: Pick<RunRow, 'no'>) =>
      outline.all(run.no).map((raw) => ({
        no: Number(raw['no']),
        hasRubric: raw['has_rubric'] === 1,
        verdict: raw['verdict'] as ItemRow['verdict'],
        findings: JSON.parse(String(raw['findings'])) as Record<string, number>, // written by addRun
        promptChars: Number(raw['prompt_chars']),
        answerChars: raw['answer_chars'] as number | null,
        otherChars: raw['other_chars'] as number | null,
      })),
    answer(run: Pick<RunRow, 'no'>, one: ItemRow, { response, verdict, why }: Pick<ItemRow, 'response' | 'verdict' | 'why'>): void {
      answerItem.run(response, response === null ? null : answerHash(one.prompt, response), verdict, why, run.no, one.no)
    },
    addGrade(run: Pick<RunRow, 'no'>, { evidence, isOwed, isCached, ...row }: GradeRow, key: string | null): void {
      addGrade.run({
        ...row,
        runNo: run.no,
        evidence: JSON.stringify(evidence),
        isOwed: Number(isOwed),
        isCached: Number(isCached),
        key,
        at: now(),
      })
    },
    /** Without their texts. */
    grades: (run: Pick<RunRow, 'no'>) =>
      grades.all(run.no).map((raw) => ({
        ...unitOf(raw),
        raw: raw['raw'] as number | null,
        error: raw['error'] as string | null,
        isOwed: raw['is_owed'] === 1,
      })),
    gradesOf: (run: Pick<RunRow, 'no'>, itemNo: number): GradeRow[] => gradesOfItem.all(run.no, itemNo).map(toGrade),
    counts: (run: Pick<RunRow, 'no'>) => counts.get(run.no, run.no)!,
    dropOwed: (run: Pick<RunRow, 'no'>): void => void dropOwed.run(run.no),
    /** The grade of an equal question; errors are never among them. */
    known(key: string): Grade | null {
      const raw = known.get(key)
      return raw ? { ...partsOf(raw), error: null, isOwed: false } : null
    },
    addKnown(key: string, { raw, reasoning, evidence, text }: Grade): void {
      if (raw !== null) addKnown.run(key, raw, reasoning, JSON.stringify(evidence), text)
    },
    meanOf: (run: Pick<RunRow, 'no'>, itemNo: number): number | null => traceMean.get(run.no, itemNo)?.mean ?? null,

    label(answer: string, metric: LabelMetric, scale: AnswerLabel['scale'], value: number | null): void {
      if (value === null) dropLabel.run(answer, metric)
      else putLabel.run(answer, metric, scale, value, now())
    },
    labels: (answer: string): AnswerLabel[] => labelsOf.all(answer),
    /** Labels with the grade of the same answer, older runs first. */
    labelled: () =>
      labelled.all().map((raw) => ({
        hash: String(raw['hash']),
        metric: String(raw['metric']),
        scale: raw['scale'] as AnswerLabel['scale'],
        value: Number(raw['value']),
        raw: Number(raw['raw']),
        model: String(raw['model']),
        version: raw['version'] as number | null,
      })),
    isForgotten: (traceId: string): boolean => forgotten.get(traceId)!.n > 0,
    /** Runs with an answer of this session. */
    runsOf: (traceId: string): string[] => ofSession.all(traceId).map(({ id }) => id),
    setTotal: (id: string, total: number): void => void setTotal.run(total, id),
    /** Call only when the user permanently removes the session. */
    forget(traceId: string): void {
      for (const statement of [forgetKnown, forgetGrades, forgetLabels, forgetItems, forgetCases]) statement.run(traceId)
    },
  }
}

const unitOf = (raw: Raw): Unit => ({ itemNo: Number(raw['item_no']), metric: String(raw['metric']), repeat: Number(raw['repeat']) })
const partsOf = (raw: Raw) => ({
  raw: raw['raw'] as number | null,
  reasoning: raw['reasoning'] as string | null,
  evidence: JSON.parse(String(raw['evidence'])) as string[], // written by addGrade or addKnown
  text: raw['text'] as string | null,
})
const toGrade = (raw: Raw): GradeRow => ({
  ...unitOf(raw),
  ...partsOf(raw),
  error: raw['error'] as string | null,
  isOwed: raw['is_owed'] === 1,
  isCached: raw['is_cached'] === 1,
})

const parsed = (raw: Raw, column: string): unknown => (raw[column] === null ? null : JSON.parse(String(raw[column]))) // written by addRun
const toItem = (raw: Raw): ItemRow => ({
  no: Number(raw['no']),
  hash: raw['hash'] as string | null,
  traceId: raw['trace_id'] as string | null,
  title: raw['title'] as string | null,
  prompt: String(raw['prompt']),
  system: raw['system'] as string | null,
  response: raw['response'] as string | null,
  other: raw['other'] as string | null,
  findings: parsed(raw, 'findings') as ItemRow['findings'],
  check: parsed(raw, 'rule') as CaseCheck | null,
  rubric: parsed(raw, 'rubric') as RubricText | null,
  verdict: raw['verdict'] as ItemRow['verdict'],
  why: raw['why'] as string | null,
})

const toRun = (raw: Raw): RunRow => ({
  no: Number(raw['no']),
  id: String(raw['id']),
  kind: raw['kind'] as RunRow['kind'],
  setId: raw['set_id'] as string | null,
  title: String(raw['title']),
  state: raw['state'] as SetState,
  detail: raw['detail'] as string | null,
  request: JSON.parse(String(raw['request'])) as AnswerRunRequest, // as the contract checked it
  facts: JSON.parse(String(raw['facts'])) as RunFacts, // written by addRun
  charged: JSON.parse(String(raw['charged'])) as Charged, // written by setCharged
  total: Number(raw['total']),
  createdAt: Number(raw['created_at']),
  startedAt: raw['started_at'] as number | null,
  endedAt: raw['ended_at'] as number | null,
})
