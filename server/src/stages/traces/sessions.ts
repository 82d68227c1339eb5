import type { TraceState } from '#contracts/entities/trace.ts'
import type { Core } from '#server/core.ts'
import type { ClientState } from '#server/stages/capture/index.ts'
import type { ArchiveChange, SessionSignal } from '#server/stages/capture/types.ts'
import type { DerivedTrace } from './derived.ts'
import { toTrace } from './rows.ts'
import type { TraceStore } from './store.ts'

/** A session that has not grown for this long, and whose process has ended, has ended. */
const SILENCE_MS = 30 * 60_000
/** A session whose client ended without SessionEnd was interrupted; its last writes may arrive this late. */
const LOST_CLIENT_MS = 30_000
const SWEEP_MS = 5000

export type Sessions = ReturnType<typeof createSessions>

/** live → ended or interrupted: by SessionEnd, by the end of its process, or by inactivity. */
export function createSessions(core: Core, store: TraceStore, clientOf: (sessionId: string) => ClientState | null) {
  /** Time of SessionEnd; later growth reopens the session (resume). */
  const endedAt = new Map<string, number>()
  /** When a live session last grew, by our clock; the times in its records may be in the future. */
  const grewAt = new Map<string, number>()

  const isAlive = (sessionId: string) => clientOf(sessionId)?.isRunning === true
  /** Whether the session's client ended without SessionEnd. Later writes come from another, unknown process. */
  const hasLostClient = (sessionId: string, lastAt: number): boolean => {
    const client = clientOf(sessionId)
    return client !== null && !client.isRunning && lastAt <= client.endedAt
  }
  const finalState = (isInterrupted: boolean): TraceState => (isInterrupted ? 'interrupted' : 'ended')

  const end = (traceId: string, isLost = false): void => {
    grewAt.delete(traceId)
    const row = store.find(traceId)
    if (!row || row.state !== 'live') return
    core.tx(() => {
      const last = store.lastCall(row.no)
      store.setState(traceId, finalState(isLost || (last !== undefined && last.answered === 0 && last.rejected_by === null)))
      core.events.append('trace:updated', { id: traceId, trace: toTrace(store.require(traceId)), fromSeq: null, toSeq: null })
    })
  }

  const sweep = () => {
    const now = core.now()
    for (const row of store.live()) {
      const lastAt = row.ended_at !== null && row.ended_at <= now ? row.ended_at : (grewAt.get(row.id) ?? 0)
      const silentMs = now - lastAt
      if (silentMs > LOST_CLIENT_MS && hasLostClient(row.session_id, lastAt)) end(row.id, true)
      else if (silentMs > SILENCE_MS && !isAlive(row.session_id)) end(row.id)
    }
  }
  const timer = setInterval(() => {
    try {
      sweep()
    } catch (error) {
      if (!core.disk.reportIfFull(error)) core.log.error({ err: error }, "couldn't end inactive sessions")
    }
  }, SWEEP_MS).unref()

  return {
    stateOf: (derived: DerivedTrace, change: ArchiveChange, unanswered: boolean): TraceState => {
      if (change.sample) return finalState(unanswered)
      const endSignalAt = endedAt.get(derived.traceId)
      if (endSignalAt !== undefined && endSignalAt >= (derived.endedAt ?? 0)) return finalState(unanswered)
      if (endSignalAt !== undefined) endedAt.delete(derived.traceId)
      const now = core.now()
      const isLive = change.reason === 'live'
      const age = derived.endedAt === null ? Infinity : now - derived.endedAt
      const isAhead = age < -SILENCE_MS // its clock is ahead of ours, so inactivity is unknown
      if ((age > SILENCE_MS || isAhead) && !(isLive && (isAhead || isAlive(derived.sessionId))))
        return finalState(unanswered || (derived.endedAt !== null && hasLostClient(derived.sessionId, derived.endedAt)))
      // From the stored hook payloads: a SessionEnd without a later event.
      if (derived.state === 'ended' && !isLive) return finalState(unanswered)
      grewAt.set(derived.traceId, now)
      return 'live'
    },

    onSignal: (signal: SessionSignal): void => {
      if (signal.event === 'SessionEnd') {
        endedAt.set(signal.traceId, signal.at)
        end(signal.traceId)
      } else if (signal.event === 'SessionStart') endedAt.delete(signal.traceId)
    },
    sweep,
    close: () => clearInterval(timer),
  }
}
