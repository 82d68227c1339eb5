import { setTimeout as sleep } from 'node:timers/promises'
import { endRest, signalGroup } from './group.ts'
import { isAlive, type ProcessMark } from './marks.ts'
import type { AttachedProcess, ProcessExit } from './start.ts'

/** The system reports the end of a process only to its parent. */
const LOOK_MS = 200
const LOOK_WHILE_ENDING_MS = 20

/**
 * A process that an earlier process of ours started, identified by its mark. Where it has ended before, its number may be
 * another's: nothing is signalled. `exit` rejects when `signal` fires: the caller no longer waits.
 */
export function attachProcess(mark: ProcessMark, { graceMs, signal }: { graceMs: number; signal?: AbortSignal }): AttachedProcess {
  let endedBy: ProcessExit['endedBy'] = null
  const watch = async (): Promise<ProcessExit> => {
    const wasAlive = isAlive(mark)
    while (isAlive(mark)) await sleep(LOOK_MS, undefined, { signal })
    if (wasAlive) await endRest(mark.pid)
    return { code: null, signal: null, endedBy }
  }
  const exit = watch()
  exit.catch(() => undefined) // also when nobody waits for it
  return {
    ...mark,
    exit,
    async end() {
      if (isAlive(mark)) {
        endedBy = 'request'
        signalGroup(mark.pid, graceMs > 0 ? 'SIGTERM' : 'SIGKILL')
        const until = performance.now() + graceMs
        while (isAlive(mark) && performance.now() < until) await sleep(LOOK_WHILE_ENDING_MS)
        while (isAlive(mark)) {
          signalGroup(mark.pid, 'SIGKILL')
          await sleep(LOOK_WHILE_ENDING_MS)
        }
        await endRest(mark.pid)
      }
      return { code: null, signal: null, endedBy }
    },
  }
}
