import { setTimeout as sleep } from 'node:timers/promises'

export interface Limiter {
  /** Runs it as soon as both limits allow; throws the reason of `signal` while it waits. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

interface LimiterOptions {
  perMinute: number
  concurrency: number
  now?: () => number
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

const MINUTE = 60_000

/** At most so many at once, and so many begun in any minute; first come, first served. */
export function createLimiter(options: LimiterOptions): Limiter {
  const { perMinute, concurrency, now = Date.now, wait = (ms, signal) => sleep(ms, undefined, { signal }) } = options
  const begun: number[] = []
  let wake: (() => void) | null = null // of the first in the line; the others wait for their turn
  let running = 0
  let turn = Promise.resolve()

  const place = async (signal: AbortSignal) => {
    for (;;) {
      if (running < concurrency) break
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const stop = () => reject(signal.reason as Error)
      signal.addEventListener('abort', stop, { once: true })
      wake = resolve
      await promise.finally(() => {
        wake = null
        signal.removeEventListener('abort', stop)
      })
    }
    for (;;) {
      while (begun.length > 0 && begun[0]! <= now() - MINUTE) begun.shift()
      if (begun.length < perMinute) break
      await wait(begun[0]! + MINUTE - now(), signal)
    }
    signal.throwIfAborted()
    begun.push(now())
    running += 1
  }

  return {
    async run(work, signal) {
      const mine = turn.then(() => place(signal))
      turn = mine.catch(() => undefined)
      await mine
      try {
        return await work()
      } finally {
        running -= 1
        wake?.()
      }
    },
  }
}
