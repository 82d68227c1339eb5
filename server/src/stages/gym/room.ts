import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_MS = 1000

/** Whether something could not be stored because there is no room for it. */
export function isNoRoom(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^(?:SQLITE_FULL|SQLITE_IOERR\w*|ENOSPC|EDQUOT)$/.test(code)
}

/** Does `work` as soon as there is room for what it stores; `onWait` is told each time there is none. Rejects when stopped, or for another reason. */
export async function onceThereIsRoom(work: () => void, signal: AbortSignal, onWait: (error: unknown) => void): Promise<void> {
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isNoRoom(error)) throw error
      onWait(error)
      await sleep(LOOK_MS, undefined, { signal })
    }
  }
}
