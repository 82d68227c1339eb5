import type { SandboxEndReason, SandboxSpec } from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import type { Machine } from '#server/adapters/sandbox/index.ts'
import type { Session } from './session.ts'
import type { Permit } from './slots.ts'

export interface RunningOptions {
  machine: Machine
  main: Session
  permit: Permit
  spec: SandboxSpec
  now: () => number
  /** Its time is over. */
  onOver: (reason: Extract<SandboxEndReason, 'idle' | 'lifetime'>) => void
}

/** A sandbox that runs: its machine, its shells, and the clocks that end it. */
export class Running {
  readonly machine: Machine
  readonly sessions = new Map<string, Session>()
  private readonly options: RunningOptions
  private readonly diesAt: number
  private readonly death: NodeJS.Timeout
  private idle: NodeJS.Timeout | undefined
  private idleAt: number
  /** Running commands, including standalone ones. */
  private working = 0
  /** Set once it is being stopped; all callers wait for the same end. */
  stopping: Promise<void> | null = null
  /** Why it is being stopped, if nobody requested it. */
  lost: string | null = null

  constructor(options: RunningOptions) {
    this.options = options
    const { machine, main, spec, now } = options
    this.machine = machine
    this.sessions.set(main.name, main)
    this.diesAt = now() + spec.lifetimeSec * 1000
    this.death = setTimeout(() => options.onOver('lifetime'), spec.lifetimeSec * 1000)
    this.idleAt = 0
    this.restartIdle()
  }

  get busy(): boolean {
    return this.working > 0
  }

  get expiresAt(): number {
    return this.busy ? this.diesAt : Math.min(this.idleAt, this.diesAt)
  }

  session(name: string): Session {
    const session = this.sessions.get(name)
    if (session) return session
    if (name === 'main') throw new AppError('session_exited')
    throw new AppError('session_not_found', {
      message: `This sandbox has no session "${name}".`,
      hint: `It has: ${[...this.sessions.keys()].join(', ') || 'none'}.`,
    })
  }

  /** While it runs, the sandbox is not idle. */
  async work<T>(run: () => Promise<T>): Promise<T> {
    this.working++
    clearTimeout(this.idle)
    try {
      return await run()
    } finally {
      this.working--
      if (!this.busy && this.stopping === null) this.restartIdle()
    }
  }

  /** Somebody is at one of its terminals. */
  touch(): void {
    if (!this.busy && this.stopping === null) this.restartIdle()
  }

  /** Ends everything in it, removes its files and gives its place back. */
  stop(): Promise<void> {
    this.stopping ??= this.end()
    return this.stopping
  }

  private async end(): Promise<void> {
    clearTimeout(this.death)
    clearTimeout(this.idle)
    try {
      await this.machine.remove()
    } finally {
      this.options.permit.release()
    }
  }

  private restartIdle(): void {
    const { spec, now, onOver } = this.options
    clearTimeout(this.idle)
    this.idleAt = now() + spec.idleTimeoutSec * 1000
    this.idle = setTimeout(() => onOver('idle'), spec.idleTimeoutSec * 1000)
  }
}
