/** Runs our scripts in a container. They need its /bin/sh, cat and grep, and start no second process. */
import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type Docker from 'dockerode'
import { callEngine } from './client.ts'

const DEADLINE_MS = 10_000
const MAX_BYTES = 4 * 1024 * 1024
/** The size of a pipe, so that a program with little output does not wait for its reader. */
const PIPE_BYTES = 64 * 1024

export interface ScriptResult {
  code: number
  output: string
}

/** Runs `script` with `args` as $1, $2, …. Throws if it does not end in time: programs inside may have replaced the shell. */
export async function runInside(container: Docker.Container, user: string, script: string, args: readonly string[]): Promise<ScriptResult> {
  const exec = await callEngine(
    container.exec({ Cmd: ['/bin/sh', '-c', script, 'sh', ...args], AttachStdout: true, AttachStderr: true, User: user }),
  )
  const stream = await callEngine(exec.start({ hijack: true, stdin: false }))
  stream.on('error', () => {}) // the failure is reported at its end
  const deadline = setTimeout(() => stream.destroy(), DEADLINE_MS)
  try {
    const { output, errors } = demultiplex(stream)
    errors.resume()
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of output as AsyncIterable<Buffer>) {
      parts.push(part)
      if ((bytes += part.length) > MAX_BYTES)
        throw new Error('The output of our script in the sandbox is too long, so a program there may have replaced the shell.')
    }
    const code = await waitForExitCode(exec, DEADLINE_MS)
    return { code: code ?? 1, output: Buffer.concat(parts).toString('utf8') }
  } finally {
    clearTimeout(deadline)
    stream.destroy()
  }
}

/** Separates the two outputs of a program without a terminal, no faster than they are read. */
export function demultiplex(stream: Readable): { output: PassThrough; errors: PassThrough } {
  const output = new PassThrough({ highWaterMark: PIPE_BYTES })
  const errors = new PassThrough({ highWaterMark: PIPE_BYTES })
  const pump = async () => {
    try {
      await splitFrames(stream, output, errors)
    } catch {} // reported when the program ends
    output.end()
    errors.end()
  }
  void pump()
  return { output, errors }
}

const HEADER_BYTES = 8
const ERRORS = 2

/** Each frame has a header (the first byte is the stream, the last four are the length) and bytes. */
async function splitFrames(stream: Readable, output: PassThrough, errors: PassThrough): Promise<void> {
  let header = Buffer.alloc(0)
  let remaining = 0
  for await (let chunk of stream as AsyncIterable<Buffer>) {
    while (chunk.length > 0) {
      if (remaining === 0) {
        const headerPart = chunk.subarray(0, HEADER_BYTES - header.length)
        header = Buffer.concat([header, headerPart])
        chunk = chunk.subarray(headerPart.length)
        if (header.length === HEADER_BYTES) remaining = header.readUInt32BE(4)
        if (remaining === 0) continue
      }
      const part = chunk.subarray(0, remaining)
      const target = header[0] === ERRORS ? errors : output
      chunk = chunk.subarray(part.length)
      remaining -= part.length
      if (remaining === 0) header = Buffer.alloc(0)
      if (part.length > 0 && !target.destroyed && !target.write(part)) await Promise.race([once(target, 'drain'), once(target, 'close')])
    }
  }
}

/** Waits for the exit code, which the Engine knows only shortly after it closes the stream. Null if the program never started. */
export async function waitForExitCode(exec: Docker.Exec, deadlineMs = Infinity): Promise<number | null> {
  for (const until = performance.now() + deadlineMs; ;) {
    const { Running, ExitCode } = await callEngine(exec.inspect())
    if (!Running) return ExitCode
    if (performance.now() > until) throw new Error('Our script in the sandbox did not end in time.')
    await sleep(5)
  }
}
