import { PassThrough, type Readable, type Writable } from 'node:stream'
import type Docker from 'dockerode'
import { type Channel, type MachineProgram, NotRun } from '../sandbox/index.ts'
import { demultiplexed, descendantsOf, ended, KILL, LIST, runInside } from './inside.ts'

/** Tells its number first, which is how it is found again inside. */
const WITH_NUMBER = ['/bin/sh', '-c', 'echo $$; exec "$@"', 'sh']

interface Place {
  docker: Docker
  container: Docker.Container
  user: string
  workdir: string | null
}

/** Runs a program in a container. */
export async function openChannel(
  { docker, container, user, workdir }: Place,
  { argv, terminal, cwd, env = {} }: MachineProgram,
): Promise<Channel> {
  const directory = cwd ?? workdir
  const exec = await container.exec({
    Cmd: [...WITH_NUMBER, ...argv],
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: terminal !== null,
    User: user,
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ...(directory === null ? {} : { WorkingDir: directory }),
    ...(terminal === null ? {} : { ConsoleSize: [terminal.rows, terminal.columns] as [number, number] }),
  })
  const stream = await exec.start({ hijack: true, stdin: true, Tty: terminal !== null })
  const streams = terminal === null ? demultiplexed(docker, stream) : { output: stream as unknown as Readable, errors: null }
  const { pid, output } = await numberFrom(streams.output)
  if (terminal !== null) await exec.resize({ h: terminal.rows, w: terminal.columns }).catch(() => {}) // it may have ended

  const inside = (script: string, ...args: string[]) => runInside(docker, container, user, script, args)
  const descendants = async () => descendantsOf(pid, (await inside(LIST)).output)
  const kill = async (name: string, pids: readonly number[]) => {
    if (pids.length > 0) await inside(KILL, name, ...pids.map(String))
  }
  const stopRest = async () => {
    for (let rest = await descendants(); rest.length > 0; rest = await descendants()) await kill('KILL', rest)
  }
  const finish = async () => {
    await new Promise<void>((resolve) => streams.output.once('close', resolve).once('end', resolve).resume())
    const code = await ended(exec).catch(() => null) // the container is gone
    if (code !== null) await stopRest().catch(() => {}) // as above
    return {
      code: code === null || code === NO_CODE ? null : code,
      signal: code === null ? 'SIGKILL' : null,
      outOfMemory: (await container.inspect().catch(() => null))?.State.OOMKilled ?? false,
    }
  }
  const exit = finish()
  return {
    input: stream as unknown as Writable,
    output,
    errors: streams.errors,
    resize: (columns, rows) => void exec.resize({ h: rows, w: columns }).catch(() => {}), // it may have ended
    async signal(name, to) {
      const started = await descendants()
      await kill(name, to === 'all' ? [pid, ...started] : started)
    },
    descendants: async () => (await descendants()).length,
    exit,
    async end() {
      await kill('KILL', [pid, ...(await descendants())]).catch(() => {}) // the container may be gone
      stream.end()
      await exit
    },
  }
}

/** The Engine's answer where a program was never started. */
const NO_CODE = -1

/** The number in the first line; what follows is the program's own output. */
function numberFrom(from: Readable): Promise<{ pid: number; output: Readable }> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0)
    const output = new PassThrough()
    const onEnd = () =>
      reject(
        new NotRun('program_not_found', `The program could not be started: ${head.toString('utf8').trim() || 'the container has ended'}`),
      )
    const onData = (bytes: Buffer) => {
      head = Buffer.concat([head, bytes])
      const newline = head.indexOf(10)
      if (newline < 0) return
      from.off('data', onData).off('end', onEnd).off('close', onEnd)
      const pid = Number(head.subarray(0, newline).toString('utf8').trim())
      if (!Number.isInteger(pid))
        return reject(new NotRun('program_not_found', `The program could not be started: ${head.toString('utf8').trim()}`))
      from.pause()
      if (newline + 1 < head.length) output.write(head.subarray(newline + 1))
      from.pipe(output)
      resolve({ pid, output })
    }
    from.on('data', onData).once('end', onEnd).once('close', onEnd)
  })
}
