import fs from 'node:fs'
import path from 'node:path'
import type { HookPayload } from '#contracts/hook.ts'
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
 * Handles hook events: archives facts that transcripts lack, forwards the event, and reads its
 * transcript. The end of a session is forwarded after its transcript is read, so that a session is not marked as ended
 * while its last steps are missing.
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
  /** By trace: an end that waits for its transcript, with later events. */
  const untold = new Map<string, Promise<void>>()

  const emitSignal = (signal: SessionSignal, reading: Promise<void>[]) => {
    const before = untold.get(signal.traceId)
    if (!before && reading.length === 0) return onSignal?.(signal)
    const emitted = Promise.all([before, ...reading])
      .then(() => onSignal?.(signal))
      .catch((error: unknown) => core.log.warn({ err: error, traceId: signal.traceId }, "couldn't record the end of a session"))
      .finally(() => {
        if (untold.get(signal.traceId) === emitted) untold.delete(signal.traceId)
      })
    untold.set(signal.traceId, emitted)
  }

  const hear = ({ payload, at, clientPid }: SpoolEvent) => {
    const traceId = idOf(AGENT, payload.session_id)
    const hasEnded = payload.hook_event_name === 'SessionEnd'
    if (hasEnded) liveSessions.end(payload.session_id)
    else liveSessions.hear(payload.session_id)
    if (hasEnded) clients.end(payload.session_id)
    else if (clientPid !== null) clients.hear(payload.session_id, clientPid, at)
    if (payload.hook_event_name === 'Notification') notify(traceId, payload)
    const named = [transcriptOf(payload.transcript_path, `${payload.session_id}.jsonl`), agentFileOf(payload)]
    const reading = named.flatMap((file) => (file === null ? [] : [onTranscript(file, hasEnded)]))
    emitSignal(signalOf(traceId, payload, at), hasEnded ? reading : [])
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
  const take = async (events: SpoolEvent[], excludedProjects: string[]): Promise<number> => {
    const forgotten = store.forgottenIds()
    const wanted = events.filter(
      ({ payload }) =>
        !forgotten.has(idOf(AGENT, payload.session_id)) && (payload.cwd === undefined || !isExcluded(payload.cwd, excludedProjects)),
    )
    const lines = new Map<string, string>()
    for (const { payload, at } of wanted) {
      const line = factLine(payload, at)
      if (line !== null) lines.set(payload.session_id, (lines.get(payload.session_id) ?? '') + line)
    }
    await Promise.all([...lines].map(([sessionId, text]) => intake.archiveLines(AGENT, sessionId, Buffer.from(text))))
    wanted.forEach(hear)
    for (const traceId of new Set([...lines.keys()].map((sessionId) => idOf(AGENT, sessionId))))
      if (!store.hasTranscript(traceId)) onWithoutTranscript(traceId)
    return wanted.length
  }

  return {
    take,
    /** Resolves when every event is forwarded. */
    async settled(): Promise<void> {
      while (untold.size > 0) await Promise.all(untold.values())
    },
  }
}

/** A path from a hook's payload, if it is a regular file of the user with exactly that name. */
function transcriptOf(given: unknown, name: string): string | null {
  if (typeof given !== 'string' || path.basename(given) !== name || !path.isAbsolute(given)) return null
  try {
    const stats = fs.lstatSync(given) // the file itself: a link with that name could lead to any file of the user
    const isOwn = process.getuid === undefined || stats.uid === process.getuid()
    return stats.isFile() && isOwn ? fs.realpathSync(given) : null
  } catch {
    return null // not written yet; the next event or the watcher finds it
  }
}

/** The 2.0.x layout: the sub-agent's file is next to the transcripts. Later it is in the session's folder. */
function agentFileOf(payload: { [field: string]: unknown }): string | null {
  const given = payload.agent_transcript_path
  if (typeof given !== 'string' || !/^agent-[A-Za-z0-9_-]+\.jsonl$/.test(path.basename(given))) return null
  return sessionFileOf(given) === given ? transcriptOf(given, path.basename(given)) : null
}
