/** Every listener of the product has the same limits. A new one must be added to `LISTENERS`, or the first test fails. */
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { createLedger } from '#server/adapters/llm/index.ts'
import { createLlmProxy, openPassThrough, PROXY_PATHS } from '#server/adapters/llm-proxy/index.ts'
import { startStub } from '#server/adapters/llm/testing-stub.ts'
import { decode, openOtlpListener } from '#server/adapters/otlp/index.ts'
import { openProxy } from '#server/adapters/allow-list/proxy.ts'
import { serveSandboxes } from '#server/serve-sandboxes.ts'
import { openCanaryApi } from '#server/adapters/agent-cli/canary/api.ts'
import { startTestServer } from '#server/testing/server.ts'

interface Listener {
  /** The module that opens it. */
  file: string
  port: number
  /** What a known caller sends, to be answered with 200 if the body is `{}`. */
  call: { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: string }
  /** Null if it passes bodies on without reading them. */
  maxBody: number | null
  /** Addresses of sockets that take JSON. */
  sockets: readonly string[]
}

const TOKEN = 'the-token-of-the-services-of-this-test'
const MB = 1024 * 1024
const LISTENERS: Listener[] = []
const closing: (() => unknown)[] = []
const named = (file: string) => LISTENERS.find((one) => one.file === file)!
const FILES = [
  'app.ts',
  'http/environment-listener.ts',
  'serve-sandboxes.ts',
  'adapters/llm-proxy/index.ts',
  'adapters/allow-list/proxy.ts',
  'adapters/llm-proxy/pass.ts',
  'adapters/agent-cli/canary/api.ts',
  'adapters/otlp/listener.ts',
]

beforeAll(async () => {
  const server = await startTestServer()
  const environment = await server.client.startEnvironment({ body: { token: TOKEN } })
  const bare = await serveSandboxes({ client: server.client, most: {}, images: null, host: '127.0.0.1', port: 0, token: TOKEN })
  const endpoint = await startStub(() => ({ text: 'yes' }))
  const proxy = createLlmProxy()
  const grant = await proxy.grant({
    upstream: { dialect: 'anthropic', baseUrl: endpoint.url, key: () => Promise.resolve('key') },
    allowedPaths: PROXY_PATHS,
    ledger: createLedger({ caps: {} }),
    clear: null,
    model: null,
    price: () => null,
    onExchange: () => undefined,
    signal: new AbortController().signal,
  })
  const web = http.createServer((request, response) => request.resume().once('end', () => response.end())).listen(0, '127.0.0.1')
  await once(web, 'listening')
  const { port: webPort } = web.address() as AddressInfo
  const allowList = openProxy({ allow: [{ host: '127.0.0.1', port: webPort }] })
  const machine = net.createServer({ allowHalfOpen: true }, (socket) => allowList.accept(socket)).listen(0, '127.0.0.1')
  await once(machine, 'listening')
  closing.push(() => (allowList.close(), machine.close()), () => web.close(), () => proxy.close(), () => endpoint.close(), () => bare.close(), () => server.close()) // prettier-ignore

  const pass = await openPassThrough({
    port: 0,
    token: TOKEN,
    upstream: () => new URL(`http://127.0.0.1:${webPort}`),
    onPassed: () => undefined,
    onFault: () => undefined,
  })
  const canary = await openCanaryApi()
  closing.unshift(() => pass.close())
  closing.unshift(() => canary.close())

  const telemetry = await openOtlpListener({
    port: 0,
    token: TOKEN,
    take: async (body) => decode(body).invalid,
    onRefused: () => undefined,
  })
  closing.unshift(() => telemetry.close())

  const bearer = { authorization: `Bearer ${TOKEN}` }
  const portOf = (url: string) => Number(new URL(url).port)
  const json = { 'content-type': 'application/json' }
  LISTENERS.push(
    {
      file: 'app.ts',
      port: server.port,
      call: { method: 'POST', path: '/api/session/link', headers: { authorization: server.authorization, ...json }, body: '{}' },
      maxBody: 10 * MB,
      sockets: [],
    },
    {
      file: 'http/environment-listener.ts',
      port: portOf(environment.url),
      call: { method: 'GET', path: '/metadata', headers: bearer },
      maxBody: 10 * MB,
      sockets: ['/ws', '/mcp'],
    },
    {
      file: 'serve-sandboxes.ts',
      port: portOf(bare.url),
      call: { method: 'GET', path: '/sandboxes', headers: bearer },
      maxBody: 10 * MB,
      sockets: [],
    },
    {
      file: 'adapters/llm-proxy/index.ts',
      port: portOf(grant.baseUrl),
      call: {
        method: 'POST',
        path: '/v1/messages',
        headers: { authorization: `Bearer ${grant.token}`, ...json },
        body: JSON.stringify({ model: 'm', max_tokens: 1, messages: [] }),
      },
      maxBody: 32 * MB,
      sockets: [],
    },
    {
      file: 'adapters/allow-list/proxy.ts',
      port: (machine.address() as AddressInfo).port,
      call: { method: 'GET', path: `http://127.0.0.1:${webPort}/`, headers: { host: `127.0.0.1:${webPort}` } },
      maxBody: null,
      sockets: [],
    },
    {
      file: 'adapters/llm-proxy/pass.ts',
      port: pass.port,
      call: { method: 'POST', path: `/${TOKEN}/v1/messages`, headers: json, body: '{}' },
      maxBody: 32 * MB,
      sockets: [],
    },
    {
      file: 'adapters/agent-cli/canary/api.ts',
      port: portOf(canary.url),
      call: { method: 'POST', path: '/v1/messages', headers: { 'x-api-key': canary.key, ...json }, body: '{}' },
      maxBody: 10 * MB,
      sockets: [],
    },
    {
      file: 'adapters/otlp/listener.ts',
      port: telemetry.port,
      call: { method: 'POST', path: '/v1/traces', headers: { ...bearer, ...json }, body: '{}' },
      maxBody: 16 * MB,
      sockets: [],
    },
  )
})
afterAll(async () => {
  for (const close of closing) await close()
})

