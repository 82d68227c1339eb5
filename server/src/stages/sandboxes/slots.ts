import { AppError } from '#contracts/errors.ts'

/** The right to run one sandbox. A second release has no effect. */
export interface Permit {
  release(): void
}

export interface SlotOptions {
  /** How many sandboxes may run and how many may wait; read again at each change. */
  limits: () => { running: number; queue: number }
  /** Called after each change. */
  onChange?: () => void
}

export interface Wait {
  /** False: throws instead of waiting. */
  wait: boolean
  /** Seconds. */
  timeoutSec?: number | undefined
  /** Leaves the queue. */
  signal?: AbortSignal | undefined
}

interface Waiting {
  id: string
  admit: () => void
}

/** Gives permits in the order of the requests. */
export function createSlots({ limits, onChange = () => {} }: SlotOptions) {
  let running = 0
  const queue: Waiting[] = []

  const state = () => ({
    limit: limits().running,
    running,
    queued: queue.map(({ id }, index) => ({ id, position: index + 1 })),
    queueLimit: limits().queue,
  })
  const refuse = (reason: 'no_wait' | 'queue_full' | 'wait_timeout'): AppError => {
    const { limit, queueLimit } = state()
    const why = {
      no_wait: `${running} of ${limit} sandboxes are running${queue.length > 0 ? `, and ${queue.length} are waiting` : ''}.`,
      queue_full: `${running} of ${limit} sandboxes are running, and ${queueLimit} are waiting already.`,
      wait_timeout: `${running} of ${limit} sandboxes are running, and none ended in time.`,
    }[reason]
    return new AppError('sandbox_capacity', { message: why, details: { reason, running, limit, queued: queue.length } })
  }
  const permit = (): Permit => {
    let isActive = true
    return {
      release() {
        if (!isActive) return
        isActive = false
        running--
        admit()
        onChange()
      },
    }
  }
  const admit = () => {
    while (running < limits().running && queue.length > 0) queue.shift()!.admit()
  }

  return {
    state,
    /** Place in the queue, from 1 on; null: not waiting. */
    position(id: string): number | null {
      const index = queue.findIndex((entry) => entry.id === id)
      return index < 0 ? null : index + 1
    },
    /** Admits more if the limit was raised. */
    limitsChanged(): void {
      admit()
      onChange()
    },
    /** Throws `sandbox_capacity`, or the reason of `signal`. */
    async take(id: string, { wait, timeoutSec, signal }: Wait): Promise<Permit> {
      signal?.throwIfAborted()
      if (running < limits().running && queue.length === 0) {
        running++
        onChange()
        return permit()
      }
      if (!wait || timeoutSec === 0) throw refuse('no_wait')
      if (queue.length >= limits().queue) throw refuse('queue_full')
      const { promise, resolve, reject } = Promise.withResolvers<Permit>()
      const leave = (reason: () => unknown) => () => {
        const index = queue.indexOf(entry)
        if (index < 0) return
        queue.splice(index, 1)
        reject(reason())
        onChange()
      }
      const entry: Waiting = {
        id,
        admit() {
          running++
          resolve(permit())
        },
      }
      queue.push(entry)
      onChange()
      const onAbort = leave(() => signal?.reason)
      signal?.addEventListener('abort', onAbort)
      const timer =
        timeoutSec === undefined
          ? null
          : setTimeout(
              leave(() => refuse('wait_timeout')),
              timeoutSec * 1000,
            )
      try {
        return await promise
      } finally {
        if (timer) clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
    },
  }
}

export type Slots = ReturnType<typeof createSlots>
