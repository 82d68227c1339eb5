/** What programs inside are told about their limits: processors by the affinity, memory by a /proc/meminfo of their own. */
import fs from 'node:fs'
import path from 'node:path'
import type { Group, GroupUsage } from './groups.ts'

/** Machines take turns with the processors, so that they do not share the same ones. */
let next = 0

/** The prefix that lets a program and its children see `cpus` processors; empty if it may see all of this process. */
export function affinityCommand(prlimit: string, cpus: number): string[] {
  const taskset = path.join(path.dirname(prlimit), 'taskset') // of the same package
  const own = allowedCpus()
  const count = Math.max(1, Math.ceil(cpus))
  if (count >= own.length || !fs.existsSync(taskset)) return []
  const first = (next = (next + count) % own.length)
  const chosen = Array.from({ length: count }, (_, index) => own[(first + index) % own.length]!)
  return [taskset, '-c', chosen.join(',')]
}

/** The processors that this process may use, which a container can limit. */
function allowedCpus(): number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(fs.readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
  return list.split(',').flatMap((range) => {
    const [from, to = from] = range.split('-').map(Number)
    return from === undefined || Number.isNaN(from) ? [] : Array.from({ length: to! - from + 1 }, (_, index) => from + index)
  })
}

const EVERY_MS = 1000

/** Writes a file with the form of /proc/meminfo about a group, and again each second until the returned function is called. */
export function showMemory(file: string, limitBytes: number, group: Pick<Group, 'usage'>): () => void {
  fs.writeFileSync(file, meminfo(limitBytes, group.usage()), { mode: 0o644 })
  fs.chmodSync(file, 0o644)
  const timer = setInterval(() => {
    // in place and of the same length: the file is mounted, and read at any time
    void fs.promises.writeFile(file, meminfo(limitBytes, group.usage()), { flag: 'r+' }).catch(() => undefined)
  }, EVERY_MS).unref()
  return () => clearInterval(timer)
}

function meminfo(limit: number, { memoryBytes, cacheBytes }: GroupUsage): string {
  const used = Math.min(memoryBytes ?? 0, limit)
  const cached = Math.min(cacheBytes ?? 0, used)
  const rows = { MemTotal: limit, MemFree: limit - used, MemAvailable: limit - used + cached, Buffers: 0, Cached: cached, SwapCached: 0, SwapTotal: 0, SwapFree: 0, Shmem: 0, SReclaimable: 0 } // prettier-ignore
  return Object.entries(rows).map(([name, bytes]) => `${`${name}:`.padEnd(16)}${String(Math.floor(bytes / 1024)).padStart(12)} kB\n`).join('') // prettier-ignore
}
