/** A program in a machine, and its streams. */
import fs from 'node:fs'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { whenClosed } from '#server/process/child.ts'
import { descendantsOf } from '#server/process/marks.ts'
import { openPty, type Pty } from '#server/process/pty.ts'
import { signalOf } from '../sandbox/exit-codes.ts'
import type { Channel, MachineProgram } from '../sandbox/machine.ts'
import { NotRun } from '../sandbox/types.ts'
import { insideUser, launch, type Launch, type BubblewrapTools, startedAgain, startFailure } from './launch.ts'
import { sendSignal } from './pause.ts'

export interface ChannelStart extends Pick<Launch, 'commandPrefix' | 'beforeStart'> {
  options: string[]
  /** Kills the program, even while it starts. */
  signal: AbortSignal
  program: MachineProgram
  /** Processes of the machine that were killed because its memory was used up. */
  outOfMemory: () => number
}

export interface OpenChannel extends Channel {
  /** The pid of the first process inside. */
  firstPid: number
}

/** Gives a program its terminal. A program inside cannot replace it, because /usr is read-only. */
const SETSID = '/usr/bin/setsid'
/** A program that has not started after this time is given up. */
const START_MS = 60_000

/** Resolves when the program starts. Throws `NotRun` if it does not. */
export const openChannel = (tools: BubblewrapTools, start: ChannelStart): Promise<OpenChannel> => startedAgain(() => open(tools, start))

async function open(tools: BubblewrapTools, start: ChannelStart): Promise<OpenChannel> {
  const { options, program, outOfMemory, signal: stop, ...rest } = start
  const { terminal, argv } = program
  const pty = terminal ? await openPty(terminal.columns, terminal.rows, insideUser()) : null
  const killedBefore = outOfMemory()
  const timeout = new AbortController()
  const deadline = setTimeout(() => timeout.abort(), START_MS)
  const { bwrap, ready, waitForEnd } = await launch(tools, {
    ...rest,
    options: () => options,
    command: pty ? [SETSID, '--ctty', '--', ...argv] : argv,
    stdio: pty ? [pty.device, pty.device, pty.device] : ['pipe', 'pipe', 'pipe'],
    deadlineMs: null,
    signal: AbortSignal.any([stop, timeout.signal]),
  })
    .catch((error: unknown) => {
      clearTimeout(deadline)
      pty?.close()
      throw error
    })
    .finally(() => pty && fs.closeSync(pty.device))
  const { input, output, errors } = pty ? terminalStreams(pty) : pipes(bwrap.streams as readonly (Readable | Writable)[], bwrap.exit)
  const completion = waitForEnd(0).then(({ exit, exitCode }) => {
    const signal = exit.endedBy !== null || exitCode === null ? 'SIGKILL' : signalOf(exitCode)
    const isOutOfMemory = signal === 'SIGKILL' && outOfMemory() > killedBefore
    // somebody else killed bwrap, or what started it: nothing that the program did
    if (exitCode === null && exit.endedBy === null && !isOutOfMemory) return { code: null, signal: null, outOfMemory: false, exit }
    return { code: signal === null ? exitCode : null, signal, outOfMemory: isOutOfMemory, exit }
  })
  const close = () => pty?.close()
  completion.then(close, close) // also handles the rejection if no caller waits
  const messages = errors ?? output
  const firstPid = await ready
  clearTimeout(deadline)
  if (timeout.signal.aborted) throw new NotRun('isolation_unavailable', `The program did not start within ${START_MS / 1000} s.`)
  if (firstPid === null) {
    const printed = await text(messages).catch(() => '')
    const { exit } = await completion // rejects if the start was refused
    throw startFailure(exit, printed)
  }
  const leader = childOf(firstPid)
  const startedPids = () => descendantsOf(firstPid).filter((pid) => pid !== leader)
  return {
    firstPid,
    input,
    output,
    errors,
    resize: (columns, rows) => pty?.resize(columns, rows),
    async signal(name, to) {
      const targets = startedPids()
      if (to === 'all' && leader !== null) targets.unshift(leader)
      for (const pid of targets) sendSignal(pid, `SIG${name}`)
    },
    descendants: async () => startedPids().length,
    exit: completion.then(({ exit: _exit, ...result }) => result),
    async end() {
      void bwrap.end()
      await completion
    },
  }
}

const terminalStreams = ({ input, output }: Pty) => ({ input, output, errors: null })

function pipes(streams: readonly (Readable | Writable)[], ended: Promise<unknown>) {
  const [input, output, errors] = streams as readonly [Writable, Readable, Readable] // as requested in `stdio`
  input.on('error', () => undefined) // the program has ended or does not read
  return { input, output: kept(output, ended), errors: kept(errors, ended) }
}

/**
 * What a program prints, also if it ends before anybody reads: Node discards what nobody has begun to read of a process that ends. What
 * is left at its end is taken at once, so that the pipe closes although nobody reads.
 */
function kept(from: Readable, ended: Promise<unknown>): Readable {
  const to = new PassThrough()
  let hasEnded = false
  const takeRest = () => {
    hasEnded = true
    from.resume()
  }
  ended.then(takeRest, takeRest)
  from.on('data', (bytes: Buffer) => {
    if (!to.write(bytes) && !hasEnded) from.pause()
  })
  to.on('drain', () => from.resume())
  from.on('error', () => undefined) // the end of the program says why
  whenClosed(from, () => to.end())
  return to
}

/** The pid of the program: when it starts, it is the only child of the first process. */
function childOf(pid: number): number | null {
  try {
    return Number.parseInt(fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), 10) || null
  } catch {
    return descendantsOf(pid)[0] ?? null // the kernel has no such file, or the process has ended
  }
}
