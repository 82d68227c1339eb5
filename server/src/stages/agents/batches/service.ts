import { Readable } from 'node:stream'
import type { Bytes } from '#contracts/derive/route.ts'
import type { z } from 'zod'
import type { Batch, BatchPlan, BatchReport, BatchResult, BatchWinner } from '#contracts/entities/batch.ts'
import type { Task, TaskAsked } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import { isoOf } from '#server/instant.ts'
import type { createBatch, planBatch } from '#contracts/routes/batches.ts'
import type { Core } from '#server/core.ts'
import { countsOf, endedOf, shareOf } from '#server/runs/attempts.ts'
import { createChanges } from '#server/runs/changes.ts'
import { createPool } from '#server/runs/pool.ts'
import { createSets, type Wakes } from '#server/runs/sets.ts'
import { refuseDuplicates, sentenceOf, throwFirst } from '#server/refusals.ts'
import { type SessionsDeps, tasksOf } from './of-sessions.ts'
import { type Attempt, attemptsIn, resultsOf, winnersOf } from './attempts.ts'
import { isEnded } from './outcome.ts'
import { createStandings, standingOf } from './standings.ts'
import { needsTasksOrTraces, planOf, type PlanTasks, requestOf } from './plan.ts'
import { reportOf, toCsv, toJsonLines } from './report.ts'
import { type BatchRow, createBatchStore, type KeptRequest } from './store.ts'

/** The functions of agent runs that a batch needs. */
export interface BatchTasks extends PlanTasks {
  /** A call with an earlier idempotency key returns the run of the earlier call. */
  create(request: TaskAsked & { idempotencyKey?: string | undefined }): Promise<Task>
  get(id: string): Task
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

interface LiveBatch extends Wakes {
  /** The runs that are waited for. */
  awaited: Set<string>
}

type Run = Pick<Task, 'id'>

const OUTCOMES = ['passed', 'failed', 'unverified', 'owed'] as const

/**
 * Batches of tasks: sets of attempts (`runs/sets.ts`) that are runs of agents. The state and result of each attempt are stored with its
 * run, and only the request and the choices of the user are stored with the batch.
 */
export function createBatches(core: Core, { tasks, sessions, newId }: BatchesDeps) {
  const { db, tx, events, log, now } = core
  const store = createBatchStore(db)
  /** Ends of runs. */
  const ends = createChanges()

  const standings = createStandings(tasks, MAX_ATTEMPTS)

  const attemptsOf = (row: BatchRow): Attempt[] => attemptsIn(row, standings.of(row.id))
  const results = (row: BatchRow): BatchResult[] => {
    const runs = tasks.list({ batchId: row.id, limit: MAX_ATTEMPTS }).items.toReversed()
    const byId = new Map(runs.map((run) => [run.id, run]))
    return resultsOf(row, attemptsIn(row, runs.map(standingOf)), (id) => byId.get(id)!)
  }
  const winners = (row: BatchRow): BatchWinner[] => (row.request.winners === undefined ? [] : winnersOf(row, results(row)))
  const view = (row: BatchRow): Batch => {
    const attempts = attemptsOf(row)
    const { request } = row
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
      counts: countsOf(
        attempts.map(({ state }) => state),
        OUTCOMES,
      ),
      costUsd: costs.length === 0 ? null : costs.reduce((sum, one) => sum + one, 0),
      createdAt: isoOf(row.createdAt),
      endedAt: isoOf(row.endedAt),
    }
  }

