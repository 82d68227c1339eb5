import { pipeline } from 'node:stream/promises'
import { Readable, type Writable } from 'node:stream'
import { startProcess } from '#server/process/start.ts'

const GRACE_MS = 500
const DEADLINE_MS = 300_000
const MAX_BYTES = 256 * 1024 * 1024
const MAX_ERROR_BYTES = 64 * 1024
/** Nothing is run that a repository or its user configures, and nothing is fetched. */
const SAFE = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'protocol.allow=never', '-c', 'tar.umask=0022']

export interface GitPlaces {
  /** Where git is looked for. */
  path: string
  userHome: string
}

export interface GitCall {
  args: readonly string[]
  env?: Record<string, string>
  /** Settings in addition to the safe ones, which they may override. */
  config?: readonly string[]
  input?: Iterable<Buffer | string> | AsyncIterable<Buffer | string>
  deadlineMs?: number
  signal: AbortSignal
}

/** What the user's git needs to be found, and nothing of how they set it up. */
export const safeEnv = ({ path, userHome }: GitPlaces): Record<string, string> => ({
  PATH: path,
  HOME: userHome,
  LANG: 'C.UTF-8',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
})
export const safeArgs = (args: readonly string[], config: readonly string[] = []): string[] => [
  'git',
  ...SAFE,
  ...config.flatMap((one) => ['-c', one]),
  ...args,
]

/** The whole output of one command. Throws with git's message if it fails. */
export async function gitBytes(places: GitPlaces, { args, env, config, input, deadlineMs, signal }: GitCall): Promise<Buffer> {
  const running = await startProcess({
    command: '/usr/bin/env',
    args: safeArgs(args, config),
    cwd: '/',
    env: { ...safeEnv(places), ...env },
    deadlineMs: deadlineMs ?? DEADLINE_MS,
    graceMs: GRACE_MS,
    output: { descriptors: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] },
    signal,
  })
  const [stdin, stdout, stderr] = running.streams as [Writable | null, Readable, Readable]
  const sent = input === undefined || !stdin ? Promise.resolve() : pipeline(Readable.from(input), stdin)
  const failure = sent.then(
    () => null,
    (error: unknown) => error as Error,
  )
  const [out, errors, { code, endedBy }] = await Promise.all([kept(stdout, MAX_BYTES), kept(stderr, MAX_ERROR_BYTES), running.exit])
  signal.throwIfAborted()
  const broken = await failure
  if (code === 0 && out !== null && broken === null) return out
  const lastErrorLine = (errors?.toString('utf8') ?? '').trim().split('\n').at(-1) ?? ''
  const why =
    endedBy === 'deadline'
      ? 'it took too long'
      : out === null
        ? 'it printed too much'
        : lastErrorLine || broken?.message || `it ended with ${code ?? 'a signal'}`
  throw new Error(`git ${args.find((one) => /^[a-z]/.test(one)) ?? ''}: ${why}`)
}

/** Null: it was more than that. */
async function kept(stream: Readable, most: number): Promise<Buffer | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of stream) {
    bytes += (part as Buffer).length
    if (bytes <= most) parts.push(part as Buffer)
  }
  return bytes > most ? null : Buffer.concat(parts)
}
