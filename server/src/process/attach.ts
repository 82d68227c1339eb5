import { setTimeout as sleep } from 'node:timers/promises'
import { endRest, signalGroup } from './group.ts'
import { isAlive, type ProcessMark } from './marks.ts'
import type { AttachedProcess, ProcessExit } from './start.ts'

/** Polled, because the system reports the end of a process only to its parent. */
const POLL_MS = 200
const POLL_WHILE_ENDING_MS = 20

/**
 * Attaches to a process that an earlier server started, identified by its mark. If it has already ended, nothing is
 * signalled, because another process may have its number. `exit` rejects when `signal` fires.
 */
export function attachProcess(mark: ProcessMark, { graceMs, signal }: { graceMs: number; signal?: AbortSignal }): AttachedProcess {
  let endedBy: ProcessExit['endedBy'] = null
  const watch = async (): Promise<ProcessExit> => {
    const wasAlive = isAlive(mark)
    while (isAlive(mark)) await sleep(POLL_MS, undefined, { signal })
    if (wasAlive) await endRest(mark.pid)
    return { code: null, signal: null, endedBy }
  }
  const exit = watch()
  exit.catch(() => undefined) // prevents an unhandled rejection if nothing awaits `exit`
  return {
    ...mark,
    exit,
    async end() {
      if (isAlive(mark)) {
        endedBy = 'request'
        signalGroup(mark.pid, graceMs > 0 ? 'SIGTERM' : 'SIGKILL')
        const until = performance.now() + graceMs
        while (isAlive(mark) && performance.now() < until) await sleep(POLL_WHILE_ENDING_MS)
        while (isAlive(mark)) {
          signalGroup(mark.pid, 'SIGKILL')
          await sleep(POLL_WHILE_ENDING_MS)
        }
        await endRest(mark.pid)
      }
      return { code: null, signal: null, endedBy }
    },
  }
}
