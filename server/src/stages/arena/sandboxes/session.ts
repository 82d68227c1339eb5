import type { SandboxResult } from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import type { Shell, ShellResult } from '../shell/types.ts'
import { createScreen, type Screen } from './screen.ts'

export interface SessionCommand {
  command: string
  timeoutSec: number
  maxOutputBytes: number
  wait: boolean
  /** Leaves the line; a command that runs goes on. */
  signal?: AbortSignal | undefined
}

/** A shell that runs one command after the other, in the order in which they were given. */
export class Session {
  readonly name: string
  readonly shell: Shell
  readonly screen: Screen
  private tail: Promise<unknown> = Promise.resolve()
  private waiting = 0

  constructor(name: string, shell: Shell) {
    this.name = name
    this.shell = shell
    this.screen = createScreen(shell)
  }

  get busy(): boolean {
    return this.waiting > 0
  }

  /** `onStart` is called when its turn has come. Throws `session_busy`, `session_exited`, `session_lost`. */
  async run({ command, timeoutSec, maxOutputBytes, wait, signal }: SessionCommand, onStart: () => void): Promise<SandboxResult> {
    if (this.busy && !wait) throw new AppError('session_busy')
    this.waiting++
    const before = this.tail
    const { promise, resolve } = Promise.withResolvers<void>()
    this.tail = promise
    try {
      await before
      signal?.throwIfAborted()
      if (this.shell.state === 'ended') throw new AppError('session_exited')
      onStart()
      return toResult(await this.shell.exec({ command, timeoutSec, maxOutputBytes }))
    } finally {
      this.waiting--
      resolve()
    }
  }
}

function toResult({ errors, exitCode, sessionEnd, outputFile: _outputFile, ...result }: ShellResult): SandboxResult {
  if (sessionEnd === 'lost' || exitCode === null) throw new AppError('session_lost')
  return { ...result, output: result.output.trimEnd(), stderr: errors, exitCode, exited: sessionEnd === 'exited' }
}
