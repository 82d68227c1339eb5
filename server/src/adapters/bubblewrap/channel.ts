/** A program in a machine, and its streams. */
import fs from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { descendantsOf } from '#server/process/marks.ts'
import { openPty, type Pty } from '#server/process/pty.ts'
import { signalOf } from '../sandbox/exit-codes.ts'
import type { Channel, MachineProgram } from '../sandbox/machine.ts'
import { NotRun } from '../sandbox/types.ts'
import { insideUser, launch, type Launch, type Means, neverBegan } from './launch.ts'

export interface ChannelStart extends Pick<Launch, 'before' | 'onBorn'> {
  options: string[]
  /** Kills it, also while it starts. */
  signal: AbortSignal
  program: MachineProgram
  /** Processes of the machine that were killed because its memory was used up. */
  outOfMemory: () => number
}

/** A channel, and what the machine keeps of it. */
export interface OpenChannel extends Channel {
  /** The first process inside. */
  first: number
}

/** Tools that start a program inside; /usr is read-only there. */
const SETSID = '/usr/bin/setsid'
/** A program that has not begun by then never will. */
const START_MS = 60_000
/** The message of bwrap for a missing working directory. */
const NO_FOLDER = "bwrap: Can't chdir to "

/** Resolves once the program begins. Throws `NotRun` if it does not. */
export async function openChannel(means: Means, start: ChannelStart): Promise<OpenChannel> {
  const { options, program, outOfMemory, signal: stop, ...rest } = start
  const { terminal, argv } = program
  const pty = terminal ? await openPty(terminal.columns, terminal.rows, insideUser()) : null
  const killedBefore = outOfMemory()
  const late = new AbortController()
  const deadline = setTimeout(() => late.abort(), START_MS)
  const { bwrap, ready, ended } = await launch(means, {
    ...rest,
    options: () => options,
    command: pty ? [SETSID, '--ctty', '--', ...argv] : argv,
    stdio: pty ? [pty.device, pty.device, pty.device] : ['pipe', 'pipe', 'pipe'],
    deadlineMs: null,
    signal: AbortSignal.any([stop, late.signal]),
  })
    .catch((error: unknown) => {
      clearTimeout(deadline)
      pty?.close()
      throw error
    })
    .finally(() => pty && fs.closeSync(pty.device))
  const { input, output, errors } = pty ? terminalStreams(pty) : pipes(bwrap.streams as readonly (Readable | Writable)[])
  const all = ended(0).then(({ exit, exitCode }) => {
    const signal = exit.endedBy !== null || exitCode === null ? 'SIGKILL' : signalOf(exitCode)
    return { code: signal === null ? exitCode : null, signal, outOfMemory: signal === 'SIGKILL' && outOfMemory() > killedBefore, exit }
  })
  const close = () => pty?.close()
  all.then(close, close) // also for who does not wait for it
  const messages = errors ?? output
  const hold = () => undefined
  messages.on('readable', hold) // Node throws away what nobody has begun to read when a process ends
  const first = await ready
  clearTimeout(deadline)
  messages.off('readable', hold)
  if (late.signal.aborted) throw new NotRun('isolation_unavailable', `The program did not begin within ${START_MS / 1000} s.`)
  if (first === null) {
    const printed = await text(messages).catch(() => '')
    const { exit } = await all // or why it was refused
    throw new NotRun(printed.startsWith(NO_FOLDER) ? 'invalid_request' : 'isolation_unavailable', neverBegan(exit, printed))
  }
  const leader = childOf(first)
  const started = () => descendantsOf(first).filter((pid) => pid !== leader)
  return {
    first,
    input,
    output,
    errors,
    resize: (columns, rows) => pty?.resize(columns, rows),
    async signal(name, to) {
      const targets = started()
      if (to === 'all' && leader !== null) targets.unshift(leader)
      for (const pid of targets) signalOne(pid, `SIG${name}`)
    },
    descendants: async () => started().length,
    exit: all.then(({ exit: _exit, ...result }) => result),
    async end() {
      void bwrap.end()
      await all
    },
  }
}

const terminalStreams = ({ input, output }: Pty) => ({ input, output, errors: null })

function pipes(streams: readonly (Readable | Writable)[]) {
  const [input, output, errors] = streams as readonly [Writable, Readable, Readable] // as `stdio` asked
  input.on('error', () => undefined) // the program has ended, or does not read
  return { input, output, errors }
}

/** The program: the only process below the first one when it begins. */
function childOf(pid: number): number | null {
  try {
    return Number.parseInt(fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), 10) || null
  } catch {
    return descendantsOf(pid)[0] ?? null // a kernel without that file, or it has ended
  }
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
