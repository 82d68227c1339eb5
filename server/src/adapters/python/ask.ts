import { z } from 'zod'
import { howEnded, runToEnd } from '#server/process/run-to-end.ts'
import { isFile } from '../tools/files.ts'

/** Facts about an interpreter, from bashgym_trainers/probe.py. */
export const Facts = z.object({
  version: z.string(),
  executable: z.string(),
  prefix: z.string(),
  venv: z.boolean(),
  packages: z.record(z.string(), z.string()),
  stamp: z.record(z.string(), z.number()),
  missing: z.array(z.string()),
  problem: z.string().nullable(),
  cuda: z.string().nullable(),
  devices: z.array(
    z.object({
      name: z.string(),
      freeBytes: z.number(),
      totalBytes: z.number(),
      capability: z.string().optional(),
      bf16: z.boolean().optional(),
    }),
  ),
  /** Why PyTorch cannot use a GPU. */
  gpuProblem: z.string().nullable().optional(),
  /** Why the trainers' kernels cannot be compiled, and why weights cannot be quantized to 4 bits. */
  compiler: z.string().nullable().optional(),
  bitsandbytes: z.string().nullable().optional(),
})
export type Facts = z.infer<typeof Facts>

const QUERY_MS = 20_000
/** Imports take 7 s on an idle machine. */
const IMPORT_MS = 180_000
const GRACE_MS = 800

/** Finds out which packages an interpreter has; `imports` also imports them. Null if it does not work. */
export async function readPythonFacts(
  python: string,
  options: { imports: boolean; names: readonly string[]; env: Record<string, string>; signal?: AbortSignal },
): Promise<Facts | null> {
  if (!isFile(python)) return null
  const { imports, names, env, signal } = options
  const result = await runToEnd({
    command: python,
    args: ['-m', 'bashgym_trainers.probe', ...(imports ? ['--import'] : []), ...names],
    cwd: '/', // what a version manager starts depends on the folder
    env,
    deadlineMs: imports ? IMPORT_MS : QUERY_MS,
    graceMs: GRACE_MS,
    ...(signal && { signal }),
  }).catch(() => null) // the file is not a program
  signal?.throwIfAborted()
  if (result === null) return null
  const facts = readFacts(result.stdout)
  if (facts || !options.imports) return facts
  const last = result.stderr.trim().split('\n').at(-1) ?? ''
  const installed = await readPythonFacts(python, { ...options, imports: false })
  return (
    installed && {
      ...installed,
      problem: `The import failed (${howEnded(result)}): ${last.slice(0, 300)}`,
    }
  )
}

function readFacts(stdout: string): Facts | null {
  try {
    return Facts.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''))
  } catch {
    return null
  }
}

/** Minor versions of Python 3 for which the packages have wheels. */
const SUPPORTED = { from: 11, to: 14 }
export const SUPPORTED_TEXT = `3.${SUPPORTED.from} to 3.${SUPPORTED.to}`

/** Why the packages cannot be installed for this Python version; null if they can. */
export function versionProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major === 3 && minor >= SUPPORTED.from && minor <= SUPPORTED.to) return null
  return `Python ${version} is not supported: the packages need Python ${SUPPORTED_TEXT}.`
}
