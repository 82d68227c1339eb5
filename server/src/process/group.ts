/** Process groups, identified by their leader's number. Each process that we start leads a group. */
import { setTimeout as sleep } from 'node:timers/promises'
import { birthOf, livingGroups } from './marks.ts'

const MAX_WAIT_MS = 20
/** Killed processes usually end within this time. After it, living ones are looked up, which reads all processes. */
const LOOKUP_AFTER_MS = 8
const isWindows = process.platform === 'win32'

/** False if the group has no process that we can signal. On Windows, which has no groups, only the leader is signalled. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(isWindows ? group : -group, signal)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ESRCH' || code === 'EPERM') return false
    throw error
  }
}

/**
 * Kills the remaining members of a group whose leader has ended; resolves when all have ended. The system does not reuse
 * the group's number while a member lives.
 */
export async function endRest(group: number): Promise<void> {
  for (let wait = 1; birthOf(group) === null && signalGroup(group, 'SIGKILL'); wait = Math.min(2 * wait, MAX_WAIT_MS)) {
    if (wait > LOOKUP_AFTER_MS && livingGroups()?.has(group) === false) return // only zombies remain
    await sleep(wait)
  }
}
