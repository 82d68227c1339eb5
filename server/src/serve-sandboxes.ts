import type { AddressInfo } from 'node:net'
import type { z } from 'zod'
import { SandboxSpec } from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import { bareSandboxes, type BareOptions } from './http/bare-sandboxes.ts'
import { bracketed } from './http/guard.ts'
import { createServiceGuard } from './http/service-guard.ts'
import { createHttpServer } from './listeners/http-server.ts'

export interface ServeSandboxesOptions extends Pick<BareOptions, 'client'> {
  host: string
  port: number
  token: string
  /** Defaults for new sandboxes, and the most that a client may ask for. */
  most: Partial<z.input<typeof SandboxSpec>>
  images: readonly string[] | null
}

/** Opens the port of the bare sandbox service. Throws `port_taken`. */
export async function serveSandboxes({
  client,
  host,
  port,
  token,
  most,
  images,
}: ServeSandboxesOptions): Promise<{ url: string; close: () => Promise<void> }> {
  const operator = { most: SandboxSpec.parse(most), images, sandboxes: MAX_SANDBOXES }
  const server = createHttpServer()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', (error: NodeJS.ErrnoException) =>
    reject(
      error.code === 'EADDRINUSE'
        ? new AppError('port_taken', { message: `Port ${port} is in use by another program.`, hint: 'Choose another one with --port.' })
        : error,
    ),
  )
  server.listen(port, host, resolve)
  await promise
  const bound = server.address() as AddressInfo
  server.on('request', bareSandboxes({ client, operator, guard: createServiceGuard({ host, bound, token }) }))
  return {
    url: `http://${bracketed(host)}:${bound.port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** That have not ended. How many of them run at the same time is a setting of the app, or `--max-sandboxes`. */
const MAX_SANDBOXES = 500
