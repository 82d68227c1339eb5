import fs from 'node:fs'
import path from 'node:path'
import type { CaptureStatus, ImportResult, Scan } from '#contracts/entities/capture.ts'
import type { Agent } from '#contracts/entities/common.ts'
import type { Job } from '#contracts/entities/job.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import type { DamagedTrace } from './archive/check.job.ts'
import type { Survey } from './archive/survey.ts'
import { AGENT, READABLE } from './agent.ts'
import { createHookEvents } from './hook-events.ts'
import { createIntake, type IntakeProgress, type OweOptions, type TakeIn } from './intake.ts'
import { createLive } from './live.ts'
import { cleanupPeriodDays, knownPlaces, otherPlaces, requireUsable, samplePlaces } from './places.ts'
import type { ScanInput } from './scan.ts'
import { createSpool } from './spool.ts'
import { createLiveSessions, createProblems, diskOf, riskOf } from './status.ts'
import { createStore } from './store.ts'
import type { ArchiveChange, DerivedCounts, SessionSignal } from './types.ts'
import { watchOthers, type OtherWatcher } from './watch-others.ts'
import { createWatcher, type Watcher } from './watch.ts'

/** What app.ts hands over: what happens to news, and facts that other parts know. */
export interface CaptureHands {
  onArchived: (change: ArchiveChange) => Promise<DerivedCounts>
  onSignal?: (signal: SessionSignal) => void
  /** Runs inside the transaction that removes a trace's sources. */
  onForgotten?: (traceId: string) => void
  settings?: () => { paused: boolean; excludedProjects: string[] }
  hooksInstalled?: () => boolean
  indexing?: () => CaptureStatus['indexing']
}

export interface StartOptions {
  /** Import every known place now and watch it from then on; without it only the spool is taken in (a command). */
  watch: boolean
}

interface RereadOptions {
  signal?: AbortSignal
  onProgress?: (done: number, total: number) => void
}

type ImportRequest = Pick<TakeIn, 'agent' | 'paths' | 'asked' | 'elsewhere'>

export type Capture = ReturnType<typeof createCaptureService>

const CHECK = new URL('./archive/check.job.ts', import.meta.url)
const SURVEY = new URL('./archive/survey.job.ts', import.meta.url)
const SCAN = new URL('./scan.job.ts', import.meta.url)
/** Lies in the archive while a process works on it; found at start, it tells of a crash. */
const OPEN_MARK = '.open'
/** At SessionEnd the client still writes a few records (claude-code.md §6.7). */
const REREAD_MS = 1000
/** Another look at spool files whose writer is still at work. */
const LATE_BYTES_MS = 200
const STATUS_MS = 1000
/** News that are being read when the server stops get this long; a longer one is found by the next start's look at known places. */
const CLOSE_MS = 2000
const SCAN_KEPT_MS = 10 * 60_000

