import { z } from 'zod'
import { Instant } from './common.ts'
import { GuardOverrides } from './guardrail.ts'
import { askedField, notAPlace, reachField } from '../places.ts'

/** The engine of a sandbox. */
export const SandboxBackend = z.enum(['bubblewrap', 'docker']).meta({ id: 'SandboxBackend' })
export type SandboxBackend = z.infer<typeof SandboxBackend>

export const SandboxProfile = z.enum(['machine', 'strict']).meta({
  id: 'SandboxProfile',
  description: 'machine: runs as user 0 and can write system folders; strict: runs as user 1000 in /home/user',
})
export type SandboxProfile = z.infer<typeof SandboxProfile>

const Text = z.string().refine((text) => !text.includes('\0'), 'must not contain a NUL byte')
const Command = Text.max(1_048_576)
/** A path inside a sandbox. */
export const SandboxPath = notAPlace(
  Text.min(1).max(4096).startsWith('/', 'must be an absolute path inside the sandbox'),
  'a path inside a sandbox',
)
const EnvironmentName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be a name of letters, digits and _')

export const SandboxAddress = z.string().regex(/^[A-Za-z0-9.-]{1,253}:(?!0+$)[0-9]{1,5}$/, 'must be host:port')
export const SandboxNetwork = z
  .union([
    askedField(z.enum(['none', 'open']), 'Give a sandbox the network', {
      title: 'Confirm giving a sandbox the network',
      harmless: ['none'],
      words: { open: 'all addresses that this machine reaches' },
    }),
    z.object({ allow: z.array(reachField(SandboxAddress, 'Let the programs of a sandbox reach an address')).min(1).max(100) }),
  ])
  .meta({ id: 'SandboxNetwork' })
export type SandboxNetwork = z.infer<typeof SandboxNetwork>

export const SandboxLimits = z
  .object({
    memoryMb: z.number().int().min(16).max(1_048_576).default(512),
    cpus: z.number().min(0.1).max(256).default(1),
    pids: z.number().int().min(8).max(32_768).default(256),
    diskMb: z.number().int().min(1).max(1_048_576).default(1024),
    nofile: z.number().int().min(16).max(1_048_576).default(1024),
    fileMb: z.number().int().min(1).max(1_048_576).default(512).meta({ description: 'size of one file' }),
    outputBytes: z
      .number()
      .int()
      .min(1024)
      .max(16_777_216)
      .default(1_048_576)
      .meta({ description: 'how much output of a command is kept; the middle of longer output is removed' }),
  })
  .meta({ id: 'SandboxLimits' })
export type SandboxLimits = z.infer<typeof SandboxLimits>

export const SandboxFile = z
  .object({
    path: SandboxPath,
    content: z.string().max(8_388_608),
    encoding: z.enum(['utf8', 'base64']).default('utf8'),
    mode: z.number().int().min(0).max(0o777).default(0o644),
  })
  .meta({ id: 'SandboxFile' })
export type SandboxFile = z.infer<typeof SandboxFile>

const timeout = (seconds: number, description: string) => z.number().int().min(1).max(86_400).default(seconds).meta({ description })

/** Options of a new sandbox, which is not started yet. */
export const SandboxSpec = z
  .object({
    image: notAPlace(Text.min(1).max(300), 'an image or a snapshot that is already here; none is downloaded')
      .default('host')
      .meta({ description: "host is this machine's system, read-only" }),
    name: Text.min(1).max(100).nullable().default(null),
    backend: z.enum(['auto', ...SandboxBackend.options]).default('auto'),
    profile: SandboxProfile.default('machine'),
    tty: z.boolean().default(true).meta({ description: 'whether sessions have a terminal; otherwise stdout and stderr are pipes' }),
    workdir: SandboxPath.nullable().default(null),
    env: z.record(EnvironmentName, Text.max(131_072)).default({}),
    labels: z.record(z.string().min(1).max(100), z.string().max(300)).default({}),
    files: z.array(SandboxFile).max(1000).default([]),
    setupCommands: z.array(Command).max(1000).default([]),
    network: SandboxNetwork.default('none'),
    guard: GuardOverrides.default({}).meta({ description: 'verdicts by rule id that override those of guardrail rules' }),
    limits: SandboxLimits.prefault({}),
    commandTimeoutSec: z.number().min(0.1).max(3600).default(120).meta({ description: 'limit for each command' }),
    setupTimeoutSec: timeout(600, 'limit for all set-up commands together'),
    idleTimeoutSec: timeout(600, 'how long it may be idle before it is stopped'),
    lifetimeSec: timeout(3600, 'how long it may run before it is stopped'),
  })
  .meta({ id: 'SandboxSpec' })
