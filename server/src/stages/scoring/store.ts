import type { Tier, Verification } from '#contracts/entities/common.ts'
import {
  isUnverified,
  type MetricEvidence,
  type Policy,
  type Score,
  type Thresholds,
  type VerificationCheck,
} from '#contracts/entities/score.ts'
import type { Database } from '#server/db/open.ts'
import { packJson, unpackJson } from '#server/db/packed.ts'
import type { AnalysedScore } from './analyser.ts'
import type { Metrics } from './metrics.ts'
import { withTier, type TierFacts } from './score.ts'

/** Checks of a trace that the API lists; a long session has thousands. */
const LISTED_CHECKS = 100

/** A stored score without its evidence: the input of a policy, and its last decision. */
export interface StoredScore extends TierFacts {
  traceId: string
  scoreVersion: number
  commandsHash: string
  policy: Policy
  tier: Tier
  reason: string
}

interface Row {
  trace_id: string
  score_version: number
  commands_hash: string
  success_rate: number | null
  quality: number | null
  verification: Verification
  decided_by: string
  policy: Policy
  tier: Tier
  reason: string
}

interface Detail {
  evidence: VerificationCheck[]
  filesEditedAfter: number | null
  metricEvidence: MetricEvidence[]
}

/** The column `decided_by`; score version 1 stored only `decidedBy`. */
type DecidedColumn = Pick<TierFacts, 'decidedBy' | 'open' | 'red'> & Partial<Pick<TierFacts, 'override'>>

const COLUMNS = 'trace_id, score_version, commands_hash, success_rate, quality, verification, decided_by, policy, tier, reason'

export function createScoreStore(db: Database) {
  const upsert = db.prepare(
    `INSERT INTO scores (${COLUMNS}, metrics, detail) VALUES (@traceId, @scoreVersion, @commandsHash, @successRate, @quality, @verification,
       @decided, @policy, @tier, @reason, @metrics, @detail)
     ON CONFLICT (trace_id) DO UPDATE SET score_version = excluded.score_version, commands_hash = excluded.commands_hash,
       success_rate = excluded.success_rate, quality = excluded.quality, verification = excluded.verification, decided_by = excluded.decided_by,
       policy = excluded.policy, tier = excluded.tier, reason = excluded.reason, metrics = excluded.metrics, detail = excluded.detail`,
  )
  const setTier = db.prepare('UPDATE scores SET policy = ?, tier = ?, reason = ? WHERE trace_id = ?')
  const version = db.prepare<[string], { score_version: number }>('SELECT score_version FROM scores WHERE trace_id = ?')
  const one = db.prepare<[string], Row & { metrics: string; detail: Buffer }>(
    `SELECT ${COLUMNS}, metrics, detail FROM scores WHERE trace_id = ?`,
  )
  const next = db.prepare<[string, number], Row>(`SELECT ${COLUMNS} FROM scores WHERE trace_id > ? ORDER BY trace_id LIMIT ?`)
  const outdated = db.prepare<[number, string], { trace_id: string }>(
    'SELECT trace_id FROM scores WHERE score_version <> ? OR commands_hash <> ? ORDER BY trace_id',
  )
  const count = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM scores')

  return {
    save(traceId: string, score: AnalysedScore, decision: { policy: Policy; tier: Tier; reason: string }): void {
      const { metrics, quality, verification, scoreVersion, commandsHash, decidedBy, open, red, override } = score
      const detail: Detail = { evidence: score.evidence, filesEditedAfter: score.filesEditedAfter, metricEvidence: score.metricEvidence }
      const decided: DecidedColumn = { decidedBy, open, red, ...(override && { override }) }
      upsert.run({
        ...decision,
        traceId,
        scoreVersion,
        commandsHash,
        quality,
        verification,
        successRate: metrics.successRate,
        decided: JSON.stringify(decided),
        metrics: JSON.stringify(metrics),
        detail: packJson(detail),
      })
    },
    setTier(traceId: string, { policy, tier, reason }: { policy: Policy; tier: Tier; reason: string }): void {
      setTier.run(policy, tier, reason, traceId)
    },
    versionOf: (traceId: string): number | null => version.get(traceId)?.score_version ?? null,
    /** Scores in the order of trace ids, after the given one ('' for the start). */
    after: (traceId: string, limit: number): StoredScore[] => next.all(traceId, limit).map(toScore),
    /** Traces whose score has another version or was computed with other verification commands. */
    outdated: (scoreVersion: number, commandsHash: string): string[] => outdated.all(scoreVersion, commandsHash).map((row) => row.trace_id),
    count: (): number => count.get()!.n,
    /** The whole score, as in the API. `tierByPolicy` is computed with these thresholds. */
    get(traceId: string, thresholds: Thresholds): Score | null {
      const row = one.get(traceId)
      if (!row) return null
      const detail = unpackJson(row.detail)
      if (!isDetail(detail)) return null // of a backup, and damaged or too large: the session can be scored again
      const metrics = JSON.parse(row.metrics) as Metrics
      const { scoreVersion, tier, reason, ...stored } = toScore(row)
      const evidence = detail.evidence.map((check) => ({ ...check, guessed: check.guessed ?? false })) // absent in score version 1
      const filesEditedAfter = detail.filesEditedAfter ?? null
      const score = withTier({ ...stored, ...detail, evidence, filesEditedAfter, metrics, scoreVersion }, row.policy, thresholds)
      return { ...score, evidence: listedChecks(evidence), tier, unverified: isUnverified(tier, row.verification), tierReason: reason }
    },
  }
}

const isDetail = (value: unknown): value is Detail =>
  typeof value === 'object' && value !== null && 'evidence' in value && Array.isArray(value.evidence)

/** The newest checks, and earlier deciding ones (the last build may be older than many tests). */
const listedChecks = (checks: VerificationCheck[]) =>
  checks.filter(({ decides }, index) => decides || index >= checks.length - LISTED_CHECKS)

function toScore(row: Row): StoredScore {
  const stored = JSON.parse(row.decided_by) as DecidedColumn | DecidedColumn['decidedBy']
  const decided: DecidedColumn = Array.isArray(stored) ? { decidedBy: stored, open: false, red: false } : stored
  return {
    traceId: row.trace_id,
    scoreVersion: row.score_version,
    commandsHash: row.commands_hash,
    metrics: { successRate: row.success_rate },
    quality: row.quality,
    verification: row.verification,
    ...decided,
    override: decided.override ?? null,
    policy: row.policy,
    tier: row.tier,
    reason: row.reason,
  }
}