/** The status of an answer to a known caller. */
async function asked(
  { port, call }: Listener,
  more: { headers?: Record<string, string>; agent?: http.Agent | false; body?: string } = {},
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const { method, path: place, headers, body = call.body } = { ...call, ...more }
  const request = http.request(
    {
      host: '127.0.0.1',
      port,
      method,
      path: place,
      agent: more.agent ?? false,
      headers: { ...call.headers, ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
    },
    (response) => response.resume().once('end', () => resolve(response.statusCode!)),
  )
  request.once('error', reject).end(body)
  return promise
}

const headOf = ({ port, call }: Listener, lines: readonly string[] = []) =>
  [
    `POST ${call.path} HTTP/1.1`,
    ...(call.headers['host'] === undefined ? [`host: 127.0.0.1:${port}`] : []),
    ...Object.entries(call.headers).map(([name, value]) => `${name}: ${value}`),
    ...lines,
  ].join('\r\n')

it('each is opened by the shared modules, and is in the list of this test', () => {
  const root = path.resolve(import.meta.dirname, '..')
  const files = (fs.readdirSync(root, { recursive: true }) as string[]).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing[-/.]|fixtures\//.test(file),
  )
  const using = (pattern: RegExp) => files.filter((file) => pattern.test(fs.readFileSync(path.join(root, file), 'utf8'))).toSorted()
  expect(using(/\bcreateServer\(|new (?:\w+\.)?(?:Server|WebSocketServer)\(|createSecureServer\(/)).toEqual([
    'adapters/bubblewrap/gateway-program.ts', // passes bytes from a machine on to the next
    'adapters/bubblewrap/gateway.ts', // passes them on to the listeners below
    'listeners/http-server.ts',
    'listeners/sockets.ts',
    'process/spawner.ts', // the streams of programs, each with a key
  ])
  expect(using(/\bcreateHttpServer\(/).filter((file) => file !== 'listeners/http-server.ts')).toEqual(FILES.toSorted())
  expect(LISTENERS.map(({ file }) => file)).toEqual(FILES)
})

describe.each(FILES)('the listener of %s', (file) => {
  it('answers a body that is too long while it is being sent', async () => {
    const listener = named(file)
    if (listener.maxBody === null) return
    const socket = net.connect(listener.port, '127.0.0.1')
    let sent = 0
    const answers: string[] = []
    socket
      .setEncoding('utf8')
      .on('data', (chunk: string) => answers.push(chunk))
      .on('error', () => undefined)
    const write = (bytes: Buffer | string) => new Promise<void>((resolve) => socket.write(bytes, () => setImmediate(resolve)))
    await write(`${headOf(listener, ['transfer-encoding: chunked'])}\r\n\r\n`)
    const chunk = Buffer.from(`${MB.toString(16)}\r\n${' '.repeat(MB)}\r\n`)
    while (answers.length === 0 && sent < 98) {
      await write(chunk)
      sent += 1
    }
    expect(answers[0]).toMatch(/^HTTP\/1\.1 413 /)
    expect(sent * MB).toBeLessThan(listener.maxBody + 16 * MB) // what the system holds for a connection
    socket.destroy()
    expect(await asked(listener)).toBe(200)
  })

  it('answers JSON that is nested deeply with an error', async () => {
    const listener = named(file)
    if (listener.maxBody === null || file === 'adapters/llm-proxy/pass.ts') return // they read no JSON
    const body = `{"arguments":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`
    const { port, call } = listener
    const response = await fetch(`http://127.0.0.1:${port}${file === 'serve-sandboxes.ts' ? '/sandboxes' : file.startsWith('http/') ? '/step' : call.path}`, { method: 'POST', headers: call.headers, body }) // prettier-ignore
    expect(await response.text()).toMatch(/nested deeper than/)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
    expect(await asked(listener)).toBe(200)
  })

  it('refuses headers that are too long, and the Host of another server', async () => {
    const listener = named(file)
    const long = net.connect(listener.port, '127.0.0.1').on('error', () => undefined)
    long.write(`${headOf(listener, [`x-long: ${'x'.repeat(70_000)}`])}\r\n\r\n`)
    expect(await text(long).catch(() => '')).toMatch(/^(HTTP\/1\.1 431 |$)/)
    expect(await asked(listener, { headers: { host: 'elsewhere.example' } })).toBe(403)
    expect(await asked(listener)).toBe(200)
  })

  it('serves a known caller on its old connection and on a new one while 1,100 others are idle', async () => {
    const listener = named(file)
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    expect(await asked(listener, { agent })).toBe(200)
    const idle: Socket[] = []
    for (let batch = 0; batch < 11; batch += 1) {
      const sockets = Array.from({ length: 100 }, () =>
        net
          .connect(listener.port, '127.0.0.1')
          .on('error', () => undefined)
          .resume(),
      )
      idle.push(...sockets)
      await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])))
    }
    expect(await asked(listener, { agent })).toBe(200)
    if (file === 'adapters/allow-list/proxy.ts') for (const socket of idle) socket.destroy() // one machine has that one for itself
    await expect.poll(() => asked(listener).catch(() => null)).toBe(200)
    for (const socket of idle) socket.destroy()
    agent.destroy()
  })
})

