/** Measures the disk usage of a container, because the Engine cannot limit it on most file systems. */
import type Docker from 'dockerode'

const INTERVAL_MS = 1000

/** Bytes written in addition to the image; null if unknown. */
export async function writtenBytes(container: Docker.Container): Promise<number | null> {
  const { SizeRw } = (await container.inspect({ size: true } as object)) as { SizeRw?: number }
  return SizeRw ?? null
}

/** Measures once a second until the returned function is called. */
export function watchDisk(container: Docker.Container, limitBytes: number, onExceeded: (bytes: number) => void): () => void {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const scheduleMeasure = () => {
    if (!isStopped) timer = setTimeout(() => void measure(), INTERVAL_MS).unref()
  }
  const measure = async () => {
    const bytes = await writtenBytes(container).catch(() => null) // measured again in a second
    if (!isStopped && bytes !== null && bytes > limitBytes) onExceeded(bytes)
    scheduleMeasure()
  }
  scheduleMeasure()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
