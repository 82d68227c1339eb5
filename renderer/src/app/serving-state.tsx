import type { Serving } from '#contracts/entities/model.ts'
import { useServings } from '#renderer/api/models.ts'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { formatBytes, formatCount, formatDuration, plural } from '#renderer/ui/format.ts'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'

/** How the model in use is served now. `idleMinutes`: 0, it is never unloaded by itself. */
export function ServingState({ id, idleMinutes }: { id: string; idleMinutes: number }) {
  const found = useServings().data?.items.find(({ modelId }) => modelId === id)
  return (
    <Facts>
      <Fact name="Served">
        <span role="status">{found ? stateWords(found, idleMinutes) : 'Not loaded. The next request loads it.'}</span>
      </Fact>
      <Fact name="Memory">{memoryWords(found)}</Fact>
      <Fact name="Context">
        {found?.context == null
          ? 'not loaded yet'
          : `${formatCount(found.context)} tokens, ${found.threads === null ? 'all processor threads' : plural(found.threads, 'thread')}`}
      </Fact>
      <Fact name="Last request">{found?.lastUsedAt == null ? 'none' : <RelativeTime at={found.lastUsedAt} />}</Fact>
    </Facts>
  )
}

function stateWords({ state, error, loadMs, healthMs, restarts, device }: Serving, idleMinutes: number): string {
  const took = loadMs === null ? '' : `, loaded in ${formatDuration(loadMs)}`
  if (state === 'starting') return error === null ? 'Loading.' : `Loading again. ${error}.`
  if (state === 'failed') return error ?? 'It could not be loaded.'
  if (state === 'idle')
    return `Unloaded after ${plural(idleMinutes, 'minute')} without a request. The next one loads it again${loadMs === null ? '' : `, which took ${formatDuration(loadMs)} the last time`}.`
  return [
    `Ready on ${device.split(',')[0]}${took}.`,
    ...(healthMs === null ? [] : [`Its health check took ${formatDuration(healthMs)}.`]),
    ...(restarts === 0 ? [] : [`Started again after ${plural(restarts, 'crash', 'crashes')}: ${error ?? ''}.`]),
  ].join(' ')
}

function memoryWords(found: Serving | undefined): string {
  if (!found || found.needBytes === null) return 'not measured'
  const { memoryBytes, needBytes } = found
  return `${memoryBytes === null ? 'not loaded' : formatBytes(memoryBytes)}, estimated before loading: ${formatBytes(needBytes)}`
}
