/** Our programs in a container. They need its /bin/sh, cat and grep, and start no second process. */
import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type Docker from 'dockerode'
import { ask } from './client.ts'

const DEADLINE_MS = 10_000
const MAX_BYTES = 4 * 1024 * 1024
/** As much as a pipe holds, so that a program that prints little does not wait for its reader. */
const PIPE_BYTES = 64 * 1024

export interface Answer {
  code: number
  output: string
}

/** Runs `script` with `args` as $1 and on. Throws if it does not end in time: programs inside may have replaced ours. */
export async function runInside(container: Docker.Container, user: string, script: string, args: readonly string[]): Promise<Answer> {
  const exec = await ask(
    container.exec({ Cmd: ['/bin/sh', '-c', script, 'sh', ...args], AttachStdout: true, AttachStderr: true, User: user }),
  )
  const stream = await ask(exec.start({ hijack: true, stdin: false }))
  stream.on('error', () => {}) // the failure is reported at its end
  const late = setTimeout(() => stream.destroy(), DEADLINE_MS)
  try {
    const { output, errors } = demultiplexed(stream)
    errors.resume()
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of output as AsyncIterable<Buffer>) {
      parts.push(part)
      if ((bytes += part.length) > MAX_BYTES) throw new Error('A program of the sandbox answered in place of ours.')
    }
    const code = await ended(exec, DEADLINE_MS)
    return { code: code ?? 1, output: Buffer.concat(parts).toString('utf8') }
  } finally {
    clearTimeout(late)
    stream.destroy()
  }
}

/** The two outputs of a program without a terminal, at the pace of their readers. */
export function demultiplexed(stream: Readable): { output: PassThrough; errors: PassThrough } {
  const output = new PassThrough({ highWaterMark: PIPE_BYTES })
  const errors = new PassThrough({ highWaterMark: PIPE_BYTES })
  const pump = async () => {
    try {
      await share(stream, output, errors)
    } catch {} // the end of the program reports the failure
    output.end()
    errors.end()
  }
  void pump()
  return { output, errors }
}

const HEADER_BYTES = 8
const ERRORS = 2

/** Frames of a header (stream in its first byte, length in the last four) and bytes. */
async function share(stream: Readable, output: PassThrough, errors: PassThrough): Promise<void> {
  let header = Buffer.alloc(0)
  let left = 0
  for await (let chunk of stream as AsyncIterable<Buffer>) {
    while (chunk.length > 0) {
      if (left === 0) {
        const taken = chunk.subarray(0, HEADER_BYTES - header.length)
        header = Buffer.concat([header, taken])
        chunk = chunk.subarray(taken.length)
        if (header.length === HEADER_BYTES) left = header.readUInt32BE(4)
        if (left === 0) continue
      }
      const part = chunk.subarray(0, left)
      const target = header[0] === ERRORS ? errors : output
      chunk = chunk.subarray(part.length)
      left -= part.length
      if (left === 0) header = Buffer.alloc(0)
      if (part.length > 0 && !target.destroyed && !target.write(part)) await Promise.race([once(target, 'drain'), once(target, 'close')])
    }
  }
}

/** The exit code, once the program has ended: the Engine closes the stream a moment before it knows it. Null: never started. */
export async function ended(exec: Docker.Exec, deadlineMs = Infinity): Promise<number | null> {
  for (const until = performance.now() + deadlineMs; ;) {
    const { Running, ExitCode } = await ask(exec.inspect())
    if (!Running) return ExitCode
    if (performance.now() > until) throw new Error('A program of ours in the sandbox did not end.')
    await sleep(5)
  }
}
