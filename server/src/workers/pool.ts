import os from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'

/** bulk: imports, rebuilds; live: what a user waits for while a session runs; query: read-only SQL and page reads. */
export type Lane = 'bulk' | 'live' | 'query'

export interface RunOptions {
  lane?: Lane
  /** Jobs with the same key run on the same thread, one after the other: its module may keep state for them. */
  key?: string
  signal?: AbortSignal
  onProgress?: (value: unknown) => void
}

export interface Workers {
  /** Runs the default export of a job module with plain data; rejects with the job's error, or an AbortError. */
  run<O>(job: URL, input: unknown, options?: RunOptions): Promise<O>
  /** Resolves when nothing runs or waits. */
  drain(): Promise<void>
  close(): Promise<void>
}

export const laneSizes = (cpus: number): Record<Lane, number> => ({ bulk: Math.max(1, Math.min(4, cpus)), live: 1, query: 2 })

/** Half of the usual room for new objects: parsed records die young anyway, and each thread has its own. */
const YOUNG_MB = 24

interface Task {
  id: number
  job: string
  input: unknown
  options: RunOptions
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  onAbort?: () => void
}

interface Thread {
  worker: Worker
  running: Task | null
  queue: Task[]
}

/**
 * Threads start when first needed. A thread that dies (out of memory, a native crash) fails its running task with
 * that reason and is replaced; tasks that waited behind it go to its successor.
 */
export function createWorkers(sizes: Record<Lane, number> = laneSizes(os.availableParallelism())): Workers {
  const lanes: Record<Lane, (Thread | null)[]> = {
    bulk: Array.from({ length: sizes.bulk }, () => null),
    live: Array.from({ length: sizes.live }, () => null),
    query: Array.from({ length: sizes.query }, () => null),
  }
  const shared: Record<Lane, Task[]> = { bulk: [], live: [], query: [] }
  const idleWaiters: (() => void)[] = []
  let nextId = 1
  let open = 0
  let closed = false

  const settle = () => {
    open -= 1
    if (open === 0) idleWaiters.splice(0).forEach((wake) => wake())
  }

  const startThread = (lane: Lane, slot: number): Thread => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      name: `${lane}-${slot}`,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    })
    const thread: Thread = { worker, running: null, queue: [] }
    worker.on('message', (message: { id: number; ok?: boolean; value?: unknown; error?: Error; progress?: unknown }) => {
      const task = thread.running
      if (!task || task.id !== message.id) return
      if ('progress' in message) return task.options.onProgress?.(message.progress)
      const failure = () => task.reject(task.options.signal?.aborted ? task.options.signal.reason : message.error)
      finish(lane, thread, message.ok ? () => task.resolve(message.value) : failure)
    })
    const gone = (cause: unknown) => {
      if (lanes[lane][slot] === thread) lanes[lane][slot] = null
      const task = thread.running
      thread.running = null
      if (task) {
        stopListening(task)
        task.reject(
          cause instanceof Error ? cause : new Error(`A worker thread ended while it ran ${task.job} (exit code ${String(cause)}).`),
        )
        settle()
      }
      if (closed) return
      const waiting = thread.queue.splice(0)
      if (waiting.length) {
        const next = (lanes[lane][slot] ??= startThread(lane, slot))
        next.queue.push(...waiting)
      }
      pump(lane)
    }
    // What the thread sent cannot be made again here (nested too deep for the stack): its task would wait for ever.
    worker.on('messageerror', (cause) => {
      const task = thread.running
      if (!task) return
      const failed = new Error(`What ${path.basename(task.job)} gave back could not be taken in (${cause.message}).`, { cause })
      finish(lane, thread, () => task.reject(failed))
    })
    worker.on('error', gone)
    worker.on('exit', (code) => gone(code))
    worker.unref()
    return thread
  }

  const listenForAbort = (task: Task, onAbort: () => void) => {
    stopListening(task)
    task.onAbort = onAbort
    task.options.signal?.addEventListener('abort', onAbort, { once: true })
  }
  const stopListening = (task: Task) => {
    if (task.onAbort) task.options.signal?.removeEventListener('abort', task.onAbort)
  }

  /** Starts what waits until something runs: a task whose input cannot be sent has failed already. */
  const feed = (thread: Thread, queue: Task[]) => {
    for (let task; thread.running === null && (task = queue.shift());) begin(thread, task)
  }

  const begin = (thread: Thread, task: Task) => {
    try {
      post(thread, { id: task.id, job: task.job, input: task.input })
    } catch (error) {
      // input that cannot be copied to a thread: this task fails, the thread goes on
      stopListening(task)
      task.reject(error)
      settle()
      return
    }
    thread.running = task
    thread.worker.ref()
    listenForAbort(task, () => post(thread, { id: task.id, abort: true }))
  }

  /** A task that still waits is taken out of its queue at once. */
  const withdraw = (lane: Lane, task: Task) => {
    for (const queue of [shared[lane], ...lanes[lane].map((thread) => thread?.queue ?? [])]) {
      const at = queue.indexOf(task)
      if (at === -1) continue
      queue.splice(at, 1)
      task.reject(task.options.signal?.reason)
      settle()
      return
    }
  }

  const finish = (lane: Lane, thread: Thread, tell: () => void) => {
    const task = thread.running!
    thread.running = null
    thread.worker.unref()
    stopListening(task)
    tell()
    settle()
    pump(lane)
  }

  const pump = (lane: Lane) => {
    const slots = lanes[lane]
    for (const thread of slots) if (thread) feed(thread, thread.queue)
    for (let slot = 0; slot < slots.length && shared[lane].length; slot += 1) {
      const thread = (slots[slot] ??= startThread(lane, slot))
      feed(thread, shared[lane])
    }
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
        if (options.key === undefined) shared[lane].push(task)
        else {
          const slot = hash(options.key) % lanes[lane].length
          const thread = (lanes[lane][slot] ??= startThread(lane, slot))
          thread.queue.push(task)
        }
        pump(lane)
      })
    },
    drain: () => (open === 0 ? Promise.resolve() : new Promise((wake) => idleWaiters.push(wake))),
    async close() {
      closed = true
      for (const lane of Object.keys(lanes) as Lane[]) {
        for (const task of shared[lane].splice(0)) {
          task.reject(new Error('The worker pool is closed.'))
          settle()
        }
      }
      const threads = Object.values(lanes)
        .flat()
        .filter((thread) => thread !== null)
      for (const thread of threads)
        for (const task of thread.queue.splice(0)) {
          task.reject(new Error('The worker pool is closed.'))
          settle()
        }
      await Promise.all(threads.map((thread) => thread.worker.terminate()))
    },
  }
}

// A thread has no origin to check; the lint rule means windows.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const post = ({ worker }: Thread, message: unknown) => worker.postMessage(message)

const hash = (text: string) => {
  let value = 2_166_136_261
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 16_777_619)
  return value >>> 0
}
