import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SandboxPolicy } from '../sandbox/types.ts'

/** Without `cpus`, CPU time is not limited. */
type Limits = SandboxPolicy['limits'] & { cpus?: number }

/** A control group (cgroup) for one sandbox: its limits apply to all processes in it together. */
export interface Group {
  /** Whether `cpus` is enforced. */
  boundsCpus: boolean
  /** Moves a process into the group; its later children are in the group too. Rejects if the kernel refuses. */
  add(pid: number): Promise<void>
  /** Pids of the processes in the group. */
  processes(): number[]
  /** Number of processes that were killed because the memory was used up. */
  outOfMemory(): number
  usage(): GroupUsage
  /** Resolves when the last process has ended and the group is removed. */
  remove(): Promise<void>
}
export type Groups = (limits: Limits) => Group

/** Null if unknown. */
export interface GroupUsage {
  cpuSeconds: number | null
  memoryBytes: number | null
  /** The part of it that the kernel takes back when it is needed: pages of files. */
  cacheBytes: number | null
}

const ROOT = '/sys/fs/cgroup'
const GROUP_NAME = /^box-(\d+)-[0-9a-f-]+$/

/** Creates groups in cgroup v1 or v2, with limits for memory and processes; null if this process may not create any. */
export function findGroups(): Groups | null {
  const own = ownGroups()
  for (const groups of [version2(own), version1(own)]) {
    if (!groups) continue
    try {
      const group = groups({ memoryBytes: 64 * 1024 * 1024, processes: 8 })
      void group.remove()
      return groups
    } catch {} // not permitted: try the other version
  }
  return null
}

/** Removes the groups of owners that were killed, and ends the processes in them. */
export const removeDeadGroups = (): void => void findGroups()

/** The group of this process for each controller; '' is the unified hierarchy. */
function ownGroups(): Map<string, string> {
  try {
    const lines = fs.readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n')
    return new Map(lines.flatMap((line) => (line.split(':')[1] ?? '').split(',').map((name) => [name, line.split(':').slice(2).join(':')])))
  } catch {
    return new Map()
  }
}

function version1(own: ReadonlyMap<string, string>): Groups | null {
  const [memory, pids, cpu, cpuacct] = ['memory', 'pids', 'cpu', 'cpuacct'].map((name) => {
    const groupPath = own.get(name)
    return groupPath === undefined
      ? undefined
      : [path.join(ROOT, name, groupPath), path.join(ROOT, name)].find((folder) => fs.existsSync(folder))
  })
  if (!memory || !pids) return null
  const cpuFolders = cpu && cpuacct ? [...new Set([cpu, cpuacct].map((folder) => fs.realpathSync(folder)))] : []
  sweep([memory, pids, ...cpuFolders])
  return (limits) => {
    const name = groupName()
    const [inMemory, inPids] = [path.join(memory, name), path.join(pids, name)]
    const limitsCpus = limits.cpus !== undefined && cpuFolders.length > 0
    const inCpu = path.join(cpu ?? '', name)
    const group = createGroup([inMemory, inPids, ...(limitsCpus ? cpuFolders.map((folder) => path.join(folder, name)) : [])], () => {
      writeSetting(inMemory, 'memory.limit_in_bytes', limits.memoryBytes)
      if (fs.existsSync(path.join(inMemory, 'memory.memsw.limit_in_bytes')))
        writeSetting(inMemory, 'memory.memsw.limit_in_bytes', limits.memoryBytes)
      writeSetting(inPids, 'pids.max', limits.processes)
      if (limitsCpus) writeSetting(inCpu, 'cpu.cfs_quota_us', Math.round(limits.cpus! * readNumber(path.join(inCpu, 'cpu.cfs_period_us'))!))
    })
    return {
      ...group,
      boundsCpus: limitsCpus,
      outOfMemory: () => counter(path.join(inMemory, 'memory.oom_control'), 'oom_kill'),
      usage: () => ({
        cpuSeconds: limitsCpus ? scaled(readNumber(path.join(cpuacct!, name, 'cpuacct.usage')), 1e9) : null,
        memoryBytes: readNumber(path.join(inMemory, 'memory.usage_in_bytes')),
        cacheBytes: pagesOfFiles(path.join(inMemory, 'memory.stat'), 'total_'),
      }),
    }
  }
}

