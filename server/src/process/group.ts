/** A process group, named by its leader's number. Each process that we start leads its own. */
import { setTimeout as sleep } from 'node:timers/promises'
import { birthOf, livingGroups } from './marks.ts'

const LONGEST_WAIT_MS = 20
/** Killed processes are mostly gone before this; later the living ones are looked up, which reads all processes. */
const PATIENCE_MS = 8
const isWindows = process.platform === 'win32'

/** False if nothing of the group is left, or nothing that we may signal. Windows has no groups: there it is the leader alone. */
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
 * Ends by force what is left of a group whose leader has ended; resolves once all of it has ended. While a member lives,
 * its number is not reused.
 */
export async function endRest(group: number): Promise<void> {
  for (let wait = 1; birthOf(group) === null && signalGroup(group, 'SIGKILL'); wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    if (wait > PATIENCE_MS && livingGroups()?.has(group) === false) return // only zombies are left, which nobody has reaped
    await sleep(wait)
  }
}
