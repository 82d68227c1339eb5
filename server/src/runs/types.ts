import type { ControlAction, EngineExit, EngineHandle, EngineJob } from '#server/adapters/engine/types.ts'
import type { Line } from './lines.ts'

export type RunState = 'queued' | 'preparing' | 'running' | 'pausing' | EndState
/** A paused run can go on. */
export type EndState = 'completed' | 'failed' | 'paused' | 'cancelled'
export type RequestedAction = ControlAction | 'cancel'

/** The part of a run that this module reads. `Live` is what its files say so far, with the offsets up to which they were read. */
export interface Run<Live, Failure> {
  id: string
  state: RunState
  /** Finds its process again; null: there is none, or it was not stored yet. */
  handle: EngineHandle | null
  /** Kept until the process has answered it by its end. */
  requestedAction: RequestedAction | null
  live: Live
  error: Failure | null
  queuePlace: number | null
  /** Milliseconds since 1970, as `endedAt`. */
  startedAt: number | null
  endedAt: number | null
}

export type RunChange<Live, Failure> = Partial<Omit<Run<Live, Failure>, 'id'>>

/** The tables of one kind of runs. Synchronous, in the caller's transaction. */
export interface RunStore<Live, Failure, Row extends Run<Live, Failure>> {
  find: (id: string) => Row | null
  /** Throws if there is none. */
  require: (id: string) => Row
  change: (id: string, change: RunChange<Live, Failure>) => void
  /** Those that have, or are about to have, a process, in the order in which they were asked for. */
  active: () => Row[]
}

/** A file to which the process appends lines. */
export interface Source<Live> {
  file: string
  /** Bytes of it that this state holds. */
  offset: (live: Live) => number
  /** The state after one more line, with `line.end` as its offset. May write rows: it is called in the transaction of a batch. */
  take: (live: Live, line: Line) => Live
}

/** How the files of one run are taken into rows and state, a batch of lines a transaction. */
export interface Intake<Live> {
  events: Source<Live>
  /** What the process printed; read before the events. */
  log?: Source<Live>
  /** Before the first line of a batch, in its transaction. */
  begin: () => void
  /** After its last line, when the state is stored, in the same transaction. */
  end: (before: Live, after: Live) => void
  afterCommit: (live: Live) => void
  /** Reloads the values in memory from the tables. */
  afterRollback: () => void
}

/** What a run was asked for, and how it went. */
export interface Outcome<Live, Failure> {
  state: EndState
  error: Failure | null
  live: Live
}

/** What one kind of runs is: its program, how its files are read, how an exit is read. */
export interface RunKind<Live, Failure, Row extends Run<Live, Failure>> {
  /** Brings into order what the program needs and says how it is started. Throws if it cannot be. */
  command: (run: Row) => Promise<Pick<EngineJob, 'argv' | 'env'>>
  place: (id: string) => Pick<EngineJob, 'folder' | 'log'>
  intake: (run: Row) => Intake<Live>
  /** The state at the start of a process: the end of the previous one no longer counts. */
  begin: (live: Live) => Live
  /** Whether the program has got past its preparations. */
  isAtWork: (live: Live) => boolean
  /** Called before the end is stored, again where it could not be. `exit` is all null if nobody saw it. */
  outcome: (run: Row, exit: EngineExit, live: Live) => Outcome<Live, Failure>
  /** What is stored of a run that could not be started. */
  failure: (run: Row, cause: unknown) => Failure
}
