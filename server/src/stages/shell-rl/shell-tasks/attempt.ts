import { SandboxSpec, type SandboxBackend, type SandboxResult } from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import { type CommandOutput, runCommand, SESSION } from '#server/stages/agents/index.ts'
import { TASK_GUARD } from './guard.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'

export interface AttemptSpec {
  /** Commands, run in this order in a fresh machine. */
  setup: readonly string[]
  name: string
  labels?: Record<string, string>
  backend?: SandboxBackend | 'auto'
  image?: string
  /** Created if missing; by default the work directory of the image. */
  workdir?: string
  lifetimeSec?: number
  /** Limits of each command: its time, and how much of its output is shown. */
  commandSec: number
  outputBytes: number
}

export interface CheckOutcome {
  /** Null if the check has no result because it took too long or was killed. */
  passed: boolean | null
  exitCode: number
  timedOut: boolean
  output: string
  durationMs: number
}

/** A fresh machine that is set up for one attempt at a shell task, with one shell that stays open. */
export interface Attempt {
  sandboxId: string
  /** Throws if the engine failed, or the reason of `signal`. */
  run(command: string, signal: AbortSignal): Promise<CommandOutput>
  /** Ends all programs of the attempt, then runs the check in its own process. */
  check(command: string, options: { timeoutSec: number; signal: AbortSignal }): Promise<CheckOutcome>
  /** The recording of its shell in asciinema's format. */
  recording(): Promise<AsyncIterable<Uint8Array>>
  /** Removes the sandbox and its recording. */
  end(): Promise<void>
}

const CHECK_OUTPUT_BYTES = 16_384
/** Models may be slow, so only the attempt itself or the end of the server ends the sandbox. */
const ONE_DAY_SEC = 86_400
/** Exit codes of a process that was killed or ended from outside. */
const KILLED = new Set([137, 143])

/** Throws `setup_failed` or `command_blocked` if the set-up does not run, and the error of the engine if there is no machine. */
export async function openAttempt(
  sandboxes: Sandboxes,
  { setup, name, labels = {}, backend = 'auto', image = 'host', workdir, lifetimeSec = ONE_DAY_SEC, commandSec, outputBytes }: AttemptSpec,
  signal: AbortSignal,
): Promise<Attempt> {
  const spec = SandboxSpec.parse({
    name,
    labels,
    backend,
    image,
    workdir,
    profile: 'machine',
    tty: false, // a terminal would add pagers and colours to the output
    setupCommands: setup,
    guard: TASK_GUARD,
    commandTimeoutSec: commandSec,
    idleTimeoutSec: ONE_DAY_SEC,
    lifetimeSec,
  })
  const { id } = await sandboxes.create(spec)
  const end = async (): Promise<void> => {
    await sandboxes.stop(id, true).catch(ignoreIfEnded)
  }
  try {
    await startUnlessAborted(sandboxes, id, signal)
  } catch (error) {
    await end()
    throw error
  }
  return {
    sandboxId: id,
    end,
    recording: () => sandboxes.recording(id, SESSION),
    run: (command, stop) => runCommand(sandboxes, id, { command, timeoutSec: commandSec, maxOutputBytes: outputBytes }, stop),
    async check(command, { timeoutSec, signal: stop }) {
      await sandboxes.endPrograms(id)
      const request = { command, session: SESSION, standalone: true, wait: true, timeoutSec, maxOutputBytes: CHECK_OUTPUT_BYTES }
      return toCheckOutcome(await sandboxes.exec(id, request, stop))
    },
  }
}

/** Stops the set-up as soon as `signal` aborts. */
async function startUnlessAborted(sandboxes: Sandboxes, id: string, signal: AbortSignal): Promise<void> {
  const stop = () => void sandboxes.stop(id, false).catch(() => {}) // the start reports the error
  signal.addEventListener('abort', stop, { once: true })
  try {
    await sandboxes.start(id, { wait: true }, signal)
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Turns the result of the check command into an outcome. */
export const toCheckOutcome = ({ exitCode, timedOut, output, durationMs }: SandboxResult): CheckOutcome => ({
  passed: timedOut || KILLED.has(exitCode) ? null : exitCode === 0,
  exitCode,
  timedOut,
  output,
  durationMs,
})

function ignoreIfEnded(error: unknown): void {
  if (!(error instanceof AppError) || (error.code !== 'sandbox_not_found' && error.code !== 'sandbox_not_started')) throw error
}
