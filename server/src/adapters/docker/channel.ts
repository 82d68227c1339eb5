/** A program in a container, and its streams. */
import { once } from 'node:events'
import { PassThrough, type Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type Docker from 'dockerode'
import { signalOf } from '../sandbox/exit-codes.ts'
import { type Channel, EngineLost, type MachineProgram, NotRun } from '../sandbox/index.ts'
import { callEngine, callEngineIfExists } from './client.ts'
import { demultiplex, runInside } from './inside.ts'
import { killAll, MARK_SCRIPT, processesOf, signalProcesses } from './processes.ts'

/** A container with the state that its programs share. */
export interface ContainerMachine {
  container: Docker.Container
  user: string
  workdir: string | null
  /** Marks of the running programs. */
  marks: Set<string>
  lastMark: number
  /** The last count of processes that were killed because the memory was used up. */
  outOfMemory: number
  isStopped: () => boolean
  /** Ends the whole machine, for a program that cannot be ended separately. */
  stopMachine: (why: string) => Promise<void>
}

type Exit = Awaited<Channel['exit']>
const LOST: Exit = { code: null, signal: null, outOfMemory: false }
const KILLED: Exit = { code: null, signal: 'SIGKILL', outOfMemory: false }

const PIPES = `${MARK_SCRIPT}exec "$@"`
/** Waits for a line before it starts the program, so that the terminal already has its size. */
const TERMINAL = `${MARK_SCRIPT}read -r _ && exec "$@"`

export async function openChannel(machine: ContainerMachine, program: MachineProgram): Promise<Channel> {
  const mark = String((machine.lastMark += 1))
  machine.marks.add(mark)
  try {
    return await startProgram(machine, mark, program)
  } catch (error) {
    machine.marks.delete(mark)
    throw error
  }
}

async function startProgram(machine: ContainerMachine, mark: string, { argv, terminal, cwd, env = {} }: MachineProgram): Promise<Channel> {
  const { container, user } = machine
  const workdir = cwd ?? machine.workdir
  const variables = { ...(terminal && { TERM: 'xterm-256color' }), ...env }
  const exec = await callEngine(
    container.exec({
      Cmd: ['/bin/sh', '-c', terminal ? TERMINAL : PIPES, 'sh', mark, ...argv],
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      Tty: terminal !== null,
      User: user,
      Env: Object.entries(variables).map(([name, value]) => `${name}=${value}`),
      ...(workdir === null ? {} : { WorkingDir: workdir }),
    }),
  )
  const stream = await callEngine(exec.start({ hijack: true, stdin: true, Tty: terminal !== null }))
  stream.on('error', () => {}) // the failure is reported at its end
  const { output, errors } = terminal ? { output: stream.pipe(new PassThrough()), errors: null } : demultiplex(stream)
  const pid = await readPid(output)
  if (terminal) {
    await callEngine(exec.resize({ h: terminal.rows, w: terminal.columns }))
    stream.write('\n')
    await readLine(output) // the terminal echoes the newline
  }

  /** A process that changed its mark belongs to no running program, so it ends with the next program that ends. */
  const isOurs = (own: string) => own === mark || (own !== 'unlimited' && !machine.marks.has(own))
  const childPids = async () => (await processesOf(machine, isOurs)).filter((one) => one !== pid)
  const isMachineLost = (error: unknown) => machine.isStopped() || error instanceof EngineLost
  /** Runs `work`; if it fails although the machine runs, stops the machine, because a program in it cannot be controlled. */
  const attempt = async <Result>(work: () => Promise<Result>, fallback: Result): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      if (isMachineLost(error)) return fallback
      await machine.stopMachine(
        `The sandbox was stopped, because a program in it could not be ended by itself: ${(error as Error).message}`,
      )
      return fallback
    }
  }

  let resizing: Promise<unknown> = Promise.resolve()
  const ending = Promise.withResolvers<void>()
  let isEnded = false
  const wait = async (): Promise<Exit> => {
    await Promise.race([finished(stream, { writable: false }).catch(() => {}), ending.promise])
    const code = await codeOf(exec, container)
    if (code === 'gone') return machine.isStopped() ? KILLED : LOST
    if (!isEnded) await attempt(() => killAll(machine, isOurs), undefined)
    const signal = isEnded ? 'SIGKILL' : signalOf(code)
    return { code: signal === null ? code : null, signal, outOfMemory: signal === 'SIGKILL' && !isEnded && (await ranOutOfMemory(machine)) }
  }
  const exit = wait()
    .catch((): Exit => (machine.isStopped() ? KILLED : LOST))
    .finally(() => machine.marks.delete(mark))
  return {
    input: terminal ? orderedInput(stream, () => resizing) : stream,
    output,
    errors,
    resize: (columns, rows) => {
      if (terminal) resizing = exec.resize({ h: rows, w: columns }).catch(() => {}) // it may have ended
    },
    async signal(name, to) {
      // The program first: a shell handles an interrupt only while the command that it waits for is alive.
      await attempt(async () => signalProcesses(machine, name, [...(to === 'all' ? [pid] : []), ...(await childPids())]), undefined)
    },
    descendants: () => attempt(async () => (await childPids()).length, 0),
    exit,
    async end() {
      isEnded = true
      // If the output of an ended program is not read, the Engine does not answer for seconds.
      output.resume()
      errors?.resume()
      await attempt(() => killAll(machine, isOurs), undefined)
      ending.resolve()
      stream.destroy()
      await exit
    },
  }
}

