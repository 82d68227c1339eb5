import { setImmediate as nextTick } from 'node:timers/promises'
import type { Tier, Verification } from '#contracts/entities/common.ts'
import type { Policy, RescorePreview, Score } from '#contracts/entities/score.ts'
import type { Settings } from '#contracts/entities/settings.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { performEach } from '#server/runs/pool.ts'
import type { AnalysedScore } from './analyser.ts'
import { commandsHash, type VerifiedResult } from './options.ts'
import { createMoveCounter } from './preview.ts'
import { tierOfScore } from './score.ts'
import { createScoreStore, type StoredScore } from './store.ts'

import { SCORE_VERSION } from './version.ts'

type ScoringSettings = Settings['scoring']
type Rules = Pick<ScoringSettings, 'policy' | 'thresholds'>

/** The part of a score that lists show. The traces stage stores it. */
export interface PolicyScore {
  tier: Tier
  tierReason: string
  quality: number | null
  successRate: number | null
  verification: Verification
  scoreVersion: number
}

export interface ScoringDeps {
  traces: {
    setPolicyScore(traceId: string, score: PolicyScore): void
    /** The tier set by the user, for those of these traces that have one. */
    userTiers(traceIds: readonly string[]): ReadonlyMap<string, Tier>
    count(): number
  }
  settings: () => ScoringSettings
  /** Saves the policy setting (and publishes `settings:changed`). */
  savePolicy: (policy: Policy) => void
  /** Derives a trace from the archive again; resolves when `onDerived` was called for it. */
  rederive: (traceId: string, signal: AbortSignal) => Promise<void>
  /** The result of our check on a session, or null. */
  verified: (traceId: string) => VerifiedResult | null
}

const SLICE_ROWS = 200
/** The writer may block the main thread at most 10 ms. */
const SLICE_MS = 8
/** Traces derived at the same time: the pool has few threads, and live sessions have priority. */
const REDERIVE_AT_ONCE = 2

export type ScoringService = ReturnType<typeof createScoringService>

