/** Attacks on the caps of a run, over the listener of the proxy, with an endpoint that charges whatever was sent to it. */
import { once } from 'node:events'
import http, { type ServerResponse } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Caps, type Charged, createLedger } from '../llm/index.ts'
import type { TokenPrice } from '#server/prices/request-cost.ts'
import { createLlmProxy, PROXY_PATHS, type ProxyDialect, type ProxyExchange, type ProxyGrant } from './index.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const PRICE: TokenPrice = { inputPerMTok: 5, outputPerMTok: 25, cacheReadPerMTok: 0.5, cacheWritePerMTok: 6.25 }
interface Sent {
  model: string
  stream?: boolean
  max_tokens?: number
  n?: number
  messages: unknown[]
}
type Fault = 'none' | 'hang' | 'cut' | 'no usage' | 'refuse'

/** Charges each request on arrival: its input as cache writes, and an answer of the full length that it allows. */
async function billing(fault: (body: Sent) => Fault = () => 'none') {
  const paid = { requests: 0, usd: 0, tokens: 0 }
  const bodies: Sent[] = []
  const server = http.createServer(async (request, response) => {
    const raw = await text(request)
    const body = JSON.parse(raw) as Sent
    bodies.push(body)
    const how = fault(body)
    if (how === 'refuse') {
      response.writeHead(529, { 'content-type': 'application/json' }).end('{"error":{"message":"busy"}}')
      return
    }
    const input = Buffer.byteLength(JSON.stringify(body.messages))
    const output = (body.max_tokens ?? 1_000_000) * (body.n ?? 1)
    paid.requests += 1
    paid.tokens += input + output
    paid.usd += (input * PRICE.cacheWritePerMTok! + output * PRICE.outputPerMTok) / 1e6
    if (how !== 'hang') answer(response, { how, stream: body.stream === true, input, output })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paid,
    bodies,
  }
}

function answer(response: ServerResponse, { how, stream, input, output }: { how: Fault; stream: boolean; input: number; output: number }) {
  // prettier-ignore
  const usage = { input_tokens: 0, cache_creation_input_tokens: input, output_tokens: output }
  if (!stream) {
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ type: 'message', content: [], stop_reason: 'max_tokens', usage, choices: [{ index: 0, message: { content: '' }, finish_reason: 'length' }] })) // prettier-ignore
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const write = (event: { type: string }) => response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  write({ type: 'message_start', message: { usage: { ...usage, output_tokens: 1 } } } as { type: string })
  write({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Some words.' } } as { type: string })
  if (how === 'cut') return response.destroy()
  if (how !== 'no usage') write({ type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage } as { type: string })
  write({ type: 'message_stop' })
  return response.end()
}

type Endpoint = Awaited<ReturnType<typeof billing>>
async function openGrant({ url }: Endpoint, caps: Caps, more: Partial<ProxyGrant> & { dialect?: ProxyDialect; abandonedMs?: number } = {}) {
  const { dialect = 'anthropic', abandonedMs = 60_000, ...rest } = more
  const proxy = createLlmProxy({ abandonedMs })
  closing.push(() => proxy.close())
  const exchanges: ProxyExchange[] = []
  const ledger = more.ledger ?? createLedger({ caps })
  const grant = await proxy.grant({
    upstream: { dialect, baseUrl: url, key: async () => 'key' },
    allowedPaths: PROXY_PATHS,
    ledger,
    clear: null,
    model: 'm',
    price: () => PRICE,
    onExchange: (exchange) => void exchanges.push(exchange),
    signal: new AbortController().signal,
    ...rest,
  })
  const port = Number(new URL(grant.baseUrl).port)
  return { ...grant, ledger, exchanges, port }
}
type Grant = Awaited<ReturnType<typeof openGrant>>

const MESSAGES = [{ role: 'user', content: 'Say something.' }]
const head = ({ token }: Pick<Grant, 'token'>, more = '') => `POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: ${token}\r\ncontent-type: application/json\r\n${more}` // prettier-ignore
const request = (grant: Pick<Grant, 'token'>, body: object, more = '') => {
  const json = JSON.stringify({ model: 'm', messages: MESSAGES, ...body })
  return head(grant, `${more}content-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`)
}
/** Sends bytes; `until`: closes the connection when the answer contains it. Resolves with the answer when the connection has ended. */
async function send({ port }: Pick<Grant, 'port'>, bytes: string, until: string | null = null): Promise<string> {
  const socket = net.connect(port, '127.0.0.1').on('error', () => undefined)
  let received = ''
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString()
    if (until !== null && received.includes(until)) socket.destroy()
  })
  socket.write(bytes, () => until === '' && socket.destroy())
  if (socket.closed) return received
  await once(socket, 'close')
  return received
}
const closed = 'connection: close\r\n'
const settled = ({ exchanges }: Grant, count: number) => vi.waitUntil(() => exchanges.length >= count, { timeout: 30_000 })