export type SandboxSpec = z.infer<typeof SandboxSpec>

/** The isolation that was applied and verified, not the requested one. */
export const SandboxIsolation = z
  .object({
    engine: z.string(),
    version: z.string(),
    network: z.enum(['none', 'open', 'allow-list']),
    user: z.string(),
    memory: z
      .enum(['together', 'each', 'none'])
      .meta({ description: 'whether the limit applies to all processes together, to each process, or not at all' }),
    cpus: z.enum(['enforced', 'none']),
    processes: z.enum(['enforced', 'none']),
    disk: z.enum(['enforced', 'watched']),
    systemCalls: z.enum(['filtered', 'all']),
  })
  .meta({ id: 'SandboxIsolation' })

/** Connections that programs made or tried to make, in a sandbox with allowed addresses. */
export const SandboxTraffic = z
  .object({
    passed: z.number().int().meta({ description: 'allowed connections and requests' }),
    refused: z.array(
      z.object({
        address: z.string(),
        reason: z.enum(['not-listed', 'private-address', 'other-name', 'not-tls', 'not-http']),
        times: z.number().int(),
      }),
    ),
    refusedOthers: z.number().int().meta({ description: 'refused connections to addresses beyond the first 100' }),
  })
  .meta({ id: 'SandboxTraffic' })
export type SandboxTraffic = z.infer<typeof SandboxTraffic>

export const SandboxStatus = z.enum(['created', 'started', 'exited', 'stopped']).meta({
  id: 'SandboxStatus',
  description: 'exited: its main session has ended; standalone commands and files still work',
})
export type SandboxStatus = z.infer<typeof SandboxStatus>
export const SandboxEndReason = z
  .enum(['stopped', 'idle', 'lifetime', 'session_lost', 'owner_died', 'start_failed'])
  .meta({ id: 'SandboxEndReason' })
export type SandboxEndReason = z.infer<typeof SandboxEndReason>

export const SandboxSessionName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/)

/** The id of a window of the app, chosen by the window. */
export const SandboxWindow = z.string().regex(/^[A-Za-z0-9-]{1,40}$/)

/** The terminal of an open session. */
export const SandboxTerminal = z
  .object({
    session: SandboxSessionName,
    isTerminal: z.boolean().meta({ description: 'false for pipes, which cannot be typed into' }),
    takenOverBy: z.string().nullable().meta({ description: 'the window that types into the shell; null if commands can run' }),
    columns: z.number().int(),
    rows: z.number().int(),
  })
  .meta({ id: 'SandboxTerminal' })
export type SandboxTerminal = z.infer<typeof SandboxTerminal>

export const Sandbox = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    image: z.string(),
    backend: SandboxBackend,
    profile: SandboxProfile,
    tty: z.boolean(),
    workdir: z.string().nullable(),
    envNames: z.array(z.string()).meta({ description: 'only names, because values may be secret' }),
    labels: z.record(z.string(), z.string()),
    setupCommands: z.array(z.string()),
    network: SandboxNetwork,
    guard: GuardOverrides,
    limits: SandboxLimits,
    commandTimeoutSec: z.number(),
    setupTimeoutSec: z.number(),
    idleTimeoutSec: z.number(),
    lifetimeSec: z.number(),
    status: SandboxStatus,
    phase: z.enum(['queued', 'creating', 'files', 'setup', 'session']).nullable().meta({ description: 'phase of a start in progress' }),
    queuePosition: z.number().int().nullable().meta({ description: '1 is next' }),
    busy: z.boolean(),
    sessions: z.array(z.string()).meta({ description: 'names of open sessions' }),
    terminals: z.array(SandboxTerminal).meta({ description: 'terminals of the open sessions' }),
    sessionCommandCount: z.number().int(),
    lastStandaloneExitCode: z.number().int().nullable(),
    isolation: SandboxIsolation.nullable().meta({ description: 'null if it never ran' }),
    traffic: SandboxTraffic.nullable().meta({ description: 'null if it has no allowed addresses or never ran' }),
    createdAt: Instant,
    startedAt: Instant.nullable(),
    lastUsedAt: Instant.nullable(),
    expiresAt: Instant.nullable().meta({ description: 'when it will be stopped if no command runs' }),
    endedAt: Instant.nullable(),
    endReason: SandboxEndReason.nullable(),
    kept: z
      .object({ bytes: z.number().int().nullable().meta({ description: 'null until they are measured' }) })
      .nullable()
      .meta({ description: 'the files of a stopped sandbox that can be started again with them; null if it has none' }),
    error: z.string().nullable().meta({ description: 'why it could not be started or was lost' }),
  })
  .meta({ id: 'Sandbox' })
