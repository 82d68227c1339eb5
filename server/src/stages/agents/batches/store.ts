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

export function createBatchStore(db: Database) {
  const insert = db.prepare(
    `INSERT INTO task_batches (id, state, again, request, refused, idempotency_key, created_at) VALUES (?, 'running', '[]', ?, '[]', ?, ?)`,
  )
  const byKey = db.prepare<[string], Raw>('SELECT * FROM task_batches WHERE idempotency_key = ?')
  const update = db.prepare(
    'UPDATE task_batches SET state = @state, detail = @detail, again = @again, request = @request, refused = @refused, ended_at = @endedAt WHERE no = @no',
  )
  const running = db.prepare<[], Raw>("SELECT * FROM task_batches WHERE state = 'running' ORDER BY no")
  const withWinners = db.prepare<[], Raw>("SELECT * FROM task_batches WHERE request ->> '$.winners' IS NOT NULL ORDER BY no")
  const { require, rowOf, list } = createRows(db, { table: 'task_batches', toRow, missing: { code: 'batch_not_found', what: 'batch' } })
  return {
    require,
    list,
    byKey: (key: string): BatchRow | null => rowOf(byKey.get(key)),
    insert: (id: string, request: KeptRequest, key: string | undefined, at: number): void =>
      void insert.run(id, JSON.stringify(request), key ?? null, at),
    change(id: string, values: Partial<Pick<BatchRow, 'state' | 'detail' | 'again' | 'refused' | 'request' | 'endedAt'>>): BatchRow {
      const row = { ...require(id), ...values }
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

const toRow = (raw: Raw): BatchRow => ({
  no: Number(raw['no']),
  id: String(raw['id']),
  state: raw['state'] as Batch['state'],
  detail: raw['detail'] as string | null,
  request: JSON.parse(String(raw['request'])) as KeptRequest, // written by insert and change
  again: JSON.parse(String(raw['again'])) as string[], // as above
  refused: JSON.parse(String(raw['refused'])) as Refusal[], // written by change
  createdAt: Number(raw['created_at']),
  endedAt: raw['ended_at'] as number | null,
})
