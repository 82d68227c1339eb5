import { lookup } from '#contracts/lookup.ts'
import { Play, Square } from 'lucide-react'
import type { Serving } from '#contracts/entities/model.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Button } from '#renderer/ui/button.tsx'
import { formatBytes, formatDuration } from '#renderer/ui/format.ts'
import { Progress } from '#renderer/ui/meter.tsx'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import type { ReactNode } from 'react'

const PHASES: Record<string, string> = lookup({
  merge: 'merging LoRA adapter and base model',
  merging: 'merging LoRA adapter and base model',
  convert: 'writing a loadable copy',
  converting: 'writing a loadable copy',
  quantize: 'quantizing',
  load: 'loading into memory',
})

/** The state of one side's model: loaded and its memory use, loading, or why it could not be loaded. */
export function SideHead({
  title,
  name,
  serving,
  isStarting,
  choice,
  onLoad,
  onStop,
}: {
  title: string
  /** The name of the model that Load would load. */
  name: string
  serving: Serving | null
  /** Whether the request to load the model is pending. */
  isStarting: boolean
  /** Chooses the file to load, if there are exports. */
  choice?: ReactNode
  onLoad: () => void
  onStop: () => void
}) {
  const offline = useOfflineReason()
  const isUp = serving?.state === 'ready'
  const isComing = serving?.state === 'starting' || (isStarting && !isUp)
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-1.5 p-3 text-sm">
      <div className="flex min-w-0 items-center gap-2">
        <h2 className="min-w-0 flex-1 truncate font-semibold">{title}</h2>
        {serving && (isUp || isComing) ? (
          <Button size="small" icon={Square} reason={offline} onClick={onStop}>
            {isUp ? 'Unload model' : 'Stop'}
          </Button>
        ) : (
          <Button size="small" icon={Play} reason={offline} busy={isStarting} onClick={onLoad}>
            {serving ? 'Load again' : 'Load'}
          </Button>
        )}
      </div>
      <MiddleCut text={serving?.label ?? name} end={16} className="text-xs" />
      <div role="status" title={serving?.device} className="text-xs text-second">
        {isUp ? readyWords(serving) : null}
        {isComing ? `Starting: ${PHASES[serving?.phase ?? ''] ?? serving?.phase ?? 'one moment'}` : null}
        {serving === null && !isComing ? 'Not loaded.' : null}
        {serving?.state === 'idle' && !isComing ? 'Unloaded, because nobody asked it.' : null}
      </div>
      {isComing ? <Progress label={`${title} is being loaded`} value={null} /> : null}
      {serving?.state === 'failed' ? (
        <p role="alert" className="border-l-4 border-bad pl-2 text-xs break-words">
          {serving.error ?? 'Loading failed.'}
        </p>
      ) : null}
      {serving === null && !isComing ? choice : null}
    </section>
  )
}

const readyWords = ({ device, memoryBytes, loadMs }: Serving): string =>
  [
    'Ready',
    memoryBytes === null ? 'memory not measured' : `${formatBytes(memoryBytes)} of memory`,
    loadMs === null ? null : `loaded in ${formatDuration(loadMs)}`,
    `on ${device.split(',')[0]}`,
  ]
    .filter(Boolean)
    .join(' · ')
