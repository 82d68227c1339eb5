import { spawnSync } from 'node:child_process'
import fs from 'node:fs'

/** Identifies a process by number and start time, because the system reuses numbers. */
export interface ProcessMark {
  pid: number
  /** When it started, as the system writes it. */
  born: string
}

const isLinux = process.platform === 'linux'

/** Fields of /proc/PID/stat after the name, which may contain spaces and brackets; null if the process does not exist. */
function statOf(pid: number): string[] | null {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

let boot: string | null = null
/** Part of the start time, because Linux counts it from the boot of the machine. */
const bootId = () => (boot ??= fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())

// proc(5), counted after the name
const STATE = 0
const PARENT = 1
const GROUP = 2
const SESSION = 3
const BORN = 19

const isEnded = (stat: readonly string[]) => stat[STATE] === 'Z' || stat[STATE] === 'X'

/** The start time of a process; null if it is not alive. A zombie is not alive. */
export function birthOf(pid: number): string | null {
  if (isLinux) {
    const stat = statOf(pid)
    if (stat === null || isEnded(stat)) return null
    return `${bootId()}:${stat[BORN]}`
  }
  // the text must not depend on language or time zone, because it is stored
  const env = { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' }
  const { status, stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 5000, env })
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : null
}

export const isAlive = ({ pid, born }: ProcessMark): boolean => birthOf(pid) === born

/** Whether the process has certainly ended; cheap even if its start time is expensive to read. */
export function isGone({ pid, born }: ProcessMark): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true
  }
  return isLinux && birthOf(pid) !== born
}

/** The parent and the group of a process; null if it is not alive. */
export function kinOf(pid: number): { parent: number; group: number } | null {
  const stat = statOf(pid)
  return stat === null || isEnded(stat) ? null : { parent: Number(stat[PARENT]), group: Number(stat[GROUP]) }
}

/** Living processes with their argument vectors; empty if the system does not list them. */
export function* processes(): Generator<{ pid: number; argv: string[] }> {
  if (!isLinux) return
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const argv = fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      yield { pid: Number(name), argv }
    } catch {
      // the process has just ended
    }
  }
}

/** The process groups that have a living member; null if the system does not list them. */
export function livingGroups(): Set<number> | null {
  if (!isLinux) return null
  return new Set(living().map(({ stat }) => Number(stat[GROUP])))
}

/** Living members of a terminal session, by the number of its leader; empty if the system does not list them. */
export function sessionMembers(session: number): number[] {
  return living().flatMap(({ pid, stat }) => (Number(stat[SESSION]) === session ? [pid] : []))
}

/** Living processes below this one, parents before their children; empty if the system does not list them. */
export function descendantsOf(pid: number): number[] {
  const children = Map.groupBy(living(), ({ stat }) => Number(stat[PARENT]))
  const found: number[] = []
  for (let level = [pid]; level.length > 0;) {
    level = level.flatMap((one) => (children.get(one) ?? []).map((child) => child.pid))
    found.push(...level)
  }
  return found
}

function living(): { pid: number; stat: string[] }[] {
  if (!isLinux) return []
  return fs.readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null
    return stat !== null && !isEnded(stat) ? [{ pid: Number(name), stat }] : []
  })
}
