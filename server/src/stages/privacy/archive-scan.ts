import { hash } from 'node:crypto'
import { createBackground } from '#server/jobs/background.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PrivacyPolicy, PrivacyScanned } from '#contracts/entities/privacy.ts'
import { PII_TYPES } from '#contracts/entities/privacy.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import type { KnownNames } from './detector.ts'
import type { StoredFinding, ScannerOptions } from './scanner.ts'
import type { PrivacyStore } from './store.ts'

const READER = new URL('./scanner.ts', import.meta.url).href
/** Delay before a scan, because a live session grows many times a minute. */
const DELAY_MS = 3000
const ROWS_AT_A_TIME = 500
const NOTIFY_INTERVAL_MS = 1000

/** A session as the scan needs it. */
export interface TraceHead {
  id: string
  /** Increased by every write. */
  rev: number
  project: string | null
  /** Size in the archive, used for the progress. */
  bytes: number
}

export interface ScanOutput {
  rev: number
  chars: number
  /** Entries that were read. */
  entries: string[]
  /** Entries of `known` that the session no longer has. */
  deleted: string[]
  found: unknown[]
}

export interface ScanDeps {
  traces: {
    summaries(): TraceHead[]
    head(traceId: string): Omit<TraceHead, 'bytes'> | null
    passages(
      input: { traceId: string; afterRev: number; module: string; options: ScannerOptions; known: string[] },
      options: { lane: 'bulk' | 'query'; signal: AbortSignal },
    ): Promise<ScanOutput | null>
    /** Sets the session's problem about texts that the scan could not read; null for none. */
    setProblem(traceId: string, message: string | null): void
    /** Whether an import or rebuild is running; the scan waits for it. */
    isBusy(): boolean
  }
  policy: () => PrivacyPolicy
  key: Buffer
  names: KnownNames
  detectors: string
  onChanged: () => void
}

export type ArchiveScan = ReturnType<typeof createArchiveScan>

