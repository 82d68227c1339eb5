import fs from 'node:fs'
import path from 'node:path'
import { isoOf } from '#contracts/instant.ts'
import type { CaptureStatus, Scan } from '#contracts/entities/capture.ts'
import type { Agent } from '#contracts/entities/common.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import { AGENT } from './agent.ts'
import type { ArchiveInput } from './archive/archive.job.ts'
import { createClients } from './clients.ts'
import { createHookEvents } from './hook-events.ts'
import { createImports } from './imports.ts'
import { createIntake, type OweOptions } from './intake.ts'
import { createArchiveMaintenance } from './archive-maintenance.ts'
import { createLive } from './live.ts'
import { cleanupPeriodDays, knownPlaces, otherPlaces, samplePlaces } from './places.ts'
import type { LeaveOutInput } from './leave-out.job.ts'
import type { ScanInput } from './scan.ts'
import { createSpoolTaker } from './spool-taker.ts'
import { createLiveSessions, createProblems, diskFullIn, diskOf, linkProblems, riskOf } from './status.ts'
import { createStore } from './store.ts'
import type { ArchiveChange, DerivedCounts, SessionSignal } from './types.ts'
import type { OutsideLink } from './walk.ts'
import { watchOthers, type OtherWatcher } from './watch-others.ts'
import { createWatcher, type Watcher } from './watch.ts'

/** What app.ts hands over: what happens to news, and facts that other parts know. */
export interface CaptureDeps {
  onArchived: (change: ArchiveChange) => Promise<DerivedCounts>
  /** Module that reads new sessions while they are archived; what it makes of one comes back in its `ArchiveChange`. */
  follower?: () => ArchiveInput['follower']
  onSignal?: (signal: SessionSignal) => void
  /** Runs inside the transaction that removes a trace's sources. */
  forget?: (traceId: string) => void
  settings?: () => { paused: boolean; excludedProjects: string[]; followLinks?: boolean }
  /** Adds a working directory to the excluded ones. */
  exclude?: (cwd: string) => void
  hooksInstalled?: () => boolean
  indexing?: () => CaptureStatus['indexing']
  /** Of later stages, beside what capture itself noticed. */
  problems?: () => CaptureStatus['problems']
}

export interface StartOptions {
  /**
   * Import every known place now and watch it from then on (on the app's first run: once the user starts the import); without
   * it only the spool is taken in (a command).
   */
  watch: boolean
}

export type Capture = ReturnType<typeof createCaptureService>

