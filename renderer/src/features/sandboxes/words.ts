import type { GuardVerdict } from '#contracts/entities/guardrail.ts'
import type { Sandbox, SandboxTraffic } from '#contracts/entities/sandbox.ts'
import type { Tone } from '#renderer/ui/badge.tsx'
import { formatBytes, plural } from '#renderer/ui/format.ts'

export function stateOf({ status, phase, queuePosition, busy, kept }: Sandbox): { word: string; tone: Tone } {
  if (queuePosition !== null) return { word: queuePosition === 1 ? 'next in queue' : `number ${queuePosition} in queue`, tone: 'neutral' }
  if (phase !== null) return { word: PHASES[phase], tone: 'accent' }
  if (status === 'started') return busy ? { word: 'running a command', tone: 'accent' } : { word: 'running', tone: 'ok' }
  if (status === 'exited') return { word: 'shell ended', tone: 'neutral' }
  if (kept) return { word: 'stopped, files kept', tone: 'accent' }
  return { word: status === 'created' ? 'not started' : 'stopped', tone: 'neutral' }
}

const PHASES: Record<NonNullable<Sandbox['phase']>, string> = {
  queued: 'waiting',
  creating: 'starting',
  files: 'copying files',
  setup: 'setting up',
  session: 'opening the shell',
}

const END_REASONS: Record<NonNullable<Sandbox['endReason']>, string> = {
  stopped: 'Stopped.',
  idle: 'Stopped because it was idle.',
  lifetime: 'Stopped at the end of its lifetime.',
  session_lost: 'Stopped because its shell did not answer.',
  owner_died: 'Stopped because the app ended.',
  start_failed: "Couldn't be started.",
}

export const endOf = ({ endReason, error }: Sandbox): string | null =>
  endReason === null ? null : [END_REASONS[endReason], error].filter(Boolean).join(' ')

/** What is left of an ended sandbox. */
export function leftOf({ kept, endReason, limits }: Sandbox): string | null {
  if (kept)
    return `Its files are kept (${kept.bytes === null ? 'size not measured' : formatBytes(kept.bytes)} of at most ${limits.diskMb} MB): start it again to go on with them, or discard them.`
  return endReason === 'start_failed' ? null : 'You can still read its commands; its files were deleted.'
}

/** The isolation as applied; null: the sandbox never ran. */
export function isolationOf({ isolation, limits }: Sandbox): { label: string; text: string; isWeak: boolean }[] | null {
  if (isolation === null) return null
  const memory = {
    together: `${limits.memoryMb} MB for all processes`,
    each: `${limits.memoryMb} MB for each process`,
    none: 'not limited',
  }
  const network = { none: 'none', open: 'open', 'allow-list': 'only the allowed addresses' }
  return [
    { label: 'Engine', text: `${isolation.engine} ${isolation.version}`, isWeak: false },
    { label: 'User inside', text: isolation.user, isWeak: false },
    { label: 'Network', text: network[isolation.network], isWeak: isolation.network === 'open' },
    { label: 'Memory', text: memory[isolation.memory], isWeak: isolation.memory === 'none' },
    {
      label: 'Processor',
      text: isolation.cpus === 'enforced' ? plural(limits.cpus, 'core') : 'not limited',
      isWeak: isolation.cpus === 'none',
    },
    {
      label: 'Processes',
      text: isolation.processes === 'enforced' ? `at most ${limits.pids}` : 'not limited',
      isWeak: isolation.processes === 'none',
    },
    {
      label: 'Disk',
      text: isolation.disk === 'enforced' ? `at most ${limits.diskMb} MB` : `${limits.diskMb} MB, watched: stopped when it is over`,
      isWeak: false,
    },
    {
      label: 'System calls',
      text: isolation.systemCalls === 'filtered' ? 'filtered' : 'all allowed',
      isWeak: isolation.systemCalls === 'all',
    },
  ]
}

export const VERDICTS: Record<GuardVerdict['verdict'], string> = { allow: 'Allow', warn: 'Warn', block: 'Block' }

export const REFUSALS: Record<SandboxTraffic['refused'][number]['reason'], string> = {
  'not-listed': 'not on the list',
  'private-address': 'leads to a private address',
  'other-name': 'names another host',
  'not-tls': 'not an encrypted connection',
  'not-http': 'not an address',
}

export const nameOf = ({ name, id }: Pick<Sandbox, 'name' | 'id'>): string => name ?? id.slice(0, 8)
