import { type ReadingReason, ThermometerRequest } from '#contracts/entities/thermometer.ts'
import type { Database } from '#server/db/open.ts'
import { numberBefore, pageOf } from '#server/db/paging.ts'
import type { Seen } from './schedule.ts'

export interface State {
  isOn: boolean
  request: ThermometerRequest
  seen: Seen
  onAt: number
  lastAt: number
  problem: string | null
}
export interface Reading {
  no: number
  runId: string
  reason: ReadingReason
  client: string | null
  series: string
  at: number
}

type Raw = Record<string, string | number | null>

/** The schedule, and which runs are readings. Synchronous, in the caller's transaction. */
export function createThermometerStore(db: Database) {
  const read = db.prepare<[], Raw>('SELECT * FROM thermometer')
  const write = db.prepare(
    `INSERT INTO thermometer (no, is_on, request, seen, on_at, last_at, problem)
     VALUES (1, @isOn, @request, @seen, @onAt, @lastAt, @problem)
     ON CONFLICT DO UPDATE SET is_on = excluded.is_on, request = excluded.request, seen = excluded.seen, on_at = excluded.on_at,
       last_at = excluded.last_at, problem = excluded.problem`,
  )
  const COLUMNS = 't.*, r.id AS run_id FROM thermometer_readings t JOIN exam_runs r ON r.no = t.run_no'
  const add = db.prepare(
    'INSERT INTO thermometer_readings (run_no, reason, client, series, at) VALUES (@runNo, @reason, @client, @series, @at)',
  )
  const page = db.prepare<[number, number], Raw>(`SELECT ${COLUMNS} WHERE t.no < ? ORDER BY t.no DESC LIMIT ?`)
  const count = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM thermometer_readings')
  const byRun = db.prepare<[string], Raw>(`SELECT ${COLUMNS} WHERE r.id = ?`)
  const lastOf = db.prepare<[string], Raw>(`SELECT ${COLUMNS} WHERE t.series = ? AND r.state = 'completed' ORDER BY t.no DESC LIMIT 1`)
  const active = db.prepare<[], { n: number }>(
    `SELECT count(*) AS n FROM thermometer_readings t JOIN exam_runs r ON r.no = t.run_no WHERE r.state IN ('queued', 'running')`,
  )
  return {
    read(): State | null {
      const raw = read.get()
      return raw ? toState(raw) : null
    },
    write({ isOn, request, seen, ...state }: State): void {
      write.run({ ...state, isOn: Number(isOn), request: JSON.stringify(request), seen: JSON.stringify(seen) })
    },
    add: (reading: Omit<Reading, 'no' | 'runId'> & { runNo: number }): void => void add.run(reading),
    list(cursor: string | undefined, limit: number) {
      return { ...pageOf(page.all(numberBefore(cursor), limit + 1).map(toReading), limit, ({ no }) => no), total: count.get()!.n }
    },
    of(runId: string): Reading | null {
      const raw = byRun.get(runId)
      return raw ? toReading(raw) : null
    },
    /** The newest complete reading of a series. */
    lastOf(series: string): Reading | null {
      const raw = lastOf.get(series)
      return raw ? toReading(raw) : null
    },
    isActive: (): boolean => active.get()!.n > 0,
  }
}

const toState = (raw: Raw): State => ({
  isOn: raw['is_on'] === 1,
  request: ThermometerRequest.parse(JSON.parse(String(raw['request']))), // of earlier versions too
  seen: JSON.parse(String(raw['seen'])) as Seen, // written by write
  onAt: Number(raw['on_at']),
  lastAt: Number(raw['last_at']),
  problem: raw['problem'] as string | null,
})

const toReading = (raw: Raw): Reading => ({
  no: Number(raw['no']),
  runId: String(raw['run_id']),
  reason: raw['reason'] as ReadingReason,
  client: raw['client'] as string | null,
  series: String(raw['series']),
  at: Number(raw['at']),
})
