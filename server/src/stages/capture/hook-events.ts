import fs from 'node:fs'
import path from 'node:path'
import type { HookPayload } from './hook-payload.ts'
import type { Core } from '#server/core.ts'
import { AGENT } from './agent.ts'
import type { Clients } from './clients.ts'
import { isExcluded } from './exclusions.ts'
import { factLine, signalOf } from './hook-facts.ts'
import { traceId as idOf } from './identity.ts'
import type { Intake } from './intake.ts'
import { sessionFileOf } from './live.ts'
import type { SpoolEvent } from './spool.ts'
import { type createLiveSessions, notificationKind } from './status.ts'
import type { CaptureStore } from './store.ts'
import type { SessionSignal } from './types.ts'

export interface HookEventsOptions {
  core: Core
  store: CaptureStore
  intake: Intake
  liveSessions: ReturnType<typeof createLiveSessions>
  clients: Clients
  /** Hook facts were stored for a session without a transcript. */
  onWithoutTranscript: (traceId: string) => void
  onSignal?: (signal: SessionSignal) => void
  /** A transcript named by an event; `hasEnded` if the event was SessionEnd. Resolves when it is read. */
  onTranscript: (file: string, hasEnded: boolean) => Promise<void>
}

/**
 * Handles hook events: archives facts that transcripts lack, forwards the event, and reads the session's transcript.
 * The end of a session is forwarded after its transcript is read, so that its last steps are not missing.
 */
export function createHookEvents({
  core,
  store,
  intake,
  liveSessions,
  clients,
  onSignal,
  onTranscript,
  onWithoutTranscript,
}: HookEventsOptions) {
  /** By trace: the forwarding of a session's end, which waits for the transcript, and of later events. */
  const pendingSignals = new Map<string, Promise<void>>()

  const emitSignal = (signal: SessionSignal, reads: Promise<void>[]) => {
    const before = pendingSignals.get(signal.traceId)
    if (!before && reads.length === 0) return onSignal?.(signal)
    const emitted = Promise.all([before, ...reads])
      .then(() => onSignal?.(signal))
      .catch((error: unknown) => core.log.warn({ err: error, traceId: signal.traceId }, "couldn't record the end of a session"))
      .finally(() => {
        if (pendingSignals.get(signal.traceId) === emitted) pendingSignals.delete(signal.traceId)
      })
    pendingSignals.set(signal.traceId, emitted)
  }

  const handleEvent = ({ payload, at, clientPid }: SpoolEvent) => {
    const traceId = idOf(AGENT, payload.session_id)
    const hasEnded = payload.hook_event_name === 'SessionEnd'
    if (hasEnded) liveSessions.end(payload.session_id)
    else liveSessions.recordEvent(payload.session_id)
    if (hasEnded) clients.end(payload.session_id)
    else if (clientPid !== null) clients.recordProcess(payload.session_id, clientPid, at)
    if (payload.hook_event_name === 'Notification') notify(traceId, payload)
    const files = [transcriptOf(payload.transcript_path, `${payload.session_id}.jsonl`), agentFileOf(payload)]
    const reads = files.flatMap((file) => (file === null ? [] : [onTranscript(file, hasEnded)]))
    emitSignal(signalOf(traceId, payload, at), hasEnded ? reads : [])
  }

  const notify = (traceId: string, payload: HookPayload) => {
    const message = typeof payload.message === 'string' ? payload.message : ''
    const type = typeof payload.notification_type === 'string' ? payload.notification_type : undefined
    core.events.passing('capture:notification', {
      traceId: store.hasTranscript(traceId) ? traceId : null,
      sessionId: payload.session_id,
      kind: notificationKind(type, message),
      message,
    })
  }

  /** Resolves to the number of events of captured projects and sessions. */
  const handleEvents = async (events: SpoolEvent[], excludedProjects: string[]): Promise<number> => {
    const forgotten = store.forgottenIds()
    const captured = events.filter(
      ({ payload }) =>
        !forgotten.has(idOf(AGENT, payload.session_id)) && (payload.cwd === undefined || !isExcluded(payload.cwd, excludedProjects)),
    )
    const lines = new Map<string, string>()
    for (const { payload, at } of captured) {
      const line = factLine(payload, at)
      if (line !== null) lines.set(payload.session_id, (lines.get(payload.session_id) ?? '') + line)
    }
    await Promise.all([...lines].map(([sessionId, text]) => intake.archiveLines(AGENT, sessionId, Buffer.from(text))))
    captured.forEach(handleEvent)
    for (const traceId of new Set([...lines.keys()].map((sessionId) => idOf(AGENT, sessionId))))
      if (!store.hasTranscript(traceId)) onWithoutTranscript(traceId)
    return captured.length
  }

  return {
    handleEvents,
    /** Resolves when every event is forwarded. */
    async settled(): Promise<void> {
      while (pendingSignals.size > 0) await Promise.all(pendingSignals.values())
    },
  }
}

/** A path from a hook's payload, if it is a regular file of the user with exactly that name. */
function transcriptOf(file: unknown, name: string): string | null {
  if (typeof file !== 'string' || path.basename(file) !== name || !path.isAbsolute(file)) return null
  try {
    const stats = fs.lstatSync(file) // links are not followed: they could lead to any file of the user
    const isOwn = process.getuid === undefined || stats.uid === process.getuid()
    return stats.isFile() && isOwn ? fs.realpathSync(file) : null
  } catch {
    return null // not written yet; the next event or the watcher finds it
  }
}

/** The file of a sub-agent that is next to the transcripts, as client 2.0.x writes it; later clients use the session's folder. */
function agentFileOf(payload: { [field: string]: unknown }): string | null {
  const file = payload.agent_transcript_path
  if (typeof file !== 'string' || !/^agent-[A-Za-z0-9_-]+\.jsonl$/.test(path.basename(file))) return null
  return sessionFileOf(file) === file ? transcriptOf(file, path.basename(file)) : null
}
