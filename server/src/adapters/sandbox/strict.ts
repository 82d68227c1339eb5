import { Readable } from 'node:stream'
import type { Outcome, SandboxEngine, SandboxPolicy } from './types.ts'

/** For untrusted programs, which can read only the installed programs of this machine. */
export const strictPolicy = (memoryMb: number): SandboxPolicy => ({
  readable: [],
  writableBytes: 64 * 1024 * 1024,
  network: 'none',
  limits: { memoryBytes: memoryMb * 1024 * 1024, processes: 64 },
})

/** A program that runs with its files in a separate sandbox. */
export interface StandaloneProgram {
  files: Readonly<Record<string, string>>
  argv: readonly string[]
  /** Its standard input; none by default. */
  input?: string
  timeoutMs: number
  memoryMb: number
}

/** Resolves when the program has ended and its sandbox is removed. Throws `NotRun`. */
export async function runAlone(engine: SandboxEngine, program: StandaloneProgram, signal?: AbortSignal): Promise<Outcome> {
  const { files, memoryMb, input, ...rest } = program
  const sandbox = await engine.start(strictPolicy(memoryMb), files)
  try {
    return await sandbox.run({ ...rest, ...(input !== undefined && { streams: { input: Readable.from([input]) } }) }, signal)
  } finally {
    await sandbox.end()
  }
}
