import type { ComputeDevice } from '#contracts/entities/run.ts'
import type { AppError } from '#contracts/errors.ts'

/** One trainer process: what to run, and the folder that it shares with us. */
export interface EngineJob {
  runId: string
  /** Program and arguments; never a shell line. */
  argv: readonly string[]
  /** Whole environment of the process: nothing else is inherited. */
  env: Readonly<Record<string, string>>
  /**
   * Folder of the run, absolute: config.json is there before the start; events.jsonl, control.json, checkpoints and the
   * result are written into it. An engine whose machine does not share it brings them over while it is attached.
   */
  folder: string
  /** File that standard output and error are appended to. */
  log: string
}

/** Finds a started job again, also from a later process. Plain JSON. */
export type EngineHandle = Readonly<Record<string, string | number | null>>

/** Both null: the job ended unobserved, so how is unknown. */
export interface EngineExit {
  code: number | null
  signal: string | null
}

export type ControlAction = 'pause' | 'save_stop'

/** Where trainers run. Stages use engines only through this interface; every implementation passes the same tests. */
export interface Engine {
  readonly name: 'local' | 'ray'
  /** Why nothing can be started, if that is known without a request; null: no reason is known. */
  problem(): AppError | null
  /** What its jobs compute on where that is another machine: little is known of it. Null: this one. */
  device(): ComputeDevice | null
  /** Starts the job so that it outlives this process. Throws `AppError` (training_unavailable) if it cannot be started. */
  start(job: EngineJob): Promise<EngineHandle>
  /**
   * The job of this run if one is alive whose handle was not stored (we were killed right after `start`), else null.
   * Throws `AppError` (training_unavailable) if that cannot be determined now.
   */
  find(job: Pick<EngineJob, 'runId' | 'folder'>): Promise<EngineHandle | null>
  status(handle: EngineHandle): Promise<'running' | 'ended'>
  /** Resolves once the job has ended and everything it wrote is in its folder. Rejects only when `signal` fires. */
  attach(handle: EngineHandle, job: Pick<EngineJob, 'runId' | 'folder' | 'log'>, signal: AbortSignal): Promise<EngineExit>
  /** Asks the trainer for something; it answers by its events. */
  control(handle: EngineHandle, job: Pick<EngineJob, 'folder'>, action: ControlAction): Promise<void>
  /** Ends the job with everything it started: asked first, forced after 800 ms. Resolves once nothing of it is left. */
  kill(handle: EngineHandle): Promise<void>
}
