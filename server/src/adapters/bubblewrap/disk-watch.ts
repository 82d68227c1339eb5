/** Measures the disk usage of machines and reports a usage over the limit, because bwrap cannot limit it. */
import fs from 'node:fs'
import { msUntilLook } from '../sandbox/disk-pace.ts'
import type { BubblewrapTools } from './launch.ts'
import { whilePaused } from './pause.ts'
import { treeBytes } from './trees.ts'

/** Near the limit. The free space of the file system costs nothing to read, and says whether there is anything to measure. */
const MIN_MS = 20
const MAX_MS = 1000
/** Measuring hundreds of thousands of files takes at most a part of the time. */
const REST = 4

export interface WatchedDisk {
  folder: string
  limitBytes: number
  /** Processors that its programs may use. */
  cpus: number
  /** Processes that may have deleted files open, parents first. */
  processes: () => readonly number[]
  onExceeded: (bytes: number) => void
}

export interface DiskWatch {
  /** Measures at least once a second until the returned function is called. */
  add(watched: WatchedDisk): () => void
  /** The last measured usage; null before the first measurement. */
  bytesOf(watched: WatchedDisk): number | null
}

export function watchDisks(tools: BubblewrapTools): DiskWatch {
  const measured = new Map<WatchedDisk, number | null>()
  return {
    add(watched) {
      measured.set(watched, null)
      const stop = watchOne(tools, watched, (bytes) => measured.set(watched, bytes))
      return () => {
        measured.delete(watched)
        stop()
      }
    },
    bytesOf: (watched) => measured.get(watched) ?? null,
  }
}

/** Measures when half of what the machine may still write has gone from the file system's free space, and at least once a second. */
function watchOne(tools: BubblewrapTools, watched: WatchedDisk, onMeasured: (bytes: number | null) => void): () => void {
  const { folder, limitBytes, cpus } = watched
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let last = { at: performance.now(), free: freeBytes(folder), remaining: limitBytes, tookMs: 0 }
  const schedule = (remaining: number) => {
    if (!isStopped) timer = setTimeout(() => void tick(), msUntilLook(remaining, { cpus, minMs: MIN_MS })).unref()
  }
  const tick = async () => {
    const gone = last.free - freeBytes(folder)
    const isUrgent = gone > last.remaining / 2
    const isDue = performance.now() - last.at > Math.max(MAX_MS, last.tookMs * REST)
    if (!isUrgent && !isDue) return schedule(last.remaining - gone)
    await look(isUrgent)
    schedule(last.remaining)
  }
  const look = async (isUrgent: boolean) => {
    const [startedAt, free] = [performance.now(), freeBytes(folder)]
    const measure = async () => (await usedBytes(tools, [watched]))[0] ?? null
    // To measure many files takes long, and as much could be written meanwhile.
    const isSlow = isUrgent && last.tookMs > msUntilLook(last.remaining, { cpus, minMs: MIN_MS })
    const measuring = isSlow ? whilePaused(watched.processes, measure).catch(measure) : measure()
    const bytes = await measuring.catch(() => null) // measured again
    if (isStopped) return
    onMeasured(bytes)
    const at = performance.now()
    last = { at, free, tookMs: at - startedAt, remaining: bytes === null ? last.remaining : Math.max(limitBytes - bytes, 0) }
    if (bytes !== null && bytes > limitBytes) watched.onExceeded(bytes)
  }
  schedule(limitBytes)
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

/** Free space of a folder's file system; 0 if the folder is gone. */
function freeBytes(folder: string): number {
  try {
    const { bfree, bsize } = fs.statfsSync(folder)
    return bfree * bsize
  } catch {
    return 0
  }
}

/** Bytes on disk of each machine: its files, and deleted files that its processes still have open. Null if unknown. */
export async function usedBytes(
  tools: BubblewrapTools,
  watched: readonly Pick<WatchedDisk, 'folder' | 'processes'>[],
): Promise<(number | null)[]> {
  const trees = await treeBytes(tools, watched.map(({ folder }) => folder)) // prettier-ignore
  return Promise.all(trees.map(async (bytes, at) => (bytes === null ? null : bytes + (await deletedBytes(watched[at]!.processes())))))
}

async function deletedBytes(pids: readonly number[]): Promise<number> {
  const files = new Map<string, number>()
  for (const pid of pids) {
    for (const fd of await fs.promises.readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const stat = await fs.promises.stat(`/proc/${pid}/fd/${fd}`).catch(() => null) // it was closed in the meantime
      if (stat?.isFile() && stat.nlink === 0) files.set(`${stat.dev}:${stat.ino}`, stat.blocks * 512)
    }
  }
  return files.values().reduce((sum, bytes) => sum + bytes, 0)
}
