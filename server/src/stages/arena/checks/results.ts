import zlib from 'node:zlib'
import { CheckReport, type CheckStatus, type KeptCheck } from '#contracts/entities/check.ts'
import { isoOf } from '#contracts/instant.ts'
import type { Core } from '#server/core.ts'
import type { VerifiedResult } from '#server/stages/scoring/index.ts'

interface Row {
  at: number
  status: CheckStatus
  runner: string | null
  calls: number
  counts: 0 | 1
  report: Buffer
}

/**
 * Whether a report says something of the whole session: its state was restored without a gap, and a test ran. What is missing may be why
 * a test passed or failed.
 */
export const countsForScore = (report: CheckReport): boolean =>
  isVerdict(report) && report.restored !== null && report.restored.missing.length === 0 && !report.restored.mayMiss
const isVerdict = ({ status }: CheckReport): boolean => status === 'passed' || status === 'failed'

/** The newest result of a session's checks. */
export function createCheckResults({ db, tx, events, now }: Pick<Core, 'db' | 'tx' | 'events' | 'now'>) {
  const put = db.prepare(
    'INSERT OR REPLACE INTO trace_checks (trace_id, at, status, runner, calls, counts, report) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const one = db.prepare<[string], Row>('SELECT at, status, runner, calls, counts, report FROM trace_checks WHERE trace_id = ?')
  const head = db.prepare<[string], Omit<Row, 'report' | 'at'>>('SELECT status, runner, calls, counts FROM trace_checks WHERE trace_id = ?')
  const drop = db.prepare('DELETE FROM trace_checks WHERE trace_id = ?')
  return {
    /** `taskId`: of the run whose session it is, and whose files were checked as they were. */
    keep(traceId: string, report: CheckReport, calls: number, taskId: string | null = null): void {
      const { status, runner, passed, failed, total } = report
      const counts = (taskId === null ? countsForScore(report) : isVerdict(report)) ? 1 : 0
      tx(() => {
        put.run(traceId, now(), status, runner, calls, counts, zlib.zstdCompressSync(JSON.stringify(report)))
        events.append('verification:result', { taskId, traceId, status, runner, passed, failed, total })
      })
    },
    get: (traceId: string): KeptCheck | null => {
      const row = one.get(traceId)
      if (!row) return null
      const report = CheckReport.parse(JSON.parse(zlib.zstdDecompressSync(row.report).toString()))
      return { at: isoOf(row.at), counts: row.counts === 1, calls: row.calls, report }
    },
    /** What the score of a session takes above anything inferred; null: nothing. */
    verified: (traceId: string): VerifiedResult | null => {
      const row = head.get(traceId)
      if (row?.counts !== 1) return null
      return {
        state: row.status === 'passed' ? 'passed' : 'failed',
        by: `checks that were run (${row.runner ?? 'none'})`,
        calls: row.calls,
      }
    },
    forget: (traceId: string): void => void drop.run(traceId),
  }
}

export type CheckResults = ReturnType<typeof createCheckResults>
