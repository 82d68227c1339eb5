import fs from 'node:fs'
import path from 'node:path'
import { isoOf } from '#server/instant.ts'
import type { CaptureStatus, Scan } from '#contracts/entities/capture.ts'
import type { Agent } from '#contracts/entities/common.ts'
import type { Core } from '#server/core.ts'
import { createMeta } from '#server/db/meta.ts'
import { AGENT } from './agent.ts'
import type { ArchiveInput } from './archive/archive.job.ts'
import { createClients } from './clients.ts'
import { createHookEvents } from './hook-events.ts'
import { createImports } from './imports.ts'
import { createIntake, type IntakeRequest } from './intake.ts'
import type { PendingOptions } from './pending-rows.ts'
import { createArchiveMaintenance } from './archive-maintenance.ts'
import { createLive } from './live.ts'
import { isStorage } from './opencode-storage.ts'
import { cleanupPeriodDays, knownPlaces, otherPlaces, samplePlaces } from './places.ts'
import { createRemoval } from './removal.ts'
import type { ScanInput } from './scan.ts'
import { createSpoolReader } from './spool-reader.ts'
import { createLiveSessions, createProblems, diskFullIn, diskOf, linkProblems } from './status.ts'
import { createStore } from './store.ts'
import type { ArchiveChange, DerivedCounts, SessionSignal } from './types.ts'
import type { OutsideLink } from './walk.ts'
import { watchOthers, type OtherWatcher } from './watch-others.ts'
import { createWatcher, type Watcher } from './watch.ts'

/** Collaborators: what happens to changes, and facts from other parts. */
export interface CaptureDeps {
  onArchived: (change: ArchiveChange) => Promise<DerivedCounts>
  /** Which rows `onArchived` makes of the same bytes: if it is not what it was, the start derives all sessions again. */
  rowsVersion?: number
  /** Module that reads new sessions while they are archived; its result is in the `ArchiveChange`. */
  follower?: () => ArchiveInput['follower']
  onSignal?: (signal: SessionSignal) => void
  /** Runs inside the transaction that removes a trace's sources. */
  forget?: (traceId: string) => void
  settings?: () => { paused: boolean; excludedProjects: string[]; followLinks?: boolean }
  /** Adds a working directory to the excluded ones. */
  exclude?: (cwd: string) => void
  hooksInstalled?: () => boolean
  indexing?: () => CaptureStatus['indexing']
  /** Problems of later stages. */
  problems?: () => CaptureStatus['problems']
}

export interface StartOptions {
  /**
   * Import every known place now and watch it (on the first run: once the user starts the import). A command
   * sets it to false: then only the spool is read.
   */
  watch: boolean
}

export type Capture = ReturnType<typeof createCaptureService>

/** In `meta`: the version of the rows of this database. */
const ROWS_VERSION = 'capture.rowsVersion'
const SCAN = new URL('./scan.job.ts', import.meta.url)
/** After SessionEnd the client writes a few more records, so the transcript is read again this much later. */
const REREAD_MS = 1000
/** If no transcript exists this long after the first hook, the session is listed without one. */
const TRANSCRIPT_MS = 3000
/** The live thread is prepared this long after the start, so that it does not delay the first import. */
const WARM_UP_MS = 2000
const STATUS_MS = 1000
/** On stop, files being read get this long; the next start imports what is missing. */
const CLOSE_MS = 2000
const SCAN_KEPT_MS = 10 * 60_000

