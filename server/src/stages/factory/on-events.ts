import type { Core } from '#server/core.ts'

/** Examples of sessions that have come to rest, or were read again, are made again; so is what another policy would show. */
export const follow = (
  { events }: Pick<Core, 'events'>,
  { tracesChanged, policyChanged }: { tracesChanged: () => void; policyChanged: () => void },
): (() => void) =>
  events.subscribe(({ type }) => {
    if (type === 'trace:updated' || type === 'trace:batch' || type === 'job:complete') tracesChanged()
    if (type === 'privacy:changed') policyChanged()
  })
