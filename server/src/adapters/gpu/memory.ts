import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export interface Memory {
  totalBytes: number
  freeBytes: number
}

/** Files of a control group: limit and usage, and the line of memory.stat with memory that the kernel can free. */
const V1 = { limit: 'memory.limit_in_bytes', usage: 'memory.usage_in_bytes', idle: 'total_inactive_file' }
const V2 = { limit: 'memory.max', usage: 'memory.current', idle: 'inactive_file' }

/**
 * Memory of the machine, or of the control group of this process with the least free memory. The trainers read the same
 * files (limits.py) and warn before the memory is used up. `root`: the folder with /proc and /sys.
 */
export function availableMemory(root = '/'): Memory {
  const machine = { totalBytes: os.totalmem(), freeBytes: os.freemem() }
  const groups = groupsOf(root).flatMap(([folder, names]) => readGroup(folder, names) ?? [])
  const limitedGroups = groups.filter((one) => one.totalBytes < machine.totalBytes)
  return limitedGroups.reduce((smallest, one) => (one.freeBytes < smallest.freeBytes ? one : smallest), machine)
}

/** Folders of this process's control groups and their parents. In a container, its group is the root. */
function groupsOf(root: string): [string, typeof V1][] {
  const lines = read(path.join(root, 'proc/self/cgroup'))?.trim().split('\n') ?? []
  return lines.flatMap((line) => {
    const [, controllers = '', place = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (controllers !== '' && !controllers.split(',').includes('memory')) return []
    const parts = place.split('/').filter((part) => part !== '' && part !== '..')
    const mount = path.join(root, 'sys/fs/cgroup', controllers)
    return [...parts, ''].map((_, depth): [string, typeof V1] => [path.join(mount, ...parts.slice(0, depth)), controllers === '' ? V2 : V1])
  })
}

/** Null if the group does not exist or has no limit (`max`). */
function readGroup(folder: string, names: typeof V1): Memory | null {
  const totalBytes = wholeNumber(read(path.join(folder, names.limit)))
  const used = wholeNumber(read(path.join(folder, names.usage)))
  if (totalBytes === null || totalBytes === 0 || used === null) return null
  const stat = read(path.join(folder, 'memory.stat')) ?? ''
  const idle = Number(new RegExp(`^${names.idle} (\\d+)$`, 'm').exec(stat)?.[1] ?? 0)
  return { totalBytes, freeBytes: Math.min(totalBytes, Math.max(0, totalBytes - Math.max(0, used - idle))) }
}

const wholeNumber = (text: string | null) => (text !== null && /^\d+$/.test(text.trim()) ? Number(text) : null)

function read(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
