import type { Readable, Writable } from 'node:stream'

/** What the programs of a machine may reach. An engine that cannot enforce it does not create the machine. */
export type MachineNetwork = 'none' | 'open' | { allow: { host: string; port: number }[] }

/** A port of the sandbox's loopback that is forwarded to the port `to` of the host, whatever the network setting. */
export interface MachineEndpoint {
  port: number
  to: number
}

/** Limits for all programs of a machine together, except `openFiles` (per process) and `fileBytes` (per file). */
export interface MachineLimits {
  memoryBytes: number
  /** Cores; 0.5 is half of one. */
  cpus: number
  /** Processes and threads at the same time. */
  processes: number
  diskBytes: number
  openFiles: number
  fileBytes: number
}

/** A request to create a machine. */
/** A folder of the host, and its path in the machine. */
export interface ReadOnlyFolder {
  place: string
  source: string
}

export interface MachineSpec {
  /** Chosen by the caller. */
  id: string
  /** `host`, the name of a snapshot, or another image of the engine. */
  image: string
  /** `machine`: uid 0, writable system folders. `strict`: uid 1000, only a few writable folders. */
  profile: 'machine' | 'strict'
  /** Absolute path inside, created if it is missing; null for the image's default. */
  workdir: string | null
  /** In addition to PATH, HOME, USER, LANG and TERM, which the engine sets. */
  env: Record<string, string>
  network: MachineNetwork
  /** Further ports that programs can reach. An engine that cannot provide them does not create the machine. */
  endpoints?: readonly MachineEndpoint[]
  limits: MachineLimits
  /** Folders of the host that programs can read; only with the profile `strict`. */
  readOnly?: readonly ReadOnlyFolder[]
  /** Stored with the machine and not visible inside. */
  labels: Record<string, string>
  /** A name under which its files stay when its owner dies or leaves it; a machine that finds such files goes on with them. */
  leftAs?: string | null
}

/** The isolation as it was applied and verified, not as it was requested. */
export interface MachineIsolation {
  engine: string
  version: string
  /** What the network allows; endpoints can be reached in any case. */
  network: 'none' | 'open' | 'allow-list'
  /** Name or number inside. */
  user: string
  /** Limited for all processes together, for each process, or not at all. */
  memory: 'together' | 'each' | 'none'
  cpus: 'enforced' | 'none'
  /** The limit is for each program; only if `memory` is `together` is it for the whole machine. */
  processes: 'enforced' | 'none'
  /** `watched`: measured regularly, and the machine is stopped if it exceeds the limit. */
  disk: 'enforced' | 'watched'
  systemCalls: 'filtered' | 'all'
}

export type Refusal = 'not-listed' | 'private-address' | 'other-name' | 'not-tls' | 'not-http'

/** Connections through a machine's list of allowed addresses. */
export interface MachineTraffic {
  /** Number of allowed connections and requests. */
  passed: number
  /** The first refusals, by address and reason. */
  refused: { address: string; reason: Refusal; times: number }[]
  /** Number of further refusals. */
  refusedOthers: number
}

/** The usage of all programs of a machine; null if unknown. */
export interface MachineUsage {
  cpuSeconds: number | null
  memoryBytes: number | null
  processes: number | null
  diskBytes: number | null
}

/** A program to run in a machine. */
export interface MachineProgram {
  argv: readonly string[]
  /** Size in characters; null for pipes instead of a terminal. */
  terminal: { columns: number; rows: number } | null
  /** Absolute path inside; by default the machine's `workdir`. */
  cwd?: string
  /** In addition to the machine's variables. */
  env?: Record<string, string>
}

/** A running program in a machine, and its streams. */
export interface Channel {
  input: Writable
  output: Readable
  /** Null with a terminal, where errors are part of `output`. */
  errors: Readable | null
  /** In characters. Does nothing without a terminal. */
  resize(columns: number, rows: number): void
  /** `all`: the program and its descendants. Does nothing if they have ended. */
  signal(name: 'INT' | 'QUIT' | 'TERM' | 'KILL', to: 'all' | 'descendants'): Promise<void>
  /** Number of running descendants of the program. */
  descendants(): Promise<number>
  /**
   * Resolves when the program and its descendants have ended. `code` is null if a signal ended the program, even if the engine
   * reports that as 128 + signal number. Both are null if the engine was lost.
   */
  exit: Promise<{ code: number | null; signal: string | null; outOfMemory: boolean }>
  /** Ends the program and its descendants; resolves when they have ended. */
  end(): Promise<void>
}

/** Files of a machine, saved under a name; new machines can start with them. */
export interface Snapshot {
  name: string
  /** A machine that starts with these files must have the same profile. */
  profile: MachineSpec['profile']
  /** Size on disk. */
  bytes: number
  /** Milliseconds since 1970. */
  createdAt: number
  /** The id of the machine whose files were saved. */
  machine: string
}

export interface SnapshotRequest {
  /** Letters, digits, dots and dashes; must not be in use. */
  name: string
  maxBytes: number
}

/** One machine. Its files persist between programs until `remove`. */
export interface Machine {
  isolation: MachineIsolation
  /** Whether it began with the files that an earlier machine left under its name. */
  goesOn: boolean
  /** Starts a program. Throws `NotRun` if it cannot run. */
  open(program: MachineProgram): Promise<Channel>
  /** Creates or replaces a file inside; follows no links. Throws `NotRun` for a path that is refused. */
  write(path: string, content: Buffer | Readable, mode: number): Promise<void>
  /** Reads a file inside; follows no links. Throws `NotRun` for a path that is refused. */
  read(path: string): Promise<Readable>
  usage(): Promise<MachineUsage>
  /** Null unless its network is a list of addresses. */
  traffic(): MachineTraffic | null
  /** Saves its files, not its programs, which are paused until it is done. Null if the engine cannot. */
  snapshot: ((request: SnapshotRequest) => Promise<Snapshot>) | null
  /** Ends every program; resolves when they have ended. The files stay, and programs can be opened afterwards. */
  endPrograms(): Promise<void>
  /** Ends every program, within a second; the files stay. No program can be opened afterwards. */
  stop(): Promise<void>
  /** Stops it; its files stay under its name. Null if the engine cannot, or the machine has no name. */
  leave: (() => Promise<void>) | null
  /** Stops it and deletes its files. */
  remove(): Promise<void>
}

/** Creates machines. */
export interface MachineEngine {
  name: string
  version: string
  /** Throws `NotRun` if a part of `spec` cannot be enforced; leaves nothing behind then. */
  create(spec: MachineSpec): Promise<Machine>
  /** Null if the engine does not support snapshots. */
  snapshots: { list(): Snapshot[] | Promise<Snapshot[]>; remove(name: string): Promise<boolean> } | null
  /** Removes machines whose owner has died, except those with a name that is needed; resolves with their number. */
  sweep(isNeeded?: (name: string) => boolean): Promise<number>
  /** The names under which files were left, with their bytes on disk; null if these are unknown. */
  left(): Promise<ReadonlyMap<string, number | null>>
  /** Deletes the files left under a name, if there are any. */
  forget(name: string): Promise<void>
}
