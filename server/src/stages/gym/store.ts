import { isoOf } from '#server/instant.ts'
import type { RunCheckpoint, RunHealth, RunLogLine, RunSample, RunState, SystemPoint } from '#contracts/entities/run.ts'
import { AppError } from '#contracts/errors.ts'
import { TrainSettings, type TrainStrategy } from '#contracts/trainer.ts'
import type { EngineHandle } from '#server/adapters/engine/types.ts'
import { likeAnywhere } from '#server/db/like.ts'
import type { Database } from '#server/db/open.ts'
import { numberBefore, pageOf } from '#server/db/paging.ts'
import type { RequestedAction } from '#server/runs/types.ts'
import { type Live, NOTHING_YET } from './live.ts'
import type { RunSetup, RunError, RunRow } from './row.ts'

interface StoredRun {
  no: number
  id: string
  name: string
  state: RunState
  strategy: TrainStrategy
  base_model: string
  dataset_id: string | null
  dataset_name: string | null
  asked: string
  queue_place: number | null
  handle: string | null
  wish: RequestedAction | null
  live: string
  error: string | null
  health: string
  tags: string
  note: string | null
  starred: 0 | 1
  model_id: string | null
  size_bytes: number | null
  created_at: number
  started_at: number | null
  ended_at: number | null
}

/** This store wrote the JSON, so callers may cast it. */
const parseJson = (text: string | null): unknown => JSON.parse(text ?? 'null')

/** Fills in the defaults of settings that did not exist when the run was stored. */
const askedOf = (asked: RunSetup): RunSetup => ({ ...asked, settings: TrainSettings.parse(asked.settings) })

const toRow = (row: StoredRun): RunRow => ({
  no: row.no,
  id: row.id,
  name: row.name,
  state: row.state,
  strategy: row.strategy,
  baseModel: row.base_model,
  datasetId: row.dataset_id,
  datasetName: row.dataset_name,
  setup: askedOf(parseJson(row.asked) as RunSetup),
  queuePlace: row.queue_place,
  handle: parseJson(row.handle) as EngineHandle | null,
  requestedAction: row.wish,
  live: { ...NOTHING_YET, ...(parseJson(row.live) as Live) }, // a row of an earlier version may lack fields
  error: parseJson(row.error) as RunError | null,
  health: parseJson(row.health) as RunHealth[],
  tags: parseJson(row.tags) as string[],
  note: row.note,
  starred: row.starred === 1,
  modelId: row.model_id,
  sizeBytes: row.size_bytes,
  createdAt: row.created_at,
  startedAt: row.started_at,
  endedAt: row.ended_at,
})

type QueueFlag = 'paused' | 'continueAfterFailure'
export interface RunFilter {
  state?: readonly RunState[] | undefined
  strategy?: TrainStrategy | undefined
  datasetId?: string | undefined
  q?: string | undefined
  starred?: boolean | undefined
}

/** Columns that `change` can set. */
export type RunChange = Partial<
  Pick<RunRow, 'name' | 'state' | 'queuePlace' | 'handle' | 'requestedAction' | 'error' | 'health' | 'tags' | 'note' | 'starred'> &
    Pick<RunRow, 'modelId' | 'sizeBytes' | 'startedAt' | 'endedAt' | 'live'>
>

const COLUMNS: Record<keyof RunChange, string> = {
  name: 'name',
  state: 'state',
  queuePlace: 'queue_place',
  handle: 'handle',
  requestedAction: 'wish',
  error: 'error',
  health: 'health',
  tags: 'tags',
  note: 'note',
  starred: 'starred',
  modelId: 'model_id',
  sizeBytes: 'size_bytes',
  startedAt: 'started_at',
  endedAt: 'ended_at',
  live: 'live',
}

