import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#contracts/derive/client.ts'
import type { Routes } from '#contracts/routes/index.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { serveSandboxes, type ServeSandboxesOptions } from '#server/serve-sandboxes.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

const TOKEN = 'the-token-of-the-service-of-this-test'
const authorization = `Bearer ${TOKEN}`
const listen = (client: Client<Routes>, more: Partial<ServeSandboxesOptions> = {}) =>
  serveSandboxes({ client, most: {}, images: null, host: '127.0.0.1', port: 0, token: TOKEN, ...more })

describe('the bare sandbox service, before anything runs', () => {
  const client = {} as Client<Routes> // never called

  it('refuses web pages, other host names and invalid bodies', async () => {
    const service = await listen(client)
    const status = async (place: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
      (await fetch(`${service.url}${place}`, { ...init, headers: { authorization, ...init.headers } })).status
    const post = (body: string | Uint8Array<ArrayBuffer>) => status('/sandboxes', { method: 'POST', body })
    expect(await status('/health')).toBe(200)
    expect(await status('/elsewhere')).toBe(404)
    expect(await status('/sandboxes', { headers: { origin: 'http://elsewhere.example' } })).toBe(403)
    expect(await head(service.url, ['GET /sandboxes HTTP/1.1', 'Host: elsewhere.example', 'Connection: close'])).toMatch(/^HTTP\/1.1 403 /)
    expect(await post('{')).toBe(400)
    expect(await post(Buffer.from('{"image":"host\xff","setup_commands":[]}', 'latin1'))).toBe(400)
    expect(await post('{"image":"host"}')).toBe(422)
    expect(await post('{"image":"","setup_commands":[]}')).toBe(422)
    expect(await post('{"image":"host","setup_commands":"one"}')).toBe(422)
    await service.close()
  })

  it('takes the token as a bearer or from the address, for clients that set no headers; nothing else', async () => {
    const service = await listen({ listSandboxes: () => Promise.resolve({ items: [], nextCursor: null }) } as unknown as Client<Routes>)
    const status = async (header?: string, place = '/sandboxes') =>
      (await fetch(`${service.url}${place}`, header === undefined ? {} : { headers: { authorization: header } })).status
    const basic = (password: string) => `Basic ${Buffer.from(`any:${password}`).toString('base64')}`
    expect([await status(authorization), await status(basic(TOKEN)), await status(undefined, '/health')]).toEqual([200, 200, 200])
    for (const wrong of [undefined, 'Bearer other', basic('other'), `Bearer ${TOKEN}x`, TOKEN, 'Basic x'])
      expect(await status(wrong)).toBe(401)
    expect(await status(undefined, `/sandboxes?token=${TOKEN}`)).toBe(401)
    await service.close()
  })

  it('reports that its port is in use', async () => {
    const first = await listen(client)
    const port = Number(new URL(first.url).port)
    await expect(listen(client, { port })).rejects.toMatchObject({
      code: 'port_taken',
      message: `Port ${port} is in use by another program.`,
    })
    await first.close()
  })
})

interface Exchange {
  request: { head: string[]; body: string }
  answer: { status: number; body: unknown }
}
/** Recorded requests of the Python client of `deathbyknowledge/sos` 0.0.7, with the answers. */
const EXCHANGES = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, 'fixtures', 'sos-client.json'), 'utf8')) as Exchange[]

