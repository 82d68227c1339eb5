import { Readable } from 'node:stream'
import type { Bytes } from '#contracts/derive/route.ts'
import type { z } from 'zod'
import type { Batch, BatchPlan, BatchReport, BatchResult, BatchWinner } from '#contracts/entities/batch.ts'
import type { Task, TaskAsked } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import { isoOf } from '#server/instant.ts'
import type { createBatch, planBatch } from '#contracts/routes/batches.ts'
import type { Core } from '#server/core.ts'
import { createChanges } from '#server/events/changes.ts'
import { refuseDuplicates, sentenceOf, throwFirst } from '#server/refusals.ts'
import { type SessionsDeps, tasksOf } from './of-sessions.ts'
import { type Attempt, attemptsIn, isRunning, resultsOf, winnersOf } from './attempts.ts'
import { isEnded, outcomeOf } from './outcome.ts'
import { needsTasksOrTraces, planOf, type PlanTasks, requestOf } from './plan.ts'
import { reportOf, toCsv, toJsonLines } from './report.ts'
import { type BatchRow, createBatchStore, type KeptRequest } from './store.ts'

/** The functions of agent runs that a batch needs. */
export interface BatchTasks extends PlanTasks {
  /** A call with an earlier idempotency key returns the run of the earlier call. */
  create(request: TaskAsked & { idempotencyKey?: string | undefined }): Promise<Task>
  cancel(id: string): Promise<Task>
  /** Lets a paused run go on. */
  resume(id: string, text: string | null): Promise<Task>
  list(filter: { batchId: string; limit: number }): { items: Task[] }
}

export interface BatchesDeps {
  tasks: BatchTasks
  sessions: SessionsDeps
  newId: () => string
}

/** The most attempts that a batch can have. */
const MAX_ATTEMPTS = 100_000

/**
 * Batches of tasks: a queue over the runs of agents. The state and result of each attempt are stored with its run, and only the
 * request and the choices of the user are stored with the batch, so that a batch continues after a restart.
 */