export function createScoringService(core: Core, deps: ScoringDeps) {
  const { db, tx, events } = core
  const store = createScoreStore(db)
  const rescoring = new Set<string>()
  let lastPass: Promise<void> = Promise.resolve()

  const decide = (score: Parameters<typeof tierOfScore>[0], { policy, thresholds }: Rules) => ({
    policy,
    ...tierOfScore(score, policy, thresholds),
  })
  const publishScore = (traceId: string, score: AnalysedScore | StoredScore, decision: { tier: Tier; reason: string }) =>
    deps.traces.setPolicyScore(traceId, {
      tier: decision.tier,
      tierReason: decision.reason,
      quality: score.quality,
      successRate: score.metrics.successRate,
      verification: score.verification,
      scoreVersion: score.scoreVersion,
    })

  /**
   * Stores the score of a trace; called inside the transaction that writes the trace. A score of an
   * older version is kept unless the session grew or is being rescored.
   */
  function onDerived(traceId: string, score: AnalysedScore, { grown = true }: { grown?: boolean } = {}): void {
    const stored = store.versionOf(traceId)
    const keepsOlder = stored !== null && stored < score.scoreVersion && !grown && !rescoring.has(traceId)
    if (keepsOlder) return
    const settings = deps.settings()
    const decision = decide(score, settings)
    store.save(traceId, score, decision)
    publishScore(traceId, score, decision)
  }

  /** All scores in small groups, yielding the thread between them. */
  async function* groups(signal?: AbortSignal): AsyncGenerator<StoredScore[]> {
    let after = ''
    for (;;) {
      signal?.throwIfAborted()
      const rows = store.after(after, SLICE_ROWS)
      if (rows.length === 0) return
      yield rows
      after = rows.at(-1)!.traceId
      await nextTick()
    }
  }

  const outdatedTraces = () => store.outdated(SCORE_VERSION, commandsHash(deps.settings()))

  /** Counts the traces that would change tier under other rules; writes nothing. */
  async function preview(proposal: Partial<Rules>, signal?: AbortSignal): Promise<RescorePreview> {
    const settings = deps.settings()
    const rules: Rules = { policy: proposal.policy ?? settings.policy, thresholds: proposal.thresholds ?? settings.thresholds }
    const counter = createMoveCounter()
    for await (const rows of groups(signal)) {
      const userTiers = deps.traces.userTiers(rows.map(({ traceId }) => traceId))
      for (const row of rows) counter.add(row.traceId, row.tier, decide(row, rules).tier, userTiers.get(row.traceId) ?? null)
    }
    return counter.result(deps.traces.count(), outdatedTraces().length)
  }

  /** Updates the tiers in one group that do not match the current settings; at most `SLICE_MS` per transaction. */
  async function settleGroup(rows: readonly StoredScore[], jobId: string | null): Promise<void> {
    const rules = deps.settings()
    const changed = rows.flatMap((row) => {
      const decision = decide(row, rules)
      return decision.tier === row.tier && decision.reason === row.reason && decision.policy === row.policy ? [] : [{ row, decision }]
    })
    for (let index = 0; index < changed.length;) {
      const started = performance.now()
      tx(() => {
        const updated: string[] = []
        for (; index < changed.length && performance.now() - started < SLICE_MS; index++) {
          const { row, decision } = changed[index]!
          store.setTier(row.traceId, decision)
          publishScore(row.traceId, row, decision)
          updated.push(row.traceId)
        }
        events.append('trace:batch', { jobId, added: [], updated })
      })
      await nextTick()
    }
  }

  /**
   * Updates every stored tier by policy and thresholds; decisions of the user override them. Passes run one after
   * another, each with the current settings, so the last one always applies the newest.
   */
  function applyPolicy({ jobId = null, signal }: { jobId?: string | null; signal?: AbortSignal } = {}): Promise<void> {
    const run = async () => {
      for await (const rows of groups(signal)) await settleGroup(rows, jobId)
    }
    const result = lastPass.then(run, run)
    lastPass = result.catch(() => undefined) // the caller of this pass gets the error
    return result
  }

  /** Rescores one trace by the current rules. */
  async function scoreAgain(traceId: string, signal: AbortSignal): Promise<void> {
    rescoring.add(traceId)
    try {
      await deps.rederive(traceId, signal)
    } finally {
      rescoring.delete(traceId)
    }
  }

  /** Rescores a trace whose check result was added or removed. */
  async function onCheckResultChanged(traceId: string, signal: AbortSignal): Promise<void> {
    await scoreAgain(traceId, signal)
    tx(() => events.append('trace:batch', { jobId: null, added: [], updated: [traceId] }))
  }

  /** Rescores outdated traces, then applies the policy. With `dryRun` it only counts the changes. */
  async function rescore(
    {
      policy,
      dryRun,
      traceIds: selectTraces = outdatedTraces,
    }: { policy?: Policy | undefined; dryRun: boolean; traceIds?: () => string[] },
    context: JobContext,
  ): Promise<RescorePreview> {
    const { signal, progress, id: jobId } = context
    if (dryRun) return preview(policy ? { policy } : {}, signal)
    const before = new Map<string, Tier>()
    for await (const rows of groups(signal)) for (const row of rows) before.set(row.traceId, row.tier)

    const traceIds = selectTraces()
    const total = traceIds.length
    let done = 0
    progress({ phase: 'scoring', done, total, unit: 'traces' })
    const failed: string[] = []
    await performEach(traceIds, { places: () => REDERIVE_AT_ONCE, signal }, async (traceId) => {
      try {
        await scoreAgain(traceId, signal)
      } catch (error) {
        signal.throwIfAborted()
        failed.push(traceId)
        core.log.error({ err: error, traceId }, 'a trace could not be rescored')
      }
      done++
      progress({
        phase: 'scoring',
        done,
        total,
        unit: 'traces',
        ...(failed.length > 0 && { message: `${failed.length} could not be read` }),
      })
    })

    progress({ phase: 'tiers', done: 0, total: store.count(), unit: 'traces' })
    if (policy && policy !== deps.settings().policy) deps.savePolicy(policy)
    await applyPolicy({ jobId })
    const counter = createMoveCounter()
    for await (const rows of groups()) {
      const userTiers = deps.traces.userTiers(rows.map(({ traceId }) => traceId))
      for (const row of rows) counter.add(row.traceId, before.get(row.traceId) ?? row.tier, row.tier, userTiers.get(row.traceId) ?? null)
    }
    return counter.result(deps.traces.count(), outdatedTraces().length)
  }

  return {
    onDerived,
    preview,
    applyPolicy,
    rescore,
    scoreAgain,
    onCheckResultChanged,
    getScore: (traceId: string): Score | null => store.get(traceId, deps.settings().thresholds),
    /** Resolves when no pass over the tiers is running. */
    idle: () => lastPass,
  }
}