/** Scans changed sessions one at a time in a worker, and writes findings in short transactions. */
export function createArchiveScan(core: Core, store: PrivacyStore, deps: ScanDeps) {
  const { tx, log, now } = core
  const failedRevs = new Map<string, number>()
  let jobId: string | null = null
  let lastNotifiedAt = 0

  const rulesNow = (): { options: ScannerOptions; rules: string } => {
    const { types, customRules, allowed } = deps.policy()
    const scan = {
      types: PII_TYPES.filter((type) => type !== 'date' || types.includes('date')),
      customRules,
      allowed,
      names: deps.names,
    }
    const rules = hash('sha256', JSON.stringify([deps.detectors, scan])).slice(0, 24)
    return { options: { scan, key: deps.key }, rules }
  }

  const outstanding = (): TraceHead[] => {
    const { rules } = rulesNow()
    const scansByTrace = new Map(store.scans().map((scan) => [scan.trace_id, scan]))
    return deps.traces.summaries().filter(({ id, rev }) => {
      const scan = scansByTrace.get(id)
      return !scan || scan.rules !== rules || scan.rev < rev
    })
  }

  /** Scans what a session gained since its last scan, or all of it if the rules changed. */
  const scanOne = async (traceId: string, signal: AbortSignal, isFull = false): Promise<void> => {
    const { options, rules } = rulesNow()
    const previous = store.scanOf(traceId)
    const isContinued = previous !== null && previous.rules === rules && !isFull
    const known = isContinued ? store.entriesOf(traceId) : []
    const output = await deps.traces.passages(
      { traceId, afterRev: isContinued ? previous.rev : -1, module: READER, options, known },
      { lane: 'bulk', signal },
    )
    signal.throwIfAborted()
    const head = output && deps.traces.head(traceId)
    if (!output || !head) return // deleted in the meantime
    tx(() => {
      if (isContinued) for (const entry of [...output.entries, ...output.deleted]) store.dropEntry(traceId, entry)
      else store.dropTrace(traceId)
    })
    const findings = output.found as StoredFinding[] // the type that scanner.ts returns
    for (let at = 0; at < findings.length; at += ROWS_AT_A_TIME) {
      await nextTurn()
      if (!deps.traces.head(traceId)) return
      tx(() => {
        for (const finding of findings.slice(at, at + ROWS_AT_A_TIME)) store.insert(traceId, head.project, finding)
      })
    }
    if (!deps.traces.head(traceId)) return
    // written last, so that an interrupted scan is repeated
    const chars = output.chars + (isContinued ? previous.chars : 0)
    tx(() => {
      store.saveScan({ trace_id: traceId, rev: output.rev, rules, chars, at: now() })
      reportUnscanned(traceId)
    })
    failedRevs.delete(traceId)
    notifyThrottled()
  }

  /** Called after every scan, because the problem list of a session that grew starts empty. */
  const reportUnscanned = (traceId: string) => {
    const positions = store.unscanned(traceId)
    if (positions.length === 0) return deps.traces.setProblem(traceId, null)
    const [first] = positions
    const where = `${first!.part === 'result' ? 'the result' : 'the body'} of entry ${first!.step_id}${first!.path && ` at ${first!.path}`}`
    const message = `${positions.length === 1 ? '1 text' : `${positions.length} texts`} took too long to scan for personal data (${positions.length === 1 ? '' : 'the first: '}${where}). Each is replaced as a whole in data sets and exports.`
    log.warn({ traceId, entry: first!.step_id, texts: positions.length }, 'A text took too long to scan for personal data')
    deps.traces.setProblem(traceId, message)
  }

  const notifyThrottled = () => {
    if (now() - lastNotifiedAt < NOTIFY_INTERVAL_MS) return
    lastNotifiedAt = now()
    deps.onChanged()
  }

  const tryScan = async (head: TraceHead, signal: AbortSignal, fresh?: boolean): Promise<boolean> => {
    try {
      await scanOne(head.id, signal, fresh)
      return true
    } catch (error) {
      signal.throwIfAborted()
      failedRevs.set(head.id, head.rev)
      log.warn({ err: error, traceId: head.id }, "Couldn't scan a session for personal data")
      return false
    }
  }

  const background = createBackground(
    async (signal) => {
      const waiting = outstanding().filter(({ id, rev }) => failedRevs.get(id) !== rev)
      if (waiting.length === 0) return
      for (const head of waiting) {
        if (signal.aborted || jobId !== null) return
        if (deps.traces.isBusy()) return background.wake()
        await tryScan(head, signal)
      }
      deps.onChanged()
    },
    { delayMs: DELAY_MS, onError: (error) => log.error({ err: error }, "Couldn't scan the archive for personal data") },
  )

  return {
    wake: background.wake,
    /** The scan job: outstanding sessions, or all of them. */
    async run({ all }: { all: boolean }, { id, signal, progress }: JobContext): Promise<PrivacyScanned> {
      jobId = id
      try {
        await background.idle() // it stops after its current session
        const summaries = all ? deps.traces.summaries() : outstanding()
        const bytesTotal = summaries.reduce((sum, { bytes }) => sum + bytes, 0)
        const counts = { scanned: 0, failed: 0 }
        let bytesDone = 0
        const reportProgress = () =>
          progress({
            phase: 'scanning',
            done: counts.scanned + counts.failed,
            total: summaries.length,
            unit: 'sessions',
            bytesDone,
            bytesTotal,
          })
        reportProgress()
        for (const head of summaries) {
          signal.throwIfAborted()
          counts[(await tryScan(head, signal, all)) ? 'scanned' : 'failed'] += 1
          bytesDone += head.bytes
          reportProgress()
        }
        return counts
      } finally {
        jobId = null
        deps.onChanged()
        if (!signal.aborted) background.wake() // sessions that grew while it ran
      }
    },
    status() {
      const scans = store.scans()
      const remaining = outstanding()
      return {
        scanned: deps.traces.summaries().length - remaining.length,
        outstanding: remaining.length,
        failed: remaining.filter(({ id, rev }) => failedRevs.get(id) === rev).length,
        chars: scans.reduce((sum, scan) => sum + scan.chars, 0),
        lastScanAt: scans.length === 0 ? null : new Date(Math.max(...scans.map(({ at }) => at))).toISOString(),
        jobId,
      }
    },
    /** Resolves when everything is scanned except failures (for tests). */
    settle: background.settle,
    close: background.close,
  }
}
