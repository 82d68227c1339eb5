import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SandboxPolicy } from '../sandbox/types.ts'

/** Without `cpus` they are not bounded. */
type Limits = SandboxPolicy['limits'] & { cpus?: number }

/** A control group (cgroup) for one sandbox: what it bounds is bounded over all processes in it. */
export interface Group {
  /** Whether `cpus` holds. */
  boundsCpus: boolean
  /** Moves a process in; its children are born there. Throws if the kernel refuses. */
  add(pid: number): void
  /** Numbers of those that live in it. */
  processes(): number[]
  /** Processes that were killed because the memory was used up. */
  outOfMemory(): number
  usage(): GroupUsage
  /** Resolves once the last process is gone and the group with it. */
  remove(): Promise<void>
}
export type Groups = (limits: Limits) => Group

/** Null is unknown. */
export interface GroupUsage {
  cpuSeconds: number | null
  memoryBytes: number | null
}

const ROOT = '/sys/fs/cgroup'
const NAME = /^box-(\d+)-[0-9a-f-]+$/

/** The groups that this process may make (cgroup v1 or v2, memory and number of processes); null if it may make none. */
export function findGroups(): Groups | null {
  const own = ownGroups()
  for (const groups of [version2(own), version1(own)]) {
    if (!groups) continue
    try {
      const group = groups({ memoryBytes: 64 * 1024 * 1024, processes: 8 })
      void group.remove()
      return groups
    } catch {} // not ours to make: the next kind, or none
  }
  return null
}

/** Ends and removes what owners that were killed have left. */
export const removeDeadGroups = (): void => void findGroups()

/** `controller → path` of this process; the unified hierarchy under ''. */
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
    const place = own.get(name)
    return place === undefined ? undefined : [path.join(ROOT, name, place), path.join(ROOT, name)].find((folder) => fs.existsSync(folder))
  })
  if (!memory || !pids) return null
  const both = cpu && cpuacct ? [...new Set([cpu, cpuacct].map((folder) => fs.realpathSync(folder)))] : []
  sweep([memory, pids, ...both])
  return (limits) => {
    const name = groupName()
    const [inMemory, inPids] = [path.join(memory, name), path.join(pids, name)]
    const withCpus = limits.cpus !== undefined && both.length > 0
    const inCpu = path.join(cpu ?? '', name)
    const made = make([inMemory, inPids, ...(withCpus ? both.map((folder) => path.join(folder, name)) : [])], () => {
      write(inMemory, 'memory.limit_in_bytes', limits.memoryBytes)
      if (fs.existsSync(path.join(inMemory, 'memory.memsw.limit_in_bytes')))
        write(inMemory, 'memory.memsw.limit_in_bytes', limits.memoryBytes)
      write(inPids, 'pids.max', limits.processes)
      if (withCpus) write(inCpu, 'cpu.cfs_quota_us', Math.round(limits.cpus! * read(path.join(inCpu, 'cpu.cfs_period_us'))!))
    })
    return {
      ...made,
      boundsCpus: withCpus,
      outOfMemory: () => counter(path.join(inMemory, 'memory.oom_control'), 'oom_kill'),
      usage: () => ({
        cpuSeconds: withCpus ? scaled(read(path.join(cpuacct!, name, 'cpuacct.usage')), 1e9) : null,
        memoryBytes: read(path.join(inMemory, 'memory.usage_in_bytes')),
      }),
    }
  }
}

/** A sibling of the own group: a group with processes cannot hand its controllers down. */
function version2(own: ReadonlyMap<string, string>): Groups | null {
  const place = own.get('')
  if (place === undefined) return null
  const controllersOf = (folder: string) => readOr(path.join(folder, 'cgroup.subtree_control'), '').split(/\s+/)
  const parent = [path.join(ROOT, path.dirname(place)), path.join(ROOT, 'unified', path.dirname(place))].find((folder) => {
    const controllers = controllersOf(folder)
    return controllers.includes('memory') && controllers.includes('pids')
  })
  if (parent === undefined) return null
  const boundsCpus = controllersOf(parent).includes('cpu')
  sweep([parent])
  return (limits) => {
    const folder = path.join(parent, groupName())
    const withCpus = limits.cpus !== undefined && boundsCpus
    const made = make([folder], () => {
      write(folder, 'memory.max', limits.memoryBytes)
      if (fs.existsSync(path.join(folder, 'memory.swap.max'))) write(folder, 'memory.swap.max', 0)
      write(folder, 'pids.max', limits.processes)
      if (withCpus) write(folder, 'cpu.max', `${Math.round(limits.cpus! * PERIOD_US)} ${PERIOD_US}`)
    })
    return {
      ...made,
      boundsCpus: withCpus,
      outOfMemory: () => counter(path.join(folder, 'memory.events'), 'oom_kill'),
      usage: () => ({
        cpuSeconds: scaled(counter(path.join(folder, 'cpu.stat'), 'usage_usec'), 1e6),
        memoryBytes: read(path.join(folder, 'memory.current')),
      }),
    }
  }
}

const PERIOD_US = 100_000
const scaled = (value: number | null, by: number) => (value === null ? null : value / by)
/** The number in a file; null if there is none. */
const read = (file: string): number | null => {
  const text = readOr(file, '').trim()
  return /^\d+$/.test(text) ? Number(text) : null
}

const groupName = () => `box-${process.pid}-${randomUUID()}` // can be read inside: it says nothing of the product
const write = (folder: string, name: string, value: number | string) => fs.writeFileSync(path.join(folder, name), String(value))

function make(folders: readonly string[], limit: () => void): Pick<Group, 'add' | 'processes' | 'remove'> {
  const drop = () => {
    for (const folder of folders) if (fs.existsSync(folder)) fs.rmdirSync(folder)
  }
  try {
    for (const folder of folders) fs.mkdirSync(folder, 0o700)
    limit()
  } catch (error) {
    drop()
    throw error
  }
  return {
    add(pid) {
      for (const folder of folders) write(folder, 'cgroup.procs', pid)
    },
    processes: () => processesIn(folders[0]!),
    async remove() {
      for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
        try {
          return drop()
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error // busy: a killed process is still on its way out
          await sleep(wait)
        }
      }
    },
  }
}

/** Removes the groups of owners that were killed. Their processes died with them, or are ended here. */
function sweep(folders: readonly string[]): void {
  for (const folder of folders)
    for (const name of fs.readdirSync(folder)) {
      const pid = Number(NAME.exec(name)?.[1])
      if (!Number.isSafeInteger(pid) || fs.existsSync(`/proc/${pid}`)) continue
      try {
        for (const one of processesIn(path.join(folder, name))) process.kill(one, 'SIGKILL')
        fs.rmdirSync(path.join(folder, name))
      } catch {} // another start was faster, it is not ours, or it is still on its way out: the next start removes it
    }
}

const processesIn = (folder: string) => readOr(path.join(folder, 'cgroup.procs'), '').split('\n').filter(Boolean).map(Number)

const counter = (file: string, name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(readOr(file, ''))?.[1] ?? 0)

function readOr(file: string, otherwise: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}
