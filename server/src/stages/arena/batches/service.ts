import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { Bytes } from '#contracts/derive/route.ts'
import type { z } from 'zod'
import type { Batch, BatchPlan, BatchReport, BatchResult, BatchWinner } from '#contracts/entities/batch.ts'
import type { Task, TaskAsked } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import { isoOf } from '#contracts/instant.ts'
import type { createBatch, planBatch } from '#contracts/routes/batches.ts'
import type { Core } from '#server/core.ts'
import { taskTitle } from '../agents/title.ts'
import { type KeptTask, type SessionsDeps, tasksOf } from './of-sessions.ts'
import { isEnded, outcomeOf, refusedResult, resultOf } from './outcome.ts'
import { oneOfBoth, planOf, type PlanTasks, requestOf } from './plan.ts'
import { reportOf, toCsv, toJsonLines } from './report.ts'
import { type BatchRow, createBatchStore, type KeptRequest } from './store.ts'

/** What a batch asks of the runs of agents. */
export interface BatchTasks extends PlanTasks {
  /** A repeated key gives the run of its first call. */
  create(request: TaskAsked & { idempotencyKey?: string | undefined }): Promise<Task>
  cancel(id: string): Promise<Task>
  list(filter: { batchId: string; limit: number }): { items: Task[] }
}

export interface BatchesDeps {
  tasks: BatchTasks
  sessions: SessionsDeps
  newId: () => string
}

/** No batch has more attempts. */
const MOST_ATTEMPTS = 100_000

interface Attempt {
  task: KeptTask
  attempt: number
  /** The run that stands for it: the newest. */
  run: Task | null
  isRefused: boolean
}

/**
 * Batches of tasks: a queue over the runs of agents, which hold the results. All that is stored of a batch is what was
 * asked; where each attempt is, its runs tell, so that a restart goes on from there.
 */