export function createBatches(core: Core, { tasks, sessions, newId }: BatchesDeps) {
  const { db, tx, events, log, now } = core
  const store = createBatchStore(db)
  /** The running pass of each batch. A change during a pass sets `again`, which requests another pass. */
  const passes = new Map<string, { again: boolean; done: Promise<void> }>()
  let isOpen = false

  const attemptsOf = (row: BatchRow): Attempt[] => attemptsIn(row, runsOf(row))
  const runsOf = ({ id }: BatchRow): Task[] => tasks.list({ batchId: id, limit: MAX_ATTEMPTS }).items
  const results = (row: BatchRow): BatchResult[] => resultsOf(row, attemptsOf(row))
  const winners = (row: BatchRow): BatchWinner[] => (row.request.winners === undefined ? [] : winnersOf(row, results(row)))
  const view = (row: BatchRow): Batch => {
    const attempts = attemptsOf(row)
    const { request } = row
    const ended = attempts.flatMap(({ run, isRefused }) => (isRefused ? ['owed' as const] : run && isEnded(run) ? [outcomeOf(run)] : []))
    const count = (outcome: BatchResult['outcome']) => ended.filter((one) => one === outcome).length
    const running = attempts.filter(isRunning).length
    const costs = attempts.flatMap(({ run }) => run?.costUsd ?? [])
    return {
      id: row.id,
      name: request.name ?? `${request.tasks.length} tasks`,
      state: row.state,
      detail: row.detail,
      tasks: request.tasks.length,
      leftOut: request.leftOut?.length ?? 0,
      attempts: request.attempts,
      concurrency: request.concurrency,
      maxCostUsd: request.maxCostUsd,
      settings: request.settings,
      counts: {
        total: attempts.length,
        waiting: attempts.length - ended.length - running,
        running,
        passed: count('passed'),
        failed: count('failed'),
        unverified: count('unverified'),
        owed: count('owed'),
      },
      costUsd: costs.length === 0 ? null : costs.reduce((sum, one) => sum + one, 0),
      createdAt: isoOf(row.createdAt),
      endedAt: isoOf(row.endedAt),
    }
  }

  const changes = createChanges()
  /** Call this after the state of an attempt or the user's choice between attempts has changed. */
  const publishProgress = (id: string): void => {
    events.passing('batch:progress', { batch: view(store.require(id)) })
    changes.notify(id)
  }
  const changeState = (id: string, values: Parameters<typeof store.change>[1] & { state: Batch['state'] }): Batch => {
    const batch = tx(() => {
      const changed = view(store.change(id, values))
      events.append('batch:status', { batch: changed })
      return changed
    })
    changes.notify(id)
    return batch
  }
  const end = (id: string, state: Batch['state'], detail: string | null): void => void changeState(id, { state, detail, endedAt: now() })

  /** Starts attempts while there are free places and budget. */
  const pass = async (id: string): Promise<void> => {
    for (;;) {
      const row = store.require(id)
      if (!isOpen || row.state !== 'running') return
      const attempts = attemptsOf(row)
      const runningAttempts = attempts.filter(isRunning)
      const next = attempts.find(({ run, isRefused }) => !isRefused && (run === null || row.again.includes(run.id)))
      if (!next) return void (runningAttempts.length === 0 && end(id, 'done', null))
      const free = row.request.concurrency - runningAttempts.length
      if (free <= 0) return
      const share = shareOf(row, free)
      if (share !== null && share <= 0)
        return void (
          runningAttempts.length === 0 &&
          end(
            id,
            'stopped',
            `Its runs used up the cost limit of $${row.request.maxCostUsd}. A run of unknown cost counts with its whole share.`,
          )
        )
      await begin(row, next, share)
    }
  }
  /** The budget for one of the free places: an equal share of what running and ended attempts leave. Null if there is no limit. */
  const shareOf = (row: BatchRow, free: number): number | null => {
    const { request } = row
    if (request.maxCostUsd === null) return null
    // an ended run without tokens sent no request; a run with tokens and an unknown cost may have spent its whole cap
    const spentBy = (run: Task) => (isEnded(run) && run.tokens.input === null ? 0 : (run.request.caps.costUsd ?? 0))
    // `charged` has the most that a torn request can cost, and is missing in runs of earlier versions
    const spent = runsOf(row).map((run) => (isEnded(run) ? (run.charged?.usd ?? run.costUsd) : null) ?? spentBy(run))
    const remaining = request.maxCostUsd - spent.reduce((sum, one) => sum + one, 0)
    return remaining < MIN_COST_USD ? 0 : remaining / free
  }
  const begin = async (row: BatchRow, { task: { key, ...task }, attempt, run }: Attempt, share: number | null): Promise<void> => {
    try {
      await tasks.create({
        ...requestOf(row.request, task, share),
        batchId: row.id,
        batchKey: key,
        attempt,
        idempotencyKey: `${row.id}:${row.request.tasks.findIndex((one) => one.key === key)}:${attempt}:${run?.id ?? ''}`,
      })
      publishProgress(row.id)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { refused } = store.require(row.id)
      tx(() => store.change(row.id, { refused: [...refused, { key, attempt, message: sentenceOf(error) }] }))
      publishProgress(row.id)
    }
  }

  const runPasses = async (id: string, one: { again: boolean }): Promise<void> => {
    try {
      do {
        one.again = false
        await pass(id)
      } while (one.again)
    } finally {
      passes.delete(id)
    }
  }
  const wake = (id: string): void => {
    const currentPass = passes.get(id)
    if (currentPass) {
      currentPass.again = true
      return
    }
    const one = { again: false, done: Promise.resolve() }
    passes.set(id, one)
    one.done = runPasses(id, one).catch((error: unknown) => log.error({ err: error, batch: id }, 'A batch could not continue'))
  }
  /** Attempts that were interrupted when the server ended go on; one that cannot has no result, and can be repeated. */
  const goOn = async (row: BatchRow): Promise<void> => {
    for (const { run } of attemptsOf(row))
      if (run?.state === 'paused') {
        try {
          await tasks.resume(run.id, null)
        } catch (error) {
          log.warn({ err: error, task: run.id }, 'An attempt of a batch could not go on')
          if (isOpen) await tasks.cancel(run.id).catch(ifEnded)
        }
      }
  }
  const unsubscribe = events.subscribe(({ type, payload }) => {
    if (type !== 'task:complete') return
    const { batchId } = payload.task.request
    if (batchId === undefined) return
    wake(batchId)
    publishProgress(batchId)
  })

  return {
    list(query: Parameters<typeof store.list>[0]) {
      const { items, ...page } = store.list(query)
      return { items: items.map(view), ...page }
    },
    /** Waits for a change at most `waitMs`. Returns at once if the batch has ended or the number of ended attempts is not `ended`. */
    async get(id: string, { waitMs, ended, signal }: { waitMs: number; ended: number; signal: AbortSignal }): Promise<Batch> {
      const batch = view(store.require(id))
      const { passed, failed, unverified, owed } = batch.counts
      if (waitMs === 0 || batch.state !== 'running' || passed + failed + unverified + owed !== ended) return batch
      await changes.next(id, { waitMs, signal })
      return view(store.require(id))
    },
    /** What a batch was started with. */
    requestOf: (id: string): KeptRequest => store.require(id).request,
    report(id: string): BatchReport {
      const row = store.require(id)
      return { ...reportOf(results(row)), leftOut: row.request.leftOut ?? [], winners: winners(row) }
    },
    download(id: string, format: 'jsonl' | 'csv'): Bytes {
      const all = results(store.require(id))
      const bytes = Buffer.from(format === 'csv' ? toCsv(all) : toJsonLines(all))
      return {
        stream: Readable.from([bytes]),
        fileName: `${id}.${format}`,
        contentType: 'application/octet-stream',
        bytes: bytes.length,
      }
    },
    plan: (asked: z.output<typeof planBatch.body>): Promise<BatchPlan> => planOf(asked, { tasks, sessions }),
    async create(
      { idempotencyKey: key, tasks: requestedTasks, traces, ...rest }: z.output<typeof createBatch.body>,
      signal: AbortSignal,
    ): Promise<Batch> {
      const before = key === undefined ? null : store.byKey(key)
      if (before) return view(before)
      if ((requestedTasks === undefined) === (traces === undefined)) throw needsTasksOrTraces()
      const request: KeptRequest = { ...rest, ...(requestedTasks ? { tasks: requestedTasks } : await tasksOf(traces!, sessions, signal)) }
      refuseDuplicates(
        'key',
        request.tasks.map((one) => one.key),
      )
      // a refusal of the first task usually applies to all of them
      const { key: _, ...first } = request.tasks[0]!
      const { refusals } = await tasks.plan(requestOf(request, first, request.maxCostUsd))
      throwFirst('task_refused', refusals)
      const id = newId()
      const batch = tx(() => {
        store.insert(id, request, key, now())
        const created = view(store.require(id))
        events.append('batch:status', { batch: created })
        return created
      })
      wake(id)
      return batch
    },
    choose(id: string, { key, taskId }: { key: string; taskId: string | null }): { winners: BatchWinner[] } {
      const row = store.require(id)
      const { request } = row
      const { [key]: _, ...others } = request.winners ?? {}
      if (taskId !== null && !results(row).some((run) => run.key === key && run.taskId === taskId && run.outcome === 'passed'))
        throw new AppError('invalid_request', {
          message: `The run ${taskId} is not an attempt at "${key}" of this batch with passed checks.`,
          hint: 'The report of the batch lists the run and outcome of each attempt.',
        })
      const chosen = taskId === null ? others : { ...others, [key]: taskId }
      const changed = tx(() => store.change(id, { request: { ...request, winners: chosen } }))
      publishProgress(id)
      return { winners: winners(changed) }
    },
    /** Pairs of sessions from a better and a worse attempt. */
    preferred(): { chosen: string; rejected: string[] }[] {
      return store.withWinners().flatMap((row) => {
        const sessions = new Map(results(row).flatMap(({ taskId, traceId }) => (taskId !== null && traceId !== null ? [[taskId, traceId]] : []))) // prettier-ignore
        return winners(row).flatMap(({ taskId, worse }) => {
          const chosen = sessions.get(taskId)
          return chosen === undefined ? [] : [{ chosen, rejected: worse.flatMap((one) => sessions.get(one) ?? []) }]
        })
      })
    },
    async cancel(id: string): Promise<Batch> {
      if (store.require(id).state === 'running') end(id, 'cancelled', null)
      await passes.get(id)?.done
      const running = attemptsOf(store.require(id)).filter(isRunning)
      await Promise.all(running.map(({ run }) => tasks.cancel(run!.id).catch(ifEnded)))
      return view(store.require(id))
    },
    retry(id: string, maxCostUsd: number | null | undefined): Batch {
      const row = store.require(id)
      const again = attemptsOf(row).flatMap(({ run }) => (run && isEnded(run) && outcomeOf(run) === 'owed' ? [run.id] : []))
      const request = maxCostUsd === undefined ? row.request : { ...row.request, maxCostUsd }
      const batch = changeState(id, { state: 'running', detail: null, endedAt: null, again, refused: [], request })
      wake(id)
      return batch
    },
    start({ watch }: { watch: boolean }): void {
      isOpen = watch
      if (!isOpen) return
      for (const row of store.running()) {
        wake(row.id)
        void goOn(row).catch((error: unknown) => log.error({ err: error, batch: row.id }, 'A batch could not go on'))
      }
    },
    async close(): Promise<void> {
      isOpen = false
      unsubscribe()
      await Promise.all([...passes.values()].map(({ done }) => done))
    },
  }
}

/** The smallest budget that a run is started with. */
const MIN_COST_USD = 0.001

function ifEnded(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'task_not_running')) throw error
}

export type Batches = ReturnType<typeof createBatches>
