import type { Core } from '#server/core.ts'

/** Calls `wake` when sessions change. Returns a function that unsubscribes. */
export function onSessions({ events }: Pick<Core, 'events'>, wake: () => void): () => void {
  return events.subscribe(({ type }) => {
    if (type === 'trace:added' || type === 'trace:updated' || type === 'trace:batch') wake()
  })
}
