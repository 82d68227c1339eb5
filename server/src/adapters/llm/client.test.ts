import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import {
  createKeyFile,
  createLimiter,
  createLoopbackClient,
  createModelClient,
  ProviderError,
  withRetries,
  type ChatRequest,
} from './index.ts'
import { startStub, type Reply, type Stub } from './testing-stub.ts'

const KEY = 'sk-ant-api03-not-a-real-key-0123456789abcdef'
const REQUEST: ChatRequest = { model: 'm-1', system: 'Reword.', messages: [{ role: 'user', content: 'Fix the test.' }], maxTokens: 64 }
const PRICE = { inputPerMTok: 3, outputPerMTok: 15 }
const never = () => new AbortController().signal

const stubs: Stub[] = []
afterEach(async () => {
  for (const stub of stubs.splice(0)) await stub.close()
})
async function endpoint(
  reply: (index: number) => Reply,
  more: { dialect?: 'anthropic' | 'openai'; timeoutMs?: number; key?: string | null } = {},
) {
  const stub = await startStub((_, index) => reply(index))
  stubs.push(stub)
  const { dialect = 'anthropic', timeoutMs = 60_000, key = KEY } = more
  return { stub, client: createLoopbackClient({ dialect, baseUrl: `${stub.url}/`, key, timeoutMs, price: PRICE }) }
}
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => error as ProviderError,
  )

