import { AppError } from '#contracts/errors.ts'
import { sentenceOf } from '../refusals.ts'
import type { Sandboxes } from '../sandboxes/service.ts'
import type { Ran } from './episode.ts'

/** The session in which a model works. */
export const SESSION = 'main'
/** The exit code of a shell for a command that cannot be run. */
const NOT_RUN = 126

interface Request {
  command: string
  timeoutSec: number
  maxOutputBytes: number
}

/** A command of a model. One that cannot be run has a result that says why. Throws if the engine failed, or the reason of `signal`. */
export async function runCommand(sandboxes: Sandboxes, id: string, request: Request, signal: AbortSignal): Promise<Ran> {
  if (request.command.includes('\0')) return notRun('The command contains a NUL byte, so it was not run.')
  const interrupt = () => void sandboxes.interrupt(id, SESSION).catch(() => {}) // it has ended by itself
  signal.addEventListener('abort', interrupt, { once: true })
  try {
    return await sandboxes.exec(id, { ...request, session: SESSION, standalone: false, wait: true }, signal)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'command_blocked') throw error
    return notRun(sentenceOf(error))
  } finally {
    signal.removeEventListener('abort', interrupt)
  }
}

const notRun = (output: string): Ran => ({ output, exitCode: NOT_RUN, exited: false, timedOut: false, truncated: false })
