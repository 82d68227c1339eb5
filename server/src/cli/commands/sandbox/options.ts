import { SandboxBackend, SandboxProfile, type SandboxSpec } from '#contracts/entities/sandbox.ts'
import type { z } from 'zod'
import { enumOf, listOf, numberOf, textOf, UsageError, type Values } from '../../command.ts'

export const SPEC_OPTIONS = {
  image: { type: 'string', short: 'i' },
  setup: { type: 'string', multiple: true },
  env: { type: 'string', multiple: true },
  name: { type: 'string' },
  backend: { type: 'string' },
  profile: { type: 'string' },
  'no-tty': { type: 'boolean' },
  network: { type: 'string' },
  allow: { type: 'string', multiple: true },
  memory: { type: 'string' },
  cpus: { type: 'string' },
  timeout: { type: 'string' },
} as const

export const SPEC_USAGE =
  '[--image I] [--setup CMD]… [--env NAME=VALUE]… [--name N] [--backend auto|bubblewrap|docker] [--profile machine|strict] [--no-tty] [--network none|open] [--allow HOST:PORT]… [--memory MB] [--cpus N] [--timeout S]'

/** Where the sandboxes are. */
export const PLACE_OPTIONS = {
  server: { type: 'string' },
  'token-file': { type: 'string' },
  'send-token': { type: 'boolean' },
} as const

/** `--timeout` is the limit for each command. */
export function specOf(values: Values, image = textOf(values, 'image')): z.input<typeof SandboxSpec> {
  const allow = listOf(values, 'allow')
  const network = enumOf(values, 'network', ['none', 'open'])
  if (allow.length > 0 && network !== undefined) throw new UsageError('Give either --network or --allow.')
  const backend = enumOf(values, 'backend', ['auto', ...SandboxBackend.options])
  const profile = enumOf(values, 'profile', SandboxProfile.options)
  const memoryMb = numberOf(values, 'memory', { min: 0 })
  const cpus = numberOf(values, 'cpus', { min: 0 })
  const commandTimeoutSec = numberOf(values, 'timeout', { min: 0 })
  const name = textOf(values, 'name')
  return {
    ...(image !== undefined && { image }),
    ...(name !== undefined && { name }),
    ...(backend && { backend }),
    ...(profile && { profile }),
    ...(values['no-tty'] === true && { tty: false }),
    ...(allow.length > 0 ? { network: { allow } } : network && { network }),
    ...(commandTimeoutSec !== undefined && { commandTimeoutSec }),
    setupCommands: listOf(values, 'setup'),
    env: Object.fromEntries(listOf(values, 'env').map(pairOf)),
    limits: { ...(memoryMb !== undefined && { memoryMb }), ...(cpus !== undefined && { cpus }) },
  }
}

function pairOf(text: string): [string, string] {
  const equals = text.indexOf('=')
  if (equals < 1) throw new UsageError(`--env must be NAME=VALUE, not "${text}".`)
  return [text.slice(0, equals), text.slice(equals + 1)]
}
