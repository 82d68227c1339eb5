import { isoOf } from '#server/instant.ts'
import { lookup } from '#contracts/lookup.ts'
import { randomUUID } from 'node:crypto'
import type { PrivacyAction, PrivacyDecision, PrivacyScope, ReplaceStrategy } from '#contracts/entities/privacy.ts'
import type { Database } from '#server/db/open.ts'
import { numberBefore, pageOf } from '#server/db/paging.ts'
import { TIME_LIMIT_DETECTOR, type StoredFinding } from './scanner.ts'
import type { Choice, ActiveDecisions } from './decisions.ts'

export interface ScanRow {
  trace_id: string
  rev: number
  rules: string
  chars: number
  at: number
}

interface DecisionRow {
  no: number
  id: string
  scope: PrivacyScope['scope']
  key: string
  scope_json: string
  action: PrivacyAction
  strategy: ReplaceStrategy | null
  at: number
  undone_at: number | null
}

export interface FindingRow {
  no: number
  id: string
  trace_id: string
  step_id: string
  part: 'body' | 'result'
  path: string
  type: StoredFinding['type']
  detector: string
  start: number
  end: number
  confidence: number
  validated: number
  value: string
  preview: string
  project: string | null
  file: string | null
  at: number | null
}

export function createPrivacyStore(db: Database) {
  const scans = db.prepare<[], ScanRow>('SELECT * FROM privacy_scans')
  const scanOf = db.prepare<[string], ScanRow>('SELECT * FROM privacy_scans WHERE trace_id = ?')
  const saveScan = db.prepare(
    `INSERT INTO privacy_scans (trace_id, rev, rules, chars, at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (trace_id) DO UPDATE SET rev = excluded.rev, rules = excluded.rules, chars = excluded.chars, at = excluded.at`,
  )
  const dropEntry = db.prepare('DELETE FROM privacy_findings WHERE trace_id = ? AND step_id = ?')
  const dropTrace = db.prepare('DELETE FROM privacy_findings WHERE trace_id = ?')
  const unscanned = db.prepare<[string, string], Pick<FindingRow, 'step_id' | 'part' | 'path'>>(
    'SELECT step_id, part, path FROM privacy_findings WHERE trace_id = ? AND detector = ? ORDER BY no',
  )
  const insert = db.prepare(
    `INSERT OR REPLACE INTO privacy_findings
       (id, trace_id, step_id, part, path, type, detector, start, end, confidence, validated, value, preview, project, file, at)
     VALUES (@id, @traceId, @stepId, @part, @path, @type, @detector, @start, @end, @confidence, @validated, @value, @preview, @project, @file, @at)`,
  )
  const one = db.prepare<[string], FindingRow>('SELECT * FROM privacy_findings WHERE id = ?')
  const samePassage = db.prepare<[string, string, string, string], FindingRow>(
    'SELECT * FROM privacy_findings WHERE trace_id = ? AND step_id = ? AND part = ? AND path = ? ORDER BY start',
  )
  const entriesOf = db.prepare<[string], { step_id: string }>('SELECT DISTINCT step_id FROM privacy_findings WHERE trace_id = ?')
  const decide = db.prepare(
    'INSERT INTO privacy_decisions (id, scope, key, scope_json, trace_id, action, strategy, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const decision = db.prepare<[string], DecisionRow>('SELECT * FROM privacy_decisions WHERE id = ?')
  const undo = db.prepare('UPDATE privacy_decisions SET undone_at = ? WHERE id = ?')
  const activeDecisions = db.prepare<[], DecisionRow>('SELECT * FROM privacy_decisions WHERE undone_at IS NULL ORDER BY no')
  const history = db.prepare<[number, number], DecisionRow>('SELECT * FROM privacy_decisions WHERE no < ? ORDER BY no DESC LIMIT ?')
  const countDecisions = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM privacy_decisions')
  const forget = db.prepare('DELETE FROM privacy_decisions WHERE trace_id = ?')

  return {
    scans: () => scans.all(),
    scanOf: (traceId: string) => scanOf.get(traceId) ?? null,
    saveScan: ({ trace_id, rev, rules, chars, at }: ScanRow) => void saveScan.run(trace_id, rev, rules, chars, at),
    dropEntry: (traceId: string, stepId: string) => void dropEntry.run(traceId, stepId),
    dropTrace: (traceId: string) => void dropTrace.run(traceId),
    /** Positions of texts whose scan timed out. */
    unscanned: (traceId: string) => unscanned.all(traceId, TIME_LIMIT_DETECTOR),
    insert(traceId: string, project: string | null, found: StoredFinding): void {
      const at = found.at === null ? null : Date.parse(found.at)
      insert.run({ ...found, traceId, project, validated: found.validated ? 1 : 0, at })
    },
    finding: (id: string) => one.get(id) ?? null,
    /** All findings in the text that a finding is in, by position. */
    samePassage: ({ trace_id, step_id, part, path }: FindingRow) => samePassage.all(trace_id, step_id, part, path),
    /** Entries of a session that have findings. */
    entriesOf: (traceId: string) => entriesOf.all(traceId).map((row) => row.step_id),

    decide(on: PrivacyScope, key: string, traceId: string | null, choice: Choice, at: number): PrivacyDecision {
      const id = randomUUID()
      decide.run(id, on.scope, key, JSON.stringify(on), traceId, choice.action, choice.strategy, at)
      return toDecision(decision.get(id)!)
    },
    decision: (id: string) => {
      const row = decision.get(id)
      return row ? toDecision(row) : null
    },
    undo: (id: string, at: number) => void undo.run(at, id),
    /** The active decisions: the newest for each scope and key. */
    activeDecisions(): ActiveDecisions {
      const all = { finding: lookup(), value: lookup(), project: lookup(), type: lookup() } as Record<
        PrivacyScope['scope'],
        Record<string, Choice>
      >
      for (const { scope, key, action, strategy } of activeDecisions.all()) all[scope][key] = { action, strategy }
      return all
    },
    decisions(cursor: string | undefined, limit: number) {
      const rows = history.all(numberBefore(cursor), limit + 1)
      const { items, nextCursor } = pageOf(rows, limit, ({ no }) => no)
      return { items: items.map(toDecision), nextCursor, total: countDecisions.get()!.n }
    },
    forget: (traceId: string) => void forget.run(traceId),
  }
}

export type PrivacyStore = ReturnType<typeof createPrivacyStore>

const toDecision = (row: DecisionRow): PrivacyDecision => ({
  id: row.id,
  on: JSON.parse(row.scope_json) as PrivacyScope, // written by `decide`
  action: row.action,
  strategy: row.strategy,
  at: isoOf(row.at),
  undoneAt: isoOf(row.undone_at),
})
