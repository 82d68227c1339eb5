import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Sandbox, SandboxSpec } from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import type { Machine, MachineEndpoint, MachineEngine } from '#server/adapters/sandbox/index.ts'
import { openShell } from '../shell/shell.ts'
import { engineError, machineSpec } from './engines.ts'
import type { Recordings } from './recording.ts'
import { Session, DEFAULT_SIZE } from './session.ts'

/** Output of a set-up command that an error carries. */
const TAIL_CHARACTERS = 2000

interface Request {
  id: string
  spec: SandboxSpec
  readOnly: readonly string[]
  endpoints: readonly MachineEndpoint[]
  recordings: Recordings
  onPhase: (phase: NonNullable<Sandbox['phase']>) => void
  /** Ends the start; nothing is left of it. */
  signal: AbortSignal
}

/** Makes the machine, copies the files in, runs the set-up commands and opens the main session. What fails undoes all of it. */
export async function startMachine(engine: MachineEngine, request: Request): Promise<{ machine: Machine; main: Session }> {
  const { id, spec, readOnly, endpoints, recordings, onPhase, signal } = request
  signal.throwIfAborted()
  onPhase('creating')
  const machine = await engine.create(machineSpec(id, spec, { readOnly, endpoints })).catch((error: unknown) => {
    throw engineError(error)
  })
  const stop = () => void machine.stop().catch(() => {}) // the failure of what it was doing is told
  signal.addEventListener('abort', stop)
  try {
    if (spec.files.length > 0) onPhase('files')
    for (const file of spec.files) await writeFile(machine, file)
    if (spec.setupCommands.length > 0) {
      onPhase('setup')
      await setUp(machine, spec)
    }
    signal.throwIfAborted()
    onPhase('session')
    const main = await openSession(machine, { sandbox: id, name: 'main', isTerminal: spec.tty, recordings })
    signal.throwIfAborted()
    return { machine, main }
  } catch (error) {
    await machine.remove()
    signal.throwIfAborted()
    throw engineError(error)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

interface SessionRequest {
  sandbox: string
  name: string
  isTerminal: boolean
  recordings: Recordings
}

export async function openSession(machine: Machine, { sandbox, name, isTerminal, recordings }: SessionRequest): Promise<Session> {
  const shell = await openShell(machine, { terminal: isTerminal ? DEFAULT_SIZE : null, outputFolder: null })
  return new Session({ name, shell, isTerminal, recording: recordings.start(sandbox, name, DEFAULT_SIZE) })
}

export function writeFile(machine: Machine, { path, content, encoding, mode }: SandboxSpec['files'][number]): Promise<void> {
  return machine.write(path, Buffer.from(content, encoding), mode).catch((error: unknown) => {
    throw engineError(error, 'path_refused')
  })
}

/** With the machine's own tar: nothing in the archive can lead out of it. */
export async function unpack(machine: Machine, folder: string, tar: Readable): Promise<void> {
  const channel = await machine.open({
    argv: ['tar', '--extract', '--file=-', `--directory=${folder}`, '--no-same-owner'],
    terminal: null,
  })
  let output = ''
  for (const stream of [channel.output, channel.errors])
    stream?.on('data', (bytes: Buffer) => (output += bytes.toString('utf8', 0, TAIL_CHARACTERS).slice(0, TAIL_CHARACTERS - output.length)))
  const sent = pipeline(tar, channel.input).catch((error: unknown) => error as Error) // tar that has ended closes its input: its exit code tells
  const { code } = await channel.exit
  const failure = await sent
  if (code === 0 && failure === undefined) return
  throw new AppError('engine_failed', {
    message: `The files could not be copied into the sandbox: ${output.trim() || (failure?.message ?? `tar ended with ${code ?? 'a signal'}`)}`,
    cause: failure,
  })
}

/** Ends all programs of its user, then gives a folder of it as a tar stream, its `.git` and `leftOut` left out. `done` rejects where that could not be read whole. */
export function readOut(machine: Machine, folder: string, leftOut: readonly string[]): Promise<{ tar: Readable; done: Promise<void> }> {
  return tarFrom(machine, ['/bin/sh', '-c', `kill -KILL -1 2>/dev/null; ${WHOLE}`, 'sh', folder, ...leftOut.map(excluded)])
}

/** The same while its programs go on. */
export const lookInto = (machine: Machine, folder: string, leftOut: readonly string[]): Promise<{ tar: Readable; done: Promise<void> }> =>
  tarFrom(machine, ['/bin/sh', '-c', WHOLE, 'sh', folder, ...leftOut.map(excluded)])

const WHOLE = 'cd "$1" || exit 1; shift; exec tar --create --file=- --hard-dereference --exclude=.git "$@" .'
const excluded = (name: string) => `--exclude=./${name}`

async function tarFrom(machine: Machine, argv: readonly string[]): Promise<{ tar: Readable; done: Promise<void> }> {
  const channel = await machine.open({ argv, terminal: null, cwd: '/' })
  channel.input.end()
  let errorText = ''
  channel.errors?.on('data', (bytes: Buffer) => (errorText += bytes.toString('utf8').slice(0, TAIL_CHARACTERS - errorText.length)))
  const ended = async () => {
    const { code } = await channel.exit
    if (code === 0) return
    const why = errorText.trim() || `tar ended with ${code ?? 'a signal'}`
    throw new AppError('engine_failed', { message: `The files could not be read out of the sandbox: ${why}` })
  }
  const done = ended()
  done.catch(() => {}) // told to who awaits it
  return { tar: channel.output, done }
}

/** Some files and folders of a folder of it as a tar stream, those that are there; what runs in it goes on. */
export function copyOut(machine: Machine, folder: string, names: readonly string[]): Promise<{ tar: Readable; done: Promise<void> }> {
  const script = 'cd "$1" || exit 1; shift; for one; do shift; [ -e "$one" ] && set -- "$@" "$one"; done; [ $# -eq 0 ] || exec tar --create --file=- --hard-dereference -- "$@"' // prettier-ignore
  return tarFrom(machine, ['/bin/sh', '-c', script, 'sh', folder, ...names])
}

/** One fresh shell for all: a `cd` reaches the next command, not the session. */
async function setUp(machine: Machine, { setupCommands, setupTimeoutSec, limits }: SandboxSpec): Promise<void> {
  const shell = await openShell(machine, { terminal: null, outputFolder: null })
  const until = performance.now() + setupTimeoutSec * 1000
  try {
    for (const [index, command] of setupCommands.entries()) {
      const timeoutSec = Math.max((until - performance.now()) / 1000, 0.1)
      const { exitCode, output, timedOut, sessionEnd } = await shell.exec({ command, timeoutSec, maxOutputBytes: limits.outputBytes })
      if (exitCode !== 0 || timedOut)
        throw new AppError('setup_failed', {
          message: timedOut
            ? `Set-up took longer than ${setupTimeoutSec} s; it was at command ${index + 1}: ${short(command)}`
            : `Set-up command ${index + 1} ended with exit code ${exitCode ?? 'unknown'}: ${short(command)}`,
          details: { index, command, exitCode, outputTail: output.slice(-TAIL_CHARACTERS) },
        })
      if (sessionEnd !== null) return
    }
  } finally {
    await shell.end()
  }
}

const short = (command: string) => (command.length > 200 ? `${command.slice(0, 200)}…` : command)