/** Creates siblings of this process's group, because a group with processes cannot pass its controllers to children. */
function version2(own: ReadonlyMap<string, string>): Groups | null {
  const groupPath = own.get('')
  if (groupPath === undefined) return null
  const controllersOf = (folder: string) => readOr(path.join(folder, 'cgroup.subtree_control'), '').split(/\s+/)
  const parent = [path.join(ROOT, path.dirname(groupPath)), path.join(ROOT, 'unified', path.dirname(groupPath))].find((folder) => {
    const controllers = controllersOf(folder)
    return controllers.includes('memory') && controllers.includes('pids')
  })
  if (parent === undefined) return null
  const boundsCpus = controllersOf(parent).includes('cpu')
  sweep([parent])
  return (limits) => {
    const folder = path.join(parent, groupName())
    const limitsCpus = limits.cpus !== undefined && boundsCpus
    const group = createGroup([folder], () => {
      writeSetting(folder, 'memory.max', limits.memoryBytes)
      if (fs.existsSync(path.join(folder, 'memory.swap.max'))) writeSetting(folder, 'memory.swap.max', 0)
      writeSetting(folder, 'pids.max', limits.processes)
      if (limitsCpus) writeSetting(folder, 'cpu.max', `${Math.round(limits.cpus! * PERIOD_US)} ${PERIOD_US}`)
    })
    return {
      ...group,
      boundsCpus: limitsCpus,
      outOfMemory: () => counter(path.join(folder, 'memory.events'), 'oom_kill'),
      usage: () => ({
        cpuSeconds: scaled(counter(path.join(folder, 'cpu.stat'), 'usage_usec'), 1e6),
        memoryBytes: readNumber(path.join(folder, 'memory.current')),
        cacheBytes: pagesOfFiles(path.join(folder, 'memory.stat'), ''),
      }),
    }
  }
}

const PERIOD_US = 100_000
const scaled = (value: number | null, by: number) => (value === null ? null : value / by)
/** The number in a file; null if it has none. */
const readNumber = (file: string): number | null => {
  const text = readOr(file, '').trim()
  return /^\d+$/.test(text) ? Number(text) : null
}

const groupName = () => `box-${process.pid}-${randomUUID()}` // programs inside can read the name, so it does not name the product
const writeSetting = (folder: string, name: string, value: number | string) => fs.writeFileSync(path.join(folder, name), String(value))

function createGroup(folders: readonly string[], limit: () => void): Pick<Group, 'add' | 'processes' | 'remove'> {
  const removeFolders = () => {
    for (const folder of folders) if (fs.existsSync(folder)) fs.rmdirSync(folder)
  }
  try {
    for (const folder of folders) fs.mkdirSync(folder, 0o700)
    limit()
  } catch (error) {
    removeFolders()
    throw error
  }
  return {
    // the kernel may take 20 ms for it
    add: async (pid) => {
      await Promise.all(folders.map((folder) => fs.promises.writeFile(path.join(folder, 'cgroup.procs'), String(pid))))
    },
    processes: () => processesIn(folders[0]!),
    async remove() {
      for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
        try {
          return removeFolders()
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error // EBUSY: a killed process has not ended yet
          await sleep(wait)
        }
      }
    },
  }
}

/** Removes the groups of owners that were killed, and kills the processes in them. */
function sweep(folders: readonly string[]): void {
  for (const folder of folders)
    for (const name of fs.readdirSync(folder)) {
      const pid = Number(GROUP_NAME.exec(name)?.[1])
      if (!Number.isSafeInteger(pid) || fs.existsSync(`/proc/${pid}`)) continue
      try {
        for (const one of processesIn(path.join(folder, name))) process.kill(one, 'SIGKILL')
        fs.rmdirSync(path.join(folder, name))
      } catch {} // removed by another start, not permitted, or a process has not ended yet: the next start tries again
    }
}

const processesIn = (folder: string) => readOr(path.join(folder, 'cgroup.procs'), '').split('\n').filter(Boolean).map(Number)

const pagesOfFiles = (file: string, prefix: string) => counter(file, `${prefix}active_file`) + counter(file, `${prefix}inactive_file`)

const counter = (file: string, name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(readOr(file, ''))?.[1] ?? 0)

function readOr(file: string, fallback: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return fallback
  }
}
