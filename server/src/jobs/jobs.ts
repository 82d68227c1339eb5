import { randomUUID } from 'node:crypto'
import { isoOf } from '#server/instant.ts'
import type { Job, JobProgress, JobState } from '#contracts/entities/job.ts'
import { AppError } from '#contracts/errors.ts'
import type { Database } from '#server/db/open.ts'
import { invalidCursor, pageOf } from '#server/db/paging.ts'
import type { Tx } from '#server/db/tx.ts'
import type { Events } from '#server/events/events.ts'
import { Cancelled, Closing } from './stops.ts'

export interface JobContext {
  id: string
  /** Its reason is `Cancelled` or `Closing`. */
  signal: AbortSignal
  /** Reports progress; the rate and remaining time are computed from its counts. */
  progress: (value: Progress) => void
}

export type Progress = Pick<JobProgress, 'phase' | 'done' | 'total' | 'unit'> & {
  bytesDone?: number
  bytesTotal?: number
  /** Units that were done before this job, which do not count for the rate. */
  before?: number
  message?: string
}

export interface JobOptions {
  /** Throws `job_running` if a job of the same kind is active. */
  single?: boolean
  /** How many jobs of the same kind run at once; others wait in order. */
  atOnce?: number
  /** Id of what the job works on. */
  subject?: string
}

export interface Jobs {
  /** Starts work, or adds it to the queue of its kind. Returns the job at once. */
  start(kind: string, work: (context: JobContext) => Promise<unknown>, options?: JobOptions): Job
  get(id: string): Job | null
  list(options: { kinds?: string[]; subject?: string | undefined; cursor?: string | undefined; limit: number }): {
    items: Job[]
    nextCursor: string | null
    total: number
  }
  cancel(id: string): Job
  /** Resolves with the job when it ends. */
  wait(id: string): Promise<Job>
  /** Marks jobs that an earlier process left running or waiting as failed; returns how many. */
  recover(): number
  /** Removes results and progress that contain this text or belong to jobs with this subject. */
  scrub(text: string): void
  /** Cancels all jobs and waits for their end. */
  close(): Promise<void>
}

/** A running or waiting job. */
interface Active {
  kind: string
  /** Starts a waiting job; null if it runs. */
  begin: (() => void) | null
  atOnce: number
  controller: AbortController
  progress: JobProgress | null
  /** Timer of a delayed progress message. */
  progressTimer: NodeJS.Timeout | undefined
  done: Promise<Job>
}

interface Row {
  id: string
  kind: string
  subject: string | null
  state: JobState
  created_at: number
  started_at: number | null
  ended_at: number | null
  progress: string | null
  result: string | null
  error: string | null
}

/** Minimum time between two progress messages; the last one of a burst is sent later. */
const PROGRESS_MS = 100
const WARM_UP_MS = 1500

