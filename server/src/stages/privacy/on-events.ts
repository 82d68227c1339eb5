import type { Core } from '#server/core.ts'
import type { PrivacyService } from './service.ts'

/** Starts a scan when sessions change. Returns a function that unsubscribes. */
export function scanOnEvents({ events }: Pick<Core, 'events'>, service: PrivacyService): () => void {
  return events.subscribe((message) => {
    if (message.type === 'trace:added' || message.type === 'trace:updated' || message.type === 'trace:batch') service.wake()
    if (message.type === 'job:complete' && message.payload.job.kind !== 'privacy-scan') service.wake()
  })
}
