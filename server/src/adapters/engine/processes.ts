import { spawnSync } from 'node:child_process'
import fs from 'node:fs'

/** A process by number and birth: a number alone is given away again. */
export interface ProcessMark {
  pid: number
  /** When it was born, in the words of the system. */
  born: string
}

const isLinux = process.platform === 'linux'

/** Fields of /proc/PID/stat behind the name, which may itself hold spaces and brackets; null when there is no such process. */
function statOf(pid: number): string[] | null {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

let boot: string | null = null
/** Birth is counted from the start of the machine, so that belongs to it. */
const bootId = () => (boot ??= fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())

// proc(5), counted behind the name: 0 state, 2 process group, 19 start time.
const STATE = 0
const GROUP = 2
const BORN = 19

/** When the process was born; null when it is not alive (a zombie is not). */
export function birthOf(pid: number): string | null {
  if (isLinux) {
    const stat = statOf(pid)
    if (stat === null || stat[STATE] === 'Z' || stat[STATE] === 'X') return null
    return `${bootId()}:${stat[BORN]}`
  }
  const { status, stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 5000 })
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : null
}

export const isAlive = ({ pid, born }: ProcessMark): boolean => birthOf(pid) === born

/** Whether the process is certainly gone; cheap also where its birth is costly to find out. */
export function isGone({ pid, born }: ProcessMark): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true
  }
  return isLinux && birthOf(pid) !== born
}

/** Living processes with their argument vectors; empty where the system does not say. */
export function* processes(): Generator<{ pid: number; argv: string[] }> {
  if (!isLinux) return
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const argv = fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      yield { pid: Number(name), argv }
    } catch {
      // ended while we looked
    }
  }
}

/** Whether anything of a process group still lives. */
export function groupLives(group: number): boolean {
  if (!isLinux) return signalGroup(group, 0)
  return fs.readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false
    const stat = statOf(Number(name))
    return stat !== null && stat[STATE] !== 'Z' && stat[GROUP] === String(group)
  })
}

/** False when there is no such group any more. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}
