import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SandboxPolicy } from '../sandbox/types.ts'

type Limits = SandboxPolicy['limits']

/** A control group (cgroup) for one sandbox: what it bounds is bounded over all processes in it. */
export interface Group {
  /** Moves a process in; its children are born there. Throws where the kernel refuses. */
  add(pid: number): void
  /** Processes that were killed because the memory was used up. */
  outOfMemory(): number
  /** Resolves once the last process is gone and the group with it. */
  remove(): Promise<void>
}
export type Groups = (limits: Limits) => Group

const ROOT = '/sys/fs/cgroup'
const NAME = /^bashgym-(\d+)-[0-9a-f-]+$/

/** The groups that this process may make (cgroup v1 or v2, memory and number of processes); null where it may make none. */
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
  const folders = ['memory', 'pids'].map((name) => {
    const place = own.get(name)
    return place === undefined ? undefined : [path.join(ROOT, name, place), path.join(ROOT, name)].find((folder) => fs.existsSync(folder))
  })
  const [memory, pids] = folders
  if (!memory || !pids) return null
  sweep([memory, pids])
  return (limits) => {
    const name = groupName()
    const [inMemory, inPids] = [path.join(memory, name), path.join(pids, name)]
    const made = make([inMemory, inPids], () => {
      write(inMemory, 'memory.limit_in_bytes', limits.memoryBytes)
      if (fs.existsSync(path.join(inMemory, 'memory.memsw.limit_in_bytes')))
        write(inMemory, 'memory.memsw.limit_in_bytes', limits.memoryBytes)
      write(inPids, 'pids.max', limits.processes)
    })
    return { ...made, outOfMemory: () => counter(path.join(inMemory, 'memory.oom_control'), 'oom_kill') }
  }
}

/** A sibling of the own group: a group with processes cannot hand its controllers down. */
function version2(own: ReadonlyMap<string, string>): Groups | null {
  const place = own.get('')
  if (place === undefined) return null
  const parent = [path.join(ROOT, path.dirname(place)), path.join(ROOT, 'unified', path.dirname(place))].find((folder) => {
    const controllers = readOr(path.join(folder, 'cgroup.subtree_control'), '').split(/\s+/)
    return controllers.includes('memory') && controllers.includes('pids')
  })
  if (parent === undefined) return null
  sweep([parent])
  return (limits) => {
    const folder = path.join(parent, groupName())
    const made = make([folder], () => {
      write(folder, 'memory.max', limits.memoryBytes)
      if (fs.existsSync(path.join(folder, 'memory.swap.max'))) write(folder, 'memory.swap.max', 0)
      write(folder, 'pids.max', limits.processes)
    })
    return { ...made, outOfMemory: () => counter(path.join(folder, 'memory.events'), 'oom_kill') }
  }
}

const groupName = () => `bashgym-${process.pid}-${randomUUID()}`
const write = (folder: string, name: string, value: number) => fs.writeFileSync(path.join(folder, name), String(value))

function make(folders: readonly string[], limit: () => void): Omit<Group, 'outOfMemory'> {
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

/** Removes the groups of owners that were killed; their processes died with them. */
function sweep(folders: readonly string[]): void {
  for (const folder of folders)
    for (const name of fs.readdirSync(folder)) {
      const pid = Number(NAME.exec(name)?.[1])
      if (!Number.isSafeInteger(pid) || fs.existsSync(`/proc/${pid}`)) continue
      try {
        fs.rmdirSync(path.join(folder, name))
      } catch {} // another start was faster, or it is not ours
    }
}

const counter = (file: string, name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(readOr(file, ''))?.[1] ?? 0)

function readOr(file: string, otherwise: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}