describe('one attempt', () => {
  it('uses the Messages API, and sends the request of the preview', async () => {
    const { stub, client } = await endpoint(() => ({ text: 'Mend it.', usage: { input: 12, output: 3 } }))
    expect(await client.ask(REQUEST, never())).toEqual({
      text: 'Mend it.',
      thinking: '',
      toolCalls: [],
      stopped: 'end',
      usage: { input: 12, output: 3, cacheRead: null, cacheWrite: null },
      costUsd: 0.000081,
    })
    const { path: at, headers, raw, body } = stub.received[0]!
    expect(`${stub.url}${at}`).toBe(client.preview(REQUEST).url)
    expect(raw).toBe(client.preview(REQUEST).body)
    expect(raw).not.toContain(KEY)
    expect(headers).toMatchObject({ 'x-api-key': KEY, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' })
    expect(body).toEqual({ model: 'm-1', max_tokens: 64, system: 'Reword.', messages: [{ role: 'user', content: 'Fix the test.' }] })
  })

  it('uses the chat completions API, with or without a key', async () => {
    const { stub, client } = await endpoint(() => ({ text: 'Mend it.', stop: 'length' }), { dialect: 'openai' })
    expect(await client.ask(REQUEST, never())).toEqual({
      text: 'Mend it.',
      thinking: '',
      toolCalls: [],
      stopped: 'length',
      usage: { input: 120, output: 30, cacheRead: null, cacheWrite: null },
      costUsd: 0.00081,
    })
    expect(stub.received[0]).toMatchObject({ path: '/chat/completions', headers: { authorization: `Bearer ${KEY}` } })
    const open = await endpoint(() => ({ text: 'Mend it.', stop: 'content_filter' }), { dialect: 'openai', key: null })
    expect((await open.client.ask(REQUEST, never())).stopped).toBe('refusal')
    expect(open.stub.received[0]!.headers.authorization).toBeUndefined()
  })

  it.for<[string, Reply, Partial<ProviderError>]>([
    [
      'a wrong key',
      { status: 401, json: { error: { message: `invalid x-api-key ${KEY}` } } },
      { kind: 'unauthorized', isTransient: false, mayCost: false },
    ],
    [
      'an unknown model',
      { status: 404, json: { error: { message: 'model: m-1' } } },
      { kind: 'refused', isTransient: false, mayCost: false },
    ],
    [
      'a limit, in seconds',
      { status: 429, headers: { 'retry-after': '7' } },
      { kind: 'rate_limited', retryAfterMs: 7000, isTransient: true, mayCost: false },
    ],
    ['an overload', { status: 529 }, { kind: 'overloaded', isTransient: true, mayCost: false }],
    ['a page instead of JSON', { raw: '<html>' }, { kind: 'bad_answer', isTransient: true, mayCost: true }],
    ['incomplete JSON', { raw: '{"type":"message","content":[' }, { kind: 'bad_answer', mayCost: true }],
    ['another shape', { raw: '{"type":"message","content":"Mend it."}' }, { kind: 'bad_answer', mayCost: true }],
    ['no usage', { raw: '{"type":"message","content":[],"stop_reason":"end_turn"}' }, { kind: 'bad_answer', mayCost: true }],
    ['a much too long answer', { raw: `"${'x'.repeat(5_000_000)}"` }, { kind: 'bad_answer', mayCost: true }],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, { kind: 'refused', isTransient: false }],
    ['a connection cut in the middle', 'cut', { kind: 'unreachable', isTransient: true, mayCost: true }],
  ])('reports %s without the key', async ([, reply, expected]) => {
    const { stub, client } = await endpoint(() => reply)
    const error = await failure(client.ask(REQUEST, never()))
    expect(error).toBeInstanceOf(ProviderError)
    expect(error).toMatchObject(expected)
    expect(error).toMatchObject({ provider: new URL(stub.url).host, hint: expect.stringMatching(/\w\.$/) as string })
    expect(`${error.message}${error.stack}${JSON.stringify(error)}${JSON.stringify(error.cause ?? null)}`).not.toContain(KEY)
    expect(stub.received.length).toBe(1)
  })

  it('accepts a date in retry-after', async () => {
    const { client } = await endpoint(() => ({ status: 429, headers: { 'retry-after': new Date(Date.now() + 30_000).toUTCString() } }))
    const { retryAfterMs } = await failure(client.ask(REQUEST, never()))
    expect(retryAfterMs).toBeGreaterThan(25_000)
    expect(retryAfterMs).toBeLessThanOrEqual(30_000)
  })

  it('gives up on an endpoint that hangs, and ends at once when it is cancelled', async () => {
    const slow = await endpoint(() => 'hang', { timeoutMs: 60 })
    expect(await failure(slow.client.ask(REQUEST, never()))).toMatchObject({ kind: 'timeout', mayCost: true, isTransient: true })
    const { client } = await endpoint(() => 'hang')
    const controller = new AbortController()
    const request = failure(client.ask(REQUEST, controller.signal))
    controller.abort(new Error('no more'))
    expect((await request).message).toBe('no more')
  })

  it('reports an endpoint that cannot be reached, without a cost', async () => {
    const { stub, client } = await endpoint(() => 'hang')
    await stub.close()
    expect(await failure(client.ask(REQUEST, never()))).toMatchObject({ kind: 'unreachable', mayCost: false })
  })

  it('refuses invalid addresses, and addresses that would expose the key', () => {
    const to =
      (baseUrl: string, key: string | null = KEY) =>
      () =>
        createModelClient({ dialect: 'openai', baseUrl, key, timeoutMs: 1, price: null })
    expect(to('http://models.example/v1')).toThrow('unencrypted')
    expect(to('http://models.example/v1', null)).not.toThrow()
    expect(to('http://[::1]:8080/v1')).not.toThrow()
    expect(to('http://127.0.0.1.example/v1')).toThrow('unencrypted')
    for (const bad of ['', 'models.example', 'file:///etc/passwd', 'https://u:p@models.example', 'https://models.example/?a=1'])
      expect(to(bad)).toThrow(/address/)
  })
})

describe('retries', () => {
  it('follow transient failures, up to the given number of attempts', async () => {
    const { stub, client } = await endpoint((index) => (index < 2 ? { status: 500 } : { text: 'Mend it.' }))
    const ask = () => client.ask(REQUEST, never())
    expect((await withRetries(ask, { signal: never(), firstWaitMs: 1 })).text).toBe('Mend it.')
    expect(stub.received.length).toBe(3)
    const broken = await endpoint(() => ({ status: 503 }))
    await failure(withRetries(() => broken.client.ask(REQUEST, never()), { signal: never(), firstWaitMs: 1, attempts: 3 }))
    expect(broken.stub.received.length).toBe(3)
    const wrong = await endpoint(() => ({ status: 400 }))
    await failure(withRetries(() => wrong.client.ask(REQUEST, never()), { signal: never(), firstWaitMs: 1 }))
    expect(wrong.stub.received.length).toBe(1)
  })

  it('wait as long as the provider requests, unless that is too long', async () => {
    const attempt = vi.fn<() => Promise<number>>()
    attempt.mockRejectedValueOnce(new ProviderError('rate_limited', { retryAfterMs: 40 })).mockResolvedValueOnce(1)
    const before = performance.now()
    await withRetries(attempt, { signal: never(), firstWaitMs: 1 })
    expect(performance.now() - before).toBeGreaterThanOrEqual(38)
    const long = vi.fn<() => Promise<number>>().mockRejectedValue(new ProviderError('rate_limited', { retryAfterMs: 3_600_000 }))
    await failure(withRetries(long, { signal: never() }))
    expect(long).toHaveBeenCalledTimes(1)
  })

  it('stop waiting when they are cancelled', async () => {
    const controller = new AbortController()
    const attempt = vi.fn<() => Promise<number>>().mockRejectedValue(new ProviderError('overloaded'))
    const work = failure(withRetries(attempt, { signal: controller.signal, firstWaitMs: 60_000 }))
    await vi.waitFor(() => expect(attempt).toHaveBeenCalled(), { timeout: 30_000 })
    controller.abort()
    await work
    expect(attempt).toHaveBeenCalledTimes(1)
  })
})

describe('the limits', () => {
  it('apply to requests at the same time', async () => {
    const limiter = createLimiter({ perMinute: 1000, concurrency: 3 })
    let now = 0
    let maximum = 0
    const work = async () => {
      maximum = Math.max(maximum, (now += 1))
      await new Promise((resolve) => setImmediate(resolve))
      now -= 1
    }
    await Promise.all(Array.from({ length: 20 }, () => limiter.run(work, never())))
    expect(maximum).toBe(3)
  })

  it('apply to requests in any minute', async () => {
    let clock = 0
    const startTimes: number[] = []
    const wait = (ms: number) => Promise.resolve((clock += ms))
    const limiter = createLimiter({ perMinute: 5, concurrency: 2, now: () => clock, wait })
    const work = () => {
      startTimes.push(clock)
      clock += 700
      return Promise.resolve()
    }
    await Promise.all(Array.from({ length: 23 }, () => limiter.run(work, never())))
    for (const at of startTimes) expect(startTimes.filter((other) => other >= at && other < at + 60_000).length).toBeLessThanOrEqual(5)
  })

  it('skip a cancelled request, and serve the others', async () => {
    const limiter = createLimiter({ perMinute: 1000, concurrency: 1 })
    const first = Promise.withResolvers<void>()
    const running = limiter.run(() => first.promise, never())
    const cancelled = new AbortController()
    const cancelledRun = limiter.run(() => Promise.resolve('left'), cancelled.signal).catch(() => 'gone')
    const last = limiter.run(() => Promise.resolve('last'), never())
    await new Promise((resolve) => setImmediate(resolve))
    cancelled.abort(new Error('gone'))
    expect(await cancelledRun).toBe('gone')
    first.resolve()
    await running
    expect(await last).toBe('last')
  })
})

it('stores keys by name in a separate file that only the user can read', () => {
  const folder = newFolder()
  const file = path.join(folder, 'provider-keys.json')
  const keys = createKeyFile(file)
  expect(keys.get('anthropic')).toBeNull()
  keys.set('anthropic', KEY)
  keys.set('nim', 'nvapi-other')
  expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  keys.remove('nim')
  expect([keys.get('anthropic'), keys.get('nim')]).toEqual([KEY, null])
  expect(fs.readdirSync(folder)).toEqual(['provider-keys.json'])
  fs.writeFileSync(file, `{"anthropic":"${KEY}`)
  expect(() => keys.get('anthropic')).toThrow(expect.not.stringContaining(KEY) as string)
})
