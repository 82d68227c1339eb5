export interface ShellOptions {
  /** The size of its terminal in characters. Null: pipes, and commands read from the null device. */
  terminal: { columns: number; rows: number } | null
  /** An absolute path inside the machine; by default the machine's work directory. */
  cwd?: string
  /** How long each step of an interrupt may take. */
  graceSec?: number
}

export interface ShellCommand {
  /** Any number of lines, without NUL characters. */
  command: string
  timeoutSec: number
  /** How much output the result keeps: half from the start, half from the end. */
  maxOutputBytes: number
}

export interface ShellResult {
  /** Output and errors in order, without escape sequences; bytes that are not UTF-8 become U+FFFD. */
  output: string
  /** Output since the previous command: from background jobs, notices about them, and prompts that the user has set. */
  before: string
  /** 128 + the signal number if a signal ended it. Null: the shell was lost. */
  exitCode: number | null
  /** `exited`: the shell itself has ended with `exitCode`. `lost`: it did not answer and was ended, or its machine was lost. */
  sessionEnd: null | 'exited' | 'lost'
  timedOut: boolean
  /** The strongest signal that was sent. */
  signalSent: null | 'INT' | 'QUIT' | 'KILL'
  durationMs: number
  /** Before truncation and with escape sequences. */
  outputBytes: number
  truncated: boolean
}

/** The result of a command that a person typed. */
export type TypedResult = Pick<ShellResult, 'output' | 'outputBytes' | 'truncated' | 'durationMs'> & {
  exitCode: number
  sessionEnd: null | 'exited'
}

/** Receives the commands that a person types. */
export interface TypingListener {
  /** How much output is kept of each command. */
  maxOutputBytes: number
  onStart: (command: string) => void
  onEnd: (result: TypedResult) => void
}

/** `busy`: a command is running, or a person has the terminal. */
export type ShellState = 'ready' | 'busy' | 'ended'

export interface Shell {
  readonly state: ShellState
  /** Resolves when the shell has ended for any reason. `lost`: because the engine of its machine ended. */
  readonly ended: Promise<'exited' | 'lost'>
  /** Runs one command. Throws `ShellError` if it was not run. */
  exec(command: ShellCommand): Promise<ShellResult>
  /** Does what Ctrl-C does; nothing if no command is running. Resolves when the command or the grace time has ended. */
  interrupt(): Promise<void>
  /** Calls the listener with all output, without markers. Returns a function that stops this. */
  onBytes(listener: (bytes: Buffer) => void): () => void
  /**
   * Gives the terminal to a person, with a prompt, echo and line editing. No command runs until it is handed back. Throws
   * `ShellError` if it has no terminal, is busy, or does not answer.
   */
  takeOver(listener: TypingListener): Promise<void>
  /** Ends the foreground program and takes the terminal back. A shell that does not answer is ended. */
  handBack(): Promise<void>
  /** Types into the terminal. Throws `ShellError` if there is none. */
  write(bytes: Buffer): void
  resize(columns: number, rows: number): void
  /** Ends the shell and everything it started. */
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
