import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export interface Memory {
  totalBytes: number
  freeBytes: number
}

/** Files of a control group: its limit, what it uses, and the line of memory.stat that the kernel would give back first. */
const V1 = { limit: 'memory.limit_in_bytes', usage: 'memory.usage_in_bytes', idle: 'total_inactive_file' }
const V2 = { limit: 'memory.max', usage: 'memory.current', idle: 'inactive_file' }

/**
 * Memory of whatever has the least left: the machine, or a control group that holds this process and what it starts to
 * less. The trainers read the same files (limits.py) and tell how near the end is. `root`: where /proc and /sys lie.
 */
export function memoryLeft(root = '/'): Memory {
  const machine = { totalBytes: os.totalmem(), freeBytes: os.freemem() }
  const groups = groupsOf(root).flatMap(([folder, names]) => readGroup(folder, names) ?? [])
  const within = groups.filter((one) => one.totalBytes < machine.totalBytes)
  return within.reduce((least, one) => (one.freeBytes < least.freeBytes ? one : least), machine)
}

/** Folders of the control groups of this process, each with those above it. In a container the own one is the root. */
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

/** Null: no such group here, or no limit (`max`). */
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