/** The exit code; 'gone' for programs that ended with their container, for which the Engine does not report one. */
async function codeOf(exec: Docker.Exec, container: Docker.Container): Promise<number | null | 'gone'> {
  for (let waitMs = 5; ; waitMs = Math.min(waitMs * 1.5, 100)) {
    const state = await callEngineIfExists(exec.inspect())
    const isUp = async () => (await callEngineIfExists(container.inspect()))?.State.Running === true
    if (state?.Running === false) return state.ExitCode !== 137 || (await isUp()) ? state.ExitCode : 'gone'
    if (state === null || !(await isUp())) return 'gone'
    await sleep(waitMs)
  }
}

/** Input that waits for a change of the terminal's size before it, so that both take effect in the order of the calls. */
function orderedInput(terminal: Writable, resizing: () => Promise<unknown>): Writable {
  const input = new Writable({
    async write(chunk: Buffer, _encoding, done) {
      await resizing()
      terminal.write(chunk, done)
    },
    async final(done) {
      await resizing()
      terminal.end(done)
    },
  })
  return input.on('error', () => {}) // the program has ended, or does not read
}

/** Whether a process was killed for lack of memory since the last call. Reads control groups v1 and v2. */
async function ranOutOfMemory(machine: ContainerMachine): Promise<boolean> {
  const script = 'exec cat /sys/fs/cgroup/memory/memory.oom_control /sys/fs/cgroup/memory.events 2>/dev/null'
  const { output } = await runInside(machine.container, machine.user, script, [])
  const before = machine.outOfMemory
  machine.outOfMemory = Number(/^oom_kill (\d+)$/m.exec(output)?.[1] ?? before)
  return machine.outOfMemory > before
}

/** The pid in the first line, which our script prints; the program's output follows. */
async function readPid(output: Readable): Promise<number> {
  const { line, isComplete } = await readLine(output)
  const pid = Number(line)
  if (isComplete && Number.isInteger(pid)) return pid
  output.destroy()
  throw new NotRun('program_not_found', `Couldn't start the program: ${line || 'the container has ended'}`)
}

/** Leaves the rest of the output in the stream. */
async function readLine(stream: Readable): Promise<{ line: string; isComplete: boolean }> {
  let head = Buffer.alloc(0)
  for (;;) {
    const chunk = stream.read() as Buffer | null
    if (chunk !== null) {
      head = Buffer.concat([head, chunk])
      const newline = head.indexOf(10)
      if (newline < 0) continue
      if (newline + 1 < head.length) stream.unshift(head.subarray(newline + 1))
      return { line: head.subarray(0, newline).toString('utf8').trim(), isComplete: true }
    }
    if (stream.readableEnded || stream.destroyed) return { line: head.toString('utf8').trim(), isComplete: false }
    await Promise.race([once(stream, 'readable'), once(stream, 'end'), once(stream, 'close')])
  }
}
