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
  /** Called when the idle time or the lifetime is over. */
  onOver: (reason: Extract<SandboxEndReason, 'idle' | 'lifetime'>) => void
}

/** A running sandbox: its machine, its shells, and the timers that end it. */
export class Running {
  readonly machine: Machine
  readonly sessions = new Map<string, Session>()
  private readonly options: RunningOptions
  private readonly lifetimeEndsAt: number
  private readonly lifetimeTimer: NodeJS.Timeout
  private idleTimer: NodeJS.Timeout | undefined
  private idleAt: number
  /** Running commands, including standalone ones. */
  private activeCommands = 0
  /** Set once it is being stopped; all callers wait for the same end. */
  stopping: Promise<void> | null = null
  /** Why it is being stopped, if nobody requested it. */
  lossReason: string | null = null

  constructor(options: RunningOptions) {
    this.options = options
    const { machine, main, spec, now } = options
    this.machine = machine
    this.sessions.set(main.name, main)
    this.lifetimeEndsAt = now() + spec.lifetimeSec * 1000
    this.lifetimeTimer = setTimeout(() => options.onOver('lifetime'), spec.lifetimeSec * 1000)
    this.idleAt = 0
    this.restartIdle()
  }

  get busy(): boolean {
    return this.activeCommands > 0
  }

  get expiresAt(): number {
    return this.busy ? this.lifetimeEndsAt : Math.min(this.idleAt, this.lifetimeEndsAt)
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

  /** The sandbox is not idle while `run` is pending. */
  async work<T>(run: () => Promise<T>): Promise<T> {
    this.activeCommands++
    clearTimeout(this.idleTimer)
    try {
      return await run()
    } finally {
      this.activeCommands--
      if (!this.busy && this.stopping === null) this.restartIdle()
    }
  }

  /** Call when someone uses one of its terminals. */
  touch(): void {
    if (!this.busy && this.stopping === null) this.restartIdle()
  }

  /** Ends everything in it, removes or leaves its files and gives its place back. */
  stop(files: 'remove' | 'leave'): Promise<void> {
    this.stopping ??= this.end(files)
    return this.stopping
  }

  private async end(files: 'remove' | 'leave'): Promise<void> {
    clearTimeout(this.lifetimeTimer)
    clearTimeout(this.idleTimer)
    try {
      await (files === 'leave' && this.machine.leave ? this.machine.leave() : this.machine.remove())
    } finally {
      this.options.permit.release()
    }
  }

  private restartIdle(): void {
    const { spec, now, onOver } = this.options
    clearTimeout(this.idleTimer)
    this.idleAt = now() + spec.idleTimeoutSec * 1000
    this.idleTimer = setTimeout(() => onOver('idle'), spec.idleTimeoutSec * 1000)
  }
}
