/** Measures the disk usage of a container, because the Engine cannot limit it on most file systems. */
import type Docker from 'dockerode'
import { msUntilLook } from '../sandbox/disk-pace.ts'

/** A look is a call of the Engine. */
const MIN_MS = 150

/** Bytes written in addition to the image; null if unknown. */
export async function writtenBytes(container: Docker.Container): Promise<number | null> {
  const { SizeRw } = (await container.inspect({ size: true } as object)) as { SizeRw?: number }
  return SizeRw ?? null
}

/** Measures at least once a second, and more often near the limit, until the returned function is called. */
export function watchDisk(
  container: Docker.Container,
  { limitBytes, cpus }: { limitBytes: number; cpus: number },
  onExceeded: (bytes: number) => void,
): () => void {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let remaining = limitBytes
  const scheduleMeasure = () => {
    if (!isStopped) timer = setTimeout(() => void measure(), msUntilLook(remaining, { cpus, minMs: MIN_MS })).unref()
  }
  const measure = async () => {
    const bytes = await writtenBytes(container).catch(() => null) // measured again in a second
    if (bytes !== null) remaining = Math.max(limitBytes - bytes, 0)
    if (!isStopped && bytes !== null && bytes > limitBytes) onExceeded(bytes)
    scheduleMeasure()
  }
  scheduleMeasure()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
