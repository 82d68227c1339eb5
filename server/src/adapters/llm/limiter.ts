import { setTimeout as sleep } from 'node:timers/promises'

export interface Limiter {
  /** Runs `work` as soon as both limits allow; throws the reason of `signal` if it fires during the wait. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

interface LimiterOptions {
  perMinute: number
  concurrency: number
  now?: () => number
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

const MINUTE = 60_000

/** Limits how many pieces of work run at the same time and start within a minute. They start in the order of the calls. */
export function createLimiter(options: LimiterOptions): Limiter {
  const { perMinute, concurrency, now = Date.now, wait = (ms, signal) => sleep(ms, undefined, { signal }) } = options
  const startTimes: number[] = []
  let wake: (() => void) | null = null // for the first in the queue; the others wait for `turn`
  let running = 0
  let turn = Promise.resolve()

  const waitForSlot = async (signal: AbortSignal) => {
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
      while (startTimes.length > 0 && startTimes[0]! <= now() - MINUTE) startTimes.shift()
      if (startTimes.length < perMinute) break
      await wait(startTimes[0]! + MINUTE - now(), signal)
    }
    signal.throwIfAborted()
    startTimes.push(now())
    running += 1
  }

  return {
    async run(work, signal) {
      const slot = turn.then(() => waitForSlot(signal))
      turn = slot.catch(() => undefined)
      await slot
      try {
        return await work()
      } finally {
        running -= 1
        wake?.()
      }
    },
  }
}
