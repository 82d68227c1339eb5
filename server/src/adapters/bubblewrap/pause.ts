import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const DEADLINE_MS = 5000

/**
 * Holds processes still while `work` runs. `pids` gives them, parents before children: those are stopped first and go on
 * last, so that no shell sees a child of its own stop. What was stopped before stays stopped.
 */
export async function whilePaused<Result>(pids: () => readonly number[], work: () => Promise<Result>): Promise<Result> {
  const stopped: number[] = []
  const seen = new Set<number>()
  const deadline = performance.now() + DEADLINE_MS
  try {
    for (;;) {
      const added = pids().filter((pid) => !seen.has(pid)) // some may have been born meanwhile
      for (const pid of added) {
        seen.add(pid)
        if (stateOf(pid) !== 'T' && send(pid, 'SIGSTOP')) stopped.push(pid)
      }
      if (added.length === 0 && [...seen].every((pid) => /^[TtZX]?$/.test(stateOf(pid)))) break
      if (performance.now() > deadline) throw new Error(`The programs could not be paused within ${DEADLINE_MS / 1000} s.`)
      await sleep(2)
    }
    return await work()
  } finally {
    for (const pid of stopped.toReversed()) send(pid, 'SIGCONT')
  }
}

/** As the system writes it (T is stopped); empty if there is none left. */
function stateOf(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat[stat.lastIndexOf(')') + 2] ?? ''
  } catch {
    return ''
  }
}

function send(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    return false
  }
}