/** States of a job: queued → running → completed, failed or cancelled. */
export function createJobs(db: Database, tx: Tx, events: Events, now: () => number = Date.now): Jobs {
  const insert = db.prepare(
    'INSERT INTO jobs (id, kind, subject, state, created_at, started_at) VALUES (@id, @kind, @subject, @state, @createdAt, @startedAt)',
  )
  const begin = db.prepare("UPDATE jobs SET state = 'running', started_at = @startedAt WHERE id = @id")
  const end = db.prepare('UPDATE jobs SET state = ?, ended_at = ?, progress = ?, result = ?, error = ? WHERE id = ?')
  const byId = db.prepare<[string], Row>('SELECT * FROM jobs WHERE id = ?')
  /** In the order of their start calls. */
  const active = new Map<string, Active>()

  const toJob = (row: Row): Job => ({
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    state: row.state,
    queuePosition: positionOf(row.id),
    createdAt: isoOf(row.created_at),
    startedAt: isoOf(row.started_at),
    endedAt: isoOf(row.ended_at),
    progress: active.get(row.id)?.progress ?? (row.progress === null ? null : (JSON.parse(row.progress) as JobProgress)),
    result: row.result === null ? null : (JSON.parse(row.result) as unknown),
    // older rows have no hint
    error: row.error === null ? null : { hint: null, ...(JSON.parse(row.error) as { code: string; message: string }) },
  })
  const ofKind = (kind: string) => [...active.values()].filter((job) => job.kind === kind)
  const positionOf = (id: string): number | null => {
    const job = active.get(id)
    return job?.begin
      ? ofKind(job.kind)
          .filter(({ begin }) => begin)
          .indexOf(job) + 1
      : null
  }
  const read = (id: string) => {
    const row = byId.get(id)
    return row ? toJob(row) : null
  }

  const finish = (id: string, state: JobState, result: unknown, error: Job['error']): Job => {
    const { progress = null, progressTimer } = active.get(id) ?? {}
    clearTimeout(progressTimer)
    active.delete(id) // before the event is published, because a listener may start the next job
    return tx(() => {
      end.run(
        state,
        now(),
        progress && JSON.stringify(progress),
        result === undefined ? null : JSON.stringify(result),
        error && JSON.stringify(error),
        id,
      )
      const job = read(id)!
      events.append(state === 'failed' ? 'job:failed' : 'job:complete', { job })
      return job
    })
  }
  /** If the end cannot be stored (the disk is full), waiting callers still get it; the next start repairs the row. */
  const fail = (id: string, error: Job['error']): Job => {
    try {
      return finish(id, 'failed', undefined, error)
    } catch {
      return { ...read(id)!, state: 'failed', endedAt: isoOf(now()), error }
    }
  }

  const beginNext = (kind: string) => {
    const jobs = ofKind(kind)
    const next = jobs.find(({ begin, controller }) => begin && !controller.signal.aborted)
    if (next?.begin && jobs.filter(({ begin }) => !begin).length < next.atOnce) next.begin()
  }
  /** Resolves when it is the job's turn. Rejects if the job is cancelled first. */
  const turnOf = (job: Active) =>
    new Promise<void>((resolve, reject) => {
      const { signal } = job.controller
      const stop = () => reject(signal.reason as Error)
      signal.addEventListener('abort', stop, { once: true })
      job.begin = () => {
        job.begin = null
        signal.removeEventListener('abort', stop)
        resolve()
      }
    })

  return {
    start(kind, work, { single = false, atOnce = Infinity, subject } = {}) {
      const others = ofKind(kind)
      if (single && others.length > 0) {
        throw new AppError('job_running', { message: `A job of kind "${kind}" is already running.`, hint: 'Wait for it, or cancel it.' })
      }
      const id = randomUUID()
      const createdAt = now()
      const waits = others.length >= atOnce
      let startedAt = createdAt
      const row = {
        id,
        kind,
        subject: subject ?? null,
        state: waits ? 'queued' : 'running',
        createdAt,
        startedAt: waits ? null : startedAt,
      }
      tx(() => insert.run(row))
      const controller = new AbortController()
      const done = Promise.resolve(null as unknown as Job) // replaced below
      const entry: Active = { kind, begin: null, atOnce, controller, progress: null, progressTimer: undefined, done }
      const turn = waits ? turnOf(entry) : null
      active.set(id, entry)
      let lastSentAt = 0
      const sendProgress = () => {
        clearTimeout(entry.progressTimer)
        entry.progressTimer = undefined
        lastSentAt = now()
        events.passing('job:progress', { id, kind, progress: entry.progress! })
      }
      const progress = (value: Progress) => {
        if (!active.has(id)) return // progress after the end is ignored
        entry.progress = withRate(value, now() - startedAt)
        const waitMs = lastSentAt + PROGRESS_MS - now()
        if (waitMs <= 0 || value.done === value.total) return sendProgress()
        entry.progressTimer ??= setTimeout(sendProgress, waitMs).unref()
      }
      entry.done = (async () => {
        try {
          if (turn) {
            await turn
            startedAt = now()
            tx(() => begin.run({ id, startedAt }))
          }
          const result = await work({ id, signal: controller.signal, progress })
          return finish(id, controller.signal.aborted ? 'cancelled' : 'completed', result, null)
        } catch (error) {
          if (controller.signal.aborted && active.has(id)) return finish(id, 'cancelled', undefined, null)
          const { code, hint = null } = error instanceof AppError ? error : { code: 'internal' }
          return fail(id, { code, message: error instanceof Error ? error.message : String(error), hint })
        } finally {
          beginNext(kind)
        }
      })()
      return read(id)!
    },
    get: read,
    list({ kinds, subject, cursor, limit }) {
      const [at, id] = cursor ? cursor.split(':') : []
      if (cursor && !(Number.isSafeInteger(Number(at)) && id)) throw invalidCursor()
      const terms = [
        '1',
        ...(kinds ? [`kind IN (${kinds.map(() => '?').join(', ')})`] : []),
        ...(subject === undefined ? [] : ['subject = ?']),
      ]
      const params = [...(kinds ?? []), ...(subject === undefined ? [] : [subject])]
      const page = cursor ? [...terms, '(created_at, id) < (?, ?)'] : terms
      const rows = db
        .prepare<unknown[], Row>(`SELECT * FROM jobs WHERE ${page.join(' AND ')} ORDER BY created_at DESC, id DESC LIMIT ?`)
        .all(...params, ...(cursor ? [Number(at), id] : []), limit + 1)
      const total = db.prepare<unknown[], { n: number }>(`SELECT count(*) AS n FROM jobs WHERE ${terms.join(' AND ')}`).get(...params)!.n
      const { items, nextCursor } = pageOf(rows, limit, (last) => `${last.created_at}:${last.id}`)
      return { items: items.map(toJob), nextCursor, total }
    },
    scrub: (text) =>
      void db
        .prepare(
          `UPDATE jobs SET result = NULL, progress = NULL WHERE instr(coalesce(result, ''), :text) > 0 OR instr(coalesce(progress, ''), :text) > 0 OR subject = :text`,
        )
        .run({ text }),
    cancel(id) {
      const entry = active.get(id)
      if (!entry) {
        const job = read(id)
        if (!job) throw new AppError('job_not_found')
        throw new AppError('job_not_cancellable', { message: `This job has already ended (${job.state}).` })
      }
      entry.controller.abort(new Cancelled('The job was cancelled.'))
      return read(id)!
    },
    async wait(id) {
      const entry = active.get(id)
      if (entry) return entry.done
      const job = read(id)
      if (!job) throw new AppError('job_not_found')
      return job
    },
    recover() {
      const hint = 'Saved results are kept; start it again to continue.'
      const update = db.prepare('UPDATE jobs SET state = @failed, ended_at = @at, error = @error WHERE state = @state')
      const mark = (state: JobState, message: string) =>
        update.run({
          failed: 'failed',
          at: now(),
          error: JSON.stringify({ code: 'internal', message, hint } satisfies Job['error']),
          state,
        }).changes
      return tx(
        () =>
          mark('running', 'Bash Gym stopped while this job was running.') + mark('queued', 'Bash Gym stopped while this job was waiting.'),
      )
    },
    async close() {
      const all = [...active.values()]
      for (const { controller } of all) controller.abort(new Closing())
      await Promise.all(all.map(({ done }) => done))
    },
  }
}

/** Adds the rate and the remaining time, from bytes if they are counted. */
function withRate(value: Progress, elapsedMs: number): JobProgress {
  const bytes = value.bytesDone !== undefined && value.bytesTotal !== undefined
  const done = bytes ? value.bytesDone! : value.done
  const total = bytes ? value.bytesTotal! : value.total
  const doneHere = done - (value.before ?? 0)
  const rate = elapsedMs >= WARM_UP_MS && doneHere > 0 ? doneHere / (elapsedMs / 1000) : null
  return {
    phase: value.phase,
    done: value.done,
    total: value.total,
    unit: value.unit,
    bytesDone: value.bytesDone ?? null,
    bytesTotal: value.bytesTotal ?? null,
    ratePerSec: rate,
    etaSec: rate !== null && total !== null ? Math.max(0, (total - done) / rate) : null,
    message: value.message ?? null,
  }
}
