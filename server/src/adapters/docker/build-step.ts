/** One command of a build, in a container with the isolation and limits of every machine. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type Docker from 'dockerode'
import { NotRun } from '../sandbox/index.ts'
import { diskLimitExceeded } from '../sandbox/requests.ts'
import type { StepCommand } from './build.ts'
import { callEngine, callEngineIfExists } from './client.ts'
import { watchDisk } from './disk-watch.ts'
import { demultiplex } from './inside.ts'

const TAIL_CHARACTERS = 4000
const LOOK_MS = 100
/** After the end of its output, until an Engine that knows no exit code is believed. */
const MAX_LOOKS = 50

/** Runs the command in a started container, and saves what it leaves as an image; returns its id. Throws `NotRun` if it fails. */
export async function runInContainer(
  container: Docker.Container,
  { argv, env, user, workdir, limits, signal }: StepCommand,
): Promise<string> {
  let why: string | null = null
  const stop = (reason: string) => {
    why ??= reason
    void callEngineIfExists(container.kill()).catch(() => {}) // it has ended
  }
  const onAbort = () => stop('It was stopped.')
  signal.addEventListener('abort', onAbort)
  const { diskBytes, cpus } = limits
  const unwatch = watchDisk(container, { limitBytes: diskBytes, cpus }, (bytes) => stop(diskLimitExceeded(bytes, diskBytes)))
  try {
    signal.throwIfAborted()
    const { code, tail } = await perform(container, { argv, env, user, workdir })
    signal.throwIfAborted()
    if (why !== null) throw new NotRun('image_unavailable', why)
    if (code !== 0) throw new NotRun('image_unavailable', `${argv.at(-1)} ended with exit code ${code ?? 'unknown'}\n${tail.trim()}`)
    const { Id } = (await callEngine(container.commit({ pause: true }))) as { Id: string }
    return Id
  } finally {
    unwatch()
    signal.removeEventListener('abort', onAbort)
  }
}

async function perform(container: Docker.Container, { argv, env, user, workdir }: Pick<StepCommand, 'argv' | 'env' | 'user' | 'workdir'>) {
  const exec = await callEngine(
    container.exec({ Cmd: [...argv], Env: [...env], User: user, WorkingDir: workdir, AttachStdout: true, AttachStderr: true }),
  )
  const stream = await callEngine(exec.start({ hijack: true, stdin: false }))
  stream.on('error', () => {}) // the exit code says how it ended
  let tail = ''
  const { output, errors } = demultiplex(stream)
  for (const one of [output, errors])
    one.setEncoding('utf8').on('data', (part: string) => {
      tail = (tail + part).slice(-TAIL_CHARACTERS)
    })
  let isSilent = false
  const silence = Promise.all([once(output, 'end'), once(errors, 'end')]).then(() => (isSilent = true))
  // a program that it left in the background may keep the streams open
  const code = await exitCodeOf(exec, () => isSilent)
  await Promise.race([silence, sleep(LOOK_MS)])
  stream.destroy()
  return { code, tail }
}

/** Null if the program never started. The Engine knows no code before the start, and it only shortly after the end. */
async function exitCodeOf(exec: Docker.Exec, isSilent: () => boolean): Promise<number | null> {
  for (let looks = 0; ; looks += isSilent() ? 1 : 0) {
    await sleep(LOOK_MS)
    const { Running, ExitCode } = await callEngine(exec.inspect())
    if (!Running && (ExitCode !== null || looks >= MAX_LOOKS)) return ExitCode
  }
}
