import type { Outcome, SandboxEngine, SandboxPolicy } from './types.ts'

/** For untrusted programs: of this machine they see only its programs. */
export const strictPolicy = (memoryMb: number): SandboxPolicy => ({
  readable: [],
  writableBytes: 64 * 1024 * 1024,
  network: 'none',
  limits: { memoryBytes: memoryMb * 1024 * 1024, processes: 64 },
})

/** A program with its files, in its own sandbox. */
export interface LoneProgram {
  files: Readonly<Record<string, string>>
  argv: readonly string[]
  timeoutMs: number
  memoryMb: number
}

/** Resolves once nothing of the program or its sandbox is left. Throws `NotRun`. */
export async function runAlone(engine: SandboxEngine, program: LoneProgram, signal?: AbortSignal): Promise<Outcome> {
  const { files, memoryMb, ...rest } = program
  const sandbox = await engine.start(strictPolicy(memoryMb), files)
  try {
    return await sandbox.run(rest, signal)
  } finally {
    await sandbox.end()
  }
}
