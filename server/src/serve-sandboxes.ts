import fs from 'node:fs'
import type { AddressInfo } from 'node:net'
import { AppError } from '#contracts/errors.ts'
import { bareSandboxes, type BareOptions } from './http/bare-sandboxes.ts'
import { bracketed, hostNames } from './http/guard.ts'
import { createHttpServer } from './http/server.ts'

export interface ServeSandboxesOptions extends Pick<BareOptions, 'client' | 'defaults'> {
  host: string
  port: number
  tokenFile: string | null
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1'])

/** Opens the port of the bare sandbox service. Throws `port_taken`. A host other than loopback needs a token. */
export async function serveSandboxes({
  host,
  port,
  tokenFile,
  ...options
}: ServeSandboxesOptions): Promise<{ url: string; close: () => Promise<void> }> {
  if (!LOOPBACK.has(host) && tokenFile === null)
    throw new AppError('unauthorized', {
      message: `Other machines could run commands here through ${host}.`,
      hint: 'Add --token-file FILE, or remove --host.',
    })
  const token = tokenFile === null ? null : fs.readFileSync(tokenFile, 'utf8').trim()
  if (token === '') throw new AppError('unauthorized', { message: `The token file ${tokenFile} is empty.` })
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
  const bound = (server.address() as AddressInfo).port
  server.on('request', bareSandboxes({ ...options, token, hosts: hostNames(host, bound) }))
  return {
    url: `http://${bracketed(host)}:${bound}`,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
