/** A process group, named by its leader's number. Each process that we start leads its own. */
import { setTimeout as sleep } from 'node:timers/promises'
import { birthOf, livingGroups } from './marks.ts'

const LOOK_MS = 20
const isWindows = process.platform === 'win32'

/** False where nothing of the group is left, or nothing that we may signal. Windows has no groups: there it is the leader alone. */
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
 * Ends by force what is left of a group whose leader has ended; resolves once nothing of it lives. While a member lives
 * the number is given to nobody else.
 */
export async function endRest(group: number): Promise<void> {
  while (birthOf(group) === null && groupLives(group)) {
    signalGroup(group, 'SIGKILL')
    await sleep(LOOK_MS)
  }
}

function groupLives(group: number): boolean {
  if (!signalGroup(group, 0)) return false
  return livingGroups()?.has(group) ?? true
}
