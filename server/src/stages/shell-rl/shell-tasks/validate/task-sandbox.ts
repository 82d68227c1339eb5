import type { ShellEvidence, ShellTaskBody } from '#contracts/entities/shell-task.ts'
import { SandboxSpec, type SandboxResult } from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { TASK_GUARD } from '../guard.ts'

export interface TaskSandboxDeps {
  sandboxes: Pick<Sandboxes, 'create' | 'start' | 'exec' | 'openSession' | 'stop'>
  /** The image that tasks run in. */
  image?: string
  backend?: SandboxSpec['backend']
  guard?: SandboxSpec['guard']
  /** Time limit of all set-up commands together. */
  setupTimeoutSec?: number
  /** Time limit of a check, and of a solution. */
  commandTimeoutSec?: number
}

/** `neither`: the command was stopped or killed, so it has no verdict. */
export type Outcome = 'passed' | 'refused' | 'neither'

export interface CommandRun {
  outcome: Outcome
  output: string
  truncated: boolean
  evidence: ShellEvidence
}

export interface SetUp {
  isDone: boolean
  output: string
  evidence: ShellEvidence[]
}

const TAIL_CHARACTERS = 2000
const SETUP_SECONDS = 120
const COMMAND_SECONDS = 30
export const MAX_OUTPUT = 16 * 1024 * 1024

/** Runs `use` in a fresh sandbox for one task, which is removed afterwards. Throws if the engine failed. */
export async function inFreshSandbox<T>(deps: TaskSandboxDeps, signal: AbortSignal, use: (sandbox: TaskSandbox) => Promise<T>): Promise<T> {
  const { sandboxes, image = 'host', backend = 'auto', guard = TASK_GUARD } = deps
  const { id } = await sandboxes.create(
    SandboxSpec.parse({ name: 'Validation of a shell task', image, backend, guard, tty: false, labels: { purpose: 'validation' } }),
  )
  try {
    const { isolation } = await sandboxes.start(id, { wait: true }, signal)
    return await use(new TaskSandbox(deps, { id, engine: isolation?.engine ?? 'unknown', signal }))
  } finally {
    await sandboxes.stop(id, true)
  }
}

export class TaskSandbox {
  readonly engine: string
  private readonly deps: TaskSandboxDeps
  private readonly id: string
  private readonly signal: AbortSignal

  constructor(deps: TaskSandboxDeps, { id, engine, signal }: { id: string; engine: string; signal: AbortSignal }) {
    this.deps = deps
    this.id = id
    this.engine = engine
    this.signal = signal
  }

  /** Runs the set-up as a rollout does: one shell for all commands, which then ends. */
  async setUp({ setup }: Pick<ShellTaskBody, 'setup'>, where: string): Promise<SetUp> {
    const { setupTimeoutSec = SETUP_SECONDS } = this.deps
    const until = performance.now() + setupTimeoutSec * 1000
    const evidence: ShellEvidence[] = []
    let output = ''
    for (const [index, command] of setup.entries()) {
      const timeoutSec = Math.max((until - performance.now()) / 1000, 0.1)
      const ran = await this.run(command, { note: `Set-up command ${index + 1} in the ${where}.`, timeoutSec, session: 'main' })
      evidence.push(ran.evidence)
      output += `${ran.output}\n`
      if (ran.outcome !== 'passed') return { isDone: false, output, evidence: [ran.evidence] }
      if (ran.hasExited) return { isDone: true, output, evidence }
    }
    await this.run('exit 0', { note: '', session: 'main' }) // ends programs that the set-up left running
    return { isDone: true, output, evidence }
  }

  check({ check }: Pick<ShellTaskBody, 'check'>, note: string): Promise<CommandRun> {
    return this.run(check, { note })
  }

  /** Runs the solution in its own shell, like the commands of a model. */
  async solve(solution: string): Promise<CommandRun> {
    await this.deps.sandboxes.openSession(this.id, { session: 'solution', tty: false })
    const ran = await this.run(solution, { note: 'The reference solution.', session: 'solution' })
    if (!ran.hasExited) await this.run('exit 0', { note: '', session: 'solution' })
    return ran
  }

  /** Runs a command in a session, or in its own process if there is no `session`. */
  async run(
    command: string,
    { note, session, timeoutSec = this.deps.commandTimeoutSec ?? COMMAND_SECONDS }: { note: string; session?: string; timeoutSec?: number },
  ): Promise<CommandRun & { hasExited: boolean }> {
    const request = { command, standalone: session === undefined, session: session ?? 'main', wait: true, timeoutSec, maxOutputBytes: MAX_OUTPUT } // prettier-ignore
    let result: SandboxResult
    try {
      result = await this.deps.sandboxes.exec(this.id, request, this.signal)
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'command_blocked' && error.code !== 'invalid_request')) throw error
      const evidence = { note: `${note} ${error.message}`, command, exitCode: null, timedOut: false, outputTail: '', ms: null }
      return { outcome: 'refused', output: '', truncated: false, evidence, hasExited: false } // it can never run, so it cannot pass
    }
    this.signal.throwIfAborted()
    const { output, exitCode, timedOut, truncated, exited, durationMs } = result
    const evidence = { note, command, exitCode, timedOut, outputTail: output.slice(-TAIL_CHARACTERS), ms: Math.round(durationMs * 10) / 10 }
    return { outcome: outcomeOf(result), output, truncated, evidence, hasExited: exited }
  }
}

/** The exit code of a command that a signal ended is 128 plus the signal's number. */
const LAST_SIGNAL = 31

const outcomeOf = ({ exitCode, timedOut }: SandboxResult): Outcome =>
  timedOut || (exitCode > 128 && exitCode <= 128 + LAST_SIGNAL) ? 'neither' : exitCode === 0 ? 'passed' : 'refused'

/** Paths that `find` skips because they do not belong to a task. */
export const PRUNED = String.raw`\( -path /proc -o -path /sys -o -path /dev -o -path /usr -o -path /etc/alternatives -o -path '/tmp/.command-*' \) -prune`
