import os from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Lane, laneOf, laneSizes, type LaneState, type RunOptions, type Slot, slotOf, type Task, type Thread } from './lanes.ts'
import type { ThreadData } from './thread.ts'

export type { Lane } from './lanes.ts'

export interface Workers {
  /** Runs the default export of a job module with plain data; rejects with the job's error, or an AbortError. */
  run<O>(job: URL, input: unknown, options?: RunOptions): Promise<O>
  /** Resolves when no job runs or waits. */
  drain(): Promise<void>
  close(): Promise<void>
}

/** Half of the default young generation: parsed records are short-lived, and each thread has its own. */
const YOUNG_MB = 24

/** When all cores are busy, waiting callers come before an import: a bulk thread gets a third of another thread's processor time. */
const NICE_BY: Record<Lane, number> = { bulk: 5, live: 0, query: 0 }

/** An idle bulk thread ends after this time. */
const REST_MS = 30_000

/** A job that continues this long after its abort (a loop, a regular expression) ends with its thread. */
const PATIENCE_MS = 2000

/**
 * Threads start when first needed. A thread that dies (out of memory, a native crash) fails its running task with
 * that reason and is replaced; tasks that waited behind it go to its successor. Bulk threads that rest end: what they hold
 * is mostly garbage that V8 has no reason to collect.
 */
