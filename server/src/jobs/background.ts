import { Closing } from './stops.ts'

export interface Background {
  /** Asks for the work: it runs some time later, once at a time, and again if it was asked for meanwhile. */
  wake: () => void
  /** Resolves when it does not run. */
  idle: () => Promise<void>
  /** Does the work now, also what was asked for (for tests). */
  settle: () => Promise<void>
  close: () => Promise<void>
}

/** Work that follows changes and that nobody waits for. It gets a signal that is aborted when the server ends. */
export function createBackground(
  work: (signal: AbortSignal) => Promise<void>,
  { delayMs, onError }: { delayMs: number; onError: (error: unknown) => void },
): Background {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let again = false
  const clear = () => {
    if (timer) clearTimeout(timer)
    timer = null
  }
  const run = async () => {
    do {
      again = false
      await work(stop.signal)
    } while (again && !stop.signal.aborted)
  }
  return {
    wake() {
      if (stop.signal.aborted || timer) return
      timer = setTimeout(() => {
        timer = null
        if (running) {
          again = true
          return
        }
        running = run()
          .catch((error: unknown) => {
            if (!stop.signal.aborted) onError(error)
          })
          .finally(() => (running = null))
      }, delayMs)
      timer.unref()
    },
    idle: async () => void (await running),
    async settle() {
      clear()
      await running
      await run()
    },
    async close() {
      clear()
      stop.abort(new Closing())
      await running
    },
  }
}
