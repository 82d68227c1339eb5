import { once } from 'node:events'

/** Lets callers wait until something changes, by id. */
export function createChanges() {
  const changes = new EventTarget()
  return {
    notify: (id: string): void => void changes.dispatchEvent(new Event(id)),
    /** Resolves at the next change, after `waitMs`, or when `signal` aborts. */
    async next(id: string, { waitMs, signal }: { waitMs?: number; signal: AbortSignal }): Promise<void> {
      const waitEnd = waitMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
      await once(changes, id, { signal: waitEnd }).catch(() => undefined)
    },
  }
}