export function createWorkers(
  sizes: Record<Lane, number> = laneSizes(os.availableParallelism()),
  restMs = REST_MS,
  patienceMs = PATIENCE_MS,
): Workers {
  const lanes: Record<Lane, LaneState> = { bulk: laneOf(sizes.bulk), live: laneOf(sizes.live), query: laneOf(sizes.query) }
  const idleWaiters: (() => void)[] = []
  let nextId = 1
  let open = 0
  let closed = false

  const settle = () => {
    open -= 1
    if (open === 0) idleWaiters.splice(0).forEach((wake) => wake())
  }

  const startThread = (lane: Lane, slot: Slot, isAlone = false): Thread => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: { niceBy: NICE_BY[lane] } satisfies ThreadData,
      name: `${lane}-${lanes[lane].slots.indexOf(slot)}`,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    })
    const thread: Thread = { worker, running: null, isAlone, rest: null }
    worker.on('message', (message: { id: number; ok?: boolean; value?: unknown; error?: Error; progress?: unknown }) => {
      const task = thread.running
      if (!task || task.id !== message.id) return
      if ('progress' in message) return progress(thread, task, message.progress)
      const failure = () => task.reject(task.fault?.error ?? (task.options.signal?.aborted ? task.options.signal.reason : message.error))
      finish(lane, slot, thread, message.ok && !task.fault ? () => task.resolve(message.value) : failure)
    })
    const gone = (cause: unknown) => {
      if (slot.thread === thread) slot.thread = null
      const task = thread.running
      thread.running = null
      if (task) {
        stopListening(task)
        const ended = () => new Error(`A worker thread ended while it ran ${task.job} (exit code ${String(cause)}).`)
        const aborted: unknown = task.options.signal?.aborted ? task.options.signal.reason : null
        task.reject(task.fault?.error ?? aborted ?? (cause instanceof Error ? cause : ended()))
        settle()
      }
      if (thread.isAlone) lanes[lane].isShut = thread.isAlone = false
      if (!closed) pump(lane)
    }
    // What the thread sent cannot be made again here (nested too deep for the stack): its task would wait for ever.
    worker.on('messageerror', (cause) => {
      const task = thread.running
      if (!task) return
      const failed = new Error(`What ${path.basename(task.job)} gave back could not be taken in (${cause.message}).`, { cause })
      finish(lane, slot, thread, () => task.reject(failed))
    })
    worker.on('error', gone)
    worker.on('exit', (code) => gone(code))
    worker.unref()
    slot.thread = thread
    return thread
  }

  /** A callback that throws fails its task, as if the job had thrown: the job is stopped, and its later messages are dropped. */
  const progress = (thread: Thread, task: Task, value: unknown) => {
    if (task.fault) return
    try {
      task.options.onProgress?.(value)
    } catch (error) {
      task.fault = { error }
      stop(thread, task)
    }
  }

  /** The job gets the abort; if it continues, its thread is ended. */
  const stop = (thread: Thread, task: Task) => {
    post(thread, { id: task.id, abort: true })
    task.patience ??= setTimeout(() => void thread.worker.terminate(), patienceMs)
  }

  /** Jobs that run there fail. */
  const end = async (slot: Slot): Promise<void> => {
    const { thread } = slot
    slot.thread = null
    if (thread?.rest) clearTimeout(thread.rest)
    await thread?.worker.terminate()
  }

  const listenForAbort = (task: Task, onAbort: () => void) => {
    stopListening(task)
    task.onAbort = onAbort
    task.options.signal?.addEventListener('abort', onAbort, { once: true })
  }
  const stopListening = (task: Task) => {
    if (task.onAbort) task.options.signal?.removeEventListener('abort', task.onAbort)
    clearTimeout(task.patience)
  }

  /** Starts what waits until something runs: a task whose input cannot be sent has failed already. */
  const feed = (lane: Lane, slot: Slot, queue: Task[]) => {
    while (queue.length > 0 && !queue[0]!.options.alone) {
      const thread = slot.thread ?? startThread(lane, slot)
      if (thread.running) return
      begin(thread, queue.shift()!)
    }
  }

  const begin = (thread: Thread, task: Task) => {
    try {
      post(thread, { id: task.id, job: task.job, input: task.input })
    } catch (error) {
      // input that cannot be copied to a thread: this task fails, the thread continues
      stopListening(task)
      task.reject(error)
      settle()
      return
    }
    thread.running = task
    if (thread.rest) clearTimeout(thread.rest)
    thread.worker.ref()
    listenForAbort(task, () => stop(thread, task))
  }

  /** A task that still waits is taken out of its queue at once. */
  const withdraw = (lane: Lane, task: Task) => {
    const { shared, slots } = lanes[lane]
    for (const queue of [shared, ...slots.map((slot) => slot.queue)]) {
      const at = queue.indexOf(task)
      if (at === -1) continue
      queue.splice(at, 1)
      task.reject(task.options.signal?.reason)
      settle()
      pump(lane) // it may have kept others waiting
      return
    }
  }

  const finish = (lane: Lane, slot: Slot, thread: Thread, settleTask: () => void) => {
    const task = thread.running!
    thread.running = null
    if (slot.thread === thread) thread.worker.unref() // one that is being ended keeps the process until it has
    stopListening(task)
    settleTask()
    settle()
    if (thread.isAlone) void end(slot) // its end opens the lane again
    else if (lane === 'bulk' && slot.thread === thread)
      thread.rest = setTimeout(() => slot.thread === thread && void end(slot), restMs).unref()
    pump(lane)
  }

  const pump = (lane: Lane) => {
    const state = lanes[lane]
    if (state.isShut) return
    if (state.shared[0]?.options.alone) {
      if (state.slots.every(({ thread }) => !thread?.running)) void runAlone(lane)
      return
    }
    for (const slot of state.slots) feed(lane, slot, slot.queue)
    for (const slot of state.slots) feed(lane, slot, state.shared)
  }

  const runAlone = async (lane: Lane) => {
    const state = lanes[lane]
    state.isShut = true
    await Promise.all(state.slots.map(end))
    const slot = state.slots[0]!
    if (!closed && state.shared[0]?.options.alone) begin(startThread(lane, slot, true), state.shared.shift()!)
    if (slot.thread === null) {
      state.isShut = false // taken back meanwhile
      if (!closed) pump(lane)
    } else if (!slot.thread.running) await end(slot) // its input cannot be sent
  }

  return {
    run<O>(job: URL, input: unknown, options: RunOptions = {}) {
      return new Promise<O>((resolve, reject) => {
        if (closed) return reject(new Error('The worker pool is closed.'))
        if (options.signal?.aborted) return reject(options.signal.reason as Error)
        const lane = options.lane ?? 'bulk'
        const task: Task = { id: nextId++, job: job.href, input, options, resolve: resolve as (value: unknown) => void, reject }
        open += 1
        listenForAbort(task, () => withdraw(lane, task))
        const { shared } = lanes[lane]
        const queue = options.key === undefined ? shared : slotOf(lanes[lane], options.key).queue
        queue.push(task)
        pump(lane)
      })
    },
    drain: () => (open === 0 ? Promise.resolve() : new Promise((wake) => idleWaiters.push(wake))),
    async close() {
      closed = true
      const slots = Object.values(lanes).flatMap((lane) => lane.slots)
      for (const queue of [...Object.values(lanes).map(({ shared }) => shared), ...slots.map((slot) => slot.queue)]) {
        for (const task of queue.splice(0)) {
          task.reject(new Error('The worker pool is closed.'))
          settle()
        }
      }
      await Promise.all(slots.map(end))
    },
  }
}

// A thread has no origin to check; the lint rule means windows.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const post = ({ worker }: Thread, message: unknown) => worker.postMessage(message)
