import type { z } from 'zod'
import type { Client } from '#contracts/derive/client.ts'
import type { SandboxSpec } from '#contracts/entities/sandbox.ts'
import type { Routes } from '#contracts/routes/index.ts'
import { type Context, listOf, numberOf, onlyOptions, textOf, UsageError } from '../../command.ts'
import { serviceToken } from '../../token-file.ts'
import { specOf } from './options.ts'

export type ListenSandboxes = (options: {
  client: Client<Routes>
  /** Defaults for new sandboxes, and the most that a client may ask for. */
  most: Partial<z.input<typeof SandboxSpec>>
  /** Null: all but the snapshots of the app. */
  images: readonly string[] | null
  host: string
  port: number
  token: string
}) => Promise<{ url: string; close: () => Promise<void> }>

export const SERVE_OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  'max-sandboxes': { type: 'string' },
  queue: { type: 'string' },
  lifetime: { type: 'string' },
  disk: { type: 'string' },
  pids: { type: 'string' },
  'command-timeout': { type: 'string' },
  'allow-image': { type: 'string', multiple: true },
} as const

/** Name of the file with the token, in the data directory. */
export const SANDBOX_TOKEN = 'sandbox-token'

/** In the data directory: what this service keeps while the app may run beside it. */
const FOLDER = 'sandbox-service'

/** Serves the SoS protocol. Here `--timeout` is the idle timeout of a sandbox, in seconds. */
export async function serve(context: Context, listen: ListenSandboxes): Promise<number> {
  onlyOptions(context, 'sandbox serve')
  if (context.values['server'] !== undefined) throw new UsageError('sandbox serve runs sandboxes on this machine; leave --server out.')
  if (context.values['image'] !== undefined)
    throw new UsageError('A client of sandbox serve names its image; --allow-image I limits which ones it may name.')
  const port = numberOf(context.values, 'port', { min: 0 }) ?? 3000
  if (!Number.isInteger(port) || port > 65_535) throw new UsageError(`--port must be a number from 0 to 65535, not "${port}".`)
  const token = serviceToken(context, SANDBOX_TOKEN)
  const most = mostOf(context)
  const images = listOf(context.values, 'allow-image')
  const running = {
    running: numberOf(context.values, 'max-sandboxes', { min: 0 }),
    queue: numberOf(context.values, 'queue', { min: 0 }),
  }
  const { client } = await context.connect({ sandboxes: running, aside: FOLDER })
  const server = await listen({
    client,
    most,
    images: images.length === 0 ? null : images,
    host: textOf(context.values, 'host') ?? '127.0.0.1',
    port,
    token: token.read(),
  })
  context.line({ ready: true, url: server.url, tokenFile: token.file, pid: process.pid })
  if (!context.signal.aborted) await new Promise((resolve) => context.signal.addEventListener('abort', resolve))
  await server.close()
  return 0
}

function mostOf({ values }: Context): Partial<z.input<typeof SandboxSpec>> {
  const { timeout: _, ...rest } = values
  const number = (name: string, range: { above?: number; min?: number; max?: number; isWhole?: boolean }) => numberOf(values, name, range)
  const diskMb = number('disk', { min: 1, isWhole: true })
  const pids = number('pids', { min: 8, isWhole: true })
  const commandTimeoutSec = number('command-timeout', { min: 0.1, max: 3600 })
  const { setupCommands: _setup, limits, ...spec } = specOf(rest)
  return {
    ...spec,
    limits: { ...limits, ...(diskMb !== undefined && { diskMb }), ...(pids !== undefined && { pids }) },
    ...(commandTimeoutSec !== undefined && { commandTimeoutSec }),
    idleTimeoutSec: number('timeout', { min: 1, isWhole: true }) ?? 600,
    lifetimeSec: number('lifetime', { min: 1, isWhole: true }) ?? 3600,
  }
}
