/** Runs one piece of work at a time per key, in the order of requests. */
export interface KeyedQueue {
  acquire(key: string): Promise<() => void>
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Runs when no key is locked; everything else waits until it is done. */
  exclusive<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when no key is locked or requested. */
  idle(): Promise<void>
}

export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<void>>()
  const exclusiveWork: { done: Promise<void> | null } = { done: null }
  const idle = async () => {
    while (tails.size > 0) await Promise.all(tails.values())
  }
  const acquire = async (key: string) => {
    while (exclusiveWork.done) await exclusiveWork.done
    const before = tails.get(key)
    const { promise, resolve } = Promise.withResolvers<void>()
    tails.set(key, promise)
    await before
    return () => {
      if (tails.get(key) === promise) tails.delete(key)
      resolve()
    }
  }
  return {
    acquire,
    async run(key, work) {
      const release = await acquire(key)
      try {
        return await work()
      } finally {
        release()
      }
    },
    async exclusive(work) {
      while (exclusiveWork.done) await exclusiveWork.done
      const { promise, resolve } = Promise.withResolvers<void>()
      exclusiveWork.done = promise
      try {
        await idle()
        return await work()
      } finally {
        exclusiveWork.done = null
        resolve()
      }
    },
    idle,
  }
}

/** At most `limit` pieces of work at a time; `run` resolves to the work's own result. */
export function createLimiter(limit: number): { run<T>(work: () => Promise<T>): Promise<T> } {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    async run(work) {
      if (running >= limit) await new Promise<void>((go) => waiting.push(go))
      else running += 1
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
