import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import type { Duplex, Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { whenClosed } from '#server/process/child.ts'
import { type Descriptor, type ProcessExit, type ProcessSpec, type RunningProcess, startProcess } from '#server/process/start.ts'
import { SpawnerEnded } from '#server/process/spawner.ts'
import { NotRun } from '../sandbox/types.ts'
import { gatedCommand } from './arguments.ts'
import type { Groups } from './groups.ts'
import { stateOf } from './pause.ts'
import { seccompFilter } from './seccomp.ts'

/** What bubblewrap needs to run programs on this machine. */
export interface BubblewrapTools {
  bwrap: string
  prlimit: string
  groups: Groups | null
}

export interface Launch {
  /** The options of bwrap. `fd` passes bytes to bwrap as a descriptor, and returns the descriptor's number there. */
  options: (fd: (content: string | Buffer) => number) => string[]
  command: readonly string[]
  /** A command that sets limits and then executes bwrap. */
  commandPrefix?: readonly string[]
  stdio: readonly [Descriptor, Descriptor, Descriptor]
  /** Gets the pid of the first process inside before that process does anything. An error cancels the start. */
  beforeStart: (pid: number) => void | Promise<void>
  deadlineMs: number | null
  /** Kills the program. */
  signal?: AbortSignal
}

export interface LaunchedProgram {
  bwrap: RunningProcess
  /** Resolves with the pid of the first process inside when the program starts; null if it never starts. */
  ready: Promise<number | null>
  /** Resolves when all processes have ended. `exitCode` is as in a shell; null if the program did not start or was killed. */
  waitForEnd: (started: number) => Promise<{ exit: ProcessExit; exitCode: number | null; ms: number }>
}

const NOBODY = 65_534
/** The user on this machine who runs the programs inside: nobody if this process is root, else undefined for its own user. */
export const insideUser = (): { uid: number; gid: number } | undefined =>
  process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined

/** Starts bwrap. Before the program starts, all of its processes are set to end with the spawner, which ends with this process. */
export async function launch(tools: BubblewrapTools, launch: Launch): Promise<LaunchedProgram> {
  const { options, command, commandPrefix = [], stdio: programStdio, beforeStart, deadlineMs, signal } = launch
  const openDescriptors: number[] = []
  const scratch = (content: string | Buffer = '') => {
    const fd = scratchFile(content)
    openDescriptors.push(fd)
    return fd
  }
  try {
    const stdio: Descriptor[] = [...programStdio]
    /** Passes a descriptor to bwrap and returns its number there. */
    const passDescriptor = (what: Descriptor) => stdio.push(what) - 1
    const [status, block, gate] = [passDescriptor('pipe'), passDescriptor('pipe'), passDescriptor('pipe')]
    const bwrapOptions = [
      ...options((content) => passDescriptor(scratch(content))),
      '--seccomp',
      String(passDescriptor(scratch(filter()))),
      '--json-status-fd',
      String(status),
      '--block-fd',
      String(block),
    ]
    const optionsDescriptor = passDescriptor(scratch(bwrapOptions.map((option) => `${option}\0`).join('')))
    const [program, ...args] = [...commandPrefix, tools.bwrap, '--args', String(optionsDescriptor), '--', ...gatedCommand(gate), ...command]
    let innerPid: number | null = null
    let isEnding = false
    const user = insideUser()
    const start: ProcessSpec = {
      command: program!,
      args,
      cwd: '/',
      env: {},
      output: { descriptors: stdio },
      deadlineMs,
      graceMs: 0,
      ...(signal && { signal }),
      // The first process inside ends with bwrap only from shortly before the program starts. Until bwrap reports its pid, it
      // is in bwrap's process group; afterwards it must be killed too, and all others in its namespace end with it.
      onEnd: () => {
        isEnding = true
        if (innerPid !== null) kill(innerPid)
      },
      ...(user && { user }),
      often: true,
    }
    const bwrap = await startProcess(start)
      .catch(onceMore(start))
      .catch((error: Error) => {
        signal?.throwIfAborted()
        throw new NotRun('isolation_unavailable', `Couldn't start bwrap: ${error.message}.`)
      })
    let startError: Error | null = null
    const refuse = (error: unknown) => {
      startError = error as Error
      void bwrap.end()
    }
    const allowStart = () => void (bwrap.streams[block] as Writable).end('1')
    const pendingExitCode = readStatus(bwrap.streams[status] as Readable, (pid) => {
      innerPid = pid
      if (isEnding) return kill(pid)
      try {
        const preparation = beforeStart(pid)
        if (preparation === undefined) allowStart()
        else preparation.then(allowStart, refuse)
      } catch (error) {
        refuse(error)
      }
    })
    const gateSocket = bwrap.streams[gate] as Duplex
    const ready = new Promise<number | null>((resolve) => {
      gateSocket.once('data', () => {
        gateSocket.end('\n')
        resolve(innerPid)
      })
      whenClosed(gateSocket, () => resolve(null))
    })
    for (const pipe of [bwrap.streams[block] as Writable, gateSocket]) pipe.on('error', () => undefined) // bwrap ended early; its status has the reason
    return {
      bwrap,
      ready,
      async waitForEnd(startedAt) {
        const exit = await bwrap.exit
        const ms = performance.now() - startedAt
        const exitCode = await pendingExitCode
        if (innerPid !== null) {
          if (exit.signal !== null) kill(innerPid) // bwrap may have been killed before the two were tied together
          await waitForExit(innerPid)
        }
        if (startError !== null) throw new NotRun('isolation_unavailable', `Couldn't set the limits: ${startError.message}.`)
        return { exit, exitCode, ms }
      },
    }
  } finally {
    for (const fd of openDescriptors) fs.closeSync(fd)
  }
}

/** A start that the end of the spawner cut off ran nothing: nobody answered its gate. */
const onceMore = (start: ProcessSpec) => (error: Error) => {
  if (error instanceof SpawnerEnded) return startProcess(start)
  throw error
}

/** Somebody else killed bwrap before it ran its program. */
class KilledBefore extends NotRun {}

/** A program that did not start. `output`: what bwrap printed. */
export function startFailure({ code, signal, endedBy }: ProcessExit, output: string): NotRun {
  const reason = output.trim().slice(0, 500)
  if (reason !== '') return new NotRun(reason.startsWith(NO_FOLDER) ? 'invalid_request' : 'isolation_unavailable', reason)
  const Failure = endedBy === null && (signal === 'SIGKILL' || code === 137) ? KilledBefore : NotRun // 137: as prlimit reports it
  return new Failure('isolation_unavailable', `bwrap ended (${code ?? signal}) before the program started.`)
}
/** The message of bwrap for a missing working directory. */
const NO_FOLDER = "bwrap: Can't chdir to "

/** Starts a program; once more if somebody else killed the first start, which ran nothing. */
export const startedAgain = <Started>(start: () => Promise<Started>): Promise<Started> =>
  start().catch((error: unknown) => {
    if (error instanceof KilledBefore) return start()
    throw error
  })

let cachedFilter: Buffer | null = null
const filter = () => (cachedFilter ??= seccompFilter())

/** Writes bytes to an open file without a name, with its position at the start. It is deleted when the descriptor is closed. */
export function scratchFile(content: string | Buffer = ''): number {
  const file = `/tmp/${randomUUID()}` // programs inside can see the name, so it does not reveal product or user
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

/** Reads bwrap's status lines; resolves with the exit code of the program, or null if there is none. */
function readStatus(status: Readable, onStarted: (pid: number) => void): Promise<number | null> {
  let text = ''
  let exitCode: number | null = null
  const handleLine = (line: string) => {
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
      for (const line of lines) if (line.trim()) handleLine(line)
    })
    whenClosed(status, () => resolve(exitCode))
    status.once('error', () => resolve(exitCode))
  })
}

/** Resolves when the first process of a namespace has ended, and with it all others in the namespace. */
async function waitForExit(pid: number): Promise<void> {
  for (let wait = 1; isAlive(pid); wait = Math.min(wait * 2, 50)) await sleep(wait)
}

const isAlive = (pid: number): boolean => !['', 'Z'].includes(stateOf(pid))

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {} // it has already ended
}
