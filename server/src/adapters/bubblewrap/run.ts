import fs from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { signalOf } from '../sandbox/exit-codes.ts'
import { NotRun, type Outcome, type SandboxPolicy, type SandboxProgram } from '../sandbox/types.ts'
import { limitCommand, programInside, strictArguments } from './arguments.ts'
import type { Group } from './groups.ts'
import { launch, type BubblewrapTools, startFailure, scratchFile } from './launch.ts'

export const OUTPUT_BYTES = 1024 * 1024

export interface SandboxStart {
  policy: SandboxPolicy
  files: Readonly<Record<string, string>>
  /** Limits all programs of the sandbox together; null if this machine has no control groups. */
  group: Group | null
}

/** Runs one program and resolves when it and all its descendants have ended. `signal` kills them. */
export async function run(
  tools: BubblewrapTools,
  { policy, files, group }: SandboxStart,
  program: SandboxProgram,
  signal?: AbortSignal,
): Promise<Outcome> {
  if (programInside(program.argv[0]!, files) === null)
    throw new NotRun(
      'program_not_found',
      `There is no program "${program.argv[0]}" in the sandbox, which has only the programs under /usr and its own files.`,
    )
  signal?.throwIfAborted()

  const { input, output, errors } = program.streams ?? {}
  const scratch = { output: output ? null : scratchFile(), errors: errors ? null : scratchFile() }
  try {
    const killedBefore = group?.outOfMemory() ?? 0
    const cpuSeconds = Math.ceil(program.timeoutMs / 1000) + 1
    const startedAt = performance.now()
    const { bwrap, waitForEnd } = await launch(tools, {
      options: (fd) => strictArguments(policy, files, fd),
      command: [...limitCommand(tools.prlimit, policy, cpuSeconds, group === null), ...program.argv],
      stdio: [input ? 'pipe' : 'ignore', scratch.output ?? 'pipe', scratch.errors ?? 'pipe'],
      beforeStart: (pid) => group?.add(pid),
      deadlineMs: program.timeoutMs,
      ...(signal && { signal }),
    })
    const streamErrors: unknown[] = []
    const transfers = [
      output && pipeline(bwrap.streams[1] as Readable, output),
      errors && pipeline(bwrap.streams[2] as Readable, errors),
    ].map((flow) =>
      flow?.catch((error: unknown) => {
        streamErrors.push(error)
        return bwrap.end()
      }),
    )
    if (input) void pipeline(input, bwrap.streams[0] as Writable).catch(() => undefined) // a program may end before it reads all input
    const { exit, exitCode, ms } = await waitForEnd(startedAt)
    for (const flow of transfers) await flow
    const outOfMemory = (group?.outOfMemory() ?? 0) > killedBefore
    const timedOut = exit.endedBy === 'deadline'
    const wasStopped = timedOut || signal?.aborted === true
    if (streamErrors.length > 0) throw streamErrors[0]
    const stdout = readBeginning(scratch.output)
    const stderr = readBeginning(scratch.errors)
    if (exitCode === null && !wasStopped) throw startFailure(exit, stderr)
    return {
      exitCode: wasStopped ? null : exitCode,
      signal: wasStopped ? 'SIGKILL' : signalOf(exitCode),
      timedOut,
      outOfMemory,
      stdout,
      stderr,
      ms,
    }
  } finally {
    for (const fd of [scratch.output, scratch.errors]) if (fd !== null) fs.closeSync(fd)
  }
}

function readBeginning(fd: number | null): string {
  if (fd === null) return ''
  const bytes = Buffer.alloc(Math.min(fs.fstatSync(fd).size, OUTPUT_BYTES))
  return bytes.toString('utf8', 0, fs.readSync(fd, bytes, 0, bytes.length, 0))
}
