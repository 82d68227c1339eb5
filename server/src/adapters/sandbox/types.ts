import type { Readable, Writable } from 'node:stream'

/** What the programs in a sandbox may use. An engine that cannot hold a part of it does not start the sandbox. */
export interface SandboxPolicy {
  /** Absolute folders of this machine that programs see, read-only, at their own paths. Beside them: the engine's system. */
  readable: readonly string[]
  /** Of each place that a program may write (its folder, /tmp, /dev/shm), and of any one file. */
  writableBytes: number
  network: 'none'
  limits: {
    /** Of all processes together or of each, as `Isolation.memory` says. */
    memoryBytes: number
    /** Processes and threads at once. */
    processes: number
  }
}

/** How strong the isolation is; shown by `doctor`. */
export interface Isolation {
  engine: 'bubblewrap'
  version: string
  /** Memory is limited for all processes together (control group), or for each of them by itself. */
  memory: 'together' | 'each'
}

/** A way to isolate programs on this machine, proved when it was opened. */
export interface SandboxEngine {
  readonly isolation: Isolation
  /** `files`, by path, lie in the folder where programs start. Throws `NotRun` if the policy or a name does not fit. */
  start(policy: SandboxPolicy, files: Readonly<Record<string, string>>): Promise<Sandbox>
}

export interface Sandbox {
  /**
   * Resolves once the program and all that it started are gone. It finds its places as they were at the start: what one
   * program writes, the next does not see. Throws `NotRun` if it was not run. `signal` kills it.
   */
  run(program: SandboxProgram, signal?: AbortSignal): Promise<Outcome>
  /** Ends what runs, and resolves once nothing of the sandbox is left. */
  end(): Promise<void>
}

export interface SandboxProgram {
  argv: readonly string[]
  timeoutMs: number
  /** Standard input, output and error as they flow; what is not given is empty, or kept for the outcome. */
  streams?: { input?: Readable; output?: Writable; errors?: Writable }
}

export interface Outcome {
  /** As in a shell: 128 + the number of the signal that ended it. Null: it was stopped from outside. */
  exitCode: number | null
  signal: string | null
  timedOut: boolean
  /** Killed because the memory of its sandbox was used up; only known with control groups. */
  outOfMemory: boolean
  /** The first megabyte of each that went to no stream. */
  stdout: string
  stderr: string
  ms: number
}

/** It was not run: not in isolation, or not at all. */
export class NotRun extends Error {
  readonly code: 'isolation_unavailable' | 'invalid_request' | 'image_unavailable' | 'program_not_found'
  constructor(code: NotRun['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** The engine does not answer any more, so the state of its programs is unknown. */
export class EngineLost extends Error {}
