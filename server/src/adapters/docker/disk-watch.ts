/** Holds a container with a writable system to its share of the disk, which the Engine does not on most file systems. */
import type Docker from 'dockerode'

const LOOK_MS = 1000

/** Bytes that were written on top of the image. Null: unknown. */
export async function writtenBytes(container: Docker.Container): Promise<number | null> {
  const { SizeRw } = (await container.inspect({ size: true } as object)) as { SizeRw?: number }
  return SizeRw ?? null
}

/** Looks each second until the function that it gives is called. */
export function watchDisk(container: Docker.Container, limitBytes: number, onOver: (bytes: number) => void): () => void {
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const next = () => {
    if (!isOver) timer = setTimeout(() => void look(), LOOK_MS).unref()
  }
  const look = async () => {
    const bytes = await writtenBytes(container).catch(() => null) // asked again in a second
    if (!isOver && bytes !== null && bytes > limitBytes) onOver(bytes)
    next()
  }
  next()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
