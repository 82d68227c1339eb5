import type { BenchmarkName, BenchmarkResult, BenchmarkRun, BenchmarkRunRequest, BenchmarkVerdict } from '#contracts/entities/benchmark.ts'
import type { ExamIdentity } from '#contracts/entities/exam.ts'
import { type Charged, NOTHING_CHARGED } from '#server/adapters/llm/index.ts'
import type { Database } from '#server/db/open.ts'
import { invalidCursor } from '#server/db/paging.ts'
import { createRows, type Raw } from '#server/db/rows.ts'
import type { SetEnd } from '#server/runs/sets.ts'
import type { StoredItem } from './read-set.job.ts'
import type { ToolText } from './sets/types.ts'

export interface SetRow {
  no: number
  benchmark: BenchmarkName
  part: string
  sha256: string
  revision: string | null
  items: number
}

export interface RunRow {
  no: number
  id: string
  benchmark: BenchmarkName
  setNo: number
  state: BenchmarkRun['state']
  detail: string | null
  request: BenchmarkRunRequest
  model: ExamIdentity
  modelId: string | null
  label: string
  /** Numbers of its items, rising; null: all of the set. */
  chosen: number[] | null
  items: number
  samples: number
  charged: Charged
  isPriced: boolean
  contamination: BenchmarkResult['contamination']
  versions: Record<string, string>
  createdAt: number
  endedAt: number | null
}

export interface Answer {
  /** Null: no answer came, because of `error`. With a text, `error` is why it says nothing about the item. */
  text: string | null
  calls: ToolText[]
  stopped: string | null
  error: string | null
  tokens: number | null
  ms: number | null
}

export interface Verdict {
  verdict: BenchmarkVerdict
  extracted: string | null
  reason: string | null
  suspicious: string | null
  mark: string | null
}

export interface Place {
  itemNo: number
  sample: number
}

export interface StoredRow extends Place {
  id: string
  verdict: BenchmarkVerdict | null
  answer: string | null
  extracted: string | null
  reason: string | null
  suspicious: string | null
  tokens: number | null
  ms: number | null
}

export interface RowFilter {
  /** Conditions are all met. */
  verdict?: BenchmarkVerdict | undefined
  suspicious?: boolean
  ids?: readonly string[] | undefined
}

export type BenchmarkStore = ReturnType<typeof createBenchmarkStore>

/** Characters of texts in a list of rows. */
const LISTED = 400
/** Samples of an item are fewer, so that both numbers make one cursor. */
const MOST_SAMPLES = 1000

const NEW_RUN = [
  'id',
  'benchmark',
  'set_no',
  'state',
  'request',
  'model',
  'model_id',
  'label',
  'chosen',
  'items',
  'samples',
  'charged',
  'is_priced',
  'versions',
  'idempotency_key',
  'created_at',
]

