import { randomUUID } from 'node:crypto'
import type { TagChange, Tier, Verification } from '#contracts/entities/common.ts'
import type { DecidedTrace, Decision, Trace } from '#contracts/entities/trace.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import { TIER_RANK } from '../rows.ts'
import type { TraceStore } from '../store.ts'
import type { DecisionStore } from './store.ts'

export interface PolicyScore {
  tier: Tier
  quality: number | null
  successRate: number | null
  verification: Verification
  tierReason: string | null
  scoreVersion: number | null
}

export type BulkAction =
  | { action: 'tier'; tier: Tier; reason?: string | undefined }
  | { action: 'unset-tier' }
  | { action: 'add-tag' | 'remove-tag'; tag: string }

/** A bulk action on more traces than this is published as one `trace:batch`, not as thousands of promotions. */
const MAX_SINGLE_EVENTS = 200

export type Decisions = ReturnType<typeof createDecisions>

/** Tiers by hand, tags and notes. Effective tier = newest active decision of the user, else the policy's. */
export function createDecisions({ tx, events }: Core, traces: TraceStore, store: DecisionStore) {
  /** Writes the effective tier; true if it or its source changed. */
  const applyTier = (traceId: string): boolean => {
    const row = traces.require(traceId)
    const chosen = store.activeDecision(traceId)?.tier ?? null
    const tier = chosen ?? row.policy_tier
    const source = chosen === null ? 'policy' : 'user'
    if (tier === row.tier && source === row.tier_source) return false
    traces.setTier(traceId, tier, TIER_RANK[tier], source)
    return true
  }

  /** While set, a large bulk action collects its traces here and publishes them as one batch. */
  let batchIds: Set<string> | null = null
  const publishAsBatch = (isBatch: boolean, work: () => void): void => {
    if (!isBatch) return work()
    const ids = new Set<string>()
    batchIds = ids
    try {
      work()
    } finally {
      batchIds = null
    }
    if (ids.size) events.append('trace:batch', { jobId: null, added: [], updated: [...ids] })
  }

  const emitChange = (traceId: string, from: Tier, by: string, reason: string | null): Trace => {
    const trace = traces.trace(traceId)
    if (batchIds) batchIds.add(traceId)
    else if (trace.tier === from) events.append('trace:updated', { id: traceId, trace, fromSeq: null, toSeq: null })
    else {
      const type = TIER_RANK[trace.tier] > TIER_RANK[from] ? 'trace:promoted' : 'trace:demoted'
      events.append(type, { trace, from, to: trace.tier, by, reason })
    }
    return trace
  }

  const decide = (traceId: string, tier: Tier | null, who: string, why: string | null, bulkId: string | null): DecidedTrace => {
    const from = traces.require(traceId).tier
    const decisionId = store.add({ traceId, tier, from, who, why, bulkId })
    applyTier(traceId)
    return { ...emitChange(traceId, from, who, why), decisionId }
  }

  const undo = (traceId: string, no: number, who: string): Trace => {
    const from = traces.require(traceId).tier
    store.undo(no)
    applyTier(traceId)
    return emitChange(traceId, from, who, 'undone')
  }

  return {
    applyTier,
    set: (traceId: string, tier: Tier | null, who: string, why: string | null): DecidedTrace =>
      tx(() => decide(traceId, tier, who, why, null)),

    /** With `decisionId`, throws `nothing_to_undo` if another decision is the newest active one. */
    undo: (traceId: string, who: string, decisionId?: string): Trace =>
      tx(() => {
        traces.require(traceId)
        const newest = store.activeDecision(traceId)
        if (!newest) throw new AppError('nothing_to_undo', { message: 'There is no decision on this trace to undo.' })
        if (decisionId !== undefined && decisionId !== newest.id)
          throw new AppError('nothing_to_undo', {
            message: store.isUndone(decisionId)
              ? 'Another window or command already undid this decision.'
              : `Another window or command has since ${newest.tier === null ? 'reset this trace to the policy' : `set this trace to ${newest.tier}`}.`,
            hint: 'See the tier history of the trace; you can undo it there.',
          })
        return undo(traceId, newest.no, who)
      }),

    history(traceId: string): Decision[] {
      traces.require(traceId)
      return store.history(traceId)
    },

    /** Called by scoring in its transaction; the caller publishes the change. Returns whether the effective tier changed. */
    setPolicyScore(traceId: string, score: PolicyScore): boolean {
      traces.setScore(traceId, [score.tier, score.quality, score.successRate, score.verification, score.tierReason, score.scoreVersion])
      return applyTier(traceId)
    },

    /** One action on many traces in one transaction; deleted traces are skipped. */
    bulk: (ids: readonly string[], change: BulkAction, who: string): { bulkId: string; changed: number } =>
      tx(() => {
        const bulkId = randomUUID()
        let changed = 0
        publishAsBatch(ids.length > MAX_SINGLE_EVENTS, () => {
          for (const id of ids) {
            const row = traces.find(id)
            if (!row) continue
            if (change.action === 'tier') decide(id, change.tier, who, change.reason ?? null, bulkId)
            else if (change.action === 'unset-tier') {
              if (row.tier_source === 'policy') continue
              decide(id, null, who, null, bulkId)
            } else {
              if (!store.changeTag(id, change.tag, change.action === 'add-tag', bulkId)) continue
              emitChange(id, row.tier, who, null)
            }
            changed += 1
          }
        })
        return { bulkId, changed }
      }),

    undoBulk: (bulkId: string, who: string): { changed: number } =>
      tx(() => {
        const decisions = store.activeBulkDecisions(bulkId)
        const changed = new Set<string>()
        publishAsBatch(decisions.length + store.countTagChanges(bulkId) > MAX_SINGLE_EVENTS, () => {
          for (const decision of decisions) {
            if (traces.find(decision.trace_id)) undo(decision.trace_id, decision.no, who)
            else store.undo(decision.no)
            changed.add(decision.trace_id)
          }
          for (const id of store.undoTags(bulkId)) {
            const row = traces.find(id)
            if (row) emitChange(id, row.tier, who, 'undone')
            changed.add(id)
          }
        })
        if (changed.size === 0) throw new AppError('nothing_to_undo', { message: 'There is no bulk change to undo.' })
        return { changed: changed.size }
      }),

    changeTags: (traceId: string, change: TagChange, who: string): Trace =>
      tx(() => {
        const { tier } = traces.require(traceId)
        store.changeTags(traceId, change)
        return emitChange(traceId, tier, who, null)
      }),

    setNote: (traceId: string, note: string | null, who: string): Trace =>
      tx(() => {
        const { tier } = traces.require(traceId)
        store.setNote(traceId, note)
        return emitChange(traceId, tier, who, null)
      }),
  }
}
