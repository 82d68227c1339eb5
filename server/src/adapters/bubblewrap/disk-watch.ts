/** Measures the disk usage of machines and reports a usage over the limit, because bwrap cannot limit it. */
import fs from 'node:fs'
import type { BubblewrapTools } from './launch.ts'
import { treeBytes } from './trees.ts'

const INTERVAL_MS = 1000

export interface WatchedDisk {
  folder: string
  limitBytes: number
  /** Processes that may have deleted files open. */
  processes: () => readonly number[]
  onExceeded: (bytes: number) => void
}

export interface DiskWatch {
  /** Measures once a second until the returned function is called. */
  add(watched: WatchedDisk): () => void
  /** The last measured usage; null before the first measurement. */
  bytesOf(watched: WatchedDisk): number | null
}

export function watchDisks(tools: BubblewrapTools): DiskWatch {
  const measured = new Map<WatchedDisk, number | null>()
  let timer: NodeJS.Timeout | null = null
  const measure = async () => {
    const disks = [...measured.keys()]
    const bytes = await usedBytes(tools, disks).catch(() => []) // measured again in a second
    for (const [at, watched] of disks.entries()) {
      if (!measured.has(watched)) continue
      measured.set(watched, bytes[at] ?? null)
      if ((bytes[at] ?? 0) > watched.limitBytes) watched.onExceeded(bytes[at]!)
    }
    timer = null
    scheduleMeasure()
  }
  const scheduleMeasure = () => {
    if (measured.size > 0) timer ??= setTimeout(() => void measure(), INTERVAL_MS).unref()
  }
  return {
    add(watched) {
      measured.set(watched, null)
      scheduleMeasure()
      return () => {
        measured.delete(watched)
        if (measured.size === 0 && timer) timer = (clearTimeout(timer), null)
      }
    },
    bytesOf: (watched) => measured.get(watched) ?? null,
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
