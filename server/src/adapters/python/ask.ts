import { z } from 'zod'
import { howEnded, runToEnd } from '#server/process/run-to-end.ts'
import { isFile } from '../tools/files.ts'

/** The information of an interpreter about itself (bashgym_trainers/probe.py). */
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
  /** Why PyTorch can use no GPU. */
  gpuProblem: z.string().nullable().optional(),
  /** What the compiler of the trainers' kernels lacks, and why weights cannot be packed in 4 bits. */
  compiler: z.string().nullable().optional(),
  bitsandbytes: z.string().nullable().optional(),
})
export type Facts = z.infer<typeof Facts>

const LOOK_MS = 20_000
/** Seven seconds on a quiet machine. */
const IMPORT_MS = 180_000
const GRACE_MS = 800

/** Asks an interpreter which of the named packages it has; with `imports` it also imports them. Null if nothing answers. */
export async function askPython(
  python: string,
  options: { imports: boolean; names: readonly string[]; trainersDir: string; env: Record<string, string>; signal?: AbortSignal },
): Promise<Facts | null> {
  if (!isFile(python)) return null
  const { imports, names, trainersDir: cwd, env, signal } = options
  const result = await runToEnd({
    command: python,
    args: ['-m', 'bashgym_trainers.probe', ...(imports ? ['--import'] : []), ...names],
    cwd,
    env,
    deadlineMs: imports ? IMPORT_MS : LOOK_MS,
    graceMs: GRACE_MS,
    ...(signal && { signal }),
  }).catch(() => null) // it is not a program
  signal?.throwIfAborted()
  if (result === null) return null
  const facts = readFacts(result.stdout)
  if (facts || !options.imports) return facts
  const last = result.stderr.trim().split('\n').at(-1) ?? ''
  const looked = await askPython(python, { ...options, imports: false })
  return (
    looked && {
      ...looked,
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

/** Minor versions of Python 3 that the wanted packages have wheels for. */
const SUPPORTED = { from: 11, to: 14 }
export const SUPPORTED_TEXT = `3.${SUPPORTED.from} to 3.${SUPPORTED.to}`

/** Why packages of the wanted versions cannot be had for this Python; null if they can. */
export function versionProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major === 3 && minor >= SUPPORTED.from && minor <= SUPPORTED.to) return null
  return `Python ${version} does not fit: the packages are built for ${SUPPORTED_TEXT}.`
}
