import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveSandboxes } from './serve-sandboxes.ts'

describe('the bare sandbox service, without a token', () => {
  let server: Awaited<ReturnType<typeof serveSandboxes>>
  beforeAll(async () => {
    const client = { listSandboxes: () => ({ items: [], nextCursor: null }) }
    server = await serveSandboxes({ client: client as never, defaults: {}, host: '127.0.0.1', port: 0, tokenFile: null }) // all that it calls
  })
  afterAll(() => server.close())

  /** Status line of an answer to a program of a user. */
  const asked = async (user: number) => {
    const { host, hostname, port } = new URL(server.url)
    const script = String.raw`exec 3<>/dev/tcp/${hostname}/${port}; printf 'GET /sandboxes HTTP/1.0\r\nHost: ${host}\r\n\r\n' >&3; head -1 <&3`
    return (await text(spawn('/bin/bash', ['-c', script], { uid: user, stdio: ['ignore', 'pipe', 'inherit'] }).stdout)).trim()
  }

  it('answers the user who started it', async () => {
    expect(await asked(process.getuid!())).toContain('200')
  })

  it.runIf(process.getuid!() === 0)('refuses other users of this machine', async () => {
    expect(await asked(65_534)).toContain('403')
  })

  it('refuses what a browser sends for a page', async () => {
    const { status } = await fetch(`${server.url}/sandboxes`, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(status).toBe(403)
  })
})
