import type { OutputFile } from './kept-output.ts'

export interface ShellOptions {
  /** In characters: on its own terminal, as a person would have it. Null: pipes, and commands read from the null device. */
  terminal: { columns: number; rows: number } | null
  /** Apart only without a terminal: then the order of output and errors is unknown. */
  errors?: 'joined' | 'apart'
  /** Absolute, inside the machine; the machine's own by default. */
  cwd?: string
  env?: Record<string, string>
  /** For the first sign of life. */
  startTimeoutSec?: number
  /** How long each step of an interrupt may take. */
  graceSec?: number
  /** An existing folder for output that is longer than a result may hold; null: only its two ends are kept. */
  outputFolder: string | null
  maxOutputFileBytes?: number
}

export interface ShellCommand {
  /** Any number of lines; no NUL. */
  command: string
  timeoutSec: number
  /** Of what the result holds: the first and the last half. */
  maxOutputBytes: number
}

export interface ShellResult {
  /** Without escape sequences; bytes that are no UTF-8 are U+FFFD. Joined with errors unless they are kept apart. */
  output: string
  /** Null unless kept apart. */
  errors: string | null
  /** What came since the command before: background jobs, their notices, prompts that the user has set. */
  before: string
  /** 128 + the number of a signal. Null: the shell was lost. */
  exitCode: number | null
  /** `exited`: the shell itself has ended, and `exitCode` is its own. `lost`: it did not answer and was ended, or its machine was lost. */
  sessionEnd: null | 'exited' | 'lost'
  timedOut: boolean
  /** The strongest that was sent. */
  signalSent: null | 'INT' | 'QUIT' | 'KILL'
  durationMs: number
  /** As the command wrote them. */
  outputBytes: number
  truncated: boolean
  /** The whole of a truncated output, with its escape sequences. */
  outputFile: OutputFile | null
}

/** What became of a command that a person typed. */
export type TypedResult = Pick<ShellResult, 'output' | 'outputBytes' | 'truncated' | 'durationMs'> & {
  exitCode: number
  sessionEnd: null | 'exited'
}

/** Hears of the commands that a person types, one after the other. */
export interface TypingListener {
  /** Of each output that is kept. */
  maxOutputBytes: number
  onStart: (command: string) => void
  onEnd: (result: TypedResult) => void
}

/** `busy`: another command runs, or a person has the terminal. `ended`: the shell is gone. */
export type ShellState = 'ready' | 'busy' | 'ended'

export interface Shell {
  readonly state: ShellState
  /** Resolves when the shell has ended for any reason. `lost`: with the engine of its machine. */
  readonly ended: Promise<'exited' | 'lost'>
  /** Runs one command. Throws `ShellError` if it was not run. */
  exec(command: ShellCommand): Promise<ShellResult>
  /** What Ctrl-C does; nothing if no command runs. Resolves when the command has ended, or has not within the grace time. */
  interrupt(): Promise<void>
  /** Hears everything that is shown, without markers, until the function that it returns is called. */
  onBytes(listener: (bytes: Buffer) => void): () => void
  /**
   * Gives the terminal to a person, with a prompt, echo and line editing. No command runs until it is handed back. Throws
   * `ShellError` if it has no terminal, is busy, or does not answer.
   */
  takeOver(listener: TypingListener): Promise<void>
  /** Ends what still runs in the foreground and takes the terminal back. A shell that does not answer is ended. */
  handBack(): Promise<void>
  /** Types into the terminal. Throws `ShellError` if there is none. */
  write(bytes: Buffer): void
  resize(columns: number, rows: number): void
  /** Ends the shell and all that it started. */
  end(): Promise<void>
}

/** A command was not run, or the shell did not start. */
export class ShellError extends Error {
  readonly code: 'busy' | 'ended' | 'invalid_command' | 'no_terminal' | 'start_failed'
  constructor(code: ShellError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
