/** Runs the real Claude Code through the proxy, with a recorder on each side of it. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { startTestServer, testConfig } from '#server/testing/server.ts'
import { isSoaking, soaking } from '#server/testing/soak.ts'
import { scenarios, startStub } from './driver/index.mjs'
import { aUser, clientOrSkip } from './installed.ts'

const client = await clientOrSkip('2.1.329')
const HOP_BY_HOP = /^(?:host|connection|keep-alive|transfer-encoding|date)$/i

interface Recorded {
  asked: string
  answered: string
}

/** Forwards requests, and keeps the hash of all that each asked and was answered. */
async function startRecorder(to: () => string) {
  const recorded: Recorded[] = []
  const headersOf = (raw: readonly string[]) =>
    raw.flatMap((name, at) => (at % 2 === 0 && !HOP_BY_HOP.test(name) ? [`${name}: ${raw[at + 1]}`] : []))
  const sha = (...parts: (string | Buffer)[]) => {
    const hash = createHash('sha256')
    for (const part of parts) hash.update(part)
    return hash.digest('hex')
  }
  const server = http.createServer((request, response) => {
    void (async () => {
      const body = await buffer(request)
      const target = new URL(to())
      const path = `${target.pathname.replace(/\/$/, '')}${request.url}`
      const sent = http
        .request({ host: target.hostname, port: target.port, method: request.method, path, headers: request.headers })
        .end(body)
      const [answer] = (await once(sent, 'response')) as [http.IncomingMessage]
      response.writeHead(answer.statusCode!, answer.statusMessage, answer.rawHeaders)
      const bytes: Buffer[] = []
      for await (const chunk of answer) {
        bytes.push(chunk as Buffer)
        response.write(chunk)
      }
      response.end()
      recorded.push({
        asked: sha(request.method!, request.url!, headersOf(request.rawHeaders).join('\n').toLowerCase(), body),
        answered: sha(String(answer.statusCode), headersOf(answer.rawHeaders).join('\n'), ...bytes),
      })
    })().catch(() => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    recorded,
    close: () => (server.closeAllConnections(), server.close()),
  }
}

/** A proxy between two recorders, and an API behind them. */
async function aProxy() {
  const stub = await startStub()
  const behind = await startRecorder(() => stub.url)
  const config = testConfig()
  const server = await startTestServer({ config: { ...config, providers: { ...config.providers, anthropicBaseUrl: behind.url } } })
  await server.client.patchSettings({ body: { router: { proxy: true, proxyPort: await freePort() } } })
  const { proxy } = await server.client.getRouting({})
  expect(proxy).toMatchObject({ isOn: true, problem: null, upstream: behind.url })
  const before = await startRecorder(() => proxy.address!)
  const inOrder = (all: Recorded[]) => all.map(({ asked, answered }) => `${asked} ${answered}`).toSorted()
  return {
    stub,
    server,
    address: proxy.address!,
    through: { ...stub, url: before.url },
    /** Takes what each recorder saw until now. */
    sides: () => [before, behind].map(({ recorded }) => inOrder(recorded.splice(0))),
    close: async () => {
      before.close()
      behind.close()
      await server.close()
      await stub.close()
    },
  }
}

it.skipIf(client.skip !== false)('Claude Code sends and gets the same bytes through the proxy, and each request is a row', async () => {
  const user = aUser(client.skip === false ? client.bin : '')
  const { stub, server, address, through, sides, close } = await aProxy()
  try {
    const result = await user.run({ scenario: 'fix-test', stub: through })
    expect(result.exitCode).toBe(0)
    expect(stub.requests.filter(({ path }) => path?.startsWith('/v1/messages')).length).toBeGreaterThan(5)
    const [before, behind] = sides()
    expect(before).toEqual(behind)

    const steps = stub.requests.filter(({ path, method }) => method === 'POST' && path?.startsWith('/v1/messages?')).length
    await expect.poll(async () => (await server.client.getRouteStats({})).requests).toBe(steps)
    expect(await server.client.getRouteStats({})).toMatchObject({ failed: 0, sessions: 1, tokens: expect.any(Number) as number })
    const { items } = await server.client.listRouteDecisions({ query: {} })
    expect(items[0]).toMatchObject({
      selectedModel: 'teacher',
      status: 200,
      session: result.sessionId,
      model: expect.stringContaining('claude') as string,
    })

    await server.client.patchSettings({ body: { router: { proxy: false } } })
    expect((await server.client.getRouting({})).proxy).toMatchObject({ isOn: false, address: null })
    await expect(fetch(address)).rejects.toThrow('fetch failed')
  } finally {
    await close()
    user.remove()
  }
})

/** `npm run soak` has all scenarios of the driver in each of these versions. */
const VERSIONS = await Promise.all(['2.1.329', '2.1.300', '2.1.270', '2.1.100', '2.0.76'].map((version) => clientOrSkip(version)))
const SOME = ['parallel', 'overloaded-once']

it.skipIf(VERSIONS.some(({ skip }) => skip !== false))(
  'the bytes are the same in five versions, with several calls at once and an API that is overloaded',
  async () => {
    const proxy = await aProxy()
    try {
      for (const one of VERSIONS)
        for (const scenario of isSoaking() ? Object.keys(scenarios) : SOME) {
          const user = aUser(one.skip === false ? one.bin : '')
          await user.run({ scenario, stub: proxy.through })
          user.remove()
          const [before, behind] = proxy.sides()
          expect({ scenario, isEmpty: before!.length === 0 }).toEqual({ scenario, isEmpty: false })
          expect({ scenario, recorded: before }).toEqual({ scenario, recorded: behind })
        }
    } finally {
      await proxy.close()
    }
  },
  soaking(120_000, 1_800_000),
)

it.skipIf(client.skip !== false)('a session that lost the check of its commands is recognised until it asks for it again', async () => {
  const user = aUser(client.skip === false ? client.bin : '')
  const call = { type: 'tool_use' as const, name: 'Bash', input: { command: 'ls' } }
  const refusal = { status: 400, type: 'invalid_request_error', message: 'safeguards: Extra inputs are not permitted' }
  const once400 = ({ failedBefore }: { failedBefore: number }) => (failedBefore === 0 ? { error: refusal } : [call])
  const stub = await startStub({
    scenarios: {
      latched: { about: '', prompt: '', steps: [once400, [{ type: 'text', text: 'Done.' }]] },
    },
  })
  const config = testConfig()
  const server = await startTestServer({ config: { ...config, providers: { ...config.providers, anthropicBaseUrl: stub.url } } })
  try {
    await server.client.patchSettings({ body: { router: { proxy: true, proxyPort: await freePort() } } })
    const proxy = async () => (await server.client.getRouting({})).proxy
    const through = { ...stub, url: (await proxy()).address! }
    const auto = ['--permission-mode', 'auto']
    const { sessionId } = await user.run({ stub: through, prompt: 'SCENARIO=latched go', args: auto })
    await expect.poll(async () => (await proxy()).unchecked).toMatchObject([{ session: sessionId }])
    expect((await server.client.getDoctor({})).checks).toContainEqual(
      expect.objectContaining({ name: 'Claude Code sessions', fix: expect.stringContaining('claude --continue') as unknown }),
    )
    await user.run({ stub: through, prompt: 'SCENARIO=hello go', args: [...auto, '--resume', sessionId!] })
    await expect.poll(async () => (await proxy()).unchecked).toEqual([])
  } finally {
    await server.close()
    await stub.close()
    user.remove()
  }
})

async function freePort(): Promise<number> {
  const server = http.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
