import { text as textOf } from 'node:stream/consumers'
import type { SandboxBackend } from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import type { CommandOutput } from '#server/stages/agents/index.ts'
import { type CheckOutcome, openAttempt } from '../shell-tasks/attempt.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'

export interface SandboxRequest {
  name: string
  backend: SandboxBackend | 'auto'
  image: string
  lifetimeSec: number | null
  /** Null: the work directory of the image. */
  workdir: string | null
  commandSec: number
  outputBytes: number
}

/** The sandbox of one episode with its shell. */
export interface EnvironmentSandbox {
  id: string
  backend: string
  /** Runs commands in a separate shell that is closed before the episode starts. Stops at the first command that fails. */
  setUp(commands: readonly string[], signal: AbortSignal): Promise<SetUpResult[]>
  run(command: string, signal: AbortSignal): Promise<CommandOutput>
  /** Opens a new shell in the same machine after `exit`. */
  reopen(): Promise<void>
  /** Ends all programs of the episode, then runs the command in its own process. */
  check(command: string, options: { timeoutSec: number; signal: AbortSignal }): Promise<CheckOutcome>
  /** Null if the file does not exist. Throws if it is longer than `mostBytes`. */
  read(path: string, mostBytes: number): Promise<string | null>
  /** Also creates the parent folders. */
  write(path: string, content: string): Promise<void>
  end(): Promise<void>
}

export interface SetUpResult {
  command: string
  output: string
  exitCode: number
  timedOut: boolean
  durationMs: number
}

export type OpenSandbox = (request: SandboxRequest, signal: AbortSignal) => Promise<EnvironmentSandbox>

const SET_UP = 'set-up'
const SHELL = 'main'

export const environmentSandboxes =
  (sandboxes: Sandboxes): OpenSandbox =>
  async ({ workdir, lifetimeSec, ...request }, signal) => {
    const attempt = await openAttempt(
      sandboxes,
      {
        ...request,
        setup: [],
        labels: { for: 'environment' },
        ...(workdir !== null && { workdir }),
        ...(lifetimeSec !== null && { lifetimeSec }),
      },
      signal,
    )
    const { sandboxId: id } = attempt
    return {
      id,
      backend: sandboxes.get(id).backend,
      run: (command, stop) => attempt.run(command, stop),
      check: (command, options) => attempt.check(command, options),
      end: () => attempt.end(),
      async reopen() {
        await sandboxes.openSession(id, { session: SHELL, tty: false })
      },
      async setUp(commands, stop) {
        await sandboxes.openSession(id, { session: SET_UP, tty: false })
        const { outputBytes: maxOutputBytes, commandSec: timeoutSec } = request
        const results: SetUpResult[] = []
        for (const command of commands) {
          const exec = { command, session: SET_UP, standalone: false, wait: true, timeoutSec, maxOutputBytes }
          const { output, exitCode, timedOut, exited, durationMs } = await sandboxes.exec(id, exec, stop)
          results.push({ command, output, exitCode, timedOut, durationMs })
          if (exited || exitCode !== 0 || timedOut) return results
        }
        await sandboxes.exec(id, { command: 'exit', session: SET_UP, standalone: false, wait: true }, stop)
        return results
      },
      async write(path, content) {
        await sandboxes.write(id, { path, content, encoding: 'utf8', mode: 0o644 })
      },
      async read(path, mostBytes) {
        const stream = await sandboxes.read(id, path).catch((error: unknown) => {
          if (error instanceof AppError && error.code === 'path_refused') return null
          throw error
        })
        if (!stream) return null
        let bytes = 0
        stream.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > mostBytes) stream.destroy(new Error(`${path} is longer than ${mostBytes} bytes.`))
        })
        return textOf(stream)
      },
    }
  }
