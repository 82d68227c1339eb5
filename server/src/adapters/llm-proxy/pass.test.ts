import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import zlib from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPassThrough, type Passed, type PassThrough } from './index.ts'
import type { PassThroughOptions } from './pass.ts'

const TOKEN = 'a-token-of-this-test'
const KEY = 'sk-ant-the-key-of-the-user'
const sha = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

const EVENTS = [
  'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-x-9","content":[],"usage":{"input_tokens":3,"cache_read_input_tokens":10,"cache_creation_input_tokens":2,"output_tokens":1}}}\n\n',
  ': a comment\n\nevent: unknown_event\ndata: {"type":"unknown_event"}\n\n',
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"naïve ✓"}}\n\n',
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":7}}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n',
]

interface Seen {
  method: string
  url: string
  rawHeaders: string[]
  body: Buffer
}

describe('a pass-through', () => {
  let api: http.Server
  let pass: PassThrough
  let seen: Seen[]
  let upstream: () => URL
  let passed: Passed[]
  let reply: (response: ServerResponse, request: IncomingMessage) => unknown
  let answer: NonNullable<PassThroughOptions['answer']>
  let onPassed: () => void
  let faults: unknown[]
  /** The next row; it comes a moment after the answer. */
  const row = async (): Promise<Passed> => {
    await expect.poll(() => passed.length).toBeGreaterThan(0)
    return passed.shift()!
  }
  const portOf = (server: http.Server) => (server.address() as AddressInfo).port

  beforeEach(async () => {
    ;[seen, passed, faults] = [[], [], []]
    answer = () => Promise.resolve(false)
    onPassed = () => undefined
    reply = (response) => response.end('{}')
    api = http.createServer((request, response) => {
      void buffer(request).then((body) => {
        seen.push({ method: request.method!, url: request.url!, rawHeaders: request.rawHeaders, body })
        return reply(response, request)
      })
    })
    await once(api.listen(0, '127.0.0.1'), 'listening')
    upstream = () => new URL(`http://127.0.0.1:${portOf(api)}/under/`)
    pass = await openPassThrough({
      port: 0,
      token: TOKEN,
      upstream: () => upstream(),
      answer: (...asked) => answer(...asked),
      onPassed(one) {
        passed.push(one)
        onPassed()
      },
      onFault: (error) => faults.push(error),
    })
  })
  afterEach(async () => {
    await pass.close()
    api.closeAllConnections()
    api.close()
  })

  /** Sends to the pass-through or, with `direct`, to the API itself. */
  async function ask(path: string, headers: string[], body: Buffer | string | null, direct = false, agent: http.Agent | false = false) {
    const [port, prefix] = direct ? [portOf(api), '/under'] : [pass.port, `/${TOKEN}`]
    const request = http.request({ port, host: '127.0.0.1', path: `${prefix}${path}`, method: body === null ? 'GET' : 'POST', headers: ['Host', `127.0.0.1:${port}`, ...headers], setHost: false, agent }) // prettier-ignore
    request.end(body ?? undefined)
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const bytes = await buffer(response).catch((error: Error) => error)
    return {
      status: response.statusCode!,
      message: response.statusMessage,
      headers: response.rawHeaders,
      bytes,
      trailers: response.complete,
    }
  }
  const without = (rawHeaders: string[], names: RegExp) =>
    rawHeaders.flatMap((name, at) => (at % 2 === 0 && !names.test(name) ? [[name, rawHeaders[at + 1]!]] : []))

  it('sends the same bytes as a direct run, and gives back the same bytes', async () => {
    const body = Buffer.concat([Buffer.from('{"model":"claude-x-9","n":1.0,"u":"\\u00e9", "odd" : [ ] }'), randomBytes(1_000_000)])
    const headers = ['X-Api-Key', KEY, 'anthropic-BETA', 'a-1,b-2', 'X-Odd', 'naïve', 'Accept-Encoding', 'gzip, br', 'Content-Type', 'application/json', 'content-length', String(body.length)] // prettier-ignore
    for (const encoding of ['identity', 'gzip', 'br', 'zstd', 'deflate'] as const) {
      const encode = { identity: (bytes: Buffer) => bytes, gzip: zlib.gzipSync, br: zlib.brotliCompressSync, zstd: zlib.zstdCompressSync, deflate: zlib.deflateSync }[encoding] // prettier-ignore
      const stream = encode(Buffer.from(EVENTS.join('')))
      reply = (response) => {
        response.sendDate = false
        response.writeHead(200, 'Fine', ['content-type', 'text/event-stream', 'Request-Id', 'req_1', 'anthropic-ratelimit-x', '5', 'set-cookie', 'a=1', 'set-cookie', 'b=2', 'content-encoding', encoding]) // prettier-ignore
        for (let at = 0; at < stream.length; at += 37) response.write(stream.subarray(at, at + 37))
        response.end()
      }
      const query = '/v1/messages?beta=true&x=%20'
      const direct = await ask(query, headers, body, true)
      const through = await ask(query, headers, body)
      const [one, other] = seen.splice(0) as [Seen, Seen]
      expect([other.method, other.url, sha(other.body)]).toEqual([one.method, one.url, sha(one.body)])
      expect(without(other.rawHeaders, /^(?:connection)$/i).flat().join('\n').replaceAll(/127[.\d]+:\d+/g, '')).toBe(without(one.rawHeaders, /^(?:connection)$/i).flat().join('\n').replaceAll(/127[.\d]+:\d+/g, '')) // prettier-ignore
      const hop = /^(?:connection|keep-alive|transfer-encoding|date)$/i
      expect({ ...through, headers: without(through.headers, hop) }).toEqual({ ...direct, headers: without(direct.headers, hop) })
      expect(await row()).toMatchObject({
        status: 200,
        path: '/v1/messages',
        model: 'claude-x-9',
        usage: { input: 15, output: 7, cacheRead: 10, cacheWrite: 2 },
        error: null,
      })
    }
  })

  it('passes on each event as it comes, and errors of the API as they are', async () => {
    const steps = EVENTS.map(() => Promise.withResolvers<void>())
    reply = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      for (const [at, event] of EVENTS.entries()) {
        await steps[at]!.promise
        response.write(event)
      }
      response.end()
    }
    const request = http.request({ port: pass.port, host: '127.0.0.1', path: `/${TOKEN}/v1/messages`, method: 'POST' }).end('{}')
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    for (const [at, event] of EVENTS.entries()) {
      steps[at]!.resolve()
      const [chunk] = (await once(response, 'data')) as [Buffer]
      expect(chunk.toString()).toBe(event)
    }
    await finished(response)
    expect(await row()).toMatchObject({ status: 200 })
    for (const status of [400, 401, 413, 429, 529, 307]) {
      reply = (answer) =>
        answer.writeHead(status, { 'retry-after': '7', location: 'http://127.0.0.1:1/', 'x-should-retry': 'false' }).end('{"type":"error"}')
      const { headers, bytes } = await ask('/v1/messages', [], '{}')
      expect([headers.join(' '), String(bytes)]).toEqual([expect.stringMatching(/retry-after 7.*x-should-retry false/), '{"type":"error"}'])
      expect(await row()).toMatchObject({ status, usage: null, error: null })
    }
  })

  it('keeps a cut answer cut, ends a request whose client has gone, and says when the API cannot be reached', async () => {
    reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(EVENTS[0]!)
      setImmediate(() => response.destroy())
    }
    expect((await ask('/v1/messages', [], '{}')).bytes).toBeInstanceOf(Error)
    expect(await row()).toMatchObject({ status: 200, error: 'The answer broke off.', model: 'claude-x-9' })

    const gone = Promise.withResolvers<void>()
    reply = (response) => {
      response.once('close', () => gone.resolve())
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(EVENTS[0]!)
    }
    const request = http.request({ port: pass.port, host: '127.0.0.1', path: `/${TOKEN}/v1/messages`, method: 'POST' }).end('{}')
    request.on('error', () => undefined)
    await once(request, 'response')
    request.destroy()
    await gone.promise
    expect(await row()).toMatchObject({ error: 'The client ended the request.' })

    const port = portOf(api)
    api.closeAllConnections()
    api.close()
    await once(api, 'close')
    upstream = () => new URL(`http://127.0.0.1:${port}`)
    const refused = await ask('/v1/messages', [], '{}')
    expect([refused.status, String(refused.bytes)]).toEqual([502, expect.stringContaining("Bash Gym couldn't reach the API")])
    expect(await row()).toMatchObject({ status: null, error: expect.stringContaining('ECONNREFUSED') as unknown })
  })

  it('tries once more on a kept connection that the API has closed', async () => {
    let connections = 0
    api.on('connection', (socket) => {
      connections += 1
      // the second request on a connection meets a closed one
      let requests = 0
      socket.on('data', (bytes: Buffer) => {
        if (bytes.includes('GET ') && ++requests === 2) socket.resetAndDestroy()
      })
    })
    for (const _ of [1, 2]) expect((await ask('/v1/models', [], null)).status).toBe(200)
    expect(connections).toBe(2)
    expect([(await row()).error, (await row()).error]).toEqual([null, null])
  })

  it.each([
    ['GET', 'Transfer-Encoding: chunked\r\n\r\n20\r\nPOST /evil HTTP/1.1\r\nHost: x\r\n\r\n\r\n0\r\n\r\n'],
    ['GET', 'Connection: content-length\r\nContent-Length: 32\r\n\r\nPOST /evil HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['DELETE', 'Transfer-Encoding: chunked\r\n\r\n20\r\nPOST /evil HTTP/1.1\r\nHost: x\r\n\r\n\r\n0\r\n\r\n'],
  ])('sends a body with its length, so that the API reads no second request in it: %s %j', async (method, rest) => {
    const socket = net.connect(pass.port, '127.0.0.1')
    socket.write(`${method} /${TOKEN}/v1/files HTTP/1.1\r\nHost: 127.0.0.1\r\n${rest}`)
    await once(socket, 'data')
    socket.destroy()
    expect(seen.map((one) => [one.method, one.url, one.body.toString()])).toEqual([
      [method, '/under/v1/files', 'POST /evil HTTP/1.1\r\nHost: x\r\n\r\n'],
    ])
  })

  it('says so when the API answers with another protocol, or with what is no answer', async () => {
    const odds = ['HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', 'HTTP/1.1 099 Odd\r\n\r\n']
    const gone: Promise<unknown>[] = []
    const odd = net.createServer((socket) => {
      gone.push(once(socket, 'close'))
      socket.once('data', () => socket.write(odds.at(gone.length - 1) ?? '')).on('error', () => undefined)
    })
    await once(odd.listen(0, '127.0.0.1'), 'listening')
    upstream = () => new URL(`http://127.0.0.1:${(odd.address() as AddressInfo).port}`)
    for (const head of odds) {
      expect([head, (await ask('/v1/messages', [], '{}')).status]).toEqual([head, 502])
      expect(await row()).toMatchObject({ status: null, error: expect.any(String) as unknown })
    }
    await Promise.all(gone)
    odd.close()
  })

  it('passes on an answer without an end, and gives up counting it', async () => {
    reply = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(EVENTS[0]!)
      const text = `data: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x'.repeat(1024 * 1024) } })}\n\n`
      for (let count = 0; count < 65; count += 1) if (!response.write(text)) await once(response, 'drain')
      response.end(EVENTS[3])
    }
    const { bytes } = await ask('/v1/messages', [], '{}')
    expect((bytes as Buffer).length).toBeGreaterThan(65 * 1024 * 1024)
    expect(await row()).toMatchObject({ status: 200, model: 'claude-x-9', usage: null, error: null })
  })

  it('passes a request on when our own reading or counting of it fails', async () => {
    answer = () => Promise.reject(new Error('reading'))
    onPassed = () => {
      throw new Error('counting')
    }
    expect((await ask('/v1/messages', [], '{}')).status).toBe(200)
    await expect.poll(() => faults.map(String)).toEqual(['Error: reading', 'Error: counting'])
  })

  it('is used with its token only, and by no page in a browser', async () => {
    const status = async (path: string, headers: string[] = [], host = '127.0.0.1') => {
      const request = http.request({ port: pass.port, host: '127.0.0.1', path, headers: ['Host', host, ...headers], setHost: false }).end()
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      response.resume()
      return response.statusCode
    }
    expect(await status('/v1/messages')).toBe(401)
    expect(await status(`/${TOKEN}x/v1/messages`)).toBe(401)
    expect(await status(`/${TOKEN.slice(1)}/v1/messages`)).toBe(401)
    expect(await status('/')).toBe(401)
    expect(await status(`/${TOKEN}/v1/messages`, ['Origin', 'http://127.0.0.1'])).toBe(403)
    expect(await status(`/${TOKEN}/v1/messages`, [], 'evil.example')).toBe(403)
    expect(seen).toEqual([])
    expect(await status(`/${TOKEN}/v1/messages`)).toBe(200)
  })

  it('writes down neither key nor body nor query', async () => {
    await ask(
      '/v1/messages?secret=1',
      ['x-api-key', KEY, 'authorization', `Bearer ${KEY}`, 'x-claude-code-session-id', 's'],
      '{"my":"words"}',
    )
    const written = await row()
    expect(written).toMatchObject({ session: 's' })
    expect(JSON.stringify(written)).not.toMatch(/the-key|words|secret/)
  })
})