describe.skipIf(findBubblewrap() === null)('the bare sandbox service', () => {
  let server: TestServer
  let service: Awaited<ReturnType<typeof serveSandboxes>>
  beforeAll(async () => {
    server = await startTestServer()
    service = await listen(server.client)
  })
  afterAll(async () => {
    await service.close()
    await server.close()
  })

  it('answers recorded requests of the SoS client', async () => {
    expect(EXCHANGES).toHaveLength(20)
    const { host } = new URL(service.url)
    let id = ''
    for (const { request, answer } of EXCHANGES) {
      const head = request.head.map((line) => line.replace('{id}', id).replace('localhost:3000', host).replace('keep-alive', 'close'))
      const lines = [...head, `Authorization: ${authorization}`]
      const response = await exchange(service.url, lines, request.body)
      if (id === '') ({ id } = response.json as { id: string })
      const body = response.json ?? response.text
      expect({ request: request.head[0], status: response.status, body }).toEqual({
        request: request.head[0],
        status: answer.status,
        body: typeof answer.body === 'string' ? answer.body.replaceAll('{id}', id) : filledIn(answer.body, id),
      })
    }
  })

  it('returns more fields on request', async () => {
    const call = async (place: string, body?: object) => {
      const init = { headers: { authorization }, ...(body && { method: 'POST', body: JSON.stringify(body) }) }
      return (await (await fetch(`${service.url}${place}`, init)).text()) || '{}'
    }
    const limits = { memory_mb: 256 }
    const made = await call('/sandboxes', { image: 'host', setup_commands: ['true', 'pwd'], tty: false, env: { SOME_NAME: 'x' }, limits })
    const { id } = JSON.parse(made) as { id: string }
    await call(`/sandboxes/${id}/start`, {})
    expect(JSON.parse(await call(`/sandboxes/${id}/exec?full=1`, { command: 'echo $SOME_NAME' }))).toMatchObject({
      output: 'x',
      exit_code: 0,
      timed_out: false,
      duration_ms: expect.any(Number) as number,
    })
    const [one] = JSON.parse(await call('/sandboxes?full=1')) as object[]
    expect(one).toMatchObject({
      id,
      setup_commands: 'true && pwd',
      status: 'started',
      env_names: ['SOME_NAME'],
      limits: expect.objectContaining(limits) as object,
      isolation: expect.objectContaining({ network: 'none' }) as object,
    })
    await call(`/sandboxes/${id}/stop`, { remove: true })
  })

  it('shows its clients only the sandboxes that it created', async () => {
    const { id } = await server.client.createSandbox({ body: {} })
    const status = async (place: string, body?: object) =>
      (await fetch(`${service.url}${place}`, { headers: { authorization }, ...(body && { method: 'POST', body: JSON.stringify(body) }) }))
        .status
    for (const [place, body] of [
      ['start', {}],
      ['exec', { command: 'ls' }],
      ['trajectory'],
      ['trajectory/formatted'],
      ['stop', { remove: true }],
    ] as const)
      expect([place, await status(`/sandboxes/${id}/${place}`, body)]).toEqual([place, 404])
    expect(await (await fetch(`${service.url}/sandboxes`, { headers: { authorization } })).json()).toEqual([])
    expect((await server.client.getSandbox({ params: { id } })).status).toBe('created')
  })

  it('allows a client no more than what it was started with', async () => {
    const strict = await listen(server.client, {
      most: { limits: { memoryMb: 128 }, network: { allow: ['pypi.org:443'] }, lifetimeSec: 60, backend: 'bubblewrap', profile: 'strict' },
      images: ['host'],
    })
    const create = async (more: object) => {
      const body = JSON.stringify({ image: 'host', setup_commands: [], ...more })
      const response = await fetch(`${strict.url}/sandboxes`, { method: 'POST', headers: { authorization }, body })
      return { status: response.status, text: await response.text() }
    }
    for (const [more, sentence] of [
      [{ limits: { memory_mb: 129 } }, /at most 128 MB .* --memory 129/],
      [{ limits: { cpus: 1.1 } }, /--cpus 1\.1/],
      [{ limits: { disk_mb: 2048 } }, /--disk 2048/],
      [{ limits: { pids: 257 } }, /--pids 257/],
      [{ limits: { nofile: 4096 } }, /open files/],
      [{ lifetime_sec: 61 }, /--lifetime 61/],
      [{ idle_timeout_sec: 601 }, /--timeout 601/],
      [{ command_timeout_sec: 121 }, /--command-timeout 121/],
      [{ setup_timeout_sec: 601 }, /set-up/],
      [{ network: 'open' }, /--network open/],
      [{ network: { allow: ['pypi.org:443', '127.0.0.1:22'] } }, /--allow 127\.0\.0\.1:22/],
      [{ image: 'ubuntu' }, /--allow-image ubuntu/],
      [{ backend: 'docker' }, /engine docker/],
      [{ profile: 'machine' }, /profile machine/],
      [{ guard: { 'force-push': 'allow' } }, /force-push/],
    ] as const)
      expect([more, await create(more)]).toEqual([more, { status: 403, text: expect.stringMatching(sentence) as string }])
    const made = await create({ limits: { memory_mb: 64 }, network: 'none', guard: { 'force-push': 'block' } })
    const { id } = JSON.parse(made.text) as { id: string }
    const { limits, lifetimeSec, profile } = await server.client.getSandbox({ params: { id } })
    expect([limits.memoryMb, limits.cpus, lifetimeSec, profile]).toEqual([64, 1, 60, 'strict'])
    const long = { method: 'POST', headers: { authorization }, body: JSON.stringify({ command: 'ls', timeout_sec: 3600 }) }
    expect((await fetch(`${strict.url}/sandboxes/${id}/exec`, long)).status).toBe(403)
    await strict.close()
  })
})

const head = async (url: string, lines: string[]) => (await bytesOf(url, `${lines.join('\r\n')}\r\n\r\n`)).slice(0, 40)

async function exchange(url: string, lines: string[], body: string) {
  const answer = await bytesOf(url, `${lines.join('\r\n')}\r\n\r\n${body}`)
  const split = answer.indexOf('\r\n\r\n')
  const content = answer.slice(split + 4)
  const isJson = /content-type: application\/json/i.test(answer.slice(0, split))
  return { status: Number(answer.split(' ')[1]), text: content, json: isJson ? (JSON.parse(content) as unknown) : null }
}

/** One request on a connection that the server closes. */
async function bytesOf(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = net.connect(Number(port), hostname)
  socket.write(request)
  return text(socket)
}

const ANY_NUMBER: unknown = expect.any(Number)

/** Replaces the id and the times in recorded data. */
function filledIn(value: unknown, id: string): unknown {
  if (value === '{id}') return id
  if (value === '{seconds}') return ANY_NUMBER
  if (Array.isArray(value)) return value.map((one) => filledIn(one, id))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filledIn(one, id)]))
}
