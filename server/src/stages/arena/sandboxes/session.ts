import type { SandboxResult, SandboxTerminal } from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import type { StreamSize } from '#contracts/streams.ts'
import type { Source } from '#server/streams/source.ts'
import { type Shell, ShellError, type ShellResult, type TypingListener } from '../shell/types.ts'
import type { Recording } from './recording.ts'
import { createScreen, type Screen } from './screen.ts'

export interface SessionCommand {
  command: string
  timeoutSec: number
  maxOutputBytes: number
  wait: boolean
  /** Leaves the queue; a running command continues. */
  signal?: AbortSignal | undefined
}

/** Of a terminal while commands run in it; viewers do not change it. */
export const DEFAULT_SIZE: StreamSize = { columns: 120, rows: 40 }

interface SessionOptions {
  name: string
  shell: Shell
  isTerminal: boolean
  recording: Recording
}

/**
 * A shell that runs commands one after the other, in the order in which they were given. A person who takes it over waits in
 * the same queue; later commands wait until it is handed back.
 */
export class Session {
  readonly name: string
  readonly shell: Shell
  private readonly isTerminal: boolean
  private readonly recording: Recording
  private readonly screen: Screen
  private tail: Promise<unknown> = Promise.resolve()
  private waiting = 0
  private size = DEFAULT_SIZE
  private window: string | null = null
  private isTyped = false
  /** Set from the request on; `end` lets the queue go on. */
  private taking: { done: Promise<void>; end: () => void } | null = null

  constructor({ name, shell, isTerminal, recording }: SessionOptions) {
    this.name = name
    this.shell = shell
    this.isTerminal = isTerminal
    this.recording = recording
    this.screen = createScreen({ shell, recording, isTaken: () => this.isTyped })
    void shell.ended.then(() => this.released())
  }

  get busy(): boolean {
    return this.waiting > 0
  }

  get terminal(): SandboxTerminal {
    return { session: this.name, isTerminal: this.isTerminal, takenOverBy: this.window, ...this.size }
  }

  /** `onStart` is called when its turn has come. Throws `session_busy`, `session_exited`, `session_lost`. */
  async run({ command, timeoutSec, maxOutputBytes, wait, signal }: SessionCommand, onStart: () => void): Promise<SandboxResult> {
    if (this.taking && !wait) throw new AppError('session_busy', { message: 'A person has taken this session over.' })
    if (this.busy && !wait) throw new AppError('session_busy')
    const turn = this.line()
    try {
      await turn.come
      signal?.throwIfAborted()
      if (this.shell.state === 'ended') throw new AppError('session_exited')
      onStart()
      this.screen.command(command)
      return toResult(await this.shell.exec({ command, timeoutSec, maxOutputBytes }))
    } finally {
      turn.end()
    }
  }

  /** Waits for the commands before it; where a person is at the terminal already, the window only changes. */
  async takeOver(window: string, listener: TypingListener, signal: AbortSignal): Promise<void> {
    if (!this.isTerminal) throw new AppError('session_no_terminal')
    this.taking ??= this.take(window, listener, signal)
    await this.taking.done
    this.window = window
  }

  /** Without effect where nobody has taken it over. Throws `session_lost`. */
  async handBack(): Promise<void> {
    if (this.window === null) return
    this.window = null // what is typed from here on would meet the shell's own lines
    await this.shell.handBack()
    this.resize(DEFAULT_SIZE)
    this.released()
    if (this.shell.state === 'ended') throw new AppError('session_lost')
    this.screen.handedBack()
  }

  /** For the terminal of a window, which may type while it has taken over. */
  open(from: number, window: string | null, on: { use: () => void; resize: () => void }): Source {
    const isIts = () => window !== null && this.window === window
    return {
      ...this.screen.read(from),
      ...(this.isTerminal && {
        write: (bytes: Uint8Array) => {
          if (!isIts() || this.shell.state === 'ended') return // keys on their way when it was handed back
          this.shell.write(Buffer.from(bytes))
          on.use()
        },
      }),
      resize: (size) => {
        if (!isIts()) return
        this.resize(size)
        on.resize()
      },
      close() {}, // the shell continues
    }
  }

  private take(window: string, listener: TypingListener, signal: AbortSignal): NonNullable<Session['taking']> {
    const turn = this.line()
    const begin = async () => {
      try {
        await turn.come
        signal.throwIfAborted()
        if (this.shell.state === 'ended') throw new AppError('session_exited')
        this.screen.takenOver()
        this.isTyped = true
        await this.shell.takeOver(listener)
      } catch (error) {
        this.released()
        throw error instanceof ShellError ? new AppError('session_lost', { cause: error }) : error
      }
    }
    return { done: begin(), end: turn.end }
  }

  private released(): void {
    this.taking?.end()
    this.taking = null
    this.window = null
    this.isTyped = false
  }

  /** A place in the queue. */
  private line(): { come: Promise<unknown>; end: () => void } {
    const come = this.tail
    const { promise, resolve } = Promise.withResolvers<void>()
    this.tail = promise
    this.waiting++
    const end = () => {
      this.waiting--
      resolve()
    }
    return { come, end }
  }

  private resize({ columns, rows }: StreamSize): void {
    if (columns === this.size.columns && rows === this.size.rows) return
    this.size = { columns, rows }
    this.shell.resize(columns, rows)
    this.recording.resize(columns, rows)
  }
}

function toResult({ errors, exitCode, sessionEnd, outputFile: _outputFile, ...result }: ShellResult): SandboxResult {
  if (sessionEnd === 'lost' || exitCode === null) throw new AppError('session_lost')
  return { ...result, output: result.output.trimEnd(), stderr: errors, exitCode, exited: sessionEnd === 'exited' }
}
