import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import type { Duplex, Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Descriptor, startProcess } from '#server/process/start.ts'
import { NotRun, type Outcome, type SandboxPolicy, type SandboxProgram } from '../sandbox/types.ts'
import { gated, limited, programInside, strictArguments } from './arguments.ts'
import type { Group, Groups } from './groups.ts'
import { seccompFilter } from './seccomp.ts'

/** How programs are run on this machine. */
export interface Means {
  bwrap: string
  prlimit: string
  groups: Groups | null
  /** Descriptors that a child of this process would be born with; they are not for the sandbox. */
  inherited: readonly number[]
}

export const KEPT_BYTES = 1024 * 1024
/** As root, what runs inside is nobody outside as well. */
const NOBODY = 65_534

export interface Start {
  policy: SandboxPolicy
  files: Readonly<Record<string, string>>
  /** Bounds all programs of the sandbox; null where this machine has none. */
  group: Group | null
}

/** Runs one program and resolves once its whole tree is gone. `signal` kills it. */
export async function run(means: Means, { policy, files, group }: Start, program: SandboxProgram, signal?: AbortSignal): Promise<Outcome> {
  if (programInside(program.argv[0]!, files) === null)
    throw new NotRun(
      'program_not_found',
      `There is no program "${program.argv[0]}" in the sandbox, which has those under /usr and its own files.`,
    )
  signal?.throwIfAborted()

  const { input, output, errors } = program.streams ?? {}
  const open: number[] = []
  const scratch = (content: string | Buffer = '') => {
    const fd = scratchFile(content)
    open.push(fd)
    return fd
  }
  try {
    const kept = { output: output ? null : scratch(), errors: errors ? null : scratch() }
    const stdio: Descriptor[] = [input ? 'pipe' : 'ignore', kept.output ?? 'pipe', kept.errors ?? 'pipe']
    /** Hands a descriptor to bwrap and gives its number there. */
    const hand = (what: Descriptor) => stdio.push(what) - 1
    const killedBefore = group?.outOfMemory() ?? 0
    const [status, block, gate] = [hand('pipe'), hand('pipe'), hand('pipe')]
    const options = [
      ...strictArguments(policy, files, (content) => hand(scratch(content))),
      '--seccomp',
      String(hand(scratch(filter()))),
      '--json-status-fd',
      String(status),
      '--block-fd',
      String(block),
    ]
    const list = hand(scratch(options.map((option) => `${option}\0`).join('')))
    cover(stdio, means.inherited, () => scratch())
    const started = performance.now()
    const cpuSeconds = Math.ceil(program.timeoutMs / 1000) + 1
    const command = [...gated(gate), ...limited(means.prlimit, policy, cpuSeconds, group === null), ...program.argv]
    let inner: number | null = null
    let killing = false
    const bwrap = await startProcess({
      command: means.bwrap,
      args: ['--args', String(list), '--', ...command],
      cwd: '/',
      env: {},
      output: { descriptors: stdio },
      deadlineMs: program.timeoutMs,
      graceMs: 0,
      ...(signal && { signal }),
      // What bwrap starts is tied to its life only shortly before the program begins. Until bwrap has named it, it is in
      // the group of bwrap; from then on it is the first of its namespace, with which all others end.
      onEnd: () => {
        killing = true
        if (inner !== null) killed(inner)
      },
      ...(process.getuid?.() === 0 ? { user: { uid: NOBODY, gid: NOBODY } } : {}),
    }).catch((error: Error) => {
      signal?.throwIfAborted()
      throw new NotRun('isolation_unavailable', `bwrap could not be started: ${error.message}.`)
    })
    let refused: unknown = null
    const said = follow(bwrap.streams[status] as Readable, (pid) => {
      inner = pid
      if (killing) return killed(pid)
      try {
        group?.add(pid)
        ;(bwrap.streams[block] as Writable).end('1')
      } catch (error) {
        refused = error
        void bwrap.end()
      }
    })
    const ready = bwrap.streams[gate] as Duplex
    ready.once('data', () => ready.end('\n'))
    for (const pipe of [bwrap.streams[block] as Writable, ready]) pipe.on('error', () => undefined) // it ended before it began: told by its status
    const unread: unknown[] = []
    const flows = [output && pipeline(bwrap.streams[1] as Readable, output), errors && pipeline(bwrap.streams[2] as Readable, errors)].map(
      (flow) =>
        flow?.catch((error: unknown) => {
          unread.push(error)
          return bwrap.end()
        }),
    )
    if (input) void pipeline(input, bwrap.streams[0] as Writable).catch(() => undefined) // a program need not read all
    const exit = await bwrap.exit
    const ms = performance.now() - started
    const exitCode = await said
    if (inner !== null) await gone(inner)
    for (const flow of flows) await flow
    const outOfMemory = (group?.outOfMemory() ?? 0) > killedBefore
    const timedOut = exit.endedBy === 'deadline'
    const stopped = timedOut || signal?.aborted === true
    if (refused) throw new NotRun('isolation_unavailable', `The limits could not be set: ${(refused as Error).message}.`)
    if (unread.length > 0) throw unread[0]
    const stdout = beginning(kept.output)
    const stderr = beginning(kept.errors)
    if (exitCode === null && !stopped)
      throw new NotRun('isolation_unavailable', stderr.trim().slice(0, 500) || `bwrap ended (${exit.code ?? exit.signal}) before the program began.`) // prettier-ignore
    return {
      exitCode: stopped ? null : exitCode,
      signal: stopped ? 'SIGKILL' : signalOf(exitCode),
      timedOut,
      outOfMemory,
      stdout,
      stderr,
      ms,
    }
  } finally {
    for (const fd of open) fs.closeSync(fd)
  }
}

let compiled: Buffer | null = null
const filter = () => (compiled ??= seccompFilter())

/** Bytes as an open file without a name, its position at the start. Nothing is left of it when the descriptor is closed. */
function scratchFile(content: string | Buffer): number {
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

/** Open descriptors without close-on-exec, of whoever started this process. */
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

function beginning(fd: number | null): string {
  if (fd === null) return ''
  const bytes = Buffer.alloc(Math.min(fs.fstatSync(fd).size, KEPT_BYTES))
  return bytes.toString('utf8', 0, fs.readSync(fd, bytes, 0, bytes.length, 0))
}

/** Reads bwrap's status lines; resolves with the exit code of the program, null when there was none. */
function follow(status: Readable, onStarted: (pid: number) => void): Promise<number | null> {
  let text = ''
  let exitCode: number | null = null
  const take = (line: string) => {
    const said = JSON.parse(line) as { 'child-pid'?: number; 'exit-code'?: number } // bwrap's own format
    if (said['child-pid'] !== undefined) onStarted(said['child-pid'])
    if (said['exit-code'] !== undefined) exitCode = said['exit-code']
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

const SIGNALS = new Map(Object.entries(os.constants.signals).map(([name, number]) => [number, name]))
const signalOf = (exitCode: number | null) => (exitCode !== null && exitCode > 128 ? (SIGNALS.get(exitCode - 128) ?? null) : null)