/** Prepared statements over the tables of runs. Synchronous, in the caller's transaction. */
export function createRunStore(db: Database, now: () => number) {
  const insert = db.prepare(
    `INSERT INTO runs (id, idempotency_key, name, state, strategy, base_model, dataset_id, dataset_name, asked, matrix_id, queue_place, live, tags, created_at)
     VALUES (@id, @key, @name, 'queued', @strategy, @baseModel, @datasetId, @datasetName, @setup, @matrixId,
       (SELECT coalesce(max(queue_place), 0) + 1 FROM runs), @live, @tags, @at)`,
  )
  const byId = db.prepare<[string], StoredRun>('SELECT * FROM runs WHERE id = ?')
  const byKey = db.prepare<[string], StoredRun>('SELECT * FROM runs WHERE idempotency_key = ?')
  const waiting = db.prepare<[], { id: string }>("SELECT id FROM runs WHERE state = 'queued' ORDER BY queue_place, no")
  const firstPlace = db.prepare<[], { place: number }>('SELECT coalesce(min(queue_place), 1) AS place FROM runs')
  const active = db.prepare<[], StoredRun>("SELECT * FROM runs WHERE state IN ('preparing', 'running', 'pausing') ORDER BY no")
  const unfinished = db.prepare<[], StoredRun>("SELECT * FROM runs WHERE state NOT IN ('completed', 'failed', 'cancelled') ORDER BY no")
  const states = db.prepare<[], { state: RunState; n: number }>('SELECT state, count(*) AS n FROM runs GROUP BY state')
  const ofMatrix = db.prepare<[string], StoredRun>('SELECT * FROM runs WHERE matrix_id = ? ORDER BY no')
  const remove = db.prepare('DELETE FROM runs WHERE id = ?')
  const ofDataset = db.prepare<[string], { id: string; name: string; model_id: string | null }>(
    'SELECT id, name, model_id FROM runs WHERE dataset_id = ? ORDER BY no',
  )
  const addLine = db.prepare('INSERT INTO run_lines (run_no, n, at, stream, level, text) VALUES (?, ?, ?, ?, ?, ?)')
  const addSystem = db.prepare('INSERT OR REPLACE INTO run_system (run_no, seq, point) VALUES (?, ?, ?)')
  const addSample = db.prepare('INSERT OR REPLACE INTO run_samples (run_no, seq, step, source, sample) VALUES (?, ?, ?, ?, ?)')
  const addCheckpoint = db.prepare('INSERT OR REPLACE INTO run_checkpoints (run_no, step, path, best) VALUES (?, ?, ?, ?)')
  const dropSamples = db.prepare('DELETE FROM run_samples WHERE run_no = ? AND step >= ?')
  const checkpoints = db.prepare<[number], { step: number; path: string; best: 0 | 1 }>(
    'SELECT step, path, best FROM run_checkpoints WHERE run_no = ? ORDER BY step',
  )
  const systemRows = db.prepare<[number], { point: string }>('SELECT point FROM run_system WHERE run_no = ? ORDER BY seq')
  const presets = db.prepare<[], { name: string; request: string }>('SELECT name, request FROM run_presets ORDER BY name')
  const putPreset = db.prepare('INSERT OR REPLACE INTO run_presets (name, request, at) VALUES (?, ?, ?)')
  const dropPreset = db.prepare('DELETE FROM run_presets WHERE name = ?')
  const readFlag = db.prepare<[string], { value: number }>('SELECT value FROM run_queue WHERE name = ?')
  const pausedBy = db.prepare<[], { id: string }>("SELECT id FROM runs WHERE no = (SELECT value FROM run_queue WHERE name = 'pausedBy')")
  const writeFlag = db.prepare('INSERT OR REPLACE INTO run_queue (name, value) VALUES (?, ?)')

  const find = (id: string): RunRow | null => {
    const row = byId.get(id)
    return row ? toRow(row) : null
  }

  return {
    find,
    require(id: string): RunRow {
      const row = find(id)
      if (!row) throw new AppError('run_not_found', { message: `There is no run with the id "${id}".` })
      return row
    },
    byKey(key: string): RunRow | null {
      const row = byKey.get(key)
      return row ? toRow(row) : null
    },
    /** Adds the run at the end of the queue. */
    add(run: Pick<RunRow, 'id' | 'name' | 'strategy' | 'baseModel' | 'datasetId' | 'datasetName' | 'setup' | 'tags'>, key: string | null) {
      insert.run({
        ...run,
        key,
        setup: JSON.stringify(run.setup),
        matrixId: run.setup.matrix?.id ?? null,
        live: JSON.stringify(NOTHING_YET),
        tags: JSON.stringify(run.tags),
        at: now(),
      })
    },
    change(id: string, change: RunChange): void {
      const names = Object.keys(change) as (keyof RunChange)[]
      if (names.length === 0) return
      const values = names.map((name) => {
        const value = change[name]
        if (typeof value === 'boolean') return Number(value)
        return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null)
      })
      db.prepare(`UPDATE runs SET ${names.map((name) => `${COLUMNS[name]} = ?`).join(', ')} WHERE id = ?`).run(...values, id)
    },
    remove: (id: string) => void remove.run(id),
    queue: (): string[] => waiting.all().map(({ id }) => id),
    /** Place of the first run in the queue; 1 if the queue is empty. */
    firstPlace: (): number => firstPlace.get()!.place,
    active: (): RunRow[] => active.all().map(toRow),
    unfinished: (): RunRow[] => unfinished.all().map(toRow),
    byState: (): Partial<Record<RunState, number>> => Object.fromEntries(states.all().map(({ state, n }) => [state, n])),
    /** In the order of their combinations. */
    ofMatrix: (id: string): RunRow[] => ofMatrix.all(id).map(toRow),
    usedBy: (datasetId: string) => {
      const rows = ofDataset.all(datasetId)
      return { runs: rows.map(({ id, name }) => ({ id, name })), models: rows.flatMap(({ model_id: model }) => model ?? []) }
    },
    list(filter: RunFilter, page: { cursor?: string | undefined; limit: number }) {
      const before = numberBefore(page.cursor)
      const where = [
        ...(filter.state?.length ? ['state IN (SELECT value FROM json_each(@states))'] : []),
        ...(filter.strategy ? ['strategy = @strategy'] : []),
        ...(filter.datasetId ? ['dataset_id = @datasetId'] : []),
        ...(filter.starred === undefined ? [] : ['starred = @starred']),
        ...(filter.q
          ? [`(name LIKE @q ESCAPE '\\' OR base_model LIKE @q ESCAPE '\\' OR dataset_name LIKE @q ESCAPE '\\' OR tags LIKE @q ESCAPE '\\')`]
          : []),
      ]
      const params = {
        states: JSON.stringify(filter.state ?? []),
        strategy: filter.strategy ?? null,
        datasetId: filter.datasetId ?? null,
        starred: Number(filter.starred ?? false),
        q: likeAnywhere(filter.q ?? ''),
      }
      const condition = where.length > 0 ? where.join(' AND ') : '1'
      const rows = db
        .prepare<unknown[], StoredRun>(`SELECT * FROM runs WHERE ${condition} AND no < @before ORDER BY no DESC LIMIT @limit`)
        .all({ ...params, before, limit: page.limit + 1 })
      const { n } = db.prepare<unknown[], { n: number }>(`SELECT count(*) AS n FROM runs WHERE ${condition}`).get(params)!
      const { items, nextCursor } = pageOf(rows, page.limit, ({ no }) => no)
      return { items: items.map(toRow), nextCursor, total: n }
    },
    /** The newest completed runs, for time estimates. */
    measured: (strategy: TrainStrategy): RunRow[] =>
      db
        .prepare<[string], StoredRun>("SELECT * FROM runs WHERE strategy = ? AND state = 'completed' ORDER BY no DESC LIMIT 50")
        .all(strategy)
        .map(toRow),

    addLine: (no: number, line: Omit<RunLogLine, 'at'> & { at: number | null }) =>
      void addLine.run(no, line.n, line.at, line.stream, line.level, line.text),
    lines(no: number, filter: { after?: number | undefined; q?: string | undefined; limit: number }): RunLogLine[] {
      const where = `run_no = @no AND (@q IS NULL OR text LIKE @q ESCAPE '\\')`
      const params = { no, q: filter.q ? likeAnywhere(filter.q) : null, after: filter.after ?? 0, limit: filter.limit }
      const rows = db
        .prepare<unknown[], Omit<RunLogLine, 'at'> & { at: number | null }>(
          filter.after === undefined
            ? `SELECT * FROM (SELECT n, at, stream, level, text FROM run_lines WHERE ${where} ORDER BY n DESC LIMIT @limit) ORDER BY n`
            : `SELECT n, at, stream, level, text FROM run_lines WHERE ${where} AND n > @after ORDER BY n LIMIT @limit`,
        )
        .all(params)
      return rows.map((row) => ({ ...row, at: isoOf(row.at) }))
    },
    addSystem: (no: number, seq: number, point: SystemPoint) => void addSystem.run(no, seq, JSON.stringify(point)),
    /** At most `points` evenly spaced figures, including the newest. */
    system(no: number, points: number): SystemPoint[] {
      const rows = systemRows.all(no)
      const stride = Math.ceil(rows.length / points)
      return rows.filter((_, at) => (rows.length - 1 - at) % stride === 0).map(({ point }) => parseJson(point) as SystemPoint)
    },
    addSample: (no: number, seq: number, sample: RunSample) =>
      void addSample.run(no, seq, sample.step, sample.source, JSON.stringify(sample)),
    /** Removes samples that a run reports again because it resumes from an earlier checkpoint. */
    dropSamples: (no: number, step: number) => void dropSamples.run(no, step),
    samples(
      no: number,
      filter: { source?: string | undefined; step?: number | undefined; cursor?: string | undefined; limit: number },
    ): { items: RunSample[]; nextCursor: string | null; total: number } {
      const before = numberBefore(filter.cursor)
      const where = 'run_no = @no AND (@source IS NULL OR source = @source) AND (@step IS NULL OR step = @step)'
      const params = { no, source: filter.source ?? null, step: filter.step ?? null }
      const rows = db
        .prepare<unknown[], { seq: number; sample: string }>(
          `SELECT seq, sample FROM run_samples WHERE ${where} AND seq < @before ORDER BY seq DESC LIMIT @limit`,
        )
        .all({ ...params, before, limit: filter.limit + 1 })
      const { n } = db.prepare<unknown[], { n: number }>(`SELECT count(*) AS n FROM run_samples WHERE ${where}`).get(params)!
      const { items, nextCursor } = pageOf(rows, filter.limit, ({ seq }) => seq)
      return { items: items.map(({ sample }) => parseJson(sample) as RunSample), nextCursor, total: n }
    },
    addCheckpoint: (no: number, step: number, path: string, best: boolean) => void addCheckpoint.run(no, step, path, Number(best)),
    checkpoints: (no: number): Omit<RunCheckpoint, 'exists' | 'bytes'>[] =>
      checkpoints.all(no).map(({ best, ...one }) => ({ ...one, best: best === 1 })),

    presets: () => presets.all().map(({ name, request }) => ({ name, request: parseJson(request) as object })),
    putPreset: (name: string, request: object) => void putPreset.run(name, JSON.stringify(request), now()),
    dropPreset: (name: string): boolean => dropPreset.run(name).changes > 0,
    /** A flag of the queue; null if it was never set. */
    flag: (name: QueueFlag): boolean | null => {
      const stored = readFlag.get(name)
      return stored ? stored.value === 1 : null
    },
    setFlag: (name: QueueFlag, value: boolean) => void writeFlag.run(name, Number(value)),
    /** The run whose failure paused the queue; null if there is none, or it was deleted. */
    pausedBy: (): string | null => pausedBy.get()?.id ?? null,
    setPausedBy: (id: string | null) => void writeFlag.run('pausedBy', id === null ? 0 : find(id)!.no),
  }
}
export type RunStore = ReturnType<typeof createRunStore>