  /** Null if the attempt cannot be started; the reason is stored. */
  const begin = async (row: BatchRow, { task: { key, ...task }, attempt, run }: Attempt, share: number | null): Promise<Run | null> => {
    try {
      const created = await tasks.create({
        ...requestOf(row.request, task, share),
        batchId: row.id,
        batchKey: key,
        attempt,
        idempotencyKey: `${row.id}:${row.request.tasks.findIndex((one) => one.key === key)}:${attempt}:${run?.id ?? ''}`,
      })
      standings.note(created)
      return created
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { refused } = store.require(row.id)
      tx(() => store.change(row.id, { refused: [...refused, { key, attempt, message: sentenceOf(error) }] }))
      return null
    } finally {
      sets.progressed(row.id)
    }
  }
  const ended = async ({ id }: Run, signal: AbortSignal): Promise<void> => {
    while (!isEnded(tasks.get(id))) {
      await ends.next(id, { signal })
      signal.throwIfAborted()
    }
  }
  /** A run that was interrupted when the server ended goes on; one that cannot has no result, and can be repeated. */
  const goOn = async ({ id }: Run, signal: AbortSignal): Promise<void> => {
    try {
      await tasks.resume(id, null)
    } catch (error) {
      signal.throwIfAborted()
      log.warn({ err: error, task: id }, 'An attempt of a batch could not go on')
      await tasks.cancel(id).catch(ifEnded)
    }
  }
  const perform = async ({ id }: BatchRow, signal: AbortSignal, live: LiveBatch): Promise<string | null> => {
    let stopped: string | null = null
    const interrupted = new Set(attemptsOf(store.require(id)).flatMap(({ run }) => (run?.state === 'paused' ? run.id : [])))
    /** The next run to wait for: one that is active already, or a new one. */
    const next = async (): Promise<Run | null> => {
      for (;;) {
        signal.throwIfAborted()
        const row = store.require(id)
        const runs = standings.of(id)
        const attempts = attemptsIn(row, runs)
        const active = attempts.flatMap(({ run, state }) => (run && state === 'running' ? run : []))
        const other = active.find((run) => !live.awaited.has(run.id))
        if (other) return other
        const { maxCostUsd, concurrency } = row.request
        const due = attempts.find(({ isDue }) => isDue)
        if (!due) return null
        const share = shareOf({ capUsd: maxCostUsd, spent: runs.map(({ spentUsd }) => spentUsd), free: concurrency - active.length })
        stopped =
          share === 0 ? `Its runs used up the cost limit of $${maxCostUsd}. A run of unknown cost counts with its whole share.` : null
        if (stopped !== null) return null
        const run = await begin(row, due, share)
        if (run) return run
      }
    }
    const pool = createPool<Run>({
      places: () => store.require(id).request.concurrency,
      next: async () => {
        const run = await next()
        if (run) live.awaited.add(run.id)
        return run
      },
      async perform(run, stop) {
        try {
          if (interrupted.delete(run.id)) await goOn(run, stop)
          await ended(run, stop)
        } finally {
          live.awaited.delete(run.id)
        }
      },
      signal,
    })
    live.wake = pool.wake
    await pool.done
    return stopped
  }
  const sets = createSets(core, {
    noun: 'batch',
    store,
    view,
    ended: ({ counts }) => endedOf(counts),
    onState: (batch) => events.append('batch:status', { batch }),
    onProgress: (batch) => events.passing('batch:progress', { batch }),
    live: (): LiveBatch => ({ wake: () => undefined, awaited: new Set() }),
    perform: (row, { signal, live }) => perform(row, signal, live),
  })
  const unsubscribe = events.subscribe(({ type, payload }) => {
    if (type === 'task:status') standings.note(payload.task)
    else if (type === 'task:removed') standings.remove(payload.id)
    if (type !== 'task:complete') return
    const { id, request } = payload.task
    if (request.batchId === undefined) return
    sets.progressed(request.batchId)
    ends.notify(id)
  })

  return {
    list(query: Parameters<typeof store.list>[0]) {
      const { items, ...page } = store.list(query)
      return { items: items.map(view), ...page }
    },
    get: sets.wait,
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
    create: (
      { idempotencyKey: key, tasks: requestedTasks, traces, ...rest }: z.output<typeof createBatch.body>,
      signal: AbortSignal,
    ): Promise<Batch> =>
      sets.create(key, async () => {
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
        return { id, insert: () => store.insert(id, request, key, now()) }
      }),
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
      sets.progressed(id)
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
      await sets.cancel(id)
      const running = attemptsOf(store.require(id)).filter(({ state }) => state === 'running')
      await Promise.all(running.map(({ run }) => tasks.cancel(run!.id).catch(ifEnded)))
      return sets.get(id)
    },
    retry(id: string, maxCostUsd: number | null | undefined): Batch {
      const row = store.require(id)
      const again = attemptsOf(row).flatMap(({ run, state }) => (run && state === 'owed' ? run.id : []))
      const request = maxCostUsd === undefined ? row.request : { ...row.request, maxCostUsd }
      return sets.resume(id, () => store.change(id, { again, refused: [], request }))
    },
    start: sets.start,
    async close(): Promise<void> {
      unsubscribe()
      await sets.close()
    },
  }
}

function ifEnded(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'task_not_running')) throw error
}

export type Batches = ReturnType<typeof createBatches>
