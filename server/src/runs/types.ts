import type { ControlAction, EngineExit, EngineHandle, EngineJob } from '#server/adapters/engine/types.ts'
import type { Line } from './lines.ts'

export type RunState = 'queued' | 'preparing' | 'running' | 'pausing' | EndState
/** A paused run can be resumed. */
export type EndState = 'completed' | 'failed' | 'paused' | 'cancelled'
export type RequestedAction = ControlAction | 'cancel'

/** The fields of a run that this module uses. `Live` is the state from the lines of its files, with the offsets read so far. */
export interface Run<Live, Failure> {
  id: string
  state: RunState
  /** Identifies its process; null if it has none or the handle is not stored yet. */
  handle: EngineHandle | null
  /** Stored until the process ends. */
  requestedAction: RequestedAction | null
  live: Live
  error: Failure | null
  queuePlace: number | null
  /** `startedAt` and `endedAt` are in milliseconds since 1970. */
  startedAt: number | null
  endedAt: number | null
}

export type RunChange<Live, Failure> = Partial<Omit<Run<Live, Failure>, 'id'>>

/** Stores one kind of runs, synchronously in the caller's transaction. */
export interface RunStore<Live, Failure, Row extends Run<Live, Failure>> {
  find: (id: string) => Row | null
  /** Throws if the run does not exist. */
  require: (id: string) => Row
  change: (id: string, change: RunChange<Live, Failure>) => void
  /** Runs that have or are about to have a process, in the order they were requested. */
  active: () => Row[]
}

/** A file that the process appends lines to. */
export interface Source<Live> {
  file: string
  /** How many bytes of the file this state includes. */
  offset: (live: Live) => number
  /** Returns the state after one more line, with `line.end` as its offset. May write rows in the transaction of the batch. */
  take: (live: Live, line: Line) => Live
}

/** Turns the files of one run into rows and state, one transaction for each batch of lines. */
export interface Intake<Live> {
  events: Source<Live>
  /** Output of the process; read before the events. */
  log?: Source<Live>
  /** Called before the first line of a batch, in its transaction. */
  begin: () => void
  /** Called after the last line of a batch, when the state is stored, in the same transaction. */
  end: (before: Live, after: Live) => void
  afterCommit: (live: Live) => void
  /** Reloads the values in memory from the tables. */
  afterRollback: () => void
}

/** How a run ended. */
export interface Outcome<Live, Failure> {
  state: EndState
  error: Failure | null
  live: Live
}

/** A kind of runs: its program, how its files are read, how its exit is interpreted. */
export interface RunKind<Live, Failure, Row extends Run<Live, Failure>> {
  /** Prepares what the program needs and returns its command. Throws if the run cannot be started. */
  command: (run: Row) => Promise<Pick<EngineJob, 'argv' | 'env'>>
  place: (id: string) => Pick<EngineJob, 'folder' | 'log'>
  intake: (run: Row) => Intake<Live>
  /** The state at the start of a process, without the end of the previous process. */
  begin: (live: Live) => Live
  /** Whether the program has finished its preparations. */
  isAtWork: (live: Live) => boolean
  /** Called before the end is stored, and again if that failed. Both fields of `exit` are null if the exit was not observed. */
  outcome: (run: Row, exit: EngineExit, live: Live) => Outcome<Live, Failure>
  /** The error to store for a run that could not be started. */
  failure: (run: Row, cause: unknown) => Failure
}
