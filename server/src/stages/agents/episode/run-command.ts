import { AppError } from '#contracts/errors.ts'
import { sentenceOf } from '#server/refusals.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import type { CommandOutput } from './episode.ts'

/** The session in which a model works. */
export const SESSION = 'main'
/** A shell's exit code for a command that cannot be run. */
const NOT_RUN_EXIT_CODE = 126

interface Request {
  command: string
  timeoutSec: number
  maxOutputBytes: number
}

/** Runs a command of a model. If it cannot be run, the output says why. Throws if the engine failed, or the reason of `signal`. */
export async function runCommand(sandboxes: Sandboxes, id: string, request: Request, signal: AbortSignal): Promise<CommandOutput> {
  if (request.command.includes('\0')) return notRun('The command contains a NUL byte, so it was not run.')
  const interrupt = () => void sandboxes.interrupt(id, SESSION).catch(() => {}) // the command has already ended
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

const notRun = (output: string): CommandOutput => ({
  output,
  exitCode: NOT_RUN_EXIT_CODE,
  exited: false,
  timedOut: false,
  truncated: false,
})