it('ends connections whose headers never end', { timeout: 40_000 }, async () => {
  const ended = LISTENERS.map(async (listener) => {
    const slow = net
      .connect(listener.port, '127.0.0.1')
      .on('error', () => undefined)
      .resume()
    slow.write(headOf(listener))
    const dripping = setInterval(() => slow.write('x'), 500) // a letter at a time, without end
    await new Promise((resolve) => slow.once('close', resolve)) // `once` of events would fail at a reset, which also ends it
    clearInterval(dripping)
  })
  expect(await Promise.all(ended)).toHaveLength(FILES.length)
})

describe.each(['/ws', '/mcp'])('the socket %s of environments', (place) => {
  const connect = async () => {
    const { port, call } = named('http/environment-listener.ts')
    const socket = new WebSocket(`ws://127.0.0.1:${port}${place}`, { headers: call.headers })
    await once(socket, 'open')
    return socket
  }
  const ask = async (socket: WebSocket, message: string): Promise<string> => {
    socket.send(message)
    const [data] = (await once(socket, 'message')) as [Buffer]
    return data.toString()
  }
  const STATE = place === '/ws' ? '{"type":"state"}' : '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  const OK = place === '/ws' ? /"type":"state"/ : /"result":\{\}/

  it('answers deep JSON with an error, and keeps the connection', async () => {
    const socket = await connect()
    const deep = `{"type":"step","data":{"tool_name":"terminal","arguments":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}}`
    expect(await ask(socket, deep)).toMatch(/"error".*nested deeper than/)
    expect(await ask(socket, STATE)).toMatch(OK)
    socket.close()
  })

  it('answers a message with many problems shortly', async () => {
    const socket = await connect()
    const answer = await ask(socket, `{"type":"state",${Array.from({ length: 200_000 }, (_, n) => `"k${n}":0`).join(',')}}`)
    expect(answer).toMatch(/VALIDATION_ERROR|"error"/)
    expect(answer.length).toBeLessThan(10_000)
    socket.close()
  })

  it('ends a connection with a message that is too long; others are served', async () => {
    const [bad, good] = [await connect(), await connect()]
    bad.on('error', () => undefined).send(Buffer.alloc(11 * MB, 0x20))
    const [code] = (await once(bad, 'close')) as [number]
    expect([1006, 1009]).toContain(code)
    expect(await ask(good, STATE)).toMatch(OK)
    good.close()
  })

  it('answers a flood of messages in order, without holding them all', async () => {
    const socket = await connect()
    const COUNT = 2000
    let answered = 0
    const done = new Promise<void>((resolve) =>
      socket.on('message', (data: Buffer) => {
        expect(data.toString()).toMatch(OK)
        if (++answered === COUNT) resolve()
      }),
    )
    for (let n = 0; n < COUNT; n += 1) socket.send(STATE)
    await done
    socket.close()
  })
})