export function createCaptureService(core: Core, deps: CaptureDeps) {
  const { paths, config, log, now } = core
  const store = createStore(core.db)
  const problems = createProblems()
  const clients = createClients(core.db, now)
  const liveSessions = createLiveSessions(now, (sessionId) => clients.stateOf(sessionId)?.isRunning === false)
  const settings = deps.settings ?? (() => ({ paused: false, excludedProjects: [], followLinks: false }))
  const followLinks = () => settings().followLinks ?? false
  /** Links that were not followed. */
  let skippedLinks: OutsideLink[] = []
  const onProblem = (kind: string, message: string, hint: string | null) => {
    problems.add(kind, message, hint)
    log.warn({ kind }, message)
    statusChanged()
  }
  const intake = createIntake({
    core,
    store,
    onArchived: deps.onArchived,
    ...(deps.follower && { follower: deps.follower }),
    excluded: () => settings().excludedProjects,
    linkRules: () => ({ places: [...knownPlaces(config), ...otherPlaces(config).map((place) => place.path)], followLinks: followLinks() }),
    onLinks: (newLinks, { agent, isExplicit, isAutomatic }) => {
      const isCompleteImport = agent === null && !isExplicit && !isAutomatic
      const earlierLinks = isCompleteImport ? [] : skippedLinks
      skippedLinks = [...earlierLinks, ...newLinks.filter(({ path: link }) => !earlierLinks.some((earlier) => earlier.path === link))]
      if (skippedLinks.length !== earlierLinks.length || isCompleteImport) statusChanged()
    },
    onProblem,
  })

  let watcher: Watcher | null = null
  let otherWatcher: OtherWatcher | null = null
  /** The known places are neither read nor watched until the user starts the import. */
  let isWaitingForUser = false
  let lastEventAt: number | null = null
  let lastScan: { scan: Scan; at: number } | null = null
  let closed = false
  const timers = new Set<NodeJS.Timeout>()

  const schedule = (ms: number, work: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, ms)
    timer.unref()
    timers.add(timer)
  }

  const live = createLive({
    agent: AGENT,
    intake,
    onImported: (sessionFile, grown) => {
      watcher?.follow(sessionFile)
      if (!grown) return
      liveSessions.recordWrite(path.basename(sessionFile, '.jsonl'))
      lastEventAt = now()
      statusChanged()
    },
    onError: (file, error) => log.warn({ err: error, file }, "couldn't import an update of a session"),
  })
  const touch = (file: string): Promise<void> => (settings().paused || closed ? Promise.resolve() : live.touch(file))

  const spool = createSpoolReader({
    core,
    store: async (events) => {
      const { paused, excludedProjects } = settings()
      // While capture is paused, hook payloads are dropped; transcripts are imported later.
      if (!paused && (await hookEvents.handleEvents(events, excludedProjects)) > 0) lastEventAt = now()
      statusChanged()
    },
    onDoorbell: () => {
      if (!settings().paused && !isWaitingForUser) void checkAllSessions()
    },
    onProblem,
    onSolved: (kind) => problems.clear(kind),
  })

  const hookEvents = createHookEvents({
    core,
    store,
    intake,
    liveSessions,
    clients,
    onWithoutTranscript: (traceId) => schedule(TRANSCRIPT_MS, () => void listWithoutTranscript(traceId)),
    onSignal: (signal) => {
      if (!closed) deps.onSignal?.(signal)
    },
    onTranscript: (file, hasEnded) => {
      if (hasEnded) schedule(REREAD_MS, () => void touch(file))
      return touch(file)
    },
  })
  /** Lists a session without a transcript by its hook facts. */
  const listWithoutTranscript = async (traceId: string) => {
    if (closed || store.hasTranscript(traceId)) return
    await intake
      .derivePending({ reason: 'live', onlyTraceId: traceId })
      .catch((error: unknown) => log.warn({ err: error, traceId }, "couldn't list a session without a transcript"))
  }
  /** Waits until every changed file is read and its events are forwarded. */
  const settle = async () => {
    await live.drain()
    await hookEvents.settled()
  }

  const archiveMaintenance = createArchiveMaintenance({ core, store, exclusive: intake.exclusive, onProblem })
  const imports = createImports({
    jobs: core.jobs,
    disk: core.disk,
    intake,
    placesOf: (agent) => placesOf(agent),
    onChange: () => {
      if (!imports.isRunning()) lastScan = null
      statusChanged()
    },
  })

  const importLive = (request: Pick<IntakeRequest, 'agent' | 'paths' | 'includesKnownFiles' | 'isAutomatic'>, failure: string) =>
    intake
      .importFiles({ ...request, reason: 'live', lane: 'live', jobId: null })
      .then(statusChanged, (error: unknown) => log.warn({ err: error, paths: request.paths }, failure))

  /** A doorbell without a session: checks all sessions, with one `stat` per unchanged file. */
  const checkAllSessions = () => importLive({ agent: null, paths: placesOf(null), includesKnownFiles: true }, "couldn't check the sessions")

  /** Known places that exist, of one agent or of all. */
  const placesOf = (agent: Agent | null): string[] => [
    ...(agent === null || agent === AGENT ? knownPlaces(config).filter((place) => fs.existsSync(place)) : []),
    ...otherPlaces(config).flatMap((place) => (agent === null || agent === place.agent ? [place.path] : [])),
  ]

  const scanNow = async (): Promise<Scan> => {
    const input: ScanInput = {
      places: [...knownPlaces(config).map((place) => ({ agent: AGENT, path: place })), ...otherPlaces(config)],
      known: store.knownFiles(),
      ignored: store.ignoredFiles(),
      cleanupPeriodDays: cleanupPeriodDays(config.claudeDir),
      excluded: settings().excludedProjects,
      followLinks: followLinks(),
      now: now(),
    }
    const scan = await core.workers.run<Scan>(SCAN, input, { lane: 'query' })
    lastScan = { scan, at: now() }
    return scan
  }

  const status = async (): Promise<CaptureStatus> => {
    if (!closed && (watcher || isWaitingForUser) && (lastScan === null || now() - lastScan.at > SCAN_KEPT_MS)) {
      void scanNow().then(statusChanged, () => undefined) // the numbers stay unknown until a scan succeeds
    }
    const totals = store.totals()
    const hooksInstalled = deps.hooksInstalled?.() ?? false
    return {
      state: settings().paused ? 'paused' : hooksInstalled ? 'on' : 'off',
      watching: [...(watcher?.roots() ?? []), ...(otherWatcher?.roots() ?? [])],
      lastEventAt: isoOf(lastEventAt),
      spoolFiles: spool.count(),
      liveSessions: liveSessions.count(),
      importing: imports.isRunning(),
      waitsForImport: isWaitingForUser,
      indexing: deps.indexing?.() ?? null,
      archive: { ...totals, atRisk: lastScan?.scan.atRisk ?? null, nextCleanupAt: lastScan?.scan.nextCleanup?.at ?? null },
      disk: await diskOf(config.dataDir, paths, totals.bytes),
      problems: [
        ...(core.disk.isFull() ? [diskFullIn(config.dataDir)] : []),
        ...(deps.problems?.() ?? []),
        ...linkProblems(skippedLinks),
        ...problems.list(),
      ],
    }
  }

  let statusTimer: NodeJS.Timeout | null = null
  let lastStatus = ''
  /** Publishes the status at most once a second, and only if it changed. */
  function statusChanged(): void {
    if (statusTimer || closed) return
    statusTimer = setTimeout(() => {
      statusTimer = null
      void status().then(
        (value) => {
          const text = JSON.stringify({ ...value, disk: null }) // free space changes all the time
          if (!closed && text !== lastStatus) core.events.passing('capture:status', value)
          lastStatus = text
          return null
        },
        (error: unknown) => log.warn({ err: error }, "couldn't read the capture status"),
      )
    }, STATUS_MS)
    statusTimer.unref()
  }

  const watchPlaces = () => {
    watcher = createWatcher({
      roots: knownPlaces(config),
      followLinks,
      onFile: (file) => void touch(file),
      onFolder: (folder) => {
        if (settings().paused) return
        void importLive({ agent: AGENT, paths: [folder], isAutomatic: true }, "couldn't read a new folder")
      },
      onProblem,
    })
    otherWatcher = watchOthers(
      otherPlaces(config).filter(({ path: place }) => !isStorage(place)),
      ({ agent }, changed) => {
        if (settings().paused || closed) return
        void importLive({ agent, paths: changed, isAutomatic: true }, "couldn't import an update of a session")
      },
    )
  }
  /** A failed scan counts as history, so that nothing is imported before the user has chosen. */
  const hasHistory = () =>
    scanNow().then(
      ({ sessions }) => sessions > 0,
      () => true,
    )

  let archiveOpening: Promise<void> | null = null
  const openArchive = async () => {
    try {
      await (archiveOpening ??= archiveMaintenance.open())
    } catch (error) {
      archiveOpening = null // retried once the disk has space
      if (!core.disk.reportIfFull(error)) throw error
    }
  }
  const derivePendingRows = () =>
    intake
      .derivePending({ reason: 'import' })
      .catch((error: unknown) => log.warn({ err: error }, "couldn't add archived sessions to the database"))
  const deriveAgainIfOutdated = () => {
    const { rowsVersion } = deps
    const meta = createMeta(core.db)
    if (core.readsOnly || rowsVersion === undefined || meta.get(ROWS_VERSION) === String(rowsVersion)) return
    try {
      core.tx(() => {
        const count = store.markAllPending()
        meta.set(ROWS_VERSION, String(rowsVersion))
        if (count > 0) log.info({ sessions: count, rowsVersion }, 'sessions are derived again, because they are read differently now')
      })
    } catch (error) {
      if (!core.disk.reportIfFull(error)) throw error // the next start tries again
    }
  }
  const importKnownPlaces = () => {
    const places = placesOf(null)
    if (settings().paused || (places.length === 0 && store.totals().traces === 0)) return
    imports.start('import', { agent: null, paths: places, isExplicit: false, includesKnownFiles: true })
  }
  /** After a full disk: imports everything that could not be stored. */
  const resume = async () => {
    await openArchive()
    await derivePendingRows()
    await spool.read()
    if (watcher) core.disk.whenThereIsSpace(importKnownPlaces)
  }
  const stopListening = core.disk.onChange((isFull) => {
    statusChanged()
    if (!isFull && !closed) void resume().catch((error: unknown) => log.error({ err: error }, "couldn't resume capture after a full disk"))
  })
  const removal = createRemoval({
    core,
    store,
    intake,
    forgetEvents: (sessionId) => spool.forget(sessionId),
    forgetRows: (traceId) => deps.forget?.(traceId),
    onRemoved: statusChanged,
  })

  return {
    startImport(request: Parameters<typeof imports.startImport>[0]) {
      const job = imports.startImport(request)
      if (isWaitingForUser && !request.paths?.length && request.agent == null) {
        isWaitingForUser = false
        watchPlaces()
      }
      return job
    },
    startSamples: () => imports.start('samples', { agent: AGENT, paths: samplePlaces(config.samplesDir), isExplicit: false }),
    removeSamples: removal.removeSamples,
    forget: (traceId: string) => removal.forget(traceId),
    /** Excludes a working directory from now on; returns how many of its archived sessions were removed. */
    async excludeProject(cwd: string): Promise<number> {
      deps.exclude?.(cwd)
      const wasImporting = await imports.stop() // it selected its sessions earlier
      await intake.drain()
      const removed = await removal.removeProject(cwd)
      if (wasImporting) imports.start('import', { agent: null, paths: placesOf(null), isExplicit: false, includesKnownFiles: true })
      lastScan = null
      statusChanged()
      return removed
    },
    scan: scanNow,
    status,
    statusChanged,
    clientOf: (sessionId: string) => clients.stateOf(sessionId),
    /** What the start repaired, one sentence each. */
    repaired: archiveMaintenance.repaired,
    totals: store.totals,
    sizes: store.sizes,
    /** Call after the settings changed. After a pause it imports the changes made during the pause. */
    settingsChanged() {
      statusChanged()
      watcher?.linksChanged()
      if (!settings().paused && watcher) void checkAllSessions()
    },
    rebuildSources: archiveMaintenance.rebuildSources,
    listArchived: archiveMaintenance.listArchived,
    derivePending: (options: PendingOptions) => intake.derivePending(options),
    markDerived: store.markDerived,
    /** May be called again: a command starts without watching, and the server may watch later. Only the first call checks for a crash. */
    async start({ watch }: StartOptions): Promise<void> {
      await openArchive()
      deriveAgainIfOutdated()
      const deriving = derivePendingRows()
      if (!watch) {
        await deriving // the command reads them next
        await spool.read()
        return settle() // doorbells are removed from the spool, so their transcripts must be read before the command continues
      }
      if (watcher || isWaitingForUser) return spool.read()
      schedule(
        WARM_UP_MS,
        () =>
          void intake.warmUp().catch((error: unknown) => {
            if (!closed) log.warn({ err: error }, "couldn't start the live import thread")
          }),
      )
      isWaitingForUser = config.askBeforeImport && !imports.hasRun() && (await hasHistory())
      if (!isWaitingForUser) watchPlaces()
      spool.watch()
      await spool.read()
      if (!isWaitingForUser) core.disk.whenThereIsSpace(importKnownPlaces)
      statusChanged()
    },
    readSpool: spool.read,
    /** Resolves when everything requested so far is done, except work that waits for a timer. */
    async drain(): Promise<void> {
      await spool.settled()
      await settle()
      await intake.drain()
    },
    async close(): Promise<void> {
      stopListening()
      watcher?.close()
      otherWatcher?.close()
      await spool.close()
      await Promise.race([settle(), new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())])
      closed = true
      live.close()
      for (const timer of timers) clearTimeout(timer)
      if (statusTimer) clearTimeout(statusTimer)
      await intake.drain()
      archiveMaintenance.close()
    },
  }
}
