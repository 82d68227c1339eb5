import type { Batch, BatchRequest, LeftOutSession } from '#contracts/entities/batch.ts'
import type { Database } from '#server/db/open.ts'
import { createRows, type Raw } from '#server/db/rows.ts'
import type { KeptTask } from './of-sessions.ts'
import type { Refusal } from './outcome.ts'

/** The stored request. Sessions are turned into tasks once, when the batch is created. */
export interface KeptRequest extends Omit<BatchRequest, 'tasks'> {
  tasks: KeptTask[]
  /** Missing in rows from versions that could not make tasks from sessions. */
  leftOut?: LeftOutSession[] | undefined
  /** The IDs of the runs that the user prefers, by task key. */
  winners?: Record<string, string> | undefined
}

export interface BatchRow {
  no: number
  id: string
  state: Batch['state']
  detail: string | null
  request: KeptRequest
  /** The IDs of runs without a result whose attempts are repeated. */
  again: string[]
  refused: Refusal[]
  createdAt: number
  endedAt: number | null
}

const COLUMNS = 'no, id, state, detail, again, refused, created_at, ended_at'
const MAX_REQUESTS = 20

export function createBatchStore(db: Database) {
  /** The requests of batches that were read lately: they can be long, and each is needed several times for each run of its batch. */
  const requests = new Map<string, KeptRequest>()
  const requestText = db.prepare<[string], { request: string }>('SELECT request FROM task_batches WHERE id = ?')
  const requestOf = (id: string): KeptRequest => {
    const kept = requests.get(id)
    if (kept) return kept
    const request = JSON.parse(requestText.get(id)!.request) as KeptRequest // written by insert and change
    if (db.inTransaction) return request // which may be rolled back
    const [oldest] = requests.keys()
    if (oldest !== undefined && requests.size >= MAX_REQUESTS) requests.delete(oldest)
    requests.set(id, request)
    return request
  }
  const toRow = (raw: Raw): BatchRow => ({
    no: Number(raw['no']),
    id: String(raw['id']),
    state: raw['state'] as Batch['state'],
    detail: raw['detail'] as string | null,
    request: requestOf(String(raw['id'])),
    again: JSON.parse(String(raw['again'])) as string[], // written by insert and change
    refused: JSON.parse(String(raw['refused'])) as Refusal[], // written by change
    createdAt: Number(raw['created_at']),
    endedAt: raw['ended_at'] as number | null,
  })
  const insert = db.prepare(
    `INSERT INTO task_batches (id, state, again, request, refused, idempotency_key, created_at) VALUES (?, 'running', '[]', ?, '[]', ?, ?)`,
  )
  const byKey = db.prepare<[string], Raw>(`SELECT ${COLUMNS} FROM task_batches WHERE idempotency_key = ?`)
  const update = db.prepare(
    'UPDATE task_batches SET state = @state, detail = @detail, again = @again, request = @request, refused = @refused, ended_at = @endedAt WHERE no = @no',
  )
  const running = db.prepare<[], Raw>(`SELECT ${COLUMNS} FROM task_batches WHERE state = 'running' ORDER BY no`)
  const withWinners = db.prepare<[], Raw>(`SELECT ${COLUMNS} FROM task_batches WHERE request ->> '$.winners' IS NOT NULL ORDER BY no`)
  const { require, rowOf, list } = createRows(db, {
    table: 'task_batches',
    columns: COLUMNS,
    toRow,
    missing: { code: 'batch_not_found', what: 'batch' },
  })
  return {
    require,
    list,
    byKey: (key: string): BatchRow | null => rowOf(byKey.get(key)),
    insert: (id: string, request: KeptRequest, key: string | undefined, at: number): void =>
      void insert.run(id, JSON.stringify(request), key ?? null, at),
    change(id: string, values: Partial<Pick<BatchRow, 'state' | 'detail' | 'again' | 'refused' | 'request' | 'endedAt'>>): BatchRow {
      const row = { ...require(id), ...values }
      requests.delete(id)
      update.run({
        no: row.no,
        state: row.state,
        detail: row.detail,
        again: JSON.stringify(row.again),
        request: JSON.stringify(row.request),
        refused: JSON.stringify(row.refused),
        endedAt: row.endedAt,
      })
      return row
    },
    withWinners: (): BatchRow[] => withWinners.all().map(toRow),
    running: (): BatchRow[] => running.all().map(toRow),
  }
}
