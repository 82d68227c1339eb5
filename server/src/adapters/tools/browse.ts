import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProcess } from '#server/process/start.ts'

const WAIT_MS = 10_000

/** Opens a file or an address in the default browser; false if that fails. `place` must not contain a secret, because other users can read it. */
export async function browse(place: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  const [command, ...args] = openerOf(place)
  try {
    const output = { file: os.devNull }
    const opener = await startProcess({ command, args, cwd: '/', env, output, deadlineMs: null, graceMs: 0, leavesOthers: true })
    const exit = await Promise.race([opener.exit, sleep(WAIT_MS, null)]) // the process may be the browser itself, which keeps running
    return exit?.code === 0
  } catch {
    return false
  }
}

function openerOf(place: string): [string, ...string[]] {
  if (process.platform === 'darwin') return ['open', place]
  return process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler', place] : ['xdg-open', place]
}
