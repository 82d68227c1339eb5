import type { Core } from '#server/core.ts'

/** Examples of sessions that have come to rest, or were read again, are made again. */
export const followTraces = ({ events }: Pick<Core, 'events'>, wake: () => void): (() => void) =>
  events.subscribe(({ type }) => {
    if (type === 'trace:updated' || type === 'trace:batch' || type === 'job:complete') wake()
  })
