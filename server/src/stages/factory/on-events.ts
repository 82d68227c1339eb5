import type { Core } from '#server/core.ts'

/** Remakes stale examples when sessions or the privacy policy change. */
export const followEvents = (
  { events }: Pick<Core, 'events'>,
  { tracesChanged, policyChanged }: { tracesChanged: () => void; policyChanged: () => void },
): (() => void) =>
  events.subscribe(({ type }) => {
    if (type === 'trace:updated' || type === 'trace:batch' || type === 'job:complete') tracesChanged()
    if (type === 'privacy:changed') policyChanged()
  })
