import type { ComputeDevice } from '#contracts/entities/run.ts'
import type { AppError } from '#contracts/errors.ts'

/** A trainer process to start. */
export interface EngineJob {
  runId: string
  /** Program and arguments; never a shell command line. */
  argv: readonly string[]
  /** All environment variables of the process; it inherits no others. */
  env: Readonly<Record<string, string>>
  /**
   * Absolute path of the run's folder. It has config.json before the start; events.jsonl, control.json, checkpoints and the
   * result are written into it. An engine on another machine without this folder must copy the files while it is attached.
   */
  folder: string
  /** Standard output and error are appended to this file. */
  log: string
}

/** Identifies a started job, also in a later process. Plain JSON. */
export type EngineHandle = Readonly<Record<string, string | number | null>>

/** Both are null if the job ended while nobody watched it. */
export interface EngineExit {
  code: number | null
  signal: string | null
}

export type ControlAction = 'pause' | 'save_stop'

/** Runs trainers. Stages use engines only through this interface; every implementation passes the same tests. */
export interface Engine {
  readonly name: 'local' | 'ray'
  /** Why such a job cannot be started, as far as that is known without a request; otherwise null. */
  problem(job: { usesSandboxes: boolean }): AppError | null
  /** The device of another machine on which jobs run; null if they run on this machine. */
  device(): ComputeDevice | null
  /** Starts the job so that it outlives this process. Throws `AppError` (training_unavailable) if it cannot be started. */
  start(job: EngineJob): Promise<EngineHandle>
  /**
   * Finds a running job of this run whose handle was not stored, because we were killed right after `start`; null if there
   * is none. Throws `AppError` (training_unavailable) if that cannot be determined now.
   */
  find(job: Pick<EngineJob, 'runId' | 'folder'>): Promise<EngineHandle | null>
  status(handle: EngineHandle): Promise<'running' | 'ended'>
  /** Resolves when the job has ended and its files are in its folder. Rejects only if `signal` fires. */
  attach(handle: EngineHandle, job: Pick<EngineJob, 'runId' | 'folder' | 'log'>, signal: AbortSignal): Promise<EngineExit>
  /** Requests an action of the trainer, which reports the result in its events. */
  control(handle: EngineHandle, job: Pick<EngineJob, 'folder'>, action: ControlAction): Promise<void>
  /** Ends the job and its descendants, after 800 ms by force. Resolves when they have ended. */
  kill(handle: EngineHandle): Promise<void>
}
