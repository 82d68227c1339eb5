import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { cacheDir } from '../../scripts/lib/probe.mjs'

export const TRAINERS = path.resolve(import.meta.dirname, '../../server/trainers')
export const PYTHON = process.env['BASHGYM_TEST_PYTHON'] || path.join(cacheDir, 'python', 'bin', 'python')
/** The interpreter itself, where PYTHON forks (support/forking.ts). */
export const REAL_PYTHON = process.env['BASHGYM_TEST_REAL_PYTHON'] || PYTHON

/**
 * Runs the interpreter offline in the package's folder. Throws with the output if it fails. Without `input`, stdin is not a
 * pipe, because a trainer command ends when the pipe on its stdin closes.
 */
export function python(args: string[], input?: string, more: Record<string, string> = {}): string {
  const { status, stdout, stderr, error } = spawnSync(PYTHON, args, {
    cwd: TRAINERS,
    input,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      PYTHONPATH: TRAINERS,
      PYTHONDONTWRITEBYTECODE: '1',
      HF_HUB_OFFLINE: '1',
      TRANSFORMERS_OFFLINE: '1',
      HF_HUB_DISABLE_TELEMETRY: '1',
      TOKENIZERS_PARALLELISM: 'false',
      OMP_NUM_THREADS: '1', // with tiny models a second thread only waits
      ...more,
    },
  })
  if (status !== 0)
    throw new Error(`${PYTHON} ${args.join(' ')} ended with ${status ?? error?.message}:\n${stderr.slice(-4000)}\n${failures(stdout)}`)
  return stdout
}

/** What pytest printed of the failures, which its list of passed tests follows; otherwise the end. */
function failures(stdout: string): string {
  const from = stdout.search(/^=+ (FAILURES|ERRORS) =+$/m)
  return from < 0 ? stdout.slice(-2000) : `${stdout.slice(from, from + 6000)}\n…\n${stdout.slice(-400)}`
}
