import type { Worker } from 'node:worker_threads'

/** bulk: imports, rebuilds; live: what a user waits for while a session runs; query: read-only SQL and page reads. */
export type Lane = 'bulk' | 'live' | 'query'

export interface RunOptions {
  lane?: Lane
  /** Jobs with the same key run on the same thread, one after the other: its module may keep state between them. */
  key?: string
  /**
   * For work that needs much memory: no other job of the lane runs meanwhile, its idle threads end before, and the job's own
   * thread ends with it, garbage and all. Not with a key.
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
  /** Its own callback threw. */
  fault?: { error: unknown }
  /** Ends its thread when it continues after its abort. */
  patience?: NodeJS.Timeout
}

export interface Thread {
  worker: Worker
  running: Task | null
  isAlone: boolean
  /** Ends it after a long idle time. */
  rest: NodeJS.Timeout | null
}

/** A place for a thread, with the jobs that must run there. */
export interface Slot {
  thread: Thread | null
  queue: Task[]
}

export interface LaneState {
  slots: Slot[]
  /** Jobs that any of its threads may take. */
  shared: Task[]
  /** A job runs alone, or will as soon as the other threads have ended. */
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
