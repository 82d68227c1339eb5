import { pipeline } from 'node:stream/promises'
import { Readable, type Writable } from 'node:stream'
import type { OpenFolder } from '#server/foreign/index.ts'
import { type Descriptor, type RunningProcess, startProcess } from '#server/process/start.ts'

const GRACE_MS = 500
const DEADLINE_MS = 300_000
const MAX_BYTES = 256 * 1024 * 1024
const MAX_ERROR_BYTES = 64 * 1024
/** Settings with which git runs no program from a repository's or the user's settings, and fetches nothing. */
const SAFE = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'tar.umask=0022']

export interface GitPlaces {
  /** The PATH on which git is searched. */
  path: string
  userHome: string
}

export interface GitCall {
  args: readonly string[]
  env?: Record<string, string>
  /** Settings in addition to the safe ones, which they may override. */
  config?: readonly string[]
  input?: Iterable<Buffer | string> | AsyncIterable<Buffer | string>
  /** Folders that git inherits; `placeOf` says how it calls them. */
  folders?: readonly OpenFolder[]
  deadlineMs?: number
  signal: AbortSignal
}

/** The path of an inherited folder for git, which leads to this very folder whatever happens to its own path. */
export const placeOf = (folders: readonly OpenFolder[], index: number): string => {
  const { fd, path } = folders[index]!
  return fd === null ? path : `/proc/self/fd/${STANDARD + index}`
}
/** The number of standard descriptors, after which the inherited ones come. */
const STANDARD = 3

/** An environment in which git ignores the user's settings. */
export const safeEnv = ({ path, userHome }: GitPlaces): Record<string, string> => ({
  PATH: path,
  HOME: userHome,
  LANG: 'C.UTF-8',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'none', // unlike protocol.allow, no setting of a repository overrides it
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
})
export const safeArgs = (args: readonly string[], config: readonly string[] = []): string[] => [
  'git',
  ...SAFE,
  ...config.flatMap((setting) => ['-c', setting]),
  ...args,
]

export interface GitStart extends Pick<GitCall, 'args' | 'env' | 'config' | 'folders' | 'deadlineMs'> {
  descriptors: readonly [Descriptor, Descriptor, Descriptor]
  signal?: AbortSignal
}

/** Starts git with the safe settings. */
export const startGit = (
  places: GitPlaces,
  { args, env, config, folders = [], deadlineMs, descriptors, signal }: GitStart,
): Promise<RunningProcess> =>
  startProcess({
    command: '/usr/bin/env',
    args: safeArgs(args, config),
    cwd: '/',
    env: { ...safeEnv(places), ...env },
    deadlineMs: deadlineMs ?? DEADLINE_MS,
    graceMs: GRACE_MS,
    output: { descriptors: [...descriptors, ...folders.map(({ fd }) => fd ?? 'ignore')] },
    ...(signal && { signal }),
  })

/** The whole output of one command. Throws with git's message if it fails. */
export async function gitBytes(places: GitPlaces, { args, env, config, input, folders, deadlineMs, signal }: GitCall): Promise<Buffer> {
  const running = await startGit(places, {
    args,
    env,
    config,
    folders,
    deadlineMs,
    signal,
    descriptors: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  const [stdin, stdout, stderr] = running.streams as [Writable | null, Readable, Readable]
  const written = input === undefined || !stdin ? Promise.resolve() : pipeline(Readable.from(input), stdin)
  const failure = written.then(
    () => null,
    (error: unknown) => error as Error,
  )
  const [out, errors, { code, endedBy }] = await Promise.all([
    readLimited(stdout, MAX_BYTES),
    readLimited(stderr, MAX_ERROR_BYTES),
    running.exit,
  ])
  signal.throwIfAborted()
  const inputError = await failure
  if (code === 0 && out !== null && inputError === null) return out
  if (inputError !== null && (inputError as NodeJS.ErrnoException).code !== 'EPIPE') throw inputError // the input ended git, not git the input
  const lastErrorLine = (errors?.toString('utf8') ?? '').trim().split('\n').at(-1) ?? ''
  const why =
    endedBy === 'deadline'
      ? 'it took too long'
      : out === null
        ? 'it printed too much'
        : lastErrorLine || inputError?.message || `it ended with ${code ?? 'a signal'}`
  throw new Error(`git ${args.find((one) => /^[a-z]/.test(one)) ?? ''}: ${why}`)
}

/** Null if the stream is longer. */
async function readLimited(stream: Readable, maxBytes: number): Promise<Buffer | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of stream) {
    bytes += (part as Buffer).length
    if (bytes <= maxBytes) parts.push(part as Buffer)
  }
  return bytes > maxBytes ? null : Buffer.concat(parts)
}
