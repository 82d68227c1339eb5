/** Enforces the disk limits of machines, which bwrap cannot: measures their usage and reports when it is too much. */
import fs from 'node:fs'
import type { Means } from './launch.ts'
import { treeBytes } from './trees.ts'

const LOOK_MS = 1000

export interface Watched {
  folder: string
  limitBytes: number
  /** Processes that may hold files which have no name any more. */
  processes: () => readonly number[]
  onOver: (bytes: number) => void
}

export interface DiskWatch {
  /** Looks each second until the function that it gives is called. */
  add(watched: Watched): () => void
  /** Bytes on disk when it looked last; null: it has not yet. */
  bytesOf(watched: Watched): number | null
}

export function watchDisks(means: Means): DiskWatch {
  const all = new Map<Watched, number | null>()
  let timer: NodeJS.Timeout | null = null
  const look = async () => {
    const now = [...all.keys()]
    const bytes = await usedBytes(means, now).catch(() => []) // asked again in a second
    for (const [at, watched] of now.entries()) {
      if (!all.has(watched)) continue
      all.set(watched, bytes[at] ?? null)
      if ((bytes[at] ?? 0) > watched.limitBytes) watched.onOver(bytes[at]!)
    }
    timer = null
    next()
  }
  const next = () => {
    if (all.size > 0) timer ??= setTimeout(() => void look(), LOOK_MS).unref()
  }
  return {
    add(watched) {
      all.set(watched, null)
      next()
      return () => {
        all.delete(watched)
        if (all.size === 0 && timer) timer = (clearTimeout(timer), null)
      }
    },
    bytesOf: (watched) => all.get(watched) ?? null,
  }
}

/** Bytes on disk of each: its tree, and the files that its processes hold open after they were deleted. Null is unknown. */
export async function usedBytes(means: Means, watched: readonly Pick<Watched, 'folder' | 'processes'>[]): Promise<(number | null)[]> {
  const trees = await treeBytes(means, watched.map(({ folder }) => folder)) // prettier-ignore
  return Promise.all(trees.map(async (bytes, at) => (bytes === null ? null : bytes + (await deletedBytes(watched[at]!.processes())))))
}

async function deletedBytes(pids: readonly number[]): Promise<number> {
  const files = new Map<string, number>()
  for (const pid of pids) {
    for (const fd of await fs.promises.readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const stat = await fs.promises.stat(`/proc/${pid}/fd/${fd}`).catch(() => null) // closed meanwhile
      if (stat?.isFile() && stat.nlink === 0) files.set(`${stat.dev}:${stat.ino}`, stat.blocks * 512)
    }
  }
  return files.values().reduce((sum, bytes) => sum + bytes, 0)
}
