import { randomBytes } from 'node:crypto'
import os from 'node:os'
import { NotRun, openSandboxes, runAlone, type SandboxEngine } from '#server/adapters/sandbox/index.ts'
import { DRIVER } from './driver.ts'
import type { Program } from './sets/types.ts'

const PYTHON = '/usr/bin/python3'
const MEMORY_MB = 1024

export interface ProgramEnd {
  /** `error`: the sandbox failed, so nothing is known of the program. `unfit`: its test needs to be in the process of the answer. */
  end: 'pass' | 'fail' | 'timeout' | 'error' | 'unfit'
  reason: string | null
  /** It was in one process with its test, which it could forge. */
  isTogether: boolean
}

export type ProgramRunner = ReturnType<typeof createProgramRunner>

/** Runs answers in sandboxes, as many at once as there are cores. Never outside of one. */
export function createProgramRunner({ places = os.availableParallelism() }: { places?: number } = {}) {
  let opening: Promise<{ engine: SandboxEngine; version: string }> | null = null
  const waiting: (() => void)[] = []
  let free = places

  const open = () => {
    opening ??= openTested().catch((error: unknown) => {
      opening = null // it may be installed before the next call
      throw error
    })
    return opening
  }
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }

  return {
    /** The interpreter that answers run with. Throws `NotRun` if there is no sandbox here. */
    version: async (): Promise<string> => (await open()).version,
    /** `isTogether`: in one process with its test. */
    run: async (
      { solution, test, given, entry }: Program,
      timeoutMs: number,
      signal: AbortSignal,
      isTogether = false,
    ): Promise<ProgramEnd> => {
      const { engine } = await open()
      return inTurn(async () => {
        signal.throwIfAborted()
        const [word, unfit] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
        const files = { 'driver.py': DRIVER, 'solution.py': solution }
        const input = JSON.stringify([word, unfit, test, given, entry]) // not a file: bubblewrap's memory, which programs can read, keeps parts of those
        const argv = [PYTHON, '-I', '-B', 'driver.py', isTogether ? 'together' : 'apart']
        let outcome
        try {
          outcome = await runAlone(engine, { files, argv, input, timeoutMs, memoryMb: MEMORY_MB }, signal)
        } catch (error) {
          signal.throwIfAborted()
          return { isTogether, end: 'error', reason: `It could not be run in a sandbox: ${(error as Error).message}` }
        }
        if (outcome.exitCode === 0 && outcome.stdout === word) return { isTogether, end: 'pass', reason: null }
        if (outcome.exitCode === 0 && outcome.stdout.startsWith(`${unfit} `))
          return { isTogether, end: 'unfit', reason: outcome.stdout.slice(unfit.length + 1) }
        if (outcome.timedOut) return { isTogether, end: 'timeout', reason: `It did not end within ${timeoutMs / 1000} s.` }
        return { isTogether, end: 'fail', reason: reasonOf(outcome) }
      })
    },
  }
}

async function openTested(): Promise<{ engine: SandboxEngine; version: string }> {
  const engine = await openSandboxes()
  const { exitCode, stdout } = await runAlone(engine, { files: {}, argv: [PYTHON, '--version'], timeoutMs: 30_000, memoryMb: MEMORY_MB })
  if (exitCode !== 0) throw new NotRun('program_not_found', `There is no ${PYTHON} in the sandbox.`)
  return { engine, version: stdout.trim() }
}

function reasonOf({
  exitCode,
  signal,
  outOfMemory,
  stderr,
}: {
  exitCode: number | null
  signal: string | null
  outOfMemory: boolean
  stderr: string
}): string {
  if (outOfMemory) return `It used more than ${MEMORY_MB} MB of memory.`
  const last = stderr.trim().split('\n').at(-1) ?? ''
  if (exitCode === 0) return 'It ended before its tests did.'
  if (signal !== null) return `It was ended by ${signal}.`
  return last === '' ? `It ended with exit code ${exitCode} before its tests did.` : last.slice(0, 700)
}
