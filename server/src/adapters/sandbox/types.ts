import type { Readable, Writable } from 'node:stream'

/** What the programs in a sandbox may use. An engine that cannot enforce a part of it does not start the sandbox. */
export interface SandboxPolicy {
  /** Absolute paths of folders that programs can read at the same path, in addition to the system folders. */
  readable: readonly string[]
  /** Limit for each folder that a program may write (its own, /tmp, /dev/shm), and for each file. */
  writableBytes: number
  network: 'none'
  limits: {
    /** For all processes together or for each, see `Isolation.memory`. */
    memoryBytes: number
    /** Processes and threads at the same time. */
    processes: number
  }
}

/** How strong the isolation is; shown by `doctor`. */
export interface Isolation {
  engine: 'bubblewrap'
  version: string
  /** Memory is limited for all processes together (control group), or for each process. */
  memory: 'together' | 'each'
}

/** Isolates programs on this machine; tested when it was opened. */
export interface SandboxEngine {
  readonly isolation: Isolation
  /** `files` are created in the folder where programs start. Throws `NotRun` if the policy or a name is invalid. */
  start(policy: SandboxPolicy, files: Readonly<Record<string, string>>): Promise<Sandbox>
}

export interface Sandbox {
  /**
   * Resolves when the program and all its descendants have ended. Each program starts with the original files and does not
   * see changes by earlier programs. Throws `NotRun` if the program was not run. `signal` kills it.
   */
  run(program: SandboxProgram, signal?: AbortSignal): Promise<Outcome>
  /** Ends all programs; resolves when the sandbox is removed. */
  end(): Promise<void>
}

export interface SandboxProgram {
  argv: readonly string[]
  timeoutMs: number
  /** By default the input is empty and the outputs are part of the outcome. */
  streams?: { input?: Readable; output?: Writable; errors?: Writable }
}

export interface Outcome {
  /** As in a shell: 128 + the number of the signal that ended it. Null if we stopped the program. */
  exitCode: number | null
  signal: string | null
  timedOut: boolean
  /** Killed because the memory of its sandbox was used up; only known with control groups. */
  outOfMemory: boolean
  /** The first megabyte; empty if the output went to a stream. */
  stdout: string
  stderr: string
  ms: number
}

/** A program was not run, because the request is invalid or the isolation is not available. */
export class NotRun extends Error {
  readonly code: 'isolation_unavailable' | 'invalid_request' | 'image_unavailable' | 'program_not_found'
  constructor(code: NotRun['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** The engine stopped answering, so the state of its programs is unknown. */
export class EngineLost extends Error {}
