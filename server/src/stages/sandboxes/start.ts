import type { Sandbox, SandboxSpec } from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import type { Machine, MachineEndpoint, MachineEngine, ReadOnlyFolder } from '#server/adapters/sandbox/index.ts'
import { openShell } from './shell/shell.ts'
import { engineError, machineSpec } from './engines.ts'
import { writeFile } from './files.ts'
import type { Recordings } from './recording.ts'
import { Session, DEFAULT_SIZE } from './session.ts'

/** How much of a set-up command's output an error includes. */
const TAIL_CHARACTERS = 2000

interface Request {
  id: string
  spec: SandboxSpec
  readOnly: readonly ReadOnlyFolder[]
  endpoints: readonly MachineEndpoint[]
  leftAs: string | null
  /** Fails unless an earlier machine left its files. */
  mustGoOn: boolean
  recordings: Recordings
  onPhase: (phase: NonNullable<Sandbox['phase']>) => void
  /** Aborts the start and undoes it. */
  signal: AbortSignal
}

/** What a sandbox should go on with is no longer there. */
export class FilesGone extends AppError {
  constructor() {
    super('engine_failed', { message: 'The files of this sandbox are gone, so it cannot go on.', hint: 'Create another one.' })
  }
}

/** Makes the machine, copies the files in, runs the set-up commands and opens the main session. A machine that goes on with left files is not prepared again. A failure undoes everything, except that files left by an earlier machine stay. */
export async function startMachine(engine: MachineEngine, request: Request): Promise<{ machine: Machine; main: Session }> {
  const { id, spec, readOnly, endpoints, leftAs, mustGoOn, recordings, onPhase, signal } = request
  signal.throwIfAborted()
  onPhase('creating')
  const machine = await engine.create(machineSpec(id, spec, { readOnly, endpoints, leftAs })).catch((error: unknown) => {
    throw engineError(error)
  })
  const stop = () => void machine.stop().catch(() => {}) // the interrupted step throws
  signal.addEventListener('abort', stop)
  try {
    if (mustGoOn && !machine.goesOn) throw new FilesGone()
    const isNew = !machine.goesOn
    if (isNew && spec.files.length > 0) onPhase('files')
    for (const file of isNew ? spec.files : []) await writeFile(machine, file)
    if (isNew && spec.setupCommands.length > 0) {
      onPhase('setup')
      await setUp(machine, spec)
    }
    signal.throwIfAborted()
    onPhase('session')
    const main = await openSession(machine, { sandbox: id, name: 'main', isTerminal: spec.tty, recordings })
    signal.throwIfAborted()
    return { machine, main }
  } catch (error) {
    await (machine.goesOn && machine.leave ? machine.leave() : machine.remove())
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
  const shell = await openShell(machine, { terminal: isTerminal ? DEFAULT_SIZE : null })
  return new Session({ name, shell, isTerminal, recording: recordings.start(sandbox, name, DEFAULT_SIZE) })
}

/** Runs all in one separate shell: a `cd` affects later set-up commands, but not the session. */
async function setUp(machine: Machine, { setupCommands, setupTimeoutSec, limits }: SandboxSpec): Promise<void> {
  const shell = await openShell(machine, { terminal: null })
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
