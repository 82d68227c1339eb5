import { ChartLine, Cpu } from 'lucide-react'
import { useActiveRuns, useTrainingQueue } from '#renderer/api/runs.ts'
import { useTrainingDevices } from '#renderer/api/training-environment.ts'
import { StatusPart } from '#renderer/app/status-part.tsx'
import { DASH, formatBytes, formatPercent } from '#renderer/ui/format.ts'
import { isOnDevice } from './words.ts'

/** The run on the device and the number of waiting runs; renders nothing if there are neither. */
export function RunItem() {
  const runs = useActiveRuns().data?.items ?? []
  const queue = useTrainingQueue().data
  const running = runs.filter(isOnDevice)
  const waiting = runs.filter(({ state }) => state === 'queued').length
  const first = running[0]
  if (!first && waiting === 0) return null
  const progress = first?.totalSteps ? formatPercent(first.step / first.totalSteps) : first?.state
  return (
    <StatusPart href={first ? `/training/${first.id}` : '/training'} icon={ChartLine} tone={first ? 'text-accent' : 'text-second'} grow>
      Training{first ? `: ${first.name} ${progress}` : ''}
      {running.length > 1 ? ` · ${running.length - 1} more` : ''}
      {waiting > 0 ? ` · ${waiting} waiting` : ''}
      {queue?.paused ? ` · queue paused${queue.pausedBy === null ? '' : ' after a failure'}` : ''}
    </StatusPart>
  )
}

/** The device for training. A missing GPU is not an error. */
export function DeviceItem() {
  const devices = useTrainingDevices().data
  const gpu = devices?.items.find(({ kind }) => kind === 'cuda')
  return (
    <StatusPart href="/training" icon={Cpu}>
      {gpu ? `${gpu.name}: ${formatBytes(gpu.freeBytes)} free` : devices ? 'No GPU' : `GPU ${DASH}`}
    </StatusPart>
  )
}
