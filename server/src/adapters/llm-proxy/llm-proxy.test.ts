import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import zlib from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Caps, createLedger } from '../llm/index.ts'
import { createLlmProxy, type GrantAccess, type LlmProxy, PROXY_PATHS, type ProxyExchange, type ProxyGrant } from './index.ts'

const KEY = 'sk-real-0123456789abcdef'
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

type Handler = (request: IncomingMessage & { body: string }, response: ServerResponse) => unknown
/** A scripted endpoint. */
async function upstream(handler: Handler) {
  const received: { path: string; headers: http.IncomingHttpHeaders; body: string }[] = []
  const server = http.createServer(async (request, response) => {
    const body = await text(request)
    received.push({ path: request.url!, headers: request.headers, body })
    await handler(Object.assign(request, { body }), response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

interface Setup extends GrantAccess {
  proxy: LlmProxy
  exchanges: ProxyExchange[]
}
async function openGrant(
  baseUrl: string,
  more: Partial<ProxyGrant> & { dialect?: 'anthropic' | 'openai'; key?: string | null; caps?: Caps } = {},
): Promise<Setup> {
  const { dialect = 'anthropic', key = KEY, caps = {}, ...rest } = more
  const proxy = createLlmProxy()
  closing.push(() => proxy.close())
  const exchanges: ProxyExchange[] = []
  const grant = await proxy.grant({
    upstream: { dialect, baseUrl, key: async () => key },
    allowedPaths: PROXY_PATHS,
    ledger: createLedger({ caps }),
    clear: null,
    model: null,
    price: () => null,
    onExchange: (exchange) => void exchanges.push(exchange),
    signal: new AbortController().signal,
    ...rest,
  })
  return { ...grant, proxy, exchanges }
}

const ask = (
  { baseUrl, token }: GrantAccess,
  body: unknown = { model: 'm' },
  more: { path?: string; headers?: Record<string, string> } = {},
) =>
  fetch(`${baseUrl}${more.path ?? '/v1/messages?beta=true'}`, {
    method: 'POST',
    headers: { 'x-api-key': token, 'content-type': 'application/json', ...more.headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const refusal = async (response: Response) => {
  const body = (await response.json()) as { type?: string; error: { type: string; message: string } }
  return { status: response.status, type: body.error.type, message: body.error.message, retry: response.headers.get('x-should-retry') }
}

const sse = (events: object[]) => events.map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`)
const USAGE = { input_tokens: 100, cache_read_input_tokens: 40, cache_creation_input_tokens: 10, output_tokens: 1 }
const STREAM = sse([
  { type: 'message_start', message: { id: 'msg_1', role: 'assistant', content: [], usage: USAGE } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüße 🙂' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 25 } },
  { type: 'message_stop' },
])
const messageJson = (output = 20) => JSON.stringify({ type: 'message', content: [{ type: 'text', text: 'hi' }], stop_reason: 'end_turn', usage: { input_tokens: 10, output_tokens: output } }) // prettier-ignore
const json = (response: ServerResponse, body: string, status = 200, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
const answering: Handler = (_, response) => json(response, messageJson())

describe('the proxy for language models', () => {
  it("replaces the capability with the user's key, and forwards no other credential", async () => {
    const { url, received } = await upstream((_, response) =>
      json(response, messageJson(), 200, { 'set-cookie': 'a=b', 'request-id': 'req_1' }),
    )
    const grant = await openGrant(url)
    const response = await ask(grant, '{"model":"m", "messages": []}', {
      headers: {
        authorization: `Bearer ${grant.token}`,
        cookie: 'session=1',
        'proxy-authorization': 'Basic eA==',
        'x-goog-api-key': 'other',
        'anthropic-api-key': 'other',
        'anthropic-beta': 'effort-2025-11-24, mcp-client-2025-04-04',
        'x-claude-code-agent-id': 'agent-1',
      },
    })
    expect(await response.text()).toBe(messageJson())
    expect(response.headers.get('request-id')).toBe('req_1')
    expect(response.headers.get('set-cookie')).toBeNull()
    const [{ path, headers, body }] = received as [(typeof received)[0]]
    expect({ path, body, key: headers['x-api-key'], beta: headers['anthropic-beta'], version: headers['anthropic-version'] }).toEqual({
      path: '/v1/messages',
      body: '{"model":"m","messages":[]}',
      key: KEY,
      beta: 'effort-2025-11-24',
      version: '2023-06-01',
    })
    expect(JSON.stringify(headers)).not.toContain(grant.token)
    expect(Object.keys(headers).filter((name) => /auth|cookie|goog|anthropic-api/.test(name))).toEqual([])
    expect(grant.exchanges).toMatchObject([{ agent: 'agent-1', model: 'm', status: 200, end: 'whole', usage: { input: 10, output: 20 } }])
    expect(JSON.stringify(grant.exchanges)).not.toContain(KEY)
  })

  it('streams an answer, and counts its tokens', async () => {
    const more = Promise.withResolvers<void>()
    const { url } = await upstream(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const bytes = Buffer.from(STREAM.join(''))
      response.write(bytes.subarray(0, 300))
      await more.promise
      for (const byte of bytes.subarray(300)) response.write(Buffer.from([byte])) // splits characters and events
      response.end()
    })
    const price = { inputPerMTok: 10, outputPerMTok: 100, cacheReadPerMTok: 1, cacheWritePerMTok: 20 }
    const grant = await openGrant(url, { price: () => price })
    const response = await ask(grant, { model: 'm', stream: true })
    const reader = response.body!.getReader()
    const first = await reader.read()
    expect(Buffer.from(first.value).toString()).toContain('message_start')
    more.resolve()
    let rest = Buffer.from(first.value)
    for (let part = await reader.read(); !part.done; part = await reader.read()) rest = Buffer.concat([rest, part.value])
    expect(rest.toString()).toBe(STREAM.join(''))
    await vi.waitUntil(() => grant.exchanges.length === 1)
    const costUsd = (100 * 10 + 40 * 1 + 10 * 20 + 25 * 100) / 1e6
    expect(grant.usage()).toEqual({ requests: 1, input: 150, output: 25, cacheRead: 40, cacheWrite: 10, costUsd, unmeasured: 0 })
    expect(grant.exchanges[0]!.answer.toString()).toBe(STREAM.join(''))
  })

  it('supports endpoints with the chat completions API, and requests the usage of a stream', async () => {
    const { url, received } = await upstream((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\n')
      response.end('data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}\n\ndata: [DONE]\n\n')
    })
    const grant = await openGrant(`${url}/v1`, { dialect: 'openai' })
    const headers = { authorization: `Bearer ${grant.token}`, 'x-api-key': '' }
    await (await ask(grant, { model: 'm', stream: true }, { path: '/v1/chat/completions', headers })).text()
    expect(received[0]).toMatchObject({ path: '/v1/chat/completions', headers: { authorization: `Bearer ${KEY}` } })
    expect(JSON.parse(received[0]!.body)).toEqual({ model: 'm', stream: true, stream_options: { include_usage: true } })
    await vi.waitUntil(() => grant.exchanges.length === 1)
    expect(grant.usage()).toMatchObject({ input: 7, output: 3, costUsd: null })
  })

  it.each([true, false])('counts an answer of the Responses API, and lets the endpoint store nothing (streamed: %s)', async (stream) => {
    const usage = { input_tokens: 50, input_tokens_details: { cached_tokens: 20 }, output_tokens: 6, total_tokens: 56 }
    const created = { type: 'response.created', response: { id: 'resp_1', usage: null } }
    const events = sse([created, { type: 'response.completed', response: { id: 'resp_1', usage } }]).join('')
    const { url, received } = await upstream((_, response) =>
      stream
        ? response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events)
        : json(response, JSON.stringify({ id: 'resp_1', usage })),
    )
    const grant = await openGrant(`${url}/v1`, { dialect: 'openai', caps: { totalTokens: 130 } })
    const headers = { authorization: `Bearer ${grant.token}`, 'x-api-key': '' }
    const sendRequest = () => ask(grant, { model: 'm', stream }, { path: '/v1/responses', headers })
    await (await sendRequest()).text()
    expect(received).toMatchObject([{ path: '/v1/responses', headers: { authorization: `Bearer ${KEY}` } }])
    expect(JSON.parse(received[0]!.body)).toEqual({ model: 'm', stream, store: false, max_output_tokens: expect.any(Number) as number })
    await vi.waitUntil(() => grant.exchanges.length === 1)
    expect(grant.exchanges[0]!.usage).toEqual({ input: 50, output: 6, cacheRead: 20, cacheWrite: null })
    expect(await refusal(await sendRequest())).toMatchObject({
      status: 403,
      message: expect.stringContaining('cap of 130 tokens') as string,
    })
  })

  it('reads and forwards an answer that is compressed although that was not requested', async () => {
    const { url } = await upstream((_, response) => json(response, zlib.gzipSync(messageJson()) as unknown as string, 200, { 'content-encoding': 'gzip' })) // prettier-ignore
    const grant = await openGrant(url)
    expect(await (await ask(grant)).text()).toBe(messageJson())
    expect(grant.usage()).toMatchObject({ input: 10, output: 20 })
  })

  it.each([
    [{ requests: 2 }, '2 requests'],
    [{ outputTokens: 40 }, '40 output tokens'],
    [{ totalTokens: 120 }, '120 tokens'],
    [{ costUsd: 0.00012 }, '$0.0001'],
  ])('refuses requests after a cap is reached, and names the cap: %o', async (caps, capText) => {
    const { url, received } = await upstream(answering)
    const grant = await openGrant(url, { caps, price: () => ({ inputPerMTok: 1, outputPerMTok: 1 }) })
    for (const agent of ['main', 'sub']) expect((await ask(grant, { model: 'm', max_tokens: 20 }, { headers: { 'x-claude-code-agent-id': agent } })).status).toBe(200) // prettier-ignore
    const response = await refusal(await ask(grant, { model: 'm', max_tokens: 20 }))
    expect(response).toMatchObject({ status: 403, type: 'permission_error', retry: 'false' })
    expect(response.message).toContain(`cap of ${capText}`)
    expect(received).toHaveLength(2)
  })

  it('refuses to grant a cap that it cannot enforce', async () => {
    const { url } = await upstream((_, response) => json(response, '{"type":"message","content":[],"stop_reason":null}'))
    await expect(openGrant(url, { caps: { costUsd: 1 }, model: 'unknown' })).rejects.toThrow('the price of unknown is unknown')
    await expect(openGrant('http://example.com')).rejects.toThrow('unencrypted')
    const grant = await openGrant(url, { caps: { totalTokens: 1000 } })
    await (await ask(grant)).text()
    expect(grant.usage()).toMatchObject({ requests: 1, costUsd: null, unmeasured: 1 })
    expect((await refusal(await ask(grant))).message).toContain('does not report the tokens')
  })

  it('answers only programs on this machine, with a capability, and only on allowed paths', async () => {
    const { url, received } = await upstream(answering)
    const grant = await openGrant(url, { allowedPaths: ['/v1/messages'] })
    const other = await openGrant(url)
    expect((await refusal(await ask({ ...grant, token: 'run-guess' }))).status).toBe(401)
    expect((await refusal(await ask({ ...grant, token: other.token }))).status).toBe(401)
    expect((await refusal(await ask(grant, {}, { headers: { origin: 'http://127.0.0.1' } }))).status).toBe(403)
    for (const path of [
      '/v1/models',
      '/v1/messages/count_tokens',
      '/v1/messages/batches',
      '/v1/files',
      '/v1/completions',
      '/v1/messages?x=1',
      '/',
      '/v1/messages/../files',
      '//v1/messages',
    ])
      expect([path, (await ask(grant, {}, { path })).status]).toEqual([path, 404])
    const socket = net.connect(Number(new URL(grant.baseUrl).port), '127.0.0.1')
    socket.end(`POST /v1/messages HTTP/1.1\r\nHost: evil.example\r\nx-api-key: ${grant.token}\r\ncontent-length: 0\r\nConnection: close\r\n\r\n`) // prettier-ignore
    expect(await text(socket)).toMatch(/^HTTP\/1.1 403/)
    expect(received).toEqual([])
  })

  it('forwards refusals of the endpoint without the key that they repeat', async () => {
    const { url } = await upstream((request, response) => {
      const status = Number((JSON.parse(request.body) as { model: string }).model)
      const body = JSON.stringify({ type: 'error', error: { type: 'some_error', message: `no ${KEY} here` } })
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7', 'x-ratelimit-key': KEY })
      for (const piece of [body.slice(0, 55), body.slice(55)]) response.write(piece) // splits the key
      response.end()
    })
    const grant = await openGrant(url)
    for (const status of [401, 429, 529]) {
      const response = await ask(grant, { model: String(status) })
      expect([response.status, response.headers.get('retry-after'), response.headers.get('x-ratelimit-key')]).toEqual([
        status,
        '7',
        '[key]',
      ])
      expect(await response.text()).toContain('no [key] here')
    }
    expect(grant.exchanges.map(({ answer }) => answer.toString()).join('')).not.toContain(KEY)
    expect(grant.usage()).toMatchObject({ requests: 0, input: 0 })
  })

  it('reports an endpoint that does not answer like its API', async () => {
    const { url } = await upstream((request, response) => {
      if (request.body.includes('away')) response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()
      else response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')
    })
    const page = await refusal(await ask(await openGrant(url)))
    expect(page).toMatchObject({ status: 502, message: expect.stringContaining('"text/html"') as string })
    const away = await refusal(await ask(await openGrant(url), { model: 'away' }))
    expect(away).toMatchObject({ status: 400, message: expect.stringContaining('redirect') as string, retry: 'false' })
    const unreachable = await refusal(await ask(await openGrant('http://127.0.0.1:1')))
    expect(unreachable).toMatchObject({ status: 502, message: expect.stringContaining('ECONNREFUSED') as string, retry: 'true' })
    const long = await ask(await openGrant(url), 'x'.repeat(33 * 1024 * 1024)).then((response) => response.status, () => 'closed') // prettier-ignore
    expect([413, 'closed']).toContain(long)
  })

  it('closes an incomplete answer of the endpoint without an end, and counts its tokens', async () => {
    const { url } = await upstream((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(STREAM.slice(0, 3).join(''), () => response.destroy())
    })
    const grant = await openGrant(url)
    const response = await ask(grant, { stream: true })
    await expect(response.text()).rejects.toThrow('terminated')
    await vi.waitUntil(() => grant.exchanges.length === 1)
    expect(grant.exchanges).toMatchObject([
      { end: 'torn', error: 'The endpoint closed the connection before the end of its answer.', usage: { input: 150, output: 1 } },
    ])
    expect(grant.usage()).toMatchObject({ input: 150, unmeasured: 0 })
  })

  it('closes the connection to the endpoint when the client closes its own', async () => {
    const closed = Promise.withResolvers<void>()
    const { url } = await upstream((_, response) => {
      response.once('close', closed.resolve)
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(STREAM[0])
    })
    const grant = await openGrant(url)
    const response = await ask(grant, { stream: true })
    await response.body!.cancel()
    await closed.promise
    await vi.waitUntil(() => grant.exchanges.length === 1)
    expect(grant.exchanges).toMatchObject([{ end: 'torn', error: 'The client closed the connection.' }])
  })

  it('reads an answer only as fast as its client', async () => {
    const sent = { bytes: 0 }
    const { url } = await upstream(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const piece = `: ${'x'.repeat(1024 * 1024)}\n\n`
      while (!response.destroyed && sent.bytes < 200 * piece.length) {
        sent.bytes += piece.length
        if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')])
      }
    })
    const grant = await openGrant(url)
    const { port } = new URL(grant.baseUrl)
    const socket = net.connect(Number(port), '127.0.0.1')
    socket.write(`POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: ${grant.token}\r\ncontent-length: 2\r\n\r\n{}`)
    await once(socket, 'readable') // reads only the first part
    for (let [turns, bytes] = [0, 0]; turns < 500; turns++) {
      if (sent.bytes > bytes) [turns, bytes] = [0, sent.bytes] // data is still being read
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(sent.bytes).toBeLessThan(100 * 1024 * 1024)
    await grant.revoke()
    socket.destroy()
  })

  it('ends open requests when the grant is revoked, and refuses later ones', async () => {
    const open = new Set<ServerResponse>()
    const { url, received } = await upstream((_, response) => {
      open.add(response)
      response.once('close', () => open.delete(response))
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(STREAM[0])
    })
    const stop = new AbortController()
    const grant = await openGrant(url, { signal: stop.signal })
    const response = await ask(grant, { stream: true })
    const readError = response.text().catch((error: Error) => error.message)
    stop.abort()
    await grant.revoke()
    expect(grant.exchanges).toMatchObject([{ end: 'torn', error: 'The run has ended.', usage: { input: 150 } }])
    expect(await readError).toBe('terminated')
    await vi.waitUntil(() => open.size === 0)
    expect((await refusal(await ask(grant))).status).toBe(401)
    expect(received).toHaveLength(1)
  })

  it('closes the connection of a client that never completes its request', async () => {
    const proxy = createLlmProxy({ headersMs: 100, requestMs: 200 })
    closing.push(() => proxy.close())
    const { url } = await upstream(answering)
    const { baseUrl, token } = await proxy.grant({ upstream: { dialect: 'anthropic', baseUrl: url, key: async () => KEY }, allowedPaths: PROXY_PATHS, ledger: createLedger({ caps: {} }), model: null, price: () => null, clear: null, onExchange() {}, signal: new AbortController().signal }) // prettier-ignore
    const port = Number(new URL(baseUrl).port)
    for (const incompleteRequest of [
      'POST /v1/mess',
      `POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: ${token}\r\ncontent-length: 100\r\n\r\n{`,
    ]) {
      const socket = net.connect(port, '127.0.0.1').on('error', () => {})
      socket.write(incompleteRequest)
      expect(await once(socket.resume(), 'close')).toBeDefined()
    }
  })
})