/** The tables of benchmarks. Synchronous, in the caller's transaction. */
export function createBenchmarkStore(db: Database, now: () => number) {
  const addSet = db.prepare(
    `INSERT INTO benchmark_sets (benchmark, part, sha256, source, revision, items, own) VALUES (@benchmark, @part, @sha256, @source, @revision, @items, 0)
     ON CONFLICT DO UPDATE SET revision = coalesce(revision, excluded.revision)`,
  )
  const setOf = db.prepare<[string, string, string], Raw>('SELECT * FROM benchmark_sets WHERE benchmark = ? AND part = ? AND sha256 = ?')
  const setByNo = db.prepare<[number], Raw>('SELECT * FROM benchmark_sets WHERE no = ?')
  const addItem = db.prepare('INSERT INTO benchmark_items (set_no, no, id, body) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
  const item = db.prepare<[number, number], { id: string; body: string; broken: string | null }>(
    'SELECT id, body, broken FROM benchmark_items WHERE set_no = ? AND no = ?',
  )
  const countItems = db.prepare<[number], { n: number }>('SELECT count(*) AS n FROM benchmark_items WHERE set_no = ?')
  const setBroken = db.prepare('UPDATE benchmark_items SET broken = ? WHERE set_no = ? AND no = ?')

  const rows = createRows<RunRow>(db, {
    table: 'benchmark_runs',
    toRow: toRun,
    missing: { code: 'benchmark_run_not_found', what: 'run of a benchmark' },
    where: '(@benchmark IS NULL OR benchmark = @benchmark) AND (@model IS NULL OR model_id = @model)',
  })
  const insert = db.prepare(`INSERT INTO benchmark_runs (${NEW_RUN.join(', ')}) VALUES (${NEW_RUN.map((name) => `@${name}`).join(', ')})`)
  const byKey = db.prepare<[string], Raw>('SELECT * FROM benchmark_runs WHERE idempotency_key = ?')
  const running = db.prepare<[], Raw>("SELECT * FROM benchmark_runs WHERE state = 'running' ORDER BY no")
  const done = db.prepare<[], Raw>("SELECT * FROM benchmark_runs WHERE state = 'done' ORDER BY no DESC")
  const update = db.prepare(
    `UPDATE benchmark_runs SET state = @state, detail = @detail, request = @request, charged = @charged, contamination = @contamination,
       versions = @versions, ended_at = @endedAt WHERE no = @no`,
  )
  const lastFiles = db.prepare<[Raw], { files: string }>(
    `SELECT request ->> '$.files' AS files FROM benchmark_runs WHERE benchmark = @benchmark AND request ->> '$.part' = @part
       AND request ->> '$.files' IS NOT NULL AND request ->> '$.own' = 0 ORDER BY no DESC LIMIT 1`,
  )

  const addAnswer = db.prepare(
    `INSERT INTO benchmark_answers (run_no, item_no, sample, text, calls, stopped, error, tokens, ms, at)
     VALUES (@runNo, @itemNo, @sample, @text, @calls, @stopped, @error, @tokens, @ms, @at)`,
  )
  const answer = db.prepare<[number, number, number], Raw>(
    'SELECT text, calls, stopped, error, tokens, ms FROM benchmark_answers WHERE run_no = ? AND item_no = ? AND sample = ?',
  )
  const addVerdict = db.prepare(
    `INSERT INTO benchmark_verdicts (run_no, item_no, sample, verdict, extracted, reason, suspicious, mark, at)
     VALUES (@runNo, @itemNo, @sample, @verdict, @extracted, @reason, @suspicious, @mark, @at)`,
  )
  const counts = db.prepare<[number], { verdict: BenchmarkVerdict; n: number; suspicious: number }>(
    'SELECT verdict, count(*) AS n, count(suspicious) AS suspicious FROM benchmark_verdicts WHERE run_no = ? GROUP BY verdict',
  )
  const marks = db.prepare<[number], { mark: string; verdict: BenchmarkVerdict; n: number }>(
    'SELECT mark, verdict, count(*) AS n FROM benchmark_verdicts WHERE run_no = ? AND mark IS NOT NULL GROUP BY mark, verdict',
  )
  const verdicts = db.prepare<[number], { item_no: number; sample: number; verdict: BenchmarkVerdict }>(
    'SELECT item_no, sample, verdict FROM benchmark_verdicts WHERE run_no = ? ORDER BY item_no, sample',
  )
  const dropErrors = [
    `DELETE FROM benchmark_answers WHERE run_no = @runNo AND text IS NULL AND (item_no, sample) IN
       (SELECT item_no, sample FROM benchmark_verdicts WHERE run_no = @runNo AND verdict = 'error')`,
    "DELETE FROM benchmark_verdicts WHERE run_no = @runNo AND verdict = 'error'",
  ].map((sql) => db.prepare(sql))
  const LIST = `FROM benchmark_verdicts v
    LEFT JOIN benchmark_answers a ON a.run_no = v.run_no AND a.item_no = v.item_no AND a.sample = v.sample
    JOIN benchmark_items i ON i.set_no = @setNo AND i.no = v.item_no
    WHERE v.run_no = @runNo AND (@verdict IS NULL OR v.verdict = @verdict) AND (@suspicious = 0 OR v.suspicious IS NOT NULL)
      AND (@ids IS NULL OR i.id IN (SELECT value FROM json_each(@ids)))`
  const listed = db.prepare<[Raw], Raw>(
    `SELECT v.item_no, v.sample, i.id, v.verdict, substr(a.text, 1, ${LISTED}) AS text, substr(v.extracted, 1, ${LISTED}) AS extracted,
       v.reason, v.suspicious, a.tokens, a.ms ${LIST} AND (v.item_no, v.sample) > (@itemNo, @sample) ORDER BY v.item_no, v.sample LIMIT @limit`,
  )
  const countListed = db.prepare<[Raw], { n: number }>(`SELECT count(*) AS n ${LIST}`)
  const verdictAt = db.prepare<[number, number, number], Raw>(
    'SELECT verdict, extracted, reason, suspicious, mark FROM benchmark_verdicts WHERE run_no = ? AND item_no = ? AND sample = ?',
  )

  const toItem = ({ id, body, broken }: { id: string; body: string; broken: string | null }) => ({
    id,
    row: JSON.parse(body) as unknown, // written by addSet
    broken,
  })

  return {
    ...rows,
    list: (query: { benchmark?: string | undefined; model?: string | undefined; cursor?: string | undefined; limit: number }) =>
      rows.list(query, { benchmark: query.benchmark ?? null, model: query.model ?? null }),
    byKey: (key: string): RunRow | null => rows.rowOf(byKey.get(key)),
    running: (): RunRow[] => running.all().map(toRun),
    /** The newest first. */
    done: (): RunRow[] => done.all().map(toRun),
    /** Stores a set, once for each content. Returns its number. */
    addSet(set: Omit<SetRow, 'no'> & { source: string }): number {
      addSet.run(set)
      return toSet(setOf.get(set.benchmark, set.part, set.sha256)!).no
    },
    /** Those that are not stored yet. */
    addItems(setNo: number, items: readonly StoredItem[]): void {
      for (const { no, id, body } of items) addItem.run(setNo, no, id, body)
    },
    isComplete: (setNo: number): boolean => countItems.get(setNo)!.n === toSet(setByNo.get(setNo)!).items,
    set: (no: number): SetRow => toSet(setByNo.get(no)!),
    item: (setNo: number, no: number) => {
      const found = item.get(setNo, no)
      return found ? toItem(found) : null
    },
    setBroken: (setNo: number, no: number, reason: string): void => void setBroken.run(reason, setNo, no),
    /** The folder or file that the last run of a part was read from. */
    lastFiles: (benchmark: string, part: string): string | null => lastFiles.get({ benchmark, part })?.files ?? null,
    insert(
      run: Omit<RunRow, 'no' | 'state' | 'detail' | 'charged' | 'contamination' | 'endedAt' | 'createdAt'>,
      key: string | undefined,
    ): void {
      insert.run({
        id: run.id,
        benchmark: run.benchmark,
        set_no: run.setNo,
        state: 'running',
        request: JSON.stringify(run.request),
        model: JSON.stringify(run.model),
        model_id: run.modelId,
        label: run.label,
        chosen: run.chosen && JSON.stringify(run.chosen),
        items: run.items,
        samples: run.samples,
        charged: JSON.stringify(NOTHING_CHARGED),
        is_priced: Number(run.isPriced),
        versions: JSON.stringify(run.versions),
        idempotency_key: key ?? null,
        created_at: now(),
      })
    },
    change(id: string, values: Partial<SetEnd & Pick<RunRow, 'request' | 'charged' | 'contamination' | 'versions'>>): void {
      const { no, state, detail, request, charged, contamination, versions, endedAt } = { ...rows.require(id), ...values }
      update.run({
        no,
        state,
        detail,
        request: JSON.stringify(request),
        charged: JSON.stringify(charged),
        contamination: contamination && JSON.stringify(contamination),
        versions: JSON.stringify(versions),
        endedAt,
      })
    },

    addAnswer: (run: Pick<RunRow, 'no'>, { itemNo, sample }: Place, { calls, ...given }: Answer): void =>
      void addAnswer.run({ ...given, calls: JSON.stringify(calls), runNo: run.no, itemNo, sample, at: now() }),
    answer(run: Pick<RunRow, 'no'>, { itemNo, sample }: Place): Answer | null {
      const raw = answer.get(run.no, itemNo, sample)
      return raw ? { ...(raw as unknown as Answer), calls: JSON.parse(String(raw['calls'])) as ToolText[] } : null // written by addAnswer
    },
    addVerdict: (run: Pick<RunRow, 'no'>, { itemNo, sample }: Place, verdict: Verdict): void =>
      void addVerdict.run({ ...verdict, runNo: run.no, itemNo, sample, at: now() }),
    verdict(run: Pick<RunRow, 'no'>, { itemNo, sample }: Place): Verdict | null {
      return (verdictAt.get(run.no, itemNo, sample) as unknown as Verdict | undefined) ?? null // written by addVerdict
    },
    counts(run: Pick<RunRow, 'no'>): { counts: Record<BenchmarkVerdict, number>; suspicious: number } {
      const found: Record<BenchmarkVerdict, number> = { pass: 0, fail: 0, truncated: 0, timeout: 0, not_scored: 0, error: 0 }
      let suspicious = 0
      for (const { verdict, n, suspicious: marked } of counts.all(run.no)) {
        found[verdict] = n
        suspicious += marked
      }
      return { counts: found, suspicious }
    },
    marks: (run: Pick<RunRow, 'no'>) => marks.all(run.no),
    verdicts: (run: Pick<RunRow, 'no'>): (Place & { verdict: BenchmarkVerdict })[] =>
      verdicts.all(run.no).map(({ item_no: itemNo, sample, verdict }) => ({ itemNo, sample, verdict })),
    /** Answers that did not come are asked again; those that could not be scored are scored again. */
    dropErrors: (run: Pick<RunRow, 'no'>): void => dropErrors.forEach((statement) => statement.run({ runNo: run.no })),
    rows(run: RunRow, { verdict, suspicious = false, ids }: RowFilter, cursor: string | undefined, limit: number) {
      const from = cursor === undefined ? -1 : Number(cursor)
      if (!Number.isInteger(from)) throw invalidCursor()
      const filter = {
        runNo: run.no,
        setNo: run.setNo,
        verdict: verdict ?? null,
        suspicious: Number(suspicious),
        ids: ids === undefined ? null : JSON.stringify(ids),
      }
      const place = from < 0 ? { itemNo: -1, sample: 0 } : { itemNo: Math.floor(from / MOST_SAMPLES), sample: from % MOST_SAMPLES }
      const found = listed.all({ ...filter, ...place, limit: limit + 1 }).map(toStored)
      const items = found.slice(0, limit)
      const last = items.at(-1)
      return {
        items,
        nextCursor: found.length > limit && last ? String(last.itemNo * MOST_SAMPLES + last.sample) : null,
        total: countListed.get(filter)!.n,
      }
    },
  }
}

const toStored = (raw: Raw): StoredRow => ({
  itemNo: Number(raw['item_no']),
  sample: Number(raw['sample']),
  id: String(raw['id']),
  verdict: raw['verdict'] as StoredRow['verdict'],
  answer: raw['text'] as string | null,
  extracted: raw['extracted'] as string | null,
  reason: raw['reason'] as string | null,
  suspicious: raw['suspicious'] as string | null,
  tokens: raw['tokens'] as number | null,
  ms: raw['ms'] as number | null,
})

const toSet = (raw: Raw): SetRow => ({
  no: Number(raw['no']),
  benchmark: raw['benchmark'] as BenchmarkName,
  part: String(raw['part']),
  sha256: String(raw['sha256']),
  revision: raw['revision'] as string | null,
  items: Number(raw['items']),
})

function toRun(raw: Raw): RunRow {
  const json = (name: string): never => JSON.parse(String(raw[name])) as never // written by insert and change
  return {
    no: Number(raw['no']),
    id: String(raw['id']),
    benchmark: raw['benchmark'] as BenchmarkName,
    setNo: Number(raw['set_no']),
    state: raw['state'] as RunRow['state'],
    detail: raw['detail'] as string | null,
    request: json('request'),
    model: json('model'),
    modelId: raw['model_id'] as string | null,
    label: String(raw['label']),
    chosen: raw['chosen'] === null ? null : json('chosen'),
    items: Number(raw['items']),
    samples: Number(raw['samples']),
    charged: json('charged'),
    isPriced: raw['is_priced'] === 1,
    contamination: raw['contamination'] === null ? null : json('contamination'),
    versions: json('versions'),
    createdAt: Number(raw['created_at']),
    endedAt: raw['ended_at'] as number | null,
  }
}