export function createBatches(core: Core, { tasks, sessions, newId }: BatchesDeps) {
  const { db, tx, events, log, now } = core
  const store = createBatchStore(db)
  /** One pass at a time for a batch; a change meanwhile asks for another one. */
  const passes = new Map<string, { again: boolean; done: Promise<void> }>()
  let isOpen = false

  const attemptsOf = (row: BatchRow): Attempt[] => {
    const runs = new Map<string, Task>()
    for (const task of tasks.list({ batchId: row.id, limit: MOST_ATTEMPTS }).items) {
      const place = placeOf(task.request.batchKey ?? '', task.request.attempt ?? 1)
      if (!runs.has(place)) runs.set(place, task) // newest first
    }
    const refused = new Set(row.refused.map(({ key, attempt }) => placeOf(key, attempt)))
    return Array.from({ length: row.request.attempts }, (_, index) => index + 1).flatMap((attempt) =>
      row.request.tasks.map((task) => {
        const place = placeOf(task.key, attempt)
        return { task, attempt, run: runs.get(place) ?? null, isRefused: refused.has(place) }
      }),
    )
  }
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

  /** Callers who wait for news of a batch. */
  const waiting = new EventTarget()
  const notifyCallers = (id: string): void => void waiting.dispatchEvent(new Event(id))
  /** An attempt of it is where it was not before. */
  const publishProgress = (id: string): void => {
    events.passing('batch:progress', { batch: view(store.require(id)) })
    notifyCallers(id)
  }
  const changeState = (id: string, values: Parameters<typeof store.change>[1] & { state: Batch['state'] }): Batch => {
    const batch = tx(() => {
      const changed = view(store.change(id, values))
      events.append('batch:status', { batch: changed })
      return changed
    })
    notifyCallers(id)
    return batch
  }
  const end = (id: string, state: Batch['state'], detail: string | null): void => void changeState(id, { state, detail, endedAt: now() })

  /** Begins what there is room and money for. */
  const pass = async (id: string): Promise<void> => {
    for (;;) {
      const row = store.require(id)
      if (!isOpen || row.state !== 'running') return
      const attempts = attemptsOf(row)
      const atWork = attempts.filter(isRunning)
      const next = attempts.find(({ run, isRefused }) => !isRefused && (run === null || row.again.includes(run.id)))
      if (!next) return void (atWork.length === 0 && end(id, 'done', null))
      const free = row.request.concurrency - atWork.length
      if (free <= 0) return
      const share = shareOf(row, free)
      if (share !== null && share <= 0)
        return void (atWork.length === 0 && end(id, 'stopped', `Its runs have cost $${row.request.maxCostUsd}, as much as they may.`))
      await begin(row, next, share)
    }
  }
  /** Of what is left, all but what runs at work may still spend, for each free place. */
  const shareOf = ({ id, request }: BatchRow, free: number): number | null => {
    if (request.maxCostUsd === null) return null
    const taken = tasks
      .list({ batchId: id, limit: MOST_ATTEMPTS })
      .items.map((run) => (isEnded(run) ? run.costUsd : run.request.caps.costUsd) ?? 0)
    const left = request.maxCostUsd - taken.reduce((sum, one) => sum + one, 0)
    return left < LEAST_USD ? 0 : left / free
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
      const message = error.hint ? `${error.message} ${error.hint}` : error.message
      const { refused } = store.require(row.id)
      tx(() => store.change(row.id, { refused: [...refused, { key, attempt, message }] }))
      publishProgress(row.id)
    }
  }

  const go = async (id: string, one: { again: boolean }): Promise<void> => {
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
    const going = passes.get(id)
    if (going) {
      going.again = true
      return
    }
    const one = { again: false, done: Promise.resolve() }
    passes.set(id, one)
    one.done = go(id, one).catch((error: unknown) => log.error({ err: error, batch: id }, 'A batch could not go on'))
  }
  const unfollow = events.subscribe(({ type, payload }) => {
    if (type !== 'task:complete') return
    const { batchId } = payload.task.request
    if (batchId === undefined) return
    wake(batchId)
    publishProgress(batchId)
  })

  const results = (id: string): BatchResult[] => {
    const row = store.require(id)
    const refused = new Map(row.refused.map((one) => [placeOf(one.key, one.attempt), one]))
    return attemptsOf(row).flatMap(({ task, attempt, run }) => {
      const refusal = refused.get(placeOf(task.key, attempt))
      if (refusal) return [refusedResult(refusal, taskTitle(task), row.request.settings)]
      return run && isEnded(run) ? [resultOf(run)] : []
    })
  }

  const winnersOf = ({ id, request: { winners = {} } }: BatchRow): BatchWinner[] => {
    const runs = Object.keys(winners).length === 0 ? [] : results(id)
    return Object.entries(winners).map(([key, taskId]) => {
      const worse = runs.flatMap((run) => (run.key === key && run.outcome === 'failed' && run.taskId !== null ? [run.taskId] : []))
      return { key, taskId, worse }
    })
  }

  return {
    list(query: Parameters<typeof store.list>[0]) {
      const { items, ...page } = store.list(query)
      return { items: items.map(view), ...page }
    },
    /** At once where `ended` is not how many attempts have ended, or the batch has. */
    async get(id: string, { waitMs, ended, signal }: { waitMs: number; ended: number; signal: AbortSignal }): Promise<Batch> {
      const batch = view(store.require(id))
      const { passed, failed, unverified, owed } = batch.counts
      if (waitMs === 0 || batch.state !== 'running' || passed + failed + unverified + owed !== ended) return batch
      const over = AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
      await once(waiting, id, { signal: over }).catch(() => undefined) // time is over, or the caller gone
      return view(store.require(id))
    },
    report: (id: string): BatchReport => ({
      ...reportOf(results(id)),
      leftOut: store.require(id).request.leftOut ?? [],
      winners: winnersOf(store.require(id)),
    }),
    download(id: string, format: 'jsonl' | 'csv'): Bytes {
      const bytes = Buffer.from(format === 'csv' ? toCsv(results(id)) : toJsonLines(results(id)))
      return {
        stream: Readable.from([bytes]),
        fileName: `${id}.${format}`,
        contentType: 'application/octet-stream',
        bytes: bytes.length,
      }
    },
    plan: (asked: z.output<typeof planBatch.body>): Promise<BatchPlan> => planOf(asked, { tasks, sessions }),
    async create(
      { idempotencyKey: key, tasks: given, traces, ...rest }: z.output<typeof createBatch.body>,
      signal: AbortSignal,
    ): Promise<Batch> {
      const before = key === undefined ? null : store.byKey(key)
      if (before) return view(before)
      if ((given === undefined) === (traces === undefined)) throw oneOfBoth()
      const request: KeptRequest = { ...rest, ...(given ? { tasks: given } : await tasksOf(traces!, sessions, signal)) }
      refuseDoubles(request.tasks)
      // what keeps the first one from being run most often keeps all of them
      const { key: _, ...first } = request.tasks[0]!
      const { refusals } = await tasks.plan(requestOf(request, first, request.maxCostUsd))
      if (refusals[0])
        throw new AppError('task_refused', {
          message: refusals[0].message,
          ...(refusals[0].hint !== null && { hint: refusals[0].hint }),
          details: { refusals },
        })
      const id = newId()
      const batch = tx(() => {
        store.insert(id, request, key, now())
        const made = view(store.require(id))
        events.append('batch:status', { batch: made })
        return made
      })
      wake(id)
      return batch
    },
    choose(id: string, { key, taskId }: { key: string; taskId: string | null }): { winners: BatchWinner[] } {
      const { request } = store.require(id)
      const { [key]: _, ...others } = request.winners ?? {}
      if (taskId !== null && !results(id).some((run) => run.key === key && run.taskId === taskId && run.outcome === 'passed'))
        throw new AppError('invalid_request', {
          message: `The run ${taskId} is no attempt at "${key}" of this batch whose checks passed.`,
          hint: 'The report of the batch names the run of each attempt, and what came of it.',
        })
      const winners = taskId === null ? others : { ...others, [key]: taskId }
      return { winners: winnersOf(tx(() => store.change(id, { request: { ...request, winners } }))) }
    },
    /** Sessions of attempts that are better and worse than one another. */
    preferred(): { chosen: string; rejected: string[] }[] {
      return store.withWinners().flatMap((row) => {
        const sessions = new Map(results(row.id).flatMap(({ taskId, traceId }) => (taskId !== null && traceId !== null ? [[taskId, traceId]] : []))) // prettier-ignore
        return winnersOf(row).flatMap(({ taskId, worse }) => {
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
      if (isOpen) for (const { id } of store.running()) wake(id)
    },
    async close(): Promise<void> {
      isOpen = false
      unfollow()
      await Promise.all([...passes.values()].map(({ done }) => done))
    },
  }
}

/** No run is begun with less. */
const LEAST_USD = 0.001

const placeOf = (key: string, attempt: number): string => `${attempt}\0${key}`
const isRunning = ({ run }: Attempt): boolean => run !== null && !isEnded(run)

function refuseDoubles(all: readonly KeptTask[]): void {
  const seen = new Set<string>()
  for (const { key } of all) {
    if (seen.has(key)) throw new AppError('invalid_request', { message: `Two tasks have the key "${key}".`, hint: 'Give each its own.' })
    seen.add(key)
  }
}

function ifEnded(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'task_not_running')) throw error
}

export type Batches = ReturnType<typeof createBatches>
