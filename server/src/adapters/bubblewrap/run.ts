import fs from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { signalOf } from '../sandbox/exit-codes.ts'
import { NotRun, type Outcome, type SandboxPolicy, type SandboxProgram } from '../sandbox/types.ts'
import { limited, programInside, strictArguments } from './arguments.ts'
import type { Group } from './groups.ts'
import { launch, type Means, neverBegan, scratchFile } from './launch.ts'

export const KEPT_BYTES = 1024 * 1024

export interface Start {
  policy: SandboxPolicy
  files: Readonly<Record<string, string>>
  /** Bounds all programs of the sandbox; null if this machine has none. */
  group: Group | null
}

/** Runs one program and resolves once its whole tree is gone. `signal` kills it. */
export async function run(means: Means, { policy, files, group }: Start, program: SandboxProgram, signal?: AbortSignal): Promise<Outcome> {
  if (programInside(program.argv[0]!, files) === null)
    throw new NotRun(
      'program_not_found',
      `There is no program "${program.argv[0]}" in the sandbox, which has those under /usr and its own files.`,
    )
  signal?.throwIfAborted()

  const { input, output, errors } = program.streams ?? {}
  const kept = { output: output ? null : scratchFile(), errors: errors ? null : scratchFile() }
  try {
    const killedBefore = group?.outOfMemory() ?? 0
    const cpuSeconds = Math.ceil(program.timeoutMs / 1000) + 1
    const started = performance.now()
    const { bwrap, ended } = await launch(means, {
      options: (fd) => strictArguments(policy, files, fd),
      command: [...limited(means.prlimit, policy, cpuSeconds, group === null), ...program.argv],
      stdio: [input ? 'pipe' : 'ignore', kept.output ?? 'pipe', kept.errors ?? 'pipe'],
      onBorn: (pid) => group?.add(pid),
      deadlineMs: program.timeoutMs,
      ...(signal && { signal }),
    })
    const unread: unknown[] = []
    const flows = [output && pipeline(bwrap.streams[1] as Readable, output), errors && pipeline(bwrap.streams[2] as Readable, errors)].map(
      (flow) =>
        flow?.catch((error: unknown) => {
          unread.push(error)
          return bwrap.end()
        }),
    )
    if (input) void pipeline(input, bwrap.streams[0] as Writable).catch(() => undefined) // a program need not read all
    const { exit, exitCode, ms } = await ended(started)
    for (const flow of flows) await flow
    const outOfMemory = (group?.outOfMemory() ?? 0) > killedBefore
    const timedOut = exit.endedBy === 'deadline'
    const stopped = timedOut || signal?.aborted === true
    if (unread.length > 0) throw unread[0]
    const stdout = beginning(kept.output)
    const stderr = beginning(kept.errors)
    if (exitCode === null && !stopped) throw new NotRun('isolation_unavailable', neverBegan(exit, stderr))
    return {
      exitCode: stopped ? null : exitCode,
      signal: stopped ? 'SIGKILL' : signalOf(exitCode),
      timedOut,
      outOfMemory,
      stdout,
      stderr,
      ms,
    }
  } finally {
    for (const fd of [kept.output, kept.errors]) if (fd !== null) fs.closeSync(fd)
  }
}

function beginning(fd: number | null): string {
  if (fd === null) return ''
  const bytes = Buffer.alloc(Math.min(fs.fstatSync(fd).size, KEPT_BYTES))
  return bytes.toString('utf8', 0, fs.readSync(fd, bytes, 0, bytes.length, 0))
}
