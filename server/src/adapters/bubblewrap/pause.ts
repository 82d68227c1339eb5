import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const DEADLINE_MS = 5000

/**
 * Pauses processes while `work` runs. `pids` lists parents before children: parents stop first and continue last, so that
 * no shell notices that its child stopped. Processes that were already stopped stay stopped.
 */
export async function whilePaused<Result>(pids: () => readonly number[], work: () => Promise<Result>): Promise<Result> {
  const stoppedPids: number[] = []
  const knownPids = new Set<number>()
  const deadline = performance.now() + DEADLINE_MS
  try {
    for (;;) {
      const added = pids().filter((pid) => !knownPids.has(pid)) // new processes may have started in the meantime
      for (const pid of added) {
        knownPids.add(pid)
        if (stateOf(pid) !== 'T' && sendSignal(pid, 'SIGSTOP')) stoppedPids.push(pid)
      }
      if (added.length === 0 && [...knownPids].every((pid) => /^[TtZX]?$/.test(stateOf(pid)))) break
      if (performance.now() > deadline) throw new Error(`Couldn't pause the programs within ${DEADLINE_MS / 1000} s.`)
      await sleep(2)
    }
    return await work()
  } finally {
    for (const pid of stoppedPids.toReversed()) sendSignal(pid, 'SIGCONT')
  }
}

/** The state letter of the kernel (T is stopped); empty if the process has ended. */
export function stateOf(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat[stat.lastIndexOf(')') + 2] ?? ''
  } catch {
    return ''
  }
}

/** False if the process has ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    return false
  }
}
