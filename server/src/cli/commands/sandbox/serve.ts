import path from 'node:path'
import type { z } from 'zod'
import type { Client } from '#contracts/derive/client.ts'
import type { SandboxSpec } from '#contracts/entities/sandbox.ts'
import type { Routes } from '#contracts/routes/index.ts'
import { type Context, numberOf, onlyOptions, textOf, UsageError } from '../../command.ts'
import { specOf } from './options.ts'

export type ListenSandboxes = (options: {
  client: Client<Routes>
  defaults: Partial<z.input<typeof SandboxSpec>>
  host: string
  port: number
  tokenFile: string | null
}) => Promise<{ url: string; close: () => Promise<void> }>

export const SERVE_OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  'max-sandboxes': { type: 'string' },
  queue: { type: 'string' },
  lifetime: { type: 'string' },
} as const

/** Serves the SoS protocol. Here `--timeout` is the idle timeout of a sandbox, in seconds. */
export async function serve(context: Context, listen: ListenSandboxes): Promise<number> {
  onlyOptions(context, 'sandbox serve')
  if (context.values['server'] !== undefined) throw new UsageError('sandbox serve runs sandboxes on this machine; leave --server out.')
  const port = numberOf(context.values, 'port', { min: 0 }) ?? 3000
  if (!Number.isInteger(port) || port > 65_535) throw new UsageError(`--port must be a number from 0 to 65535, not "${port}".`)
  const { timeout: _, ...values } = context.values
  const idleTimeoutSec = numberOf(context.values, 'timeout', { min: 0 }) ?? 600
  const lifetimeSec = numberOf(context.values, 'lifetime', { min: 0 }) ?? 3600
  const limits = {
    running: numberOf(context.values, 'max-sandboxes', { min: 0 }),
    queue: numberOf(context.values, 'queue', { min: 0 }),
  }
  const file = textOf(context.values, 'token-file')
  const tokenFile = file === undefined ? null : path.resolve(file)
  const { client } = await context.connect({ sandboxes: limits })
  const { setupCommands: _setup, ...defaults } = specOf(values)
  const server = await listen({
    client,
    defaults: { ...defaults, idleTimeoutSec, lifetimeSec },
    host: textOf(context.values, 'host') ?? '127.0.0.1',
    port,
    tokenFile,
  })
  context.line({ ready: true, url: server.url, tokenFile, pid: process.pid })
  if (!context.signal.aborted) await new Promise((resolve) => context.signal.addEventListener('abort', resolve))
  await server.close()
  return 0
}
