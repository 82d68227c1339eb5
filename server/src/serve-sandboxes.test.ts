/** Another user of this machine attacks the listeners for other people's programs. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listenEnvironment } from './http/environment-listener.ts'
import { serveSandboxes } from './serve-sandboxes.ts'

const TOKEN = 'the-token-that-another-user-has-not'
const STRANGER = 65_534

/**
 * Connects from many ports, each of which was used a moment before between two other addresses of this machine: that
 * connection is over, and the system lists it with user 0 and the same two ports. Prints the status of each answer.
 */
const ATTACK = String.raw`
const net = require('node:net')
const { once } = require('node:events')
const [port, path] = [Number(process.argv[1]), process.argv[2]]
const connect = (host, localAddress, localPort) => {
  const socket = net.connect({ host, port, localAddress, localPort })
  return once(socket, 'connect').then(() => socket)
}
const listener = net.createServer((socket) => socket.resume().on('end', () => socket.end())).listen(port, '127.0.0.9')
listener.on('listening', async () => {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const decoy = await connect('127.0.0.9', '127.0.0.8')
    const { localPort } = decoy
    decoy.end()
    await once(decoy.resume(), 'close')
    const socket = await connect('127.0.0.1', '127.0.0.1', localPort).catch(() => null)
    if (!socket) continue
    socket.write('GET ' + path + ' HTTP/1.1\r\nHost: 127.0.0.1:' + port + '\r\nConnection: close\r\n\r\n')
    const [answer] = await once(socket, 'data')
    console.log(String(answer).split(' ')[1])
    socket.destroy()
  }
  listener.close()
})
`

describe('another user of this machine', () => {
  const services: Record<string, { url: string; close: () => Promise<void> }> = {}
  beforeAll(async () => {
    const client = { listSandboxes: () => ({ items: [], nextCursor: null }) }
    services['/sandboxes'] = await serveSandboxes({
      client: client as never,
      most: {},
      images: null,
      host: '127.0.0.1',
      port: 0,
      token: TOKEN,
    }) // all that it calls
    const metadata = { method: 'get', path: '/metadata', answer: () => Promise.resolve({ status: 200, body: {} }) } as const
    const environment = { routes: [metadata], open: () => null }
    services['/metadata'] = await listenEnvironment(environment, { host: '127.0.0.1', port: 0, token: TOKEN })
  })
  afterAll(() => Promise.all(Object.values(services).map(({ close }) => close())))

  it.runIf(process.getuid!() === 0).each(['/sandboxes', '/metadata'])('gets nothing from %s, from whatever port', async (path) => {
    const { port } = new URL(services[path]!.url)
    const program = spawn(process.execPath, ['-e', ATTACK, port, path], { uid: STRANGER, gid: STRANGER, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] }) // prettier-ignore
    const statuses = (await text(program.stdout)).trim().split('\n')
    expect(statuses.length).toBeGreaterThan(10)
    expect(new Set(statuses)).toEqual(new Set(['401']))
  })

  it.each(['/sandboxes', '/metadata'])('of %s: who has the token gets an answer', async (path) => {
    const { status } = await fetch(`${services[path]!.url}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } })
    expect(status).toBe(200)
  })

  it.each(['/sandboxes', '/metadata'])('of %s: a page in a browser is refused, even with the token', async (path) => {
    for (const header of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'null' }, { origin: services[path]!.url }]) {
      const { status } = await fetch(`${services[path]!.url}${path}`, { headers: { ...header, authorization: `Bearer ${TOKEN}` } })
      expect(status).toBe(403)
    }
  })
})
