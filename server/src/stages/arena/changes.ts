import { once } from 'node:events'

/** Callers that wait until something has changed, by its id. */
export function createChanges() {
  const changes = new EventTarget()
  return {
    notify: (id: string): void => void changes.dispatchEvent(new Event(id)),
    /** Resolves at the next change; also when the time is over or the caller has gone. */
    async next(id: string, { waitMs, signal }: { waitMs: number; signal: AbortSignal }): Promise<void> {
      const over = AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
      await once(changes, id, { signal: over }).catch(() => undefined)
    },
  }
}
