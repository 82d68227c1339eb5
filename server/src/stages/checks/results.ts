import { CheckReport, type CheckStatus, type KeptCheck } from '#contracts/entities/check.ts'
import { isoOf } from '#server/instant.ts'
import type { Core } from '#server/core.ts'
import { packJson, unpackJson } from '#server/db/packed.ts'
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
 * Whether a report is valid for the whole session: all changes were restored, and a test ran. Otherwise a missing change could be
 * the reason why a test passed or failed. Other missing parts were missing before the session, too, so they explain no new failure.
 */
export const countsForScore = (report: CheckReport): boolean =>
  isVerdict(report) &&
  report.restored !== null &&
  !report.restored.missing.some(({ kind }) => kind === 'change') &&
  !report.restored.mayMiss
const isVerdict = ({ status }: CheckReport): boolean => status === 'passed' || status === 'failed'

/** Stores the newest check result of each session. */
export function createCheckResults({ db, tx, events, now }: Pick<Core, 'db' | 'tx' | 'events' | 'now'>) {
  const upsert = db.prepare(
    'INSERT OR REPLACE INTO trace_checks (trace_id, at, status, runner, calls, counts, report) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const selectResult = db.prepare<[string], Row>('SELECT at, status, runner, calls, counts, report FROM trace_checks WHERE trace_id = ?')
  const selectSummary = db.prepare<[string], Omit<Row, 'report' | 'at'>>(
    'SELECT status, runner, calls, counts FROM trace_checks WHERE trace_id = ?',
  )
  const drop = db.prepare('DELETE FROM trace_checks WHERE trace_id = ?')
  return {
    /** `taskId`: the run that the session belongs to; its files were checked directly instead of a restored state. */
    keep(traceId: string, report: CheckReport, calls: number, taskId: string | null = null): void {
      const { status, runner, passed, failed, total } = report
      const counts = (taskId === null ? countsForScore(report) : isVerdict(report)) ? 1 : 0
      tx(() => {
        upsert.run(traceId, now(), status, runner, calls, counts, packJson(report))
        events.append('verification:result', { taskId, traceId, status, runner, passed, failed, total })
      })
    },
    /** Null too for a report of a backup that cannot be read. */
    get: (traceId: string): KeptCheck | null => {
      const row = selectResult.get(traceId)
      if (!row) return null
      const report = CheckReport.safeParse(unpackJson(row.report)).data
      return report ? { at: isoOf(row.at), counts: row.counts === 1, calls: row.calls, report } : null
    },
    /** The result that overrides inferred verification in the score; null if there is none. */
    verified: (traceId: string): VerifiedResult | null => {
      const row = selectSummary.get(traceId)
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