const SCAN = new URL('./scan.job.ts', import.meta.url)
const LEAVE_OUT = new URL('./leave-out.job.ts', import.meta.url)
/** At SessionEnd the client still writes a few records (claude-code.md §6.7). */
const REREAD_MS = 1000
/** The client writes the transcript this soon after the first hook; without one the session is listed all the same. */
const TRANSCRIPT_MS = 3000
/** The live thread is made ready this long after the start: the first rows of an import come first. */
const WARM_UP_MS = 2000
const STATUS_MS = 1000
/** News that are being read when the server stops get this long; a longer one is found by the next start's look at known places. */
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
  /** Links that the last looks passed over. */
  let links: OutsideLink[] = []
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
    links: () => ({ places: [...knownPlaces(config), ...otherPlaces(config).map((place) => place.path)], followLinks: followLinks() }),
    onLinks: (found, { agent, asked, found: wasFound }) => {
      const isWhole = agent === null && !asked && !wasFound
      const before = isWhole ? [] : links
      links = [...before, ...found.filter((link) => !before.some(({ path: other }) => other === link.path))]
      if (links.length !== before.length || isWhole) statusChanged()
    },
    onProblem,
  })

  let watcher: Watcher | null = null
  let otherWatcher: OtherWatcher | null = null
  /** The known places are neither read nor watched until the user starts their import. */
  let isWaiting = false
  let lastEventAt: number | null = null
  let lastScan: { scan: Scan; at: number } | null = null
  let closed = false
  const timers = new Set<NodeJS.Timeout>()

  const later = (ms: number, work: () => void) => {
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
    onTaken: (sessionFile, grown) => {
      watcher?.follow(sessionFile)
      if (!grown) return
      liveSessions.grow(path.basename(sessionFile, '.jsonl'))
      lastEventAt = now()
      statusChanged()
    },
    onFault: (file, error) => log.warn({ err: error, file }, "couldn't import an update of a session"),
  })
  const touch = (file: string): Promise<void> => (settings().paused || closed ? Promise.resolve() : live.touch(file))

  const spool = createSpoolTaker({
    core,
    store: async (events) => {
      const { paused, excludedProjects } = settings()
      // While capture is paused nothing of a hook is kept; its transcript is the record and is found later.
      if (!paused && (await hookEvents.take(events, excludedProjects)) > 0) lastEventAt = now()
      statusChanged()
    },
    onDoorbell: () => {
      if (!settings().paused && !isWaiting) void lookAtEverything()
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
    onWithoutTranscript: (traceId) => later(TRANSCRIPT_MS, () => void listWithoutTranscript(traceId)),
    onSignal: (signal) => {
      if (!closed) deps.onSignal?.(signal)
    },
    onTranscript: (file, hasEnded) => {
      if (hasEnded) later(REREAD_MS, () => void touch(file))
      return touch(file)
    },
  })
  /** A session whose transcript did not come is listed by what its hooks told. */
  const listWithoutTranscript = async (traceId: string) => {
    if (closed || store.hasTranscript(traceId)) return
    await intake
      .derivePending({ reason: 'live', only: traceId })
      .catch((error: unknown) => log.warn({ err: error, traceId }, "couldn't list a session without a transcript"))
  }
  /** What was touched is read, and who waited for that is told. */
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

  /** A bell without a name: some session has news. Costs a `stat` a file where nothing changed. */
  const lookAtEverything = () => {
    return intake
      .takeIn({ agent: null, paths: placesOf(null), reason: 'live', lane: 'live', jobId: null, elsewhere: true })
      .then(statusChanged, (error: unknown) => log.warn({ err: error }, "couldn't check the sessions"))
  }

  /** Known places that are there, of one agent or of all. */
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
    const found = await core.workers.run<Scan>(SCAN, input, { lane: 'query' })
    lastScan = { scan: found, at: now() }
    return found
  }

  const status = async (): Promise<CaptureStatus> => {
    if (!closed && (watcher || isWaiting) && (lastScan === null || now() - lastScan.at > SCAN_KEPT_MS)) {
      void scanNow().then(statusChanged, () => undefined) // the figures stay unknown until a scan succeeds
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
      waitsForImport: isWaiting,
      indexing: deps.indexing?.() ?? null,
      archive: { ...totals, ...riskOf(lastScan?.scan ?? null) },
      disk: await diskOf(config.dataDir, paths, totals.bytes),
      problems: [
        ...(core.disk.isFull() ? [diskFullIn(config.dataDir)] : []),
        ...(deps.problems?.() ?? []),
        ...linkProblems(links),
        ...problems.list(),
      ],
    }
  }

  let statusTimer: NodeJS.Timeout | null = null
  let lastStatus = ''
  /** Tells subscribers, at most once a second and only when something differs. */
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
        void intake
          .takeIn({ agent: AGENT, paths: [folder], reason: 'live', lane: 'live', jobId: null, found: true })
          .then(statusChanged, (error: unknown) => log.warn({ err: error, folder }, "couldn't read a new folder"))
      },
      onProblem,
    })
    otherWatcher = watchOthers(otherPlaces(config), ({ agent, path: place }, changed) => {
      if (settings().paused || closed) return
      void intake
        .takeIn({ agent, paths: changed, reason: 'live', lane: 'live', jobId: null, found: true })
        .then(statusChanged, (error: unknown) => log.warn({ err: error, place }, "couldn't import an update of a session"))
    })
  }
  /** A search that fails counts as history: nothing is read before the user has chosen. */
  const hasHistory = () =>
    scanNow().then(
      ({ sessions }) => sessions > 0,
      () => true,
    )

  let opened: Promise<void> | null = null
  const open = async () => {
    try {
      await (opened ??= archiveMaintenance.open())
    } catch (error) {
      opened = null // again when there is space
      if (!core.disk.note(error)) throw error
    }
  }
  const derivePendingRows = () =>
    intake
      .derivePending({ reason: 'import' })
      .catch((error: unknown) => log.warn({ err: error }, "couldn't add archived sessions to the database"))
  const importKnown = () => {
    const places = placesOf(null)
    if (settings().paused || (places.length === 0 && store.totals().traces === 0)) return
    imports.start('import', { agent: null, paths: places, asked: false, elsewhere: true })
  }
  /** After a full disk: everything that could not be stored is looked for again. */
  const resume = async () => {
    await open()
    await derivePendingRows()
    await spool.take()
    if (watcher) core.disk.whenThereIsSpace(importKnown)
  }
  const unlisten = core.disk.onChange((isFull) => {
    statusChanged()
    if (!isFull && !closed) void resume().catch((error: unknown) => log.error({ err: error }, "couldn't resume capture after a full disk"))
  })
  const remove = (traceId: string, forGood: boolean) =>
    intake.alone(traceId, async () => {
      const trace = store.find(traceId)
      if (!trace) throw new AppError('trace_not_found')
      spool.forget(trace.sessionId)
      await fs.promises.rm(intake.traceDir(trace.agent, traceId), { recursive: true, force: true })
      store.shredding(() =>
        core.tx(() => {
          deps.forget?.(traceId)
          store.remove(trace)
          for (const name of [trace.traceId, trace.sessionId]) {
            core.events.scrub(name)
            core.jobs.scrub(name)
          }
          if (forGood) store.setForgotten(traceId, now())
        }),
      )
    })

  return {
    startImport(request: Parameters<typeof imports.startImport>[0]) {
      const job = imports.startImport(request)
      if (isWaiting && !request.paths?.length && request.agent == null) {
        isWaiting = false
        watchPlaces()
      }
      return job
    },
    startSamples: () => imports.start('samples', { agent: AGENT, paths: samplePlaces(config.samplesDir), asked: false }),
    async removeSamples(): Promise<number> {
      const samples = store.samples()
      for (const { traceId } of samples) await remove(traceId, false)
      store.truncateLog()
      statusChanged()
      return samples.length
    },
    /** Removes archive and rows of a session for good: later imports of its folder pass it over. */
    async forget(traceId: string): Promise<void> {
      await remove(traceId, true)
      store.truncateLog()
      statusChanged()
    },
    /**
     * Passes a working directory over from now on, and removes what is archived of it. What its client has deleted stays:
     * the archive has the only copy. Returns how many sessions were removed.
     */
    async leaveOut(cwd: string): Promise<number> {
      deps.exclude?.(cwd)
      const wasImporting = await imports.stop() // it chose its sessions before
      await intake.drain()
      const files = store.knownFiles().filter(({ kind }) => kind === 'main')
      const input: LeaveOutInput = { files, excluded: [cwd] }
      const ids = await core.workers.run<string[]>(LEAVE_OUT, input, { lane: 'query' })
      for (const id of ids) await remove(id, false)
      store.truncateLog()
      if (wasImporting) imports.start('import', { agent: null, paths: placesOf(null), asked: false, elsewhere: true })
      lastScan = null
      statusChanged()
      return ids.length
    },
    scan: scanNow,
    status,
    statusChanged,
    clientOf: (sessionId: string) => clients.stateOf(sessionId),
    /** What the start found half written and put right, a sentence each. */
    repaired: archiveMaintenance.repaired,
    totals: store.totals,
    sizes: store.sizes,
    /** Settings changed: a capture that goes on looks at what it missed. */
    settingsChanged() {
      statusChanged()
      watcher?.linksChanged()
      if (!settings().paused && watcher) void lookAtEverything()
    },
    rebuildSources: archiveMaintenance.rebuildSources,
    listArchived: archiveMaintenance.listArchived,
    derivePending: (options: OweOptions) => intake.derivePending(options),
    markDerived: store.markDerived,
    /** A command may start without watching and watch later: only the first call looks for a crash. */
    async start({ watch }: StartOptions): Promise<void> {
      await open()
      const deriving = derivePendingRows()
      if (!watch) {
        await deriving // the command that follows is about to read them
        await spool.take()
        return settle() // doorbells are taken out of the spool for good: what they pointed at is read before the command goes on
      }
      if (watcher || isWaiting) return spool.take()
      later(
        WARM_UP_MS,
        () =>
          void intake.warmUp().catch((error: unknown) => {
            if (!closed) log.warn({ err: error }, "couldn't start the live import thread")
          }),
      )
      isWaiting = config.askBeforeImport && !imports.hasRun() && (await hasHistory())
      if (!isWaiting) watchPlaces()
      spool.watch()
      await spool.take()
      if (!isWaiting) core.disk.whenThereIsSpace(importKnown)
      statusChanged()
    },
    takeSpool: spool.take,
    /** Everything that was asked for so far is done, timers aside. */
    async drain(): Promise<void> {
      await spool.settled()
      await settle()
      await intake.drain()
    },
    async close(): Promise<void> {
      unlisten()
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
