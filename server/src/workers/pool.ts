import os from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { AppError } from '#contracts/errors.ts'
import { type Lane, laneOf, laneSizes, type LaneState, type RunOptions, type Slot, slotOf, type Task, type Thread } from './lanes.ts'
import type { ThreadData } from './thread.ts'

export type { Lane } from './lanes.ts'

export interface Workers {
  /** Calls the default export of a job module with plain data in a thread. Rejects with the job's error or an AbortError. */
  run<O>(job: URL, input: unknown, options?: RunOptions): Promise<O>
  /** Resolves when no job is running or waiting. */
  drain(): Promise<void>
  close(): Promise<void>
}

/** Half of the default young generation, because records are short-lived and every thread has its own. */
const YOUNG_MB = 24

/** The heap of a thread, and of one that works alone; a thread without an own limit could take all memory that the server needs. */
const HEAP_MB = { shared: 2048, alone: 4096 }

/** When all cores are busy, a bulk thread gets a third of another thread's processor time, so imports do not delay users. */
const NICE_BY: Record<Lane, number> = { bulk: 5, live: 0, query: 0 }

/** How long a bulk thread may be idle before it ends. */
const IDLE_MS = 30_000

/** How long a job may continue after its abort (a loop, a regular expression) before its thread is ended. */
const KILL_AFTER_MS = 2000

/**
 * Threads start when they are needed. If a thread dies (out of memory, a native crash), its running task fails with the
 * reason and a new thread takes its waiting tasks. Idle bulk threads end, because their memory is mostly garbage that V8
 * does not collect.
 */
export function createWorkers(
  sizes: Record<Lane, number> = laneSizes(os.availableParallelism()),
  idleMs = IDLE_MS,
  killAfterMs = KILL_AFTER_MS,
  heapMb = HEAP_MB,
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
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: isAlone ? heapMb.alone : heapMb.shared },
    })
    const thread: Thread = { worker, running: null, isAlone, idleTimer: null }
    worker.on('message', (message: { id: number; ok?: boolean; value?: unknown; error?: Error; progress?: unknown }) => {
      const task = thread.running
      if (!task || task.id !== message.id) return
      if ('progress' in message) return progress(thread, task, message.progress)
      const failure = () => task.reject(task.fault?.error ?? (task.options.signal?.aborted ? task.options.signal.reason : message.error))
      finish(lane, slot, thread, message.ok && !task.fault ? () => task.resolve(message.value) : failure)
    })
    const onEnd = (cause: unknown) => {
      if (slot.thread === thread) slot.thread = null
      const task = thread.running
      thread.running = null
      if (task) {
        stopListening(task)
        const ended = () => new Error(`A worker thread ended while it ran ${task.job} (exit code ${String(cause)}).`)
        const aborted: unknown = task.options.signal?.aborted ? task.options.signal.reason : null
        task.reject(task.fault?.error ?? aborted ?? (cause instanceof Error ? clearly(cause) : ended()))
        settle()
      }
      if (thread.isAlone) lanes[lane].isShut = thread.isAlone = false
      if (!closed) pump(lane)
    }
    // The result cannot be deserialised here (nested too deep for the stack); without this the task would never end.
    worker.on('messageerror', (cause) => {
      const task = thread.running
      if (!task) return
      const failure = new Error(`The result of ${path.basename(task.job)} could not be read (${cause.message}).`, { cause })
      finish(lane, slot, thread, () => task.reject(failure))
    })
    worker.on('error', onEnd)
    worker.on('exit', (code) => onEnd(code))
    worker.unref()
    slot.thread = thread
    return thread
  }

  /** If the callback throws, the task fails as if the job had thrown; the job is stopped and its later messages are ignored. */
  const progress = (thread: Thread, task: Task, value: unknown) => {
    if (task.fault) return
    try {
      task.options.onProgress?.(value)
    } catch (error) {
      task.fault = { error }
      stop(thread, task)
    }
  }

  /** Aborts the job; if it continues, its thread is ended. */
  const stop = (thread: Thread, task: Task) => {
    post(thread, { id: task.id, abort: true })
    task.killTimer ??= setTimeout(() => void thread.worker.terminate(), killAfterMs)
  }

  /** Ends the thread of a slot; its running job fails. */
  const end = async (slot: Slot): Promise<void> => {
    const { thread } = slot
    slot.thread = null
    if (thread?.idleTimer) clearTimeout(thread.idleTimer)
    await thread?.worker.terminate()
  }

  const listenForAbort = (task: Task, onAbort: () => void) => {
    stopListening(task)
    task.onAbort = onAbort
    task.options.signal?.addEventListener('abort', onAbort, { once: true })
  }
  const stopListening = (task: Task) => {
    if (task.onAbort) task.options.signal?.removeEventListener('abort', task.onAbort)
    clearTimeout(task.killTimer)
  }

  /** Starts waiting tasks until one runs; a task whose input cannot be sent fails at once. */
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
    if (thread.idleTimer) clearTimeout(thread.idleTimer)
    thread.worker.ref()
    listenForAbort(task, () => stop(thread, task))
  }

  /** Removes a waiting task from its queue. */
  const withdraw = (lane: Lane, task: Task) => {
    const { shared, slots } = lanes[lane]
    for (const queue of [shared, ...slots.map((slot) => slot.queue)]) {
      const at = queue.indexOf(task)
      if (at === -1) continue
      queue.splice(at, 1)
      task.reject(task.options.signal?.reason)
      settle()
      pump(lane) // other tasks may have waited for this one
      return
    }
  }

  const finish = (lane: Lane, slot: Slot, thread: Thread, settleTask: () => void) => {
    const task = thread.running!
    thread.running = null
    if (slot.thread === thread) thread.worker.unref() // a thread that is being terminated keeps the process alive until it has ended
    stopListening(task)
    settleTask()
    settle()
    if (thread.isAlone) void end(slot) // the lane continues when the thread has ended
    else if (lane === 'bulk' && slot.thread === thread)
      thread.idleTimer = setTimeout(() => slot.thread === thread && void end(slot), idleMs).unref()
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
      state.isShut = false // the job was withdrawn meanwhile
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

const clearly = (cause: Error): Error =>
  (cause as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY' ? new AppError('out_of_memory', { cause }) : cause

// The lint rule is about windows; a thread has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const post = ({ worker }: Thread, message: unknown) => worker.postMessage(message)