export type Sandbox = z.infer<typeof Sandbox>

export const SandboxExec = z
  .object({
    command: z.string().max(1_048_576),
    standalone: z.boolean().default(false).meta({ description: 'run in a separate process instead of the session' }),
    session: SandboxSessionName.default('main'),
    timeoutSec: z.number().min(0.1).max(3600).optional(),
    maxOutputBytes: z.number().int().min(1024).max(16_777_216).optional(),
    stdin: z.string().max(8_388_608).optional().meta({ description: 'standalone only' }),
    cwd: SandboxPath.optional().meta({ description: 'standalone only' }),
    env: z.record(EnvironmentName, Text.max(131_072)).optional().meta({ description: 'standalone only' }),
    wait: z.boolean().default(true).meta({ description: 'wait until the session is free; otherwise a busy session is an error' }),
  })
  .meta({ id: 'SandboxExec' })
export type SandboxExec = z.infer<typeof SandboxExec>

export const SandboxResult = z
  .object({
    output: z.string(),
    stderr: z.string().nullable().meta({ description: 'null if `output` includes it, in order' }),
    before: z.string().meta({ description: 'output since the previous command, for example from background jobs' }),
    exitCode: z.number().int(),
    exited: z.boolean().meta({ description: 'true if the command ended the session' }),
    timedOut: z.boolean(),
    signalSent: z.enum(['INT', 'QUIT', 'KILL']).nullable(),
    durationMs: z.number(),
    outputBytes: z.number().int(),
    truncated: z.boolean(),
  })
  .meta({ id: 'SandboxResult' })
export type SandboxResult = z.infer<typeof SandboxResult>

export const TrajectoryEntry = z
  .object({
    index: z.number().int(),
    session: z.string(),
    command: z.string(),
    isTyped: z.boolean().meta({ description: 'typed by a person who took over the terminal, so guardrails did not check it' }),
    at: z.number().meta({ description: 'seconds since the start' }),
    blocked: z
      .object({ rule: z.string().nullable(), reason: z.string() })
      .nullable()
      .meta({ description: 'the guardrail rule that blocked it, so that it did not run' }),
    result: SandboxResult.nullable().meta({ description: 'null if it never ended, or was blocked' }),
  })
  .meta({ id: 'TrajectoryEntry' })
export type TrajectoryEntry = z.infer<typeof TrajectoryEntry>

export const SandboxUsage = z
  .object({
    id: z.string(),
    cpuSeconds: z.number().nullable(),
    memoryBytes: z.number().nullable(),
    processes: z.number().nullable(),
    diskBytes: z.number().nullable(),
    traffic: SandboxTraffic.nullable().meta({ description: 'null if it has no allowed addresses' }),
  })
  .meta({ id: 'SandboxUsage' })
export type SandboxUsage = z.infer<typeof SandboxUsage>

export const SandboxCapacity = z
  .object({
    limit: z.number().int(),
    running: z.number().int(),
    queued: z.array(z.object({ id: z.string(), position: z.number().int() })),
    queueLimit: z.number().int(),
  })
  .meta({ id: 'SandboxCapacity' })
export type SandboxCapacity = z.infer<typeof SandboxCapacity>

export const SandboxBackendState = z
  .object({
    name: SandboxBackend,
    available: z.boolean(),
    version: z.string().nullable(),
    reason: z.string().nullable().meta({ description: 'why it cannot be used, and what to do' }),
    images: z.array(z.string()).meta({ description: 'images that are already on this machine' }),
  })
  .meta({ id: 'SandboxBackendState' })
export type SandboxBackendState = z.infer<typeof SandboxBackendState>
