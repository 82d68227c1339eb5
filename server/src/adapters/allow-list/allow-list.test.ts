import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import tls from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { isPublic } from './addresses.ts'
import { openProxy, type Proxy, type ProxyOptions } from './proxy.ts'
import { targetOf } from './targets.ts'

const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach((close) => close()))

async function listen(server: net.Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  return (server.address() as AddressInfo).port
}
async function proxyFor(options: ProxyOptions): Promise<{ proxy: Proxy; port: number }> {
  const proxy = openProxy(options)
  closing.push(() => proxy.close())
  return { proxy, port: await listen(net.createServer({ allowHalfOpen: true }, (socket) => proxy.accept(socket))) }
}
async function tunnel(port: number, target: string): Promise<{ status: number; socket: Socket }> {
  const request = http.request({ port, host: '127.0.0.1', method: 'CONNECT', path: target, headers: { host: target } }).end()
  const [response, socket] = (await once(request, 'connect')) as [http.IncomingMessage, Socket]
  closing.push(() => socket.destroy())
  return { status: response.statusCode!, socket }
}

/** TLS without certificates. */
const PSK = {
  ciphers: 'PSK-AES128-GCM-SHA256',
  maxVersion: 'TLSv1.2',
  pskCallback: () => ({ psk: Buffer.alloc(16, 1), identity: 'a' }),
} as const
const secureServer = () => tls.createServer({ ...PSK, pskCallback: () => Buffer.alloc(16, 1) }, (socket) => socket.end('secret')).on('tlsClientError', () => {}) // prettier-ignore
const overTls = async (socket: Socket, servername?: string): Promise<string> => {
  const secure = tls.connect({ ...PSK, socket, checkServerIdentity: () => undefined, ...(servername !== undefined && { servername }) })
  return text(secure).catch((error: unknown) => String(error))
}

describe('the proxy for a list of addresses', () => {
  it('tunnels TLS to a listed name, but not to another name on the same address', async () => {
    const upstream = await listen(secureServer())
    const { proxy, port } = await proxyFor({
      allow: [{ host: 'Listed.Example', port: upstream }],
      resolve: async () => ['127.0.0.1'],
      isPublic: () => true,
    })
    const target = `listed.example:${upstream}`
    expect(await overTls((await tunnel(port, target)).socket, 'listed.example')).toBe('secret')
    expect(await overTls((await tunnel(port, target)).socket, 'other.example')).not.toContain('secret')
    expect(await overTls((await tunnel(port, target)).socket)).not.toContain('secret')
    expect((await tunnel(port, `other.example:${upstream}`)).status).toBe(403)
    expect(proxy.traffic()).toEqual({
      passed: 1,
      refused: [
        { address: target, reason: 'other-name', times: 2 },
        { address: `other.example:${upstream}`, reason: 'not-listed', times: 1 },
      ],
      refusedOthers: 0,
    })
  })

  it('refuses a listed name that leads to a private address, or to this machine', async () => {
    const { proxy, port } = await proxyFor({
      allow: [{ host: 'inner.example', port: 443 }],
      resolve: async () => ['10.1.2.3', '169.254.169.254', '::1'],
    })
    expect((await tunnel(port, 'inner.example:443')).status).toBe(403)
    expect(proxy.traffic().refused).toEqual([{ address: 'inner.example:443', reason: 'private-address', times: 1 }])
  })

  it('closes the connection if the program does not wait for it', async () => {
    const accepted: Socket[] = []
    const upstream = await listen(net.createServer((socket) => void accepted.push(socket.on('error', () => {}).resume())))
    const { promise: resolving, resolve: onResolve } = Promise.withResolvers<void>()
    const { promise: answered, resolve: answer } = Promise.withResolvers<string[]>()
    const { port } = await proxyFor({
      allow: [{ host: 'slow.example', port: upstream }],
      isPublic: () => true,
      resolve: () => (onResolve(), answered),
    })
    const socket = net.connect(port, '127.0.0.1')
    socket.write(`CONNECT slow.example:${upstream} HTTP/1.1\r\nHost: slow.example:${upstream}\r\n\r\n`)
    await resolving
    socket.destroy()
    await once(socket, 'close')
    answer(['127.0.0.1'])
    await expect.poll(() => accepted.map(({ destroyed, readableEnded }) => destroyed || readableEnded)).toEqual([true])
  })

  it('forwards bodies in both directions, and reports unreachable hosts', async () => {
    const upstream = await listen(
      http.createServer(async (request, response) => {
        const body = await text(request)
        response.setHeader('x-seen', JSON.stringify(Object.keys(request.headers).toSorted()))
        response.end(body.toUpperCase().repeat(100_000))
      }),
    )
    const { port } = await proxyFor({
      allow: [
        { host: '127.0.0.1', port: upstream },
        { host: '127.0.0.1', port: 1 },
      ],
    })
    const ask = async (url: string, headers: http.OutgoingHttpHeaders = {}) => {
      const request = http
        .request({ port, host: '127.0.0.1', method: 'POST', path: url, headers: { host: new URL(url).host, ...headers } })
        .end('abc')
      const [response] = (await once(request, 'response')) as [http.IncomingMessage]
      return { status: response.statusCode, seen: String(response.headers['x-seen']), body: await text(response) }
    }
    const answer = await ask(`http://127.0.0.1:${upstream}/`, {
      'proxy-authorization': 'x',
      connection: 'x-mine',
      'x-mine': '1',
      'x-kept': '1',
    })
    expect(answer.body).toBe('ABC'.repeat(100_000))
    expect(answer.seen).toBe('["connection","content-length","host","x-kept"]')
    expect(await ask('http://127.0.0.1:1/')).toMatchObject({ status: 502, body: expect.stringContaining('ECONNREFUSED') as string })
  })
})

