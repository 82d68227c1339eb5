import type { Agent } from '#contracts/entities/common.ts'
import type { ImportResult } from '#contracts/entities/capture.ts'
import type { Core } from '#server/core.ts'
import type { Lane } from '#server/workers/pool.ts'
import { placeBelow } from '#server/within.ts'
import type { AppendResult, AppendTrace } from './archive/append-types.ts'
import type { ArchiveInput } from './archive/archive.job.ts'
import { batchesOf, importOrder, isLarge } from './batches.ts'
import type { Discovery, DiscoverInput, FoundSession } from './discover.ts'
import { traceId as idOf } from './identity.ts'
import { commitRows, failureOf } from './intake-errors.ts'
import { createPendingRows, type PendingOptions } from './pending-rows.ts'
import { createKeyedQueue, createLimiter } from './queue.ts'
import type { CaptureStore } from './store.ts'
import { linkHint, linkSentence } from './status.ts'
import type { ArchiveChange, DerivedCounts } from './types.ts'
import type { OutsideLink } from './walk.ts'
import { isWithin } from '#server/within.ts'

export interface IntakeRequest {
  /** Only sessions of this agent; null for all agents. */
  agent: Agent | null
  paths: string[]
  reason: ArchiveChange['reason']
  lane: Lane
  jobId: string | null
  signal?: AbortSignal
  onProgress?: (progress: IntakeProgress) => void
  sample?: boolean
  /** Compare only files of this trace: a live session then does not need the whole table. */
  onlyTraceId?: string
  /** The user named these paths: a file among them is imported even if it is excluded or was deleted. */
  isExplicit?: boolean
  /** Also check archived files outside the paths. */
  includesKnownFiles?: boolean
  /** The paths come from the watcher or a hook, not from the user. */
  isAutomatic?: boolean
}

export interface IntakeProgress {
  phase: 'scanning' | 'importing'
  sessions: number
  sessionsTotal: number | null
  bytes: number
  bytesTotal: number | null
}

export interface IntakeOptions {
  core: Core
  store: CaptureStore
  onArchived: (change: ArchiveChange) => Promise<DerivedCounts>
  excluded: () => string[]
  /** Folders where agents keep sessions, and whether links out of them are followed. */
  linkRules: () => { places: string[]; followLinks: boolean }
  /** Links that were not followed. */
  onLinks: (links: OutsideLink[], request: IntakeRequest) => void
  /** Reads new sessions while they are archived. */
  follower?: () => ArchiveInput['follower']
  onProblem: (kind: string, message: string, hint: string | null) => void
}

const UNFINISHED =
  'The only line of this file is incomplete, so it has no session yet. It is imported once the line is complete; if nothing writes it any more, move the file.'

export type Intake = ReturnType<typeof createIntake>

const DISCOVER = new URL('./discover.job.ts', import.meta.url)
const ARCHIVE = new URL('./archive/archive.job.ts', import.meta.url)

/** Batches archived at the same time: one compresses while the other waits for the disk. */
const BATCHES_AT_A_TIME = 2
/** Archiving waits while more sessions than this have pending rows. */
const PENDING_AT_A_TIME = 32

/**
 * The only way from an agent's file to rows: find new bytes, archive them, commit their offsets, forward the change.
 * Import, watching and samples differ only in lane and reason.
 */
