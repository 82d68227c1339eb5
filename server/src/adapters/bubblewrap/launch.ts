import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import type { Duplex, Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Descriptor, type ProcessExit, type RunningProcess, startProcess } from '#server/process/start.ts'
import { NotRun } from '../sandbox/types.ts'
import { gated } from './arguments.ts'
import type { Groups } from './groups.ts'
import { seccompFilter } from './seccomp.ts'

/** How programs are run on this machine. */
export interface Means {
  bwrap: string
  prlimit: string
  groups: Groups | null
  /** Descriptors that a child of this process would be born with; they are not for the sandbox. */
  inherited: readonly number[]
}

export interface Launch {
  /** Options of bwrap. `fd` hands over bytes as a descriptor that bwrap will read, and gives its number. */
  options: (fd: (content: string | Buffer) => number) => string[]
  /** What runs inside. */
  command: readonly string[]
  /** What starts bwrap: a program that sets limits and becomes the next; bwrap itself where it is empty. */
  before?: readonly string[]
  stdio: readonly [Descriptor, Descriptor, Descriptor]
  /** Called with the first process inside, before it does anything. What it throws or rejects with ends the start. */
  onBorn: (pid: number) => void | Promise<void>
  deadlineMs: number | null
  /** Kills it. */
  signal?: AbortSignal
}

export interface Launched {
  bwrap: RunningProcess
  /** The first process inside, once it is known that the program begins; null if it never began. */
  ready: Promise<number | null>
  /** Resolves once nothing of it is left. `exitCode` as in a shell; null if the program did not begin or was killed. */
  ended: (started: number) => Promise<{ exit: ProcessExit; exitCode: number | null; ms: number }>
}

/** As root, what runs inside is nobody outside as well. */
const NOBODY = 65_534
/** Who runs what is inside, as this machine sees it; undefined: the user of this process. */
export const insideUser = (): { uid: number; gid: number } | undefined =>
  process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined

/** Starts bwrap. All that it starts is tied to the life of this process before the program begins. */
export async function launch(means: Means, launch: Launch): Promise<Launched> {
  const { options, command, before = [], stdio: first, onBorn, deadlineMs, signal } = launch
  const open: number[] = []
  const scratch = (content: string | Buffer = '') => {
    const fd = scratchFile(content)
    open.push(fd)
    return fd
  }
  try {
    const stdio: Descriptor[] = [...first]
    /** Hands a descriptor to bwrap and gives its number there. */
    const hand = (what: Descriptor) => stdio.push(what) - 1
    const [status, block, gate] = [hand('pipe'), hand('pipe'), hand('pipe')]
    const all = [
      ...options((content) => hand(scratch(content))),
      '--seccomp',
      String(hand(scratch(filter()))),
      '--json-status-fd',
      String(status),
      '--block-fd',
      String(block),
    ]
    const list = hand(scratch(all.map((option) => `${option}\0`).join('')))
    cover(stdio, means.inherited, () => scratch())
    const [program, ...args] = [...before, means.bwrap, '--args', String(list), '--', ...gated(gate), ...command]
    let inner: number | null = null
    let killing = false
    const user = insideUser()
    const bwrap = await startProcess({
      command: program!,
      args,
      cwd: '/',
      env: {},
      output: { descriptors: stdio },
      deadlineMs,
      graceMs: 0,
      ...(signal && { signal }),
      // What bwrap starts is tied to its life only shortly before the program begins. Until bwrap has named it, it is in
      // the group of bwrap; from then on it is the first of its namespace, with which all others end.
      onEnd: () => {
        killing = true
        if (inner !== null) killed(inner)
      },
      ...(user && { user }),
    }).catch((error: Error) => {
      signal?.throwIfAborted()
      throw new NotRun('isolation_unavailable', `bwrap could not be started: ${error.message}.`)
    })
    let refused: Error | null = null
    const refuse = (error: unknown) => {
      refused = error as Error
      void bwrap.end()
    }
    const begin = () => void (bwrap.streams[block] as Writable).end('1')
    const pendingExitCode = follow(bwrap.streams[status] as Readable, (pid) => {
      inner = pid
      if (killing) return killed(pid)
      try {
        const born = onBorn(pid)
        if (born === undefined) begin()
        else born.then(begin, refuse)
      } catch (error) {
        refuse(error)
      }
    })
    const there = bwrap.streams[gate] as Duplex
    const ready = new Promise<number | null>((resolve) => {
      there.once('data', () => {
        there.end('\n')
        resolve(inner)
      })
      there.once('close', () => resolve(null))
    })
    for (const pipe of [bwrap.streams[block] as Writable, there]) pipe.on('error', () => undefined) // it ended before it began; its status has the reason
    return {
      bwrap,
      ready,
      async ended(started) {
        const exit = await bwrap.exit
        const ms = performance.now() - started
        const exitCode = await pendingExitCode
        if (inner !== null) await gone(inner)
        if (refused !== null) throw new NotRun('isolation_unavailable', `The limits could not be set: ${refused.message}.`)
        return { exit, exitCode, ms }
      },
    }
  } finally {
    for (const fd of open) fs.closeSync(fd)
  }
}