export function createCaptureService(core: Core, hands: CaptureHands) {
  const { paths, config, log, now } = core
  const store = createStore(core.db)
  const problems = createProblems()
  const liveSessions = createLiveSessions(now)
  const settings = hands.settings ?? (() => ({ paused: false, excludedProjects: [] }))
  const onProblem = (kind: string, message: string, hint: string | null) => {
    problems.add(kind, message, hint)
    log.warn({ kind }, message)
    statusChanged()
  }
  const intake = createIntake({
    core,
    store,
    onArchived: hands.onArchived,
    excluded: () => settings().excludedProjects,
    onProblem,
  })

  let watcher: Watcher | null = null
  let otherWatcher: OtherWatcher | null = null
  let spoolWatch: fs.FSWatcher | null = null
  let lastEventAt: number | null = null
  let lastScan: { scan: Scan; at: number } | null = null
  let closed = false
  const repaired: string[] = []
  const timers = new Set<NodeJS.Timeout>()
  const imports = new Set<string>()

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
    onFault: (file, error) => log.warn({ err: error, file }, 'news of a session could not be taken in'),
  })
  const touch = (file: string) => {
    if (!settings().paused && !closed) live.touch(file)
  }

  const spool = createSpool({
    folder: paths.spool,
    quarantine: path.join(config.home, 'quarantine'),
    store: async (events) => {
      const { paused, excludedProjects } = settings()
      // While capture is paused nothing of a hook is kept; its transcript is the record and is found later.
      if (!paused && (await takeHookEvents(events, excludedProjects)) > 0) lastEventAt = now()
      statusChanged()
    },
    onBell: () => {
      if (!settings().paused) void lookAtEverything()
    },
    onProblem,
    now,
  })

  const takeHookEvents = createHookEvents({
    core,
    store,
    intake,
    liveSessions,
    ...(hands.onSignal && { onSignal: hands.onSignal }),
    onTranscript: (file, hasEnded) => {
      touch(file)
      if (hasEnded) later(REREAD_MS, () => touch(file))
    },
  })

  let taking: Promise<void> | null = null
  let takeAgain = false
  /** One taker at a time; a call during one makes it look again. */
  const takeSpool = (): Promise<void> => {
    if (taking) {
      takeAgain = true
      return taking
    }
    taking = (async () => {
      try {
        do {
          takeAgain = false
          const waits = await spool.take()
          if (waits && !closed) later(LATE_BYTES_MS, () => void takeSpool())
        } while (takeAgain)
        problems.clear('spool-blocked')
      } catch (error) {
        onProblem(
          'spool-blocked',
          `Hook events wait in the spool: ${(error as Error).message}`,
          'They are kept, and taken in at the next event or start.',
        )
      } finally {
        taking = null
      }
    })()
    return taking
  }

  const runImport = async (
    request: ImportRequest & { reason: 'import' | 'samples' },
    job: { id: string; signal: AbortSignal; progress: (value: IntakeProgress) => void },
  ): Promise<ImportResult> => {
    imports.add(job.id)
    statusChanged()
    try {
      // What an earlier import archived but could not make rows of (a full disk) is paid first.
      const owed = await intake.deriveOwed({ reason: 'import', jobId: job.id, signal: job.signal })
      const result = await intake.takeIn({
        ...request,
        lane: 'bulk',
        jobId: job.id,
        signal: job.signal,
        sample: request.reason === 'samples',
        onProgress: job.progress,
      })
      return { ...result, errors: [...owed.errors, ...result.errors] }
    } finally {
      imports.delete(job.id)
      lastScan = null
      statusChanged()
    }
  }

  const startJob = (kind: 'import' | 'samples', request: ImportRequest): Job =>
    core.jobs.start(kind, (context) =>
      runImport(
        { ...request, reason: kind },
        {
          id: context.id,
          signal: context.signal,
          progress: (value) =>
            context.progress({
              phase: value.phase,
              done: value.sessions,
              total: value.sessionsTotal,
              unit: 'sessions',
              ...(value.bytesTotal !== null && { bytesDone: value.bytes, bytesTotal: value.bytesTotal }),
            }),
        },
      ),
    )

  /** A bell without a name: some session has news. Costs a `stat` a file where nothing changed. */
  const lookAtEverything = () => {
    return intake
      .takeIn({ agent: null, paths: placesOf(null), reason: 'live', lane: 'live', jobId: null, elsewhere: true })
      .then(statusChanged, (error: unknown) => log.warn({ err: error }, 'a look at every session failed'))
  }

  /** Known places that are there, of one agent or of all. */
  const placesOf = (agent: Agent | null): string[] => [
    ...(agent === null || agent === AGENT ? knownPlaces(config).filter((place) => fs.existsSync(place)) : []),
    ...otherPlaces(config).flatMap((place) => (agent === null || agent === place.agent ? [place.path] : [])),
  ]

  const startImport = ({ paths: given, agent = null }: { paths?: string[] | undefined; agent?: Agent | null | undefined }): Job => {
    if (agent !== null && !READABLE.includes(agent)) {
      throw new AppError('path_refused', { message: `Sessions of ${agent} cannot be imported; those of ${READABLE.join(', ')} can.` })
    }
    const asked = given !== undefined && given.length > 0
    const wanted = asked ? given.map(requireUsable) : placesOf(agent)
    return startJob('import', { agent, paths: wanted, asked })
  }

  const scanNow = async (): Promise<Scan> => {
    const input: ScanInput = {
      places: [...knownPlaces(config).map((place) => ({ agent: AGENT, path: place })), ...otherPlaces(config)],
      known: store.knownFiles(),
      ignored: store.ignoredFiles(),
      cleanupPeriodDays: cleanupPeriodDays(config.claudeDir),
      now: now(),
    }
    const found = await core.workers.run<Scan>(SCAN, input, { lane: 'query' })
    lastScan = { scan: found, at: now() }
    return found
  }

  const status = async (): Promise<CaptureStatus> => {
    if (!closed && watcher && (lastScan === null || now() - lastScan.at > SCAN_KEPT_MS)) {
      void scanNow().then(statusChanged, () => undefined) // the figures stay unknown until a scan succeeds
    }
    const totals = store.totals()
    const hooksInstalled = hands.hooksInstalled?.() ?? false
    return {
      state: settings().paused ? 'paused' : hooksInstalled ? 'on' : 'off',
      watching: [...(watcher?.roots() ?? []), ...(otherWatcher?.roots() ?? [])],
      lastEventAt: lastEventAt === null ? null : new Date(lastEventAt).toISOString(),
      spoolFiles: spool.count(),
      liveSessions: liveSessions.count(),
      importing: imports.size > 0,
      indexing: hands.indexing?.() ?? null,
      archive: { ...totals, ...riskOf(lastScan?.scan ?? null) },
      disk: await diskOf(config.home, paths, totals.bytes),
      problems: problems.list(),
    }
  }

  let statusTimer: NodeJS.Timeout | null = null
  let told = ''
  /** Tells subscribers, at most once a second and only when something differs. */
  function statusChanged(): void {
    if (statusTimer || closed) return
    statusTimer = setTimeout(() => {
      statusTimer = null
      void status().then(
        (value) => {
          const text = JSON.stringify({ ...value, disk: null }) // free space changes all the time
          if (!closed && text !== told) core.events.passing('capture:status', value)
          told = text
          return null
        },
        (error: unknown) => log.warn({ err: error }, 'the state of capture could not be read'),
      )
    }, STATUS_MS)
    statusTimer.unref()
  }

  const surveyArchive = (repair: boolean) => core.workers.run<Survey>(SURVEY, { archive: paths.archive, repair }, { lane: 'bulk' })

  /** After a crash: cuts what was half written, and mirrors what the manifests have beyond the database. */
  const recover = async () => {
    const found = await surveyArchive(true)
    repaired.push(...found.repaired)
    for (const sentence of found.repaired) onProblem('repaired', sentence, null)
    for (const sentence of found.problems) onProblem('archive', sentence, 'Run `bashgym verify`.')
    core.tx(() => {
      for (const trace of found.traces) {
        const behind = trace.sources.filter((source) => !store.hasSource(trace.traceId, source))
        if (behind.length > 0) store.save(trace, behind, false)
      }
    })
  }

  let opened: Promise<void> | null = null
  /** The mark lies there while we work: found before that, a process ended in the middle, and the archive is mended. */
  const openArchive = async () => {
    for (const folder of [paths.spool, paths.archive]) fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const mark = path.join(paths.archive, OPEN_MARK)
    // Also a database that was deleted is filled again from the manifests.
    if (fs.existsSync(mark) || store.totals().traces === 0) await recover()
    fs.writeFileSync(mark, '', { mode: 0o600 })
  }

  const remove = (traceId: string, forGood: boolean) =>
    intake.alone(traceId, async () => {
      const trace = store.find(traceId)
      if (!trace) throw new AppError('trace_not_found')
      spool.forget(trace.sessionId)
      await fs.promises.rm(intake.traceDir(trace.agent, traceId), { recursive: true, force: true })
      store.shredding(() =>
        core.tx(() => {
          hands.onForgotten?.(traceId)
          store.remove(trace)
          if (forGood) store.setForgotten(traceId, now())
        }),
      )
    })

  return {
    startImport,
    startSamples: () => startJob('samples', { agent: AGENT, paths: samplePlaces(config.samplesDir), asked: false }),
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
    scan: scanNow,
    status,
    statusChanged,
    /** What the start found half written and put right, a sentence each. */
    repaired: () => repaired,
    totals: store.totals,
    /** Settings changed: a capture that goes on looks at what it missed. */
    settingsChanged() {
      statusChanged()
      if (!settings().paused && watcher) void lookAtEverything()
    },
    /**
     * Refills the mirror of the manifests; every trace then owes its rows (`deriveOwed`). Reads the archive whole, and tells
     * in which traces bytes are damaged.
     */
    async rebuildSources(options: RereadOptions = {}): Promise<{ traces: number; problems: string[]; damaged: DamagedTrace[] }> {
      return intake.exclusive(async () => {
        const found = await surveyArchive(true)
        const damaged = await core.workers.run<DamagedTrace[]>(
          CHECK,
          { traces: found.traces.map(({ traceId, sessionId, traceDir }) => ({ traceId, sessionId, traceDir })) },
          {
            lane: 'bulk',
            ...(options.signal && { signal: options.signal }),
            onProgress: (done) => options.onProgress?.(done as number, found.traces.length), // check.job.ts reports numbers
          },
        )
        core.tx(() => {
          store.clear()
          for (const trace of found.traces) store.save(trace, trace.sources, false)
        })
        return { traces: found.traces.length, problems: [...found.repaired, ...found.problems], damaged }
      })
    },
    deriveOwed: (options: OweOptions) => intake.deriveOwed(options),
    markDerived: store.markDerived,
    /** Every session of the archive, from the manifests alone. */
    async *listArchived() {
      const found = await surveyArchive(false)
      for (const { traceId, agent, sessionId, sample, traceDir } of found.traces) yield { traceId, agent, sessionId, sample, traceDir }
    },
    /** A command may start without watching and watch later: only the first call looks for a crash. */
    async start({ watch }: StartOptions): Promise<void> {
      await (opened ??= openArchive())
      const owed = intake
        .deriveOwed({ reason: 'import' })
        .catch((error: unknown) => log.warn({ err: error }, 'rows that are owed were not made'))
      if (!watch) {
        await owed // the command that follows is about to read them
        await takeSpool()
        return live.drain() // doorbells are taken out of the spool for good: what they pointed at is read before the command goes on
      }
      if (watcher) return takeSpool()
      intake.warmUp().catch((error: unknown) => log.warn({ err: error }, 'the live thread could not be warmed up'))
      watcher = createWatcher({
        roots: knownPlaces(config),
        onFile: touch,
        onFolder: (folder) => {
          if (settings().paused) return
          void intake
            .takeIn({ agent: AGENT, paths: [folder], reason: 'live', lane: 'live', jobId: null })
            .then(statusChanged, (error: unknown) => log.warn({ err: error, folder }, 'a new folder could not be read'))
        },
        onProblem,
      })
      otherWatcher = watchOthers(otherPlaces(config), ({ agent, path: place }, changed) => {
        if (settings().paused || closed) return
        void intake
          .takeIn({ agent, paths: changed, reason: 'live', lane: 'live', jobId: null })
          .then(statusChanged, (error: unknown) => log.warn({ err: error, place }, 'news of a session could not be taken in'))
      })
      try {
        spoolWatch = fs.watch(paths.spool, { persistent: false }, (_, name) => {
          if (name === null || !name.startsWith('.')) void takeSpool()
        })
      } catch (error) {
        onProblem('watch', `The spool cannot be watched: ${(error as Error).message}`, 'Hook events are taken in at the next start.')
      }
      await takeSpool()
      const places = placesOf(null)
      if (!settings().paused && (places.length > 0 || store.totals().traces > 0)) {
        startJob('import', { agent: null, paths: places, asked: false, elsewhere: true })
      }
      statusChanged()
    },
    takeSpool,
    /** Everything that was asked for so far is done, timers aside. */
    async drain(): Promise<void> {
      await taking
      await live.drain()
      await intake.drain()
    },
    async close(): Promise<void> {
      spoolWatch?.close()
      watcher?.close()
      otherWatcher?.close()
      await taking
      await Promise.race([live.drain(), new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())])
      closed = true
      live.close()
      for (const timer of timers) clearTimeout(timer)
      if (statusTimer) clearTimeout(statusTimer)
      await intake.drain()
      fs.rmSync(path.join(paths.archive, OPEN_MARK), { force: true })
    },
  }
}
