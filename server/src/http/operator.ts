/** What the operator of the sandbox service allows its clients: the options it was started with are the defaults and the most. */
import type { SandboxExec, SandboxLimits, SandboxNetwork, SandboxSpec } from '#contracts/entities/sandbox.ts'

export interface Operator {
  most: SandboxSpec
  /** Null: `host` and images of an engine, but not the snapshots of the app. */
  images: readonly string[] | null
  /** Sandboxes that have not ended. */
  sandboxes: number
}

/** A request is beyond what the operator allows. */
export class NotAllowed extends Error {}

interface Bound {
  what: string
  unit: string
  /** The option of `sandbox serve` that raises it. */
  option: string | null
}
const LIMITS: { [Name in keyof SandboxLimits]: Bound } = {
  memoryMb: { what: 'memory', unit: ' MB', option: '--memory' },
  cpus: { what: 'processors', unit: '', option: '--cpus' },
  diskMb: { what: 'disk', unit: ' MB', option: '--disk' },
  pids: { what: 'processes', unit: '', option: '--pids' },
  nofile: { what: 'open files', unit: '', option: null },
  fileMb: { what: 'file size', unit: ' MB', option: null },
  outputBytes: { what: 'output', unit: ' bytes', option: null },
}
const TIMES = {
  commandTimeoutSec: { what: 'time for a command', unit: ' s', option: '--command-timeout' },
  setupTimeoutSec: { what: 'time for the set-up', unit: ' s', option: null },
  idleTimeoutSec: { what: 'idle time', unit: ' s', option: '--timeout' },
  lifetimeSec: { what: 'lifetime', unit: ' s', option: '--lifetime' },
} as const satisfies Partial<Record<keyof SandboxSpec, Bound>>

/** Throws `NotAllowed`. `snapshots`: names of the app's snapshots. */
export function requireAllowed(spec: SandboxSpec, { most, images }: Operator, snapshots: readonly string[]): void {
  for (const [name, bound] of Object.entries(LIMITS) as [keyof SandboxLimits, Bound][])
    requireAtMost(spec.limits[name], most.limits[name], bound)
  for (const [name, bound] of Object.entries(TIMES) as [keyof typeof TIMES, Bound][]) requireAtMost(spec[name], most[name], bound)
  const address = addressBeyond(spec.network, most.network)
  if (address !== null) refuse(`network access to ${address}`, address === 'everything' ? '--network open' : `--allow ${address}`)
  if (images ? !images.includes(spec.image) : snapshots.includes(spec.image))
    refuse(`the image ${spec.image}`, `--allow-image ${spec.image}`)
  if (most.backend !== 'auto' && spec.backend !== most.backend) refuse(`the engine ${spec.backend}`, '--backend')
  if (most.profile === 'strict' && spec.profile !== 'strict') refuse('the profile machine', '--profile machine')
  const looser = Object.entries(spec.guard).find(([rule, verdict]) => verdict !== 'block' && most.guard[rule] !== verdict)
  if (looser) refuse(`the verdict "${looser[1]}" for the guardrail ${looser[0]}; a client may only block more`, null)
}

/** Throws `NotAllowed`. */
export function requireAllowedExec({ timeoutSec, maxOutputBytes }: Partial<SandboxExec>, { most }: Operator): void {
  requireAtMost(timeoutSec ?? 0, most.commandTimeoutSec, TIMES.commandTimeoutSec)
  requireAtMost(maxOutputBytes ?? 0, most.limits.outputBytes, LIMITS.outputBytes)
}

function requireAtMost(value: number, most: number, { what, unit, option }: Bound): void {
  if (value <= most) return
  throw new NotAllowed(
    `This service allows at most ${most}${unit} (${what}), but ${value}${unit} were requested. ${raised(option === null ? null : `${option} ${value}`)}`,
  )
}

function refuse(what: string, option: string | null): never {
  throw new NotAllowed(`This service does not allow ${what}. ${raised(option)}`)
}

const raised = (option: string | null) =>
  option === null ? 'Leave it out of the request.' : `Ask for less, or have it started with ${option}.`

/** The first requested address that is not allowed; null if all are. */
function addressBeyond(asked: SandboxNetwork, most: SandboxNetwork): string | null {
  if (asked === 'none' || most === 'open') return null
  if (asked === 'open') return 'everything'
  const allowed = typeof most === 'object' ? most.allow : []
  return asked.allow.find((address) => !allowed.includes(address)) ?? null
}
