import type { Readable, Writable } from 'node:stream'

/** What the programs of a machine may reach. An engine that cannot enforce it does not create the machine. */
export type MachineNetwork = 'none' | 'open' | { allow: { host: string; port: number }[] }

/** A port of the machine's loopback that leads to one of this machine's, whatever its network. */
export interface MachineEndpoint {
  port: number
  to: number
}

/** Bounds of all programs of a machine together; `openFiles` and `fileBytes` are for each process and each file. */
export interface MachineLimits {
  memoryBytes: number
  /** Cores; 0.5 is half of one. */
  cpus: number
  /** Processes and threads at once. */
  processes: number
  diskBytes: number
  openFiles: number
  fileBytes: number
}

/** What is asked of an engine. */
export interface MachineSpec {
  /** The caller's name of the machine. */
  id: string
  /** `host`, the name of a snapshot, or one that the engine knows. */
  image: string
  /** `machine`: uid 0 inside, system folders writable. `strict`: user 1000, nothing writable but its own places. */
  profile: 'machine' | 'strict'
  /** Absolute, inside; null: the one of the image. Created if it is missing. */
  workdir: string | null
  /** In addition to the engine's own PATH, HOME, USER, LANG and TERM. */
  env: Record<string, string>
  network: MachineNetwork
  /** Ports that its programs reach in addition. An engine that cannot provide them does not create the machine. */
  endpoints?: readonly MachineEndpoint[]
  limits: MachineLimits
  /** Folders of this machine that are shown at the same place and cannot be written; profile `strict` only. */
  readOnly?: readonly string[]
  /** Kept with the machine, never seen inside. */
  labels: Record<string, string>
}

/** The isolation as it was applied and verified, not as it was requested. */
export interface MachineIsolation {
  engine: string
  version: string
  /** In addition to its endpoints. */
  network: 'none' | 'open' | 'allow-list'
  /** Name or number inside. */
  user: string
  /** Over all processes, for each of them by itself, or not at all. */
  memory: 'together' | 'each' | 'none'
  cpus: 'enforced' | 'none'
  /** Where memory is not together, for each program by itself. */
  processes: 'enforced' | 'none'
  /** `watched`: looked at while the machine runs, which is stopped when it is over. */
  disk: 'enforced' | 'watched'
  systemCalls: 'filtered' | 'all'
}

export type Refusal = 'not-listed' | 'private-address' | 'other-name' | 'not-tls' | 'not-http'

/** What programs of a machine asked of its list of addresses. */
export interface MachineTraffic {
  /** Connections and requests that were let through. */
  passed: number
  /** By address and reason, the first ones. */
  refused: { address: string; reason: Refusal; times: number }[]
  /** Further refusals. */
  refusedOthers: number
}

/** Of all programs of a machine; null is unknown. */
export interface MachineUsage {
  cpuSeconds: number | null
  memoryBytes: number | null
  processes: number | null
  diskBytes: number | null
}

/** A program to run in a machine. */
export interface MachineProgram {
  argv: readonly string[]
  /** In characters; null: pipes instead of a terminal. */
  terminal: { columns: number; rows: number } | null
  /** Absolute, inside; the machine's `workdir` by default. */
  cwd?: string
  /** In addition to the machine's. */
  env?: Record<string, string>
}

/** A program that runs in a machine, and its streams. */
export interface Channel {
  input: Writable
  output: Readable
  /** Null: joined with `output`, always so with a terminal. */
  errors: Readable | null
  /** In characters. Does nothing if there is no terminal. */
  resize(columns: number, rows: number): void
  /** `all`: the program and what it started. `descendants`: only what it started. Does nothing if none is left. */
  signal(name: 'INT' | 'QUIT' | 'TERM' | 'KILL', to: 'all' | 'descendants'): Promise<void>
  /** How many processes the program started that are not gone. */
  descendants(): Promise<number>
  /** How the program ended; `code` is null if a signal ended it, or its code says so (128 + number); both are null if the engine was lost. Resolves when nothing it started lives. */
  exit: Promise<{ code: number | null; signal: string | null; outOfMemory: boolean }>
  /** Ends the program and all it started; resolves when they are gone. */
  end(): Promise<void>
}

/** Files of a machine that were kept under a name; a machine can be made from them. */
export interface Snapshot {
  name: string
  /** A machine made from it must have the same. */
  profile: MachineSpec['profile']
  /** On disk. */
  bytes: number
  /** Milliseconds since 1970. */
  createdAt: number
  /** The caller's name of the machine it was taken of. */
  machine: string
}

export interface SnapshotRequest {
  /** Letters, digits, dots and dashes; not taken yet. */
  name: string
  mostBytes: number
}

/** One machine. Its files stay from program to program until `remove`. */
export interface Machine {
  isolation: MachineIsolation
  /** Starts a program. Throws `NotRun` if it cannot run. */
  open(program: MachineProgram): Promise<Channel>
  /** Makes or replaces a file inside; no link on the way is followed. Throws `NotRun` for a path that is refused. */
  write(path: string, content: Buffer | Readable, mode: number): Promise<void>
  /** The content of a file inside; no link on the way is followed. Throws `NotRun` for a path that is refused. */
  read(path: string): Promise<Readable>
  usage(): Promise<MachineUsage>
  /** Null: its network is no list of addresses. */
  traffic(): MachineTraffic | null
  /** Keeps its files as they are now; its programs are paused meanwhile, and are no part of it. Null: the engine cannot. */
  snapshot: ((request: SnapshotRequest) => Promise<Snapshot>) | null
  /** Ends every program that runs; the files stay, and others can be opened afterwards. Resolves when they are gone. */
  endPrograms(): Promise<void>
  /** Ends every program, within a second; the files stay. No program can be opened afterwards. */
  stop(): Promise<void>
  /** Stops it and deletes its files. */
  remove(): Promise<void>
}

/** A way to have machines here. */
export interface MachineEngine {
  name: string
  version: string
  /** Throws `NotRun` with the part of `spec` that cannot be enforced; nothing is left behind. */
  create(spec: MachineSpec): Promise<Machine>
  /** Null: the engine has none. */
  snapshots: { list(): Snapshot[] | Promise<Snapshot[]>; remove(name: string): Promise<boolean> } | null
  /** Removes what a dead owner left; how many machines. */
  sweep(): Promise<number>
}
