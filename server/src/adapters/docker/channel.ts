/** A program in a container, and its streams. */
import { once } from 'node:events'
import { PassThrough, type Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type Docker from 'dockerode'
import { signalOf } from '../sandbox/exit-codes.ts'
import { type Channel, EngineLost, type MachineProgram, NotRun } from '../sandbox/index.ts'
import { ask, askIfThere } from './client.ts'
import { demultiplexed, runInside } from './inside.ts'
import { killAll, MARKED, processesOf, signalProcesses } from './processes.ts'

/** The machine that programs run in, as they know it. */
export interface Place {
  container: Docker.Container
  user: string
  workdir: string | null
  /** Marks of the programs that run, and how many there were. */
  marks: Set<string>
  lastMark: number
  /** Processes that were killed because the memory was used up, as counted last. */
  outOfMemory: number
  isStopped: () => boolean
  /** Ends the whole machine, where a program cannot be ended by itself. */
  giveUp: (why: string) => Promise<void>
}

type Exit = Awaited<Channel['exit']>
const LOST: Exit = { code: null, signal: null, outOfMemory: false }
const KILLED: Exit = { code: null, signal: 'SIGKILL', outOfMemory: false }

const PIPES = `${MARKED}exec "$@"`
/** Waits for a line, before which its terminal gets its size: the program may ask for it at once. */
const TERMINAL = `${MARKED}read -r _ && exec "$@"`

export async function openChannel(place: Place, program: MachineProgram): Promise<Channel> {
  const mark = String((place.lastMark += 1))
  place.marks.add(mark)
  try {
    return await startProgram(place, mark, program)
  } catch (error) {
    place.marks.delete(mark)
    throw error
  }
}

async function startProgram(place: Place, mark: string, { argv, terminal, cwd, env = {} }: MachineProgram): Promise<Channel> {
  const { container, user } = place
  const workdir = cwd ?? place.workdir
  const variables = { ...(terminal && { TERM: 'xterm-256color' }), ...env }
  const exec = await ask(
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
  const stream = await ask(exec.start({ hijack: true, stdin: true, Tty: terminal !== null }))
  stream.on('error', () => {}) // the failure is reported at its end
  const from = stream
  const input = stream
  const { output, errors } = terminal ? { output: from.pipe(new PassThrough()), errors: null } : demultiplexed(from)
  const pid = await numberFrom(output)
  if (terminal) {
    await ask(exec.resize({ h: terminal.rows, w: terminal.columns }))
    input.write('\n')
    await readLine(output) // the terminal shows what is typed
  }

  /** What lowered its mark is nobody's, and ends with the next program. */
  const isOurs = (own: string) => own === mark || (own !== 'unlimited' && !place.marks.has(own))
  const started = async () => (await processesOf(place, isOurs)).filter((one) => one !== pid)
  const isGone = (error: unknown) => place.isStopped() || error instanceof EngineLost
  /** Ends the machine where its programs leave no other way. */
  const enter = async <Result>(work: () => Promise<Result>, otherwise: Result): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      if (isGone(error)) return otherwise
      await place.giveUp(`The sandbox was stopped, because a program in it could not be ended by itself: ${(error as Error).message}`)
      return otherwise
    }
  }

  let resized: Promise<unknown> = Promise.resolve()
  const ending = Promise.withResolvers<void>()
  let isEnded = false
  const wait = async (): Promise<Exit> => {
    await Promise.race([finished(from, { writable: false }).catch(() => {}), ending.promise])
    const code = await codeOf(exec, container)
    if (code === 'gone') return place.isStopped() ? KILLED : LOST
    if (!isEnded) await enter(() => killAll(place, isOurs), undefined)
    const signal = isEnded ? 'SIGKILL' : signalOf(code)
    return { code: signal === null ? code : null, signal, outOfMemory: signal === 'SIGKILL' && !isEnded && (await ranOutOfMemory(place)) }
  }
  const exit = wait()
    .catch((): Exit => (place.isStopped() ? KILLED : LOST))
    .finally(() => place.marks.delete(mark))
  return {
    input: terminal ? typedInto(input, () => resized) : input,
    output,
    errors,
    resize: (columns, rows) => {
      if (terminal) resized = exec.resize({ h: rows, w: columns }).catch(() => {}) // it may have ended
    },
    async signal(name, to) {
      // the program first: a shell acts on an interrupt only while what it waits for is alive
      await enter(async () => signalProcesses(place, name, [...(to === 'all' ? [pid] : []), ...(await started())]), undefined)
    },
    descendants: () => enter(async () => (await started()).length, 0),
    exit,
    async end() {
      isEnded = true
      // for seconds the Engine answers nothing while output of a program that has ended is not read, or can still come
      output.resume()
      errors?.resume()
      await enter(() => killAll(place, isOurs), undefined)
      ending.resolve()
      from.destroy()
      await exit
    },
  }
}

/** The exit code; the Engine does not report it for programs that ended with their container. */
async function codeOf(exec: Docker.Exec, container: Docker.Container): Promise<number | null | 'gone'> {
  for (let waitMs = 5; ; waitMs = Math.min(waitMs * 1.5, 100)) {
    const state = await askIfThere(exec.inspect())
    const isUp = async () => (await askIfThere(container.inspect()))?.State.Running === true
    if (state?.Running === false) return state.ExitCode !== 137 || (await isUp()) ? state.ExitCode : 'gone'
    if (state === null || !(await isUp())) return 'gone'
    await sleep(waitMs)
  }
}

/** Typed in the order of calls: what follows a new size finds the terminal of that size. */
function typedInto(terminal: Writable, resized: () => Promise<unknown>): Writable {
  const input = new Writable({
    async write(chunk: Buffer, _encoding, done) {
      await resized()
      terminal.write(chunk, done)
    },
    async final(done) {
      await resized()
      terminal.end(done)
    },
  })
  return input.on('error', () => {}) // the program has ended, or does not read
}

/** Whether one more process was killed for want of memory. Both versions of control groups. */
async function ranOutOfMemory(place: Place): Promise<boolean> {
  const script = 'exec cat /sys/fs/cgroup/memory/memory.oom_control /sys/fs/cgroup/memory.events 2>/dev/null'
  const { output } = await runInside(place.container, place.user, script, [])
  const before = place.outOfMemory
  place.outOfMemory = Number(/^oom_kill (\d+)$/m.exec(output)?.[1] ?? before)
  return place.outOfMemory > before
}

/** The number in the first line; what follows is the program's own output. */
async function numberFrom(output: Readable): Promise<number> {
  const { line, isWhole } = await readLine(output)
  const pid = Number(line)
  if (isWhole && Number.isInteger(pid)) return pid
  output.destroy()
  throw new NotRun('program_not_found', `The program could not be started: ${line || 'the container has ended'}`)
}

/** What follows the line stays in the stream. */
async function readLine(from: Readable): Promise<{ line: string; isWhole: boolean }> {
  let head = Buffer.alloc(0)
  for (;;) {
    const chunk = from.read() as Buffer | null
    if (chunk !== null) {
      head = Buffer.concat([head, chunk])
      const newline = head.indexOf(10)
      if (newline < 0) continue
      if (newline + 1 < head.length) from.unshift(head.subarray(newline + 1))
      return { line: head.subarray(0, newline).toString('utf8').trim(), isWhole: true }
    }
    if (from.readableEnded || from.destroyed) return { line: head.toString('utf8').trim(), isWhole: false }
    await Promise.race([once(from, 'readable'), once(from, 'end'), once(from, 'close')])
  }
}
