export interface PoolOptions<T> {
  /** How many may be under way now. */
  places: () => number
  /** The next one. Null: there is none at the moment; it is asked again after each end and each `wake`. What it throws ends the pool. */
  next: (signal: AbortSignal) => T | null | Promise<T | null>
  /** What it throws ends the pool. `signal` aborts then, and with the signal of the pool. */
  perform: (one: T, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
}

/** Performs several at a time, until there is no next one and none is under way. */
export function createPool<T>({ places, next, perform, signal }: PoolOptions<T>) {
  const failing = new AbortController()
  const stop = AbortSignal.any([signal, failing.signal])
  const { promise: done, resolve, reject } = Promise.withResolvers<void>()
  let underWay = 0
  let isAsking = false
  let mustAskAgain = false
  let isOver = false

  const begin = async (one: T): Promise<void> => {
    underWay += 1
    try {
      await perform(one, stop)
    } catch (error) {
      failing.abort(error)
    }
    underWay -= 1
    wake()
  }
  const beginAll = async (): Promise<void> => {
    while (!stop.aborted && underWay < places()) {
      const one = await next(stop)
      if (one === null) return
      void begin(one)
    }
  }
  const ask = async (): Promise<void> => {
    isAsking = true
    try {
      do {
        mustAskAgain = false
        await beginAll()
      } while (mustAskAgain)
    } catch (error) {
      failing.abort(error)
    }
    isAsking = false
    if (underWay > 0) return
    isOver = true
    if (stop.aborted) reject(stop.reason as Error)
    else resolve()
  }
  /** Asks for the next one again: there may be more of them, or more places. */
  const wake = (): void => {
    if (isAsking) mustAskAgain = true
    else if (!isOver) void ask()
  }
  wake()
  return {
    wake,
    /** Rejects with the first error, or the reason of the signal, when none is under way any more. */
    done,
  }
}

export const performAll = <T>(options: PoolOptions<T>): Promise<void> => createPool(options).done

/** Performs all items, some at a time, in their order. */
export function performEach<T>(
  items: Iterable<T>,
  { places, signal }: Pick<PoolOptions<T>, 'places' | 'signal'>,
  perform: PoolOptions<T>['perform'],
): Promise<void> {
  const waiting = items[Symbol.iterator]()
  const next = () => {
    const { value, done = false } = waiting.next()
    return done ? null : value
  }
  return performAll<T>({ places, next, perform, signal })
}
