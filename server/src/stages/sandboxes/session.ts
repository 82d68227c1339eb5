import type { SandboxResult, SandboxTerminal } from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import type { StreamSize } from '#contracts/streams.ts'
import type { Source } from '#server/streams/source.ts'
import { type Shell, ShellError, type ShellResult, type TypingListener } from './shell/types.ts'
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

/** The size of a terminal while commands run in it; viewers do not change it. */
export const DEFAULT_SIZE: StreamSize = { columns: 120, rows: 40 }

interface SessionOptions {
  name: string
  shell: Shell
  isTerminal: boolean
  recording: Recording
}

/**
 * A shell that runs commands one after another, in the order of their requests. A person who takes it over waits in the same
 * queue; later commands wait until the person hands it back.
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
  private isPersonTyping = false
  /** Set as soon as a take-over is requested; `end` releases the queue. */
  private activeTakeOver: { done: Promise<void>; end: () => void } | null = null

  constructor({ name, shell, isTerminal, recording }: SessionOptions) {
    this.name = name
    this.shell = shell
    this.isTerminal = isTerminal
    this.recording = recording
    this.screen = createScreen({ shell, recording, isTaken: () => this.isPersonTyping })
    void shell.ended.then(() => this.release())
  }

  get busy(): boolean {
    return this.waiting > 0
  }

  get terminal(): SandboxTerminal {
    return { session: this.name, isTerminal: this.isTerminal, takenOverBy: this.window, ...this.size }
  }

  /** `onStart` is called when its turn has come. Throws `session_busy`, `session_exited`, `session_lost`. */
  async run({ command, timeoutSec, maxOutputBytes, wait, signal }: SessionCommand, onStart: () => void): Promise<SandboxResult> {
    if (this.activeTakeOver && !wait) throw new AppError('session_busy', { message: 'A person has taken this session over.' })
    if (this.busy && !wait) throw new AppError('session_busy')
    const turn = this.joinQueue()
    try {
      await turn.ready
      signal?.throwIfAborted()
      if (this.shell.state === 'ended') throw new AppError('session_exited')
      onStart()
      this.screen.command(command)
      return toResult(await this.shell.exec({ command, timeoutSec, maxOutputBytes }))
    } finally {
      turn.end()
    }
  }

  /** Waits for earlier commands; if a person has already taken over, only the window changes. */
  async takeOver(window: string, listener: TypingListener, signal: AbortSignal): Promise<void> {
    if (!this.isTerminal) throw new AppError('session_no_terminal')
    this.activeTakeOver ??= this.startTakeOver(window, listener, signal)
    await this.activeTakeOver.done
    this.window = window
  }

  /** Does nothing if nobody has taken it over. Throws `session_lost`. */
  async handBack(): Promise<void> {
    if (this.window === null) return
    this.window = null // later keys would mix with the shell's internal commands
    await this.shell.handBack()
    this.resize(DEFAULT_SIZE)
    this.release()
    if (this.shell.state === 'ended') throw new AppError('session_lost')
    this.screen.handedBack()
  }

  /** For the terminal of a window, which may type while it has taken over. */
  open(from: number, window: string | null, on: { use: () => void; resize: () => void }): Source {
    const hasTakenOver = () => window !== null && this.window === window
    return {
      ...this.screen.read(from),
      ...(this.isTerminal && {
        write: (bytes: Uint8Array) => {
          if (!hasTakenOver() || this.shell.state === 'ended') return // these keys were sent before the hand-back
          this.shell.write(Buffer.from(bytes))
          on.use()
        },
      }),
      resize: (size) => {
        if (!hasTakenOver()) return
        this.resize(size)
        on.resize()
      },
      close() {}, // the shell continues
    }
  }

  private startTakeOver(window: string, listener: TypingListener, signal: AbortSignal): NonNullable<Session['activeTakeOver']> {
    const turn = this.joinQueue()
    const begin = async () => {
      try {
        await turn.ready
        signal.throwIfAborted()
        if (this.shell.state === 'ended') throw new AppError('session_exited')
        this.screen.takenOver()
        this.isPersonTyping = true
        await this.shell.takeOver(listener)
      } catch (error) {
        this.release()
        throw error instanceof ShellError ? new AppError('session_lost', { cause: error }) : error
      }
    }
    return { done: begin(), end: turn.end }
  }

  private release(): void {
    this.activeTakeOver?.end()
    this.activeTakeOver = null
    this.window = null
    this.isPersonTyping = false
  }

  /** Resolves `ready` when everything before it has ended. */
  private joinQueue(): { ready: Promise<unknown>; end: () => void } {
    const ready = this.tail
    const { promise, resolve } = Promise.withResolvers<void>()
    this.tail = promise
    this.waiting++
    const end = () => {
      this.waiting--
      resolve()
    }
    return { ready, end }
  }

  private resize({ columns, rows }: StreamSize): void {
    if (columns === this.size.columns && rows === this.size.rows) return
    this.size = { columns, rows }
    this.shell.resize(columns, rows)
    this.recording.resize(columns, rows)
  }
}

function toResult({ exitCode, sessionEnd, ...result }: ShellResult): SandboxResult {
  if (sessionEnd === 'lost' || exitCode === null) throw new AppError('session_lost')
  return { ...result, output: result.output.trimEnd(), stderr: null, exitCode, exited: sessionEnd === 'exited' }
}
