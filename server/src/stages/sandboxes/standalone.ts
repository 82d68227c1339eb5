import { randomBytes } from 'node:crypto'
import os from 'node:os'
import { finished } from 'node:stream/promises'
import type { SandboxExec, SandboxResult } from '#contracts/entities/sandbox.ts'
import { EngineLost, type Machine } from '#server/adapters/sandbox/index.ts'
import { createOutputBuffer } from './shell/output-buffer.ts'

/** Longer commands are passed in a file: the system refuses arguments of 128 KiB. */
const ARGUMENT_BYTES = 100_000
const GRACE_MS = 1000

const DIRECT = ['/bin/sh', '-c', 'exec bash -c "$1" 2>&1', 'sh']
const FROM_FILE = ['/bin/bash', '-c', 'exec 2>&1; command=$(<"$0"); rm -f -- "$0"; eval "$command"']

type Request = Pick<SandboxExec, 'command' | 'cwd' | 'env' | 'stdin'> & { timeoutSec: number; maxOutputBytes: number }

/** Runs a command in its own process. Its output and errors are merged as written and not trimmed. Throws `EngineLost`. */
export async function runStandalone(machine: Machine, request: Request, signal?: AbortSignal): Promise<SandboxResult> {
  const { command, cwd, env, stdin, timeoutSec, maxOutputBytes } = request
  const began = performance.now()
  const channel = await machine.open({
    argv: await argvOf(machine, command),
    terminal: null,
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
  })
  const output = createOutputBuffer(maxOutputBytes)
  for (const stream of [channel.output, channel.errors]) stream?.on('data', (bytes: Buffer) => output.add(bytes))
  const drained = Promise.all([channel.output, channel.errors].map(async (stream) => stream && finished(stream).catch(() => {})))
  channel.input.on('error', () => {}) // it may end without reading its input
  channel.input.end(stdin ?? '')

  let signalSent: SandboxResult['signalSent'] = null
  let timedOut = false
  let force: NodeJS.Timeout | undefined
  const interrupt = () => {
    signalSent ??= 'INT'
    void channel.signal('INT', 'all')
    force = setTimeout(() => {
      signalSent = 'KILL'
      void channel.signal('KILL', 'all')
    }, GRACE_MS)
  }
  const deadline = setTimeout(() => {
    timedOut = true
    interrupt()
  }, timeoutSec * 1000)
  signal?.addEventListener('abort', interrupt)
  if (signal?.aborted) interrupt()
  const exit = await channel.exit
  clearTimeout(deadline)
  clearTimeout(force)
  signal?.removeEventListener('abort', interrupt)
  await drained
  if (exit.code === null && exit.signal === null) throw new EngineLost('The command ended because its sandbox engine stopped.')
  const { text, truncated } = output.end()
  return {
    output: text,
    before: '',
    stderr: null,
    outputBytes: output.totalBytes,
    truncated,
    exitCode: exit.code ?? 128 + signalNumber(exit.signal),
    exited: false,
    timedOut,
    signalSent,
    durationMs: performance.now() - began,
  }
}

const signalNumber = (name: string | null): number =>
  (os.constants.signals as Readonly<Record<string, number>>)[name ?? ''] ?? os.constants.signals.SIGKILL

async function argvOf(machine: Machine, command: string): Promise<string[]> {
  if (Buffer.byteLength(command) <= ARGUMENT_BYTES) return [...DIRECT, command]
  const file = `/tmp/.command-${randomBytes(6).toString('hex')}`
  await machine.write(file, Buffer.from(command), 0o600)
  return [...FROM_FILE, file]
}
