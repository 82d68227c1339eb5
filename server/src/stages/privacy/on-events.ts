import type { PrivacyPolicy } from '#contracts/entities/privacy.ts'
import type { Core } from '#server/core.ts'
import type { PrivacyService } from './service.ts'

/** New rows of sessions are scanned; a changed policy is told. Returns what ends it. */
export function follow({ events }: Pick<Core, 'events'>, service: PrivacyService, current: PrivacyPolicy): () => void {
  let policy = JSON.stringify(current)
  return events.subscribe((message) => {
    if (message.type === 'trace:added' || message.type === 'trace:updated' || message.type === 'trace:batch') service.wake()
    if (message.type === 'job:complete' && message.payload.job.kind !== 'privacy-scan') service.wake()
    if (message.type !== 'settings:changed') return
    const wanted = JSON.stringify(message.payload.settings.privacy)
    if (wanted === policy) return
    policy = wanted
    service.policyChanged()
  })
}