export function createIntake({ core, store, onArchived, excluded, linkRules, onLinks, follower, onProblem }: IntakeOptions) {
  const locks = createKeyedQueue()
  const traceDir = (agent: Agent, traceId: string) => placeBelow(core.paths.archive, agent, traceId)
  const pendingRows = createPendingRows({ core, store, onArchived, locks, traceDir })

  const discoverSessions = (request: IntakeRequest): Promise<Discovery> => {
    const input: DiscoverInput = {
      agent: request.agent,
      paths: request.paths,
      known: request.onlyTraceId ? store.knownFilesOf(request.onlyTraceId) : store.knownFiles(),
      ignored: store.ignoredFiles(),
      excluded: excluded(),
      forgotten: [...store.forgottenIds()],
      isExplicit: request.isExplicit ?? false,
      followed: request.includesKnownFiles ? store.followedFiles() : [],
      isAutomatic: request.isAutomatic ?? false,
      ...linkRules(),
    }
    return core.workers.run<Discovery>(DISCOVER, input, { lane: request.lane, ...(request.signal && { signal: request.signal }) })
  }

  /** Archives and commits; the caller holds the locks of these traces. */
  const archive = async (
    traces: AppendTrace[],
    lane: Lane,
    options: { key?: string; alone?: boolean; signal?: AbortSignal; onBytes?: (bytes: number) => void },
  ) => {
    const results = await core.workers.run<AppendResult[]>(
      ARCHIVE,
      // Live sessions have a reader that stays in its thread, so only bulk imports use a follower.
      { traces, follower: (lane === 'bulk' && follower?.()) || null } satisfies ArchiveInput,
      {
        lane,
        ...(options.key && { key: options.key }),
        ...(options.alone && { alone: true }),
        ...(options.signal && { signal: options.signal }),
        onProgress: (bytes) => options.onBytes?.(bytes as number), // archive.job.ts reports numbers
      },
    )
    const { places } = linkRules()
    commitRows(() =>
      core.tx(() => {
        results.forEach((result, index) => {
          const trace = traces[index]!
          if (result.failed) return
          for (const { path: file } of trace.files) if (!places.some((place) => isWithin(place, file))) store.follow(file)
          result.isNew = !store.hasTranscript(trace.traceId) // facts from hooks are not a transcript
          if (result.added > 0) store.save(trace, result.sources, false)
          else if (store.find(trace.traceId)) store.saveSources(trace.traceId, result.sources)
          else if (result.sources.length > 0) store.save(trace, result.sources, false)
        })
      }),
    )
    const repaired = results.flatMap((result) => result.repaired)
    if (repaired.length > 1) for (const sentence of repaired) core.log.info(`Repaired: ${sentence}`)
    if (repaired.length > 0)
      onProblem(
        'repaired',
        repaired.length === 1
          ? repaired[0]!
          : `${repaired.length} archive files were repaired (listed in the log). The first: ${repaired[0]}`,
        null,
      )
    return results
  }

  /** Derives an archived session and adds it to the result. */
  const deriveSession = async (
    request: IntakeRequest,
    result: ImportResult,
    session: FoundSession,
    outcome: AppendResult,
  ): Promise<void> => {
    try {
      result.bytes += outcome.added
      for (const { path: file, message } of outcome.errors) result.errors.push({ file, line: null, message })
      if (outcome.failed) throw failureOf(outcome.failed)
      const hasNoSources = outcome.sources.length === 0
      // Bytes of an earlier import that could not commit (full disk) are already archived but have no rows yet.
      if (hasNoSources || (outcome.added === 0 && !store.isPending(session.traceId))) {
        result.sessions[hasNoSources ? 'failed' : 'unchanged'] += 1
        return
      }
      if (request.isExplicit) store.unsetForgotten(session.traceId)
      const counts = await pendingRows.derive({
        traceId: session.traceId,
        agent: session.agent,
        sessionId: session.sessionId,
        sample: store.find(session.traceId)?.sample ?? false,
        traceDir: traceDir(session.agent, session.traceId),
        isNew: outcome.isNew,
        bytes: outcome.added,
        reason: request.reason,
        jobId: request.jobId,
        followerResult: outcome.followerResult,
      })
      result.records += counts.records
      result.steps += counts.steps
      result.errors.push(...counts.errors)
      result.sessions[outcome.isNew ? 'new' : 'grown'] += 1
    } catch (error) {
      if (request.signal?.aborted) return
      core.disk.reportIfFull(error)
      result.sessions.failed += 1
      const message = error instanceof Error ? error.message : String(error)
      result.errors.push({ file: session.files[0]?.path ?? session.sessionId, line: null, message })
      core.log.warn({ err: error, traceId: session.traceId }, "couldn't import a session")
    }
  }

  async function importFiles(request: IntakeRequest): Promise<ImportResult> {
    const startedAt = core.now()
    const result: ImportResult = {
      sessions: { new: 0, grown: 0, unchanged: 0, failed: 0 },
      records: 0,
      steps: 0,
      bytes: 0,
      ms: 0,
      errors: [],
    }
    request.onProgress?.({ phase: 'scanning', sessions: 0, sessionsTotal: null, bytes: 0, bytesTotal: null })
    const discovery = await discoverSessions(request)
    core.tx(() => discovery.ignore.forEach(store.ignore))
    result.sessions.unchanged = discovery.unchanged
    for (const { file, message, session } of discovery.errors) {
      result.errors.push({ file, line: null, message })
      if (session) result.sessions.failed += 1
    }
    onLinks(discovery.links, request)
    if (request.reason !== 'live') {
      for (const link of discovery.links)
        result.errors.push({ file: link.path, line: null, message: `${linkSentence(link)} ${linkHint(link)}` })
      for (const file of discovery.unfinished) result.errors.push({ file, line: 1, message: UNFINISHED })
    }

    const batches = batchesOf(importOrder(discovery.sessions))
    const totals = { sessions: discovery.sessions.length, bytes: discovery.sessions.reduce((sum, { newBytes }) => sum + newBytes, 0) }
    const processed = { sessions: 0, bytes: 0 }
    const reportProgress = () =>
      request.onProgress?.({
        phase: 'importing',
        sessions: processed.sessions,
        sessionsTotal: totals.sessions,
        bytes: Math.min(processed.bytes, totals.bytes),
        bytesTotal: totals.bytes,
      })
    reportProgress()

    const pending = new Set<Promise<void>>()
    const whenAborted = aborted(request.signal)
    const deriveAndRelease = (session: FoundSession, outcome: AppendResult, release: () => void) =>
      deriveSession(request, result, session, outcome).finally(() => {
        release()
        processed.sessions += 1
        reportProgress()
      })

    const archiving = createLimiter(BATCHES_AT_A_TIME)
    const archiveBatch = async (batch: FoundSession[]) => {
      const releases = await Promise.all(batch.map(({ traceId }) => locks.acquire(traceId)))
      const traces = batch.map((session) => ({
        traceDir: traceDir(session.agent, session.traceId),
        traceId: session.traceId,
        agent: session.agent,
        sessionId: session.sessionId,
        sample: request.sample ?? false,
        files: session.files,
      }))
      try {
        request.signal?.throwIfAborted()
        const outcomes = await archive(traces, request.lane, {
          ...(request.lane === 'live' && batch.length === 1 && { key: batch[0]!.traceId }),
          alone: request.lane === 'bulk' && batch.some(isLarge),
          ...(request.signal && { signal: request.signal }),
          onBytes: (bytes) => {
            processed.bytes += bytes
            reportProgress()
          },
        })
        batch.forEach((session, index) => {
          // A trace stays locked until its rows are written, so that its changes stay in order.
          const work = pendingRows.inBackground(deriveAndRelease(session, outcomes[index]!, releases[index]!))
          pending.add(work)
          void work.finally(() => pending.delete(work))
        })
      } catch (error) {
        releases.forEach((release) => release())
        throw error
      }
    }

    const running = new Set<Promise<void>>()
    let firstError: unknown
    for (const batch of batches) {
      if (request.signal?.aborted || firstError !== undefined) break
      const pendingLimit = batch.some(isLarge) ? 0 : PENDING_AT_A_TIME
      while (pending.size > pendingLimit && !request.signal?.aborted) await Promise.race([...pending, whenAborted])
      const work = archiving.run(() => archiveBatch(batch)).catch((error: unknown) => void (firstError ??= error))
      running.add(work)
      void work.finally(() => running.delete(work))
      if (running.size >= BATCHES_AT_A_TIME) await Promise.race(running)
    }
    await Promise.all(running)
    await Promise.race([Promise.all(pending), whenAborted])
    result.ms = core.now() - startedAt
    if (firstError !== undefined && !request.signal?.aborted) throw firstError
    return result
  }

  return {
    importFiles,
    /** Loads the jobs into the live thread, so that the first event of a session does not wait for them to load. */
    async warmUp(): Promise<void> {
      await discoverSessions({ agent: 'claude-code', paths: [], reason: 'live', lane: 'live', jobId: null })
      await core.workers.run(ARCHIVE, { traces: [], follower: null } satisfies ArchiveInput, { lane: 'live' })
    },
    /** Lines that exist nowhere else (hook payloads), archived with the transcripts of their session. */
    async archiveLines(agent: Agent, sessionId: string, lines: Buffer): Promise<void> {
      const traceId = idOf(agent, sessionId)
      await locks.run(traceId, async () => {
        const sample = store.find(traceId)?.sample ?? false
        const files = [{ path: 'hooks', name: 'hooks', kind: 'hooks' as const, bytes: lines }]
        const trace = { traceDir: traceDir(agent, traceId), traceId, agent, sessionId, sample, files }
        const [outcome] = await archive([trace], 'live', { key: traceId })
        if (outcome!.failed) throw failureOf(outcome!.failed)
      })
    },
    derivePending: (options: PendingOptions) => pendingRows.derivePending(options),
    /** Runs while nothing else is imported. */
    exclusive: <T>(work: () => Promise<T>) => locks.exclusive(work),
    /** Runs while this trace is locked. */
    withTraceLock: <T>(traceId: string, work: () => Promise<T>) => locks.run(traceId, work),
    traceDir,
    drain: async () => {
      await pendingRows.drain()
      await locks.idle()
    },
  }
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve()
    else signal?.addEventListener('abort', () => resolve(), { once: true })
  })
}