describe('the caps of a run', () => {
  it.each(['', 'message_start', 'Some words', 'message_delta', 'message_stop'])(
    'hold when the agent closes each connection at "%s"',
    async (until) => {
      const endpoint = await billing()
      const grant = await openGrant(endpoint, { costUsd: 0.01 })
      for (let n = 1; n <= 50; n++) {
        await send(grant, request(grant, { stream: true, max_tokens: 50 }, until === '' ? '' : closed), until)
        await settled(grant, n)
      }
      expect(endpoint.paid.usd).toBeLessThanOrEqual(0.01)
      expect(grant.ledger.charged.usd).toBeCloseTo(endpoint.paid.usd, 9) // each answer was read to its end
      expect(endpoint.paid.requests).toBeGreaterThan(3)
      expect(grant.exchanges.at(-1)).toMatchObject({ end: 'refused', error: expect.stringContaining('cap of $0.0100') as string })
    },
  )

  it('charge the whole reservation for an answer that does not end', async () => {
    for (const fault of ['hang', 'cut', 'no usage'] as const) {
      const endpoint = await billing(() => fault)
      const grant = await openGrant(endpoint, { costUsd: 0.01 }, { abandonedMs: 1 })
      for (let n = 1; n <= 12; n++) {
        await send(grant, request(grant, { stream: true, max_tokens: 50 }, closed), fault === 'hang' ? '' : null)
        await settled(grant, n)
      }
      expect(endpoint.paid.usd).toBeLessThanOrEqual(0.01)
      expect(grant.ledger.charged.usd).toBeGreaterThanOrEqual(endpoint.paid.usd)
      expect(grant.usage().costUsd).toBeNull()
    }
  })

  it.each<[Caps, number]>([
    [{ requests: 3 }, 3],
    [{ costUsd: 0.01 }, Infinity],
    [{ totalTokens: 2000 }, Infinity],
    [{ outputTokens: 700 }, 7],
  ])('hold against 64 requests at once: %o', async (caps, most) => {
    const endpoint = await billing()
    const grant = await openGrant(endpoint, caps)
    const answers = await Promise.all(Array.from({ length: 64 }, () => send(grant, request(grant, { max_tokens: 100 }, closed))))
    expect(endpoint.paid.requests).toBeLessThanOrEqual(most)
    expect(endpoint.paid.requests).toBeGreaterThan(1)
    expect(endpoint.paid.usd).toBeLessThanOrEqual(caps.costUsd ?? Infinity)
    expect(endpoint.paid.tokens).toBeLessThanOrEqual(caps.totalTokens ?? Infinity)
    expect(answers.filter((one) => one.startsWith('HTTP/1.1 403')).length).toBe(64 - endpoint.paid.requests)
  })

  it('limit a missing, a huge and a manifold answer to what is left', async () => {
    for (const limit of [{}, { max_tokens: 100_000_000 }, { max_tokens: '9' }, { max_tokens: -1 }, { max_tokens: 1e300 }]) {
      const endpoint = await billing()
      const grant = await openGrant(endpoint, { costUsd: 0.05 })
      expect(await send(grant, request(grant, limit, closed))).toMatch(/^HTTP\/1.1 200/)
      expect(await send(grant, request(grant, limit, closed))).toMatch(/^HTTP\/1.1 403/)
      expect(endpoint.paid.usd).toBeLessThanOrEqual(0.05)
    }
    const endpoint = await billing()
    const grant = await openGrant(endpoint, { costUsd: 0.05 }, { dialect: 'openai' })
    const asked = async (n: unknown) => send(grant, request(grant, { n, max_tokens: 500 }, closed).replace('/v1/messages', '/v1/chat/completions')) // prettier-ignore
    expect(await asked(10)).toMatch(/^HTTP\/1.1 200/)
    for (const n of [1e9, 0, '10', 1.5]) expect(await asked(n)).toMatch(/^HTTP\/1.1 400/)
    expect([endpoint.paid.usd <= 0.05, endpoint.bodies.length, endpoint.bodies[0]!.max_tokens! < 500]).toEqual([true, 1, true])
  })

  it('hold against two limits in one request, whichever the endpoint obeys', async () => {
    for (const limits of [
      { max_tokens: 10, max_completion_tokens: 90_000 },
      { max_tokens: 90_000, max_completion_tokens: 10 },
      { max_tokens: 90_000, max_completion_tokens: 0 },
    ]) {
      const endpoint = await billing()
      const grant = await openGrant(endpoint, { costUsd: 3, outputTokens: 1000 }, { dialect: 'openai' })
      await send(grant, request(grant, limits, closed).replace('/v1/messages', '/v1/chat/completions'))
      const { max_tokens: first = 0, max_completion_tokens: second = 0 } = endpoint.bodies[0]! as Sent & { max_completion_tokens?: number }
      const least = Math.min(1000, ...Object.values(limits).filter((one) => one > 0))
      expect([first, second].filter((one) => one > least)).toEqual([])
      expect(Math.max(first, second)).toBe(least)
    }
  })

  it('count every byte of what an agent may nest freely, also what looks like the mark of a cached prefix', async () => {
    const mark = { cache_control: { type: 'ephemeral' } }
    const places = (value: unknown): object[] => [
      { tools: [{ name: 'x', input_schema: { type: 'object' }, input_examples: value }] },
      { tools: [{ name: 'x', input_schema: { type: 'object', value } }] },
      { output_format: { value } },
      { messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'x', input: { value } }] }] },
    ]
    const plain = places(Array.from({ length: 2000 }, () => ({})))
    const marked = places(Array.from({ length: 2000 }, () => mark))
    for (const [index, body] of marked.entries()) {
      const endpoint = await billing()
      const grant = await openGrant(endpoint, { totalTokens: 70_000 })
      expect(await send(grant, request(grant, { ...body, max_tokens: 10 }, closed))).toMatch(/^HTTP\/1.1 403/)
      expect(await send(grant, request(grant, { ...plain[index], max_tokens: 10 }, closed))).toMatch(/^HTTP\/1.1 200/) // the endpoint counts these
      expect(await send(grant, request(grant, { ...body, max_tokens: 10 }, closed))).toMatch(/^HTTP\/1.1 403/)
    }
  })

  it('keep the thinking budget below the limit of the answer', async () => {
    const endpoint = await billing()
    const grant = await openGrant(endpoint, { outputTokens: 3000 })
    const thinking = { type: 'enabled', budget_tokens: 10_000 }
    await send(grant, request(grant, { max_tokens: 20_000, thinking }, closed))
    expect(endpoint.bodies).toMatchObject([{ max_tokens: 3000, thinking: { budget_tokens: 2999 } }])
  })

  it('hold against pipelined, upgraded, doubly framed and padded requests', async () => {
    const endpoint = await billing()
    const grant = await openGrant(endpoint, { requests: 3, costUsd: 0.02 })
    const one = request(grant, { max_tokens: 20 })
    await send(grant, one.repeat(9) + request(grant, { max_tokens: 20 }, closed))
    expect(endpoint.paid.requests).toBe(3)
    const json = JSON.stringify({ model: 'm', messages: MESSAGES, max_tokens: 5 })
    const chunk = `${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`
    const attacks = [
      head(grant, `transfer-encoding: chunked\r\n\r\n${chunk}GARBAGE\r\n\r\n${one}`),
      head(grant, `transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n${chunk}`),
      request(grant, { max_tokens: 5 }, 'connection: upgrade\r\nupgrade: websocket\r\n'),
      `CONNECT ${new URL(endpoint.url).host} HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: ${grant.token}\r\n\r\n`,
    ]
    for (const attack of attacks) await send(grant, attack, '\r\n\r\n')
    expect(endpoint.paid.requests).toBe(3)
  })

  it('give back what the endpoint refused, but not for ever', async () => {
    let left = 5
    const endpoint = await billing(() => (left-- > 0 ? 'refuse' : 'none'))
    const grant = await openGrant(endpoint, { requests: 1, costUsd: 0.01 })
    for (let n = 0; n < 5; n++) expect(await send(grant, request(grant, { max_tokens: 20 }, closed))).toMatch(/^HTTP\/1.1 529/)
    expect(grant.ledger.charged).toEqual({ requests: 0, input: 0, output: 0, usd: 0, failures: 5 })
    expect(await send(grant, request(grant, { max_tokens: 20 }, closed))).toMatch(/^HTTP\/1.1 200/)
    const refusing = await billing(() => 'refuse')
    const before = { requests: 0, input: 0, output: 0, usd: 0, failures: 995 }
    const other = await openGrant(refusing, {}, { ledger: createLedger({ caps: {}, before }) })
    for (let n = 0; n < 20; n++) await send(other, request(other, {}, closed))
    expect(refusing.bodies).toHaveLength(5)
  })

  it('hold over several grants of a run, and over a server that is killed in the middle of a request', async () => {
    const endpoint = await billing((body) => (body.max_tokens === 199 ? 'hang' : 'none'))
    const caps = { costUsd: 0.02 }
    let stored: Charged | undefined
    const first = await openGrant(endpoint, caps, { ledger: createLedger({ caps, save: (charged) => (stored = charged) }) })
    const hanging = net.connect(first.port, '127.0.0.1').on('error', () => undefined)
    hanging.write(request(first, { max_tokens: 199 }))
    await vi.waitUntil(() => endpoint.bodies.length === 1)
    const atKill = structuredClone(stored)! // all that a killed server leaves
    expect(atKill.usd).toBeGreaterThanOrEqual(endpoint.paid.usd)
    const ledger = createLedger({ caps, before: atKill })
    const grants = [await openGrant(endpoint, caps, { ledger }), await openGrant(endpoint, caps, { ledger })]
    for (let n = 0; n < 20; n++) await send(grants[n % 2]!, request(grants[n % 2]!, { max_tokens: 100 }, closed))
    expect(endpoint.paid.usd).toBeLessThanOrEqual(0.02)
    hanging.destroy()
  })

  it('let a long conversation go on, because the endpoint has counted its beginning', async () => {
    const endpoint = await billing()
    const grant = await openGrant(endpoint, { totalTokens: 60_000 })
    const messages: object[] = [{ role: 'user', content: 'x'.repeat(10_000) }]
    for (let turn = 0; turn < 4; turn++) {
      const marked = messages.map((message, index) => (index < messages.length - 1 ? message : { ...message, cache_control: { type: 'ephemeral' } })) // prettier-ignore
      expect(await send(grant, request(grant, { messages: marked, max_tokens: 10 }, closed))).toMatch(/^HTTP\/1.1 200/)
      messages.push({ role: 'assistant', content: 'Yes.' }, { role: 'user', content: 'Go on.' })
    }
    expect(endpoint.paid.tokens).toBeLessThanOrEqual(60_000)
  })

  const anyRequest = fc.record({
    stream: fc.boolean(),
    max_tokens: fc.option(fc.integer({ min: 1, max: 3000 }), { nil: undefined }),
    words: fc.integer({ min: 0, max: 400 }),
    until: fc.constantFrom(null, null, '', 'HTTP/1.1', 'message_start', 'Some words', 'message_stop'),
    fault: fc.constantFrom<Fault>('none', 'none', 'none', 'cut', 'refuse'),
  })
  it('hold for any requests at any times', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyRequest, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 }),
        fc.record({ requests: fc.integer({ min: 1, max: 20 }), usd: fc.double({ min: 0.001, max: 0.2, noNaN: true }) }),
        async (rounds, { requests, usd }) => {
          const endpoint = await billing(({ messages }) => (messages[0] as { content: string }).content.split(' ')[0] as Fault)
          const grant = await openGrant(endpoint, { requests, costUsd: usd })
          for (const round of rounds)
            await Promise.all(
              round.map(({ words, until, fault, ...body }) => {
                const messages = [{ role: 'user', content: `${fault} ${'word '.repeat(words)}` }]
                return send(grant, request(grant, { ...body, messages }, until === '' ? '' : closed), until)
              }),
            )
          await grant.revoke()
          expect(endpoint.paid.usd).toBeLessThanOrEqual(usd)
          expect(endpoint.paid.requests).toBeLessThanOrEqual(requests)
          expect(grant.ledger.charged.usd + 1e-9).toBeGreaterThanOrEqual(endpoint.paid.usd)
        },
      ),
      { numRuns: 40 },
    )
  })
})