/** Why a program that did not begin did not. `said`: what bwrap printed. */
export const neverBegan = (exit: ProcessExit, output: string): string =>
  output.trim().slice(0, 500) || `bwrap ended (${exit.code ?? exit.signal}) before the program began.`

let compiled: Buffer | null = null
const filter = () => (compiled ??= seccompFilter())

/** Bytes as an open file without a name, its position at the start. Nothing is left of it when the descriptor is closed. */
export function scratchFile(content: string | Buffer = ''): number {
  const file = `/tmp/${randomUUID()}` // the name can be seen inside: it says nothing of product, user or place
  const { O_RDWR, O_CREAT, O_EXCL, O_APPEND } = fs.constants
  const fd = fs.openSync(file, O_RDWR | O_CREAT | O_EXCL | (content.length === 0 ? O_APPEND : 0), 0o600)
  fs.unlinkSync(file)
  try {
    const bytes = Buffer.from(content as string)
    for (let at = 0; at < bytes.length;) at += fs.writeSync(fd, bytes, at, bytes.length - at, at)
    return fd
  } catch (error) {
    fs.closeSync(fd)
    throw error
  }
}

/** Open descriptors without close-on-exec, inherited from the starter of this process. */
export function inheritedDescriptors(): number[] {
  return fs
    .readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((fd) => {
      try {
        const flags = /^flags:\s*(\d+)/m.exec(fs.readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1]
        return fd > 2 && flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
      } catch {
        return false // closed meanwhile
      }
    })
}
const CLOSE_ON_EXEC = 0o2_000_000

/** Puts an empty file in the place of each descriptor that would be inherited. */
function cover(stdio: Descriptor[], inherited: readonly number[], empty: () => number): void {
  for (const fd of inherited.filter((one) => one >= stdio.length)) {
    while (stdio.length < fd) stdio.push('ignore')
    stdio[fd] = empty()
  }
}

/** Reads bwrap's status lines; resolves with the exit code of the program, null when there was none. */
function follow(status: Readable, onStarted: (pid: number) => void): Promise<number | null> {
  let text = ''
  let exitCode: number | null = null
  const take = (line: string) => {
    const event = JSON.parse(line) as { 'child-pid'?: number; 'exit-code'?: number } // bwrap's own format
    if (event['child-pid'] !== undefined) onStarted(event['child-pid'])
    if (event['exit-code'] !== undefined) exitCode = event['exit-code']
  }
  return new Promise((resolve) => {
    status.setEncoding('utf8')
    status.on('data', (chunk: string) => {
      text += chunk
      const lines = text.split('\n')
      text = lines.pop()!
      for (const line of lines) if (line.trim()) take(line)
    })
    status.once('close', () => resolve(exitCode))
    status.once('error', () => resolve(exitCode))
  })
}

/** Resolves when a process has ended, and so the namespace whose first process it was. */
async function gone(pid: number): Promise<void> {
  for (let wait = 1; isAlive(pid); wait = Math.min(wait * 2, 50)) await sleep(wait)
}

function isAlive(pid: number): boolean {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat[stat.lastIndexOf(')') + 2] !== 'Z'
  } catch {
    return false
  }
}

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {} // it was faster
}
