import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PrivacyPolicy, PrivacyScanned } from '#contracts/entities/privacy.ts'
import { PII_TYPES } from '#contracts/entities/privacy.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import type { KnownNames } from './detector.ts'
import type { FoundInArchive, ScannerOptions } from './scanner.ts'
import type { PrivacyStore } from './store.ts'

const READER = new URL('./scanner.ts', import.meta.url).href
/** Changes are collected briefly: a live session grows many times a minute. */
const SOON_MS = 3000
const ROWS_AT_A_TIME = 500
const NOTIFY_INTERVAL_MS = 1000

/** A session as the scan needs it. */
export interface TraceHead {
  id: string
  /** Raised by every write. */
  rev: number
  project: string | null
  /** Its size in the archive, for the progress. */
  bytes: number
}

export interface ScanOutput {
  rev: number
  chars: number
  /** Entries that were read. */
  entries: string[]
  /** Entries of `known` that the session no longer has. */
  gone: string[]
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
  changed: () => void
}

export type ArchiveScan = ReturnType<typeof createArchiveScan>

/** Scans sessions after they change: one at a time in a worker, written in short transactions. */
export function createArchiveScan(core: Core, store: PrivacyStore, deps: ScanDeps) {
  const { tx, log, now } = core
  const stop = new AbortController()
  const failed = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null
  let turn: Promise<void> | null = null
  let again = false
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
    const done = new Map(store.scans().map((scan) => [scan.trace_id, scan]))
    return deps.traces.summaries().filter(({ id, rev }) => {
      const scan = done.get(id)
      return !scan || scan.rules !== rules || scan.rev < rev
    })
  }

  /** The new part of a session since its last scan, or all of it if the rules changed. */
  const scanOne = async (traceId: string, signal: AbortSignal, fresh = false): Promise<void> => {
    const { options, rules } = rulesNow()
    const before = store.scanOf(traceId)
    const goesOn = before !== null && before.rules === rules && !fresh
    const known = goesOn ? store.entriesOf(traceId) : []
    const output = await deps.traces.passages(
      { traceId, afterRev: goesOn ? before.rev : -1, module: READER, options, known },
      { lane: 'bulk', signal },
    )
    signal.throwIfAborted()
    const head = output && deps.traces.head(traceId)
    if (!output || !head) return // deleted in the meantime
    tx(() => {
      if (goesOn) for (const entry of [...output.entries, ...output.gone]) store.dropEntry(traceId, entry)
      else store.dropTrace(traceId)
    })
    const found = output.found as FoundInArchive[] // what scanner.ts gives
    for (let at = 0; at < found.length; at += ROWS_AT_A_TIME) {
      await nextTurn()
      if (!deps.traces.head(traceId)) return
      tx(() => {
        for (const one of found.slice(at, at + ROWS_AT_A_TIME)) store.insert(traceId, head.project, one)
      })
    }
    if (!deps.traces.head(traceId)) return
    // Written last: an interrupted scan is repeated from the end of the previous one.
    const chars = output.chars + (goesOn ? before.chars : 0)
    tx(() => {
      store.saveScan({ trace_id: traceId, rev: output.rev, rules, chars, at: now() })
      reportUnscanned(traceId)
    })
    failed.delete(traceId)
    notifyThrottled()
  }

  /** After every scan, because a session that grew has a new list of problems. */
  const reportUnscanned = (traceId: string) => {
    const places = store.unscanned(traceId)
    if (places.length === 0) return deps.traces.setProblem(traceId, null)
    const [first] = places
    const where = `${first!.part === 'result' ? 'the result' : 'the body'} of entry ${first!.step_id}${first!.path && ` at ${first!.path}`}`
    const message = `${places.length === 1 ? '1 text' : `${places.length} texts`} took too long to scan for personal data (${places.length === 1 ? '' : 'the first: '}${where}). Each is replaced as a whole in data sets and exports.`
    log.warn({ traceId, entry: first!.step_id, texts: places.length }, 'A text took too long to scan for personal data')
    deps.traces.setProblem(traceId, message)
  }

  const notifyThrottled = () => {
    if (now() - lastNotifiedAt < NOTIFY_INTERVAL_MS) return
    lastNotifiedAt = now()
    deps.changed()
  }

  const one = async (head: TraceHead, signal: AbortSignal, fresh?: boolean): Promise<boolean> => {
    try {
      await scanOne(head.id, signal, fresh)
      return true
    } catch (error) {
      signal.throwIfAborted()
      failed.set(head.id, head.rev)
      log.warn({ err: error, traceId: head.id }, "Couldn't scan a session for personal data")
      return false
    }
  }

  const background = async () => {
    do {
      again = false
      for (const head of outstanding()) {
        if (stop.signal.aborted || jobId !== null) return
        if (failed.get(head.id) === head.rev) continue
        while (deps.traces.isBusy()) return wake()
        await one(head, stop.signal)
      }
    } while (again)
    deps.changed()
  }

  function wake(): void {
    if (stop.signal.aborted || timer) return
    timer = setTimeout(() => {
      timer = null
      if (turn) {
        again = true
        return
      }
      turn = (outstanding().some(({ id, rev }) => failed.get(id) !== rev) ? background() : Promise.resolve())
        .catch((error: unknown) => {
          if (!stop.signal.aborted) log.error({ err: error }, "Couldn't scan the archive for personal data")
        })
        .finally(() => (turn = null))
    }, SOON_MS)
    timer.unref()
  }

  return {
    wake,
    /** The job: everything outstanding (or all), with its progress in bytes of the archive. */
    async run({ all }: { all: boolean }, { id, signal, progress }: JobContext): Promise<PrivacyScanned> {
      jobId = id
      try {
        await turn // the background scan stops after its current session
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
          counts[(await one(head, signal, all)) ? 'scanned' : 'failed'] += 1
          bytesDone += head.bytes
          reportProgress()
        }
        return counts
      } finally {
        jobId = null
        deps.changed()
      }
    },
    status() {
      const scans = store.scans()
      const left = outstanding()
      return {
        scanned: deps.traces.summaries().length - left.length,
        outstanding: left.length,
        failed: left.filter(({ id, rev }) => failed.get(id) === rev).length,
        chars: scans.reduce((sum, scan) => sum + scan.chars, 0),
        lastScanAt: scans.length === 0 ? null : new Date(Math.max(...scans.map(({ at }) => at))).toISOString(),
        jobId,
      }
    },
    /** Resolves when everything is scanned except failures (tests). */
    async settle(): Promise<void> {
      if (timer) clearTimeout(timer)
      timer = null
      await turn
      await background()
    },
    async close(): Promise<void> {
      if (timer) clearTimeout(timer)
      stop.abort(new DOMException('The server is stopping.', 'AbortError'))
      await turn
    },
  }
}
