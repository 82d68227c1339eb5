import type { Settings } from '#contracts/entities/settings.ts'
import type { Core } from '#server/core.ts'
import type { ScoringService } from './service.ts'

/** Changed rules move the tiers at once. Returns what ends it. */
export function followSettings(
  { events, log }: Pick<Core, 'events' | 'log'>,
  service: ScoringService,
  current: Settings['scoring'],
): () => void {
  const rules = ({ policy, thresholds }: Settings['scoring']) => JSON.stringify({ policy, thresholds })
  let applied = rules(current)
  return events.subscribe((message) => {
    if (message.type !== 'settings:changed') return
    const wanted = rules(message.payload.settings.scoring)
    if (wanted === applied) return
    applied = wanted
    service.applyPolicy().catch((error: unknown) => log.error({ err: error }, 'tiers could not be brought in line with the settings'))
  })
}