describe('requests written by hand', () => {
  /** A server that keeps every byte it gets and answers nothing until the request is over; hosts are names of this one server. */
  async function rawUpstream() {
    const connections: Buffer[][] = []
    const port = await listen(
      net.createServer({ allowHalfOpen: true }, (socket) => {
        const parts: Buffer[] = []
        connections.push(parts)
        socket
          .on('error', () => {})
          .on('data', (part: Buffer) => {
            parts.push(part)
            if (requestsIn(Buffer.concat(parts)).length > 0)
              socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok')
          })
      }),
    )
    return { port, received: () => connections.map((parts) => Buffer.concat(parts)) }
  }
  /** The requests in a stream as a strict server reads them, and the rest. */
  function requestsIn(bytes: Buffer): { host: string | undefined; head: string; body: string }[] {
    const found = []
    for (let rest = bytes.toString('latin1'); rest.includes('\r\n\r\n');) {
      const head = rest.slice(0, rest.indexOf('\r\n\r\n'))
      rest = rest.slice(head.length + 4)
      const header = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'im').exec(head)?.[1]?.trim()
      let body = ''
      if (header('transfer-encoding') === 'chunked') {
        for (let size = -1; size !== 0;) {
          const line = /^([0-9a-f]+)\r\n/i.exec(rest)
          if (!line) return found
          size = Number.parseInt(line[1]!, 16)
          body += rest.slice(line[0].length, line[0].length + size)
          rest = rest.slice(line[0].length + size + 2)
        }
      } else {
        const size = Number(header('content-length') ?? 0)
        if (rest.length < size) return found
        body = rest.slice(0, size)
        rest = rest.slice(size)
      }
      found.push({ host: header('host'), head, body })
    }
    return found
  }
  /** Sends bytes and reads the answers until the connection is closed, as the last request asks. */
  async function send(port: number, bytes: string): Promise<string> {
    const socket = net.connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(bytes, 'latin1')
    return text(socket).catch(() => '')
  }

  it('reach the host as one request each, however their bodies are delimited', async () => {
    const upstream = await rawUpstream()
    const { port } = await proxyFor({
      allow: [{ host: 'listed.example', port: upstream.port }],
      resolve: async () => ['127.0.0.1'],
      isPublic: () => true,
    })
    const host = `listed.example:${upstream.port}`
    const hidden = `GET /hidden HTTP/1.1\r\nHost: other.example\r\n\r\n`
    const chunked = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`
    const framings = [
      ['Transfer-Encoding: chunked', chunked],
      ['Connection: transfer-encoding\r\nTransfer-Encoding: chunked', chunked],
      [`Content-Length: ${hidden.length}`, hidden],
      [`Connection: content-length, host\r\nContent-Length: ${hidden.length}`, hidden],
      ['Content-Length: 0', hidden],
      ['X-None: 1', hidden],
      ['Transfer-Encoding: chunked\r\nContent-Length: 4', chunked],
      ['Content-Length: 4\r\nTransfer-Encoding: chunked', chunked],
      [`Content-Length: 0\r\nContent-Length: ${hidden.length}`, hidden],
      [`Content-Length: 0, ${hidden.length}`, hidden],
      ['Content-Length: +5', hidden],
      ['Content-Length: 0x5', hidden],
      [`Content-Length : ${hidden.length}`, hidden],
      [`Content-Length:\r\n ${hidden.length}`, hidden],
      ['Transfer-Encoding: gzip, chunked', chunked],
      ['Transfer-Encoding: chunked, identity', chunked],
      ['Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', chunked],
      ['Transfer-Encoding: xchunked', chunked],
      ['Transfer-Encoding:\x0bchunked', chunked],
      ['Transfer-Encoding\x00: chunked', chunked],
      ['X: y\nTransfer-Encoding: chunked', chunked],
      [`Upgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 0`, hidden],
      [`Expect: 100-continue\r\nContent-Length: ${hidden.length}`, hidden],
    ] as const
    for (const method of ['GET', 'POST', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])
      for (const version of ['1.1', '1.0'])
        for (const [header, body] of framings)
          await send(port, `${method} http://${host}/ HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n${header}\r\n\r\n${body}`)
    const received = upstream.received()
    expect(received.length).toBeGreaterThan(40)
    const wrong = received.filter((bytes) => {
      const requests = requestsIn(bytes)
      return bytes.length > 0 && (requests.length !== 1 || requests[0]!.host !== host || requests[0]!.head.includes('/hidden'))
    })
    expect(wrong.map(String)).toEqual([])
  }, 60_000)

  it('are checked one by one on a connection that stays open', async () => {
    const upstream = await rawUpstream()
    const allow = [{ host: 'listed.example', port: upstream.port }]
    const { proxy, port } = await proxyFor({ allow, resolve: async () => ['127.0.0.1'], isPublic: () => true })
    const host = `listed.example:${upstream.port}`
    const get = (url: string, name: string) => `GET ${url} HTTP/1.1\r\nHost: ${name}\r\n\r\n`
    const answers = await send(
      port,
      [
        get(`http://${host}/1`, host),
        get(`http://other.example:${upstream.port}/2`, `other.example:${upstream.port}`),
        get(`http://${host}/3`, `other.example:${upstream.port}`),
        get(`http://${host}@other.example/4`, host),
        get('/5', host),
        get(`http://${host}/6`, `${host}\r\nConnection: close`),
      ].join(''),
    )
    expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual([200, 403, 403, 403, 403, 200].map((status) => `HTTP/1.1 ${status}`))
    expect(upstream.received().map((bytes) => requestsIn(bytes).map(({ head }) => head.split('\r\n')[0]))).toEqual([['GET /1 HTTP/1.1'], ['GET /6 HTTP/1.1']]) // prettier-ignore
    expect(proxy.traffic().passed).toBe(2)
    const connect = `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
    expect(await send(port, get('/7', host) + connect + connect)).not.toContain('200')
    expect(upstream.received()).toHaveLength(2)
    const { socket } = await tunnel(port, host)
    socket.end(get('/plain', host))
    await text(socket)
    expect(upstream.received().at(-1)!.toString()).toBe('')
  })
})

it('knows public addresses', () => {
  for (const address of ['8.8.8.8', '2606:4700::1111']) expect([address, isPublic(address)]).toEqual([address, true])
  for (const address of '10.0.0.1 127.8.8.8 169.254.169.254 192.168.1.1 172.31.0.1 100.64.0.1 0.0.0.0 224.0.0.1 ::1 ::ffff:8.8.8.8 fe80::1 fd00::1 64:ff9b::a00:1 2002:a00:1:: x'.split(
    ' ',
  ))
    expect([address, isPublic(address)]).toEqual([address, false])
})

it('parses only host:port', () => {
  expect(targetOf('A.Example.:443')).toEqual({ host: 'a.example', port: 443 })
  for (const wrong of ['a', 'a:0', 'a:65536', 'a:b', 'user@a:1', '[::1]:1', 'a:1/x', 'a :1', '']) expect(targetOf(wrong)).toBeNull()
})
