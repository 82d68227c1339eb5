import type { Worker } from 'node:worker_threads'

/** `bulk` is for imports and rebuilds, `live` for a running session's updates, `query` for read-only SQL and pages. */
export type Lane = 'bulk' | 'live' | 'query'

export interface RunOptions {
  lane?: Lane
  /** Jobs with the same key run one after another on the same thread, so their module can keep state. */
  key?: string
  /**
   * For work that needs much memory: the lane's idle threads end first, no other job of the lane runs, and the job's thread
   * ends with the job, which frees its memory. Cannot be combined with `key`.
   */
  alone?: boolean
  signal?: AbortSignal
  onProgress?: (value: unknown) => void
}

export const laneSizes = (cpus: number): Record<Lane, number> => ({ bulk: Math.max(1, Math.min(4, cpus)), live: 1, query: 2 })

export interface Task {
  id: number
  job: string
  input: unknown
  options: RunOptions
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  onAbort?: () => void
  /** Set if the caller's progress callback threw. */
  fault?: { error: unknown }
  /** Ends the thread if the job continues after its abort. */
  killTimer?: NodeJS.Timeout
}

export interface Thread {
  worker: Worker
  running: Task | null
  isAlone: boolean
  /** Ends the thread when it is idle for long. */
  idleTimer: NodeJS.Timeout | null
}

/** A place for a thread, with the jobs that must run on it. */
export interface Slot {
  thread: Thread | null
  queue: Task[]
}

export interface LaneState {
  slots: Slot[]
  /** Jobs that any thread of the lane can run. */
  shared: Task[]
  /** True while a job runs alone or waits for the other threads to end. */
  isShut: boolean
}

export const laneOf = (size: number): LaneState => ({
  slots: Array.from({ length: size }, () => ({ thread: null, queue: [] })),
  shared: [],
  isShut: false,
})

/** Jobs with the same key run in the same slot. */
export const slotOf = ({ slots }: LaneState, key: string): Slot => slots[hash(key) % slots.length]!

const hash = (text: string) => {
  let value = 2_166_136_261
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 16_777_619)
  return value >>> 0
}
