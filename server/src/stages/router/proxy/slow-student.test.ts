import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { ProviderError } from '#server/adapters/llm/index.ts'
import { openPassThrough, type Passed } from '#server/adapters/llm-proxy/index.ts'
import { openCore } from '#server/testing/core.ts'
import type { ChosenStudent } from '../student.ts'
import { createAnswering } from './answering.ts'
import { createConversations } from './conversations.ts'

const STUDENT: ChosenStudent = {
  name: 'gym-x',
  modelId: 'm',
  label: 'Tiny',
  receiver: '',
  certificate: null,
  isUsable: true,
  reason: '',
  override: '',
  unprovenClient: null,
  evidenceSince: null,
  endpoint: { kind: 'model', modelId: 'm' },
  model: undefined,
}
const HEADERS = { 'x-claude-code-agent-id': 'a', 'x-claude-code-session-id': 's', 'content-type': 'application/json' }
const BODY = { model: 'gym-x', max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'hi' }] }

/** A proxy whose student answers when the test says so, and which tells the client at once that it has to wait. */
async function withSlowStudent(
  use: (
    ask: (signal?: AbortSignal) => Promise<Response>,
    state: { asked: PromiseWithResolvers<AbortSignal>[]; answers: PromiseWithResolvers<never>; passed: Passed[] },
  ) => Promise<void>,
) {
  const core = openCore()
  const state = { asked: [Promise.withResolvers<AbortSignal>()], answers: Promise.withResolvers<never>(), passed: [] as Passed[] }
  state.answers.promise.catch(() => undefined)
  const answering = createAnswering({
    chosen: () => STUDENT,
    modelOf: () => 'm',
    decide: () => {
      throw new Error('not a job')
    },
    conversations: createConversations(core),
    barrier: () => null,
    contextOf: () => 8192,
    readCalls: async () => [],
    patienceMs: { alone: 60_000, withTeacher: 60_000 },
    holdMs: 0,
    endpoints: {
      open: async () => ({
        ask(_, signal) {
          state.asked.at(-1)!.resolve(signal)
          signal.addEventListener('abort', () => state.answers.reject(signal.reason as Error))
          return state.answers.promise
        },
        close: async () => undefined,
      }),
    },
  })
  const proxy = await openPassThrough({
    port: 0,
    token: 't',
    upstream: () => new URL('http://127.0.0.1:9'),
    answer: answering.answer,
    onPassed: (passed) => void state.passed.push(passed),
    onFault: (error) => state.answers.reject(error),
  })
  try {
    const url = `http://127.0.0.1:${proxy.port}/t/v1/messages`
    await use((signal) => fetch(url, { method: 'POST', headers: HEADERS, body: JSON.stringify(BODY), ...(signal && { signal }) }), state)
  } finally {
    await proxy.close()
    await core.close()
  }
}

test('a client hears at once that a slow student is at work; its failure is an error in the stream, and is told again without asking', () =>
  withSlowStudent(async (ask, { answers }) => {
    const response = await ask()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    answers.reject(new ProviderError('unreachable'))
    const text = await response.text()
    expect(text).toMatch(/^: the model is at work\n\n(?:: [^\n]+\n\n)*event: error\ndata: \{"type":"error".*could not be reached.*\n\n$/)
    const again = await ask()
    expect([again.status, again.headers.get('x-should-retry'), await again.text()]).toEqual([
      500,
      'false',
      expect.stringContaining('could not be reached'),
    ])
  }))

test('a student is not asked any more when the client is gone', () =>
  withSlowStudent(async (ask, { asked, passed }) => {
    const gone = new AbortController()
    const response = await ask(gone.signal)
    const signal = await asked[0]!.promise
    const ended = once(signal, 'abort')
    gone.abort()
    await expect(response.text()).rejects.toThrow('abort')
    await ended
    await expect.poll(() => passed.map(({ error }) => error)).toEqual(['The client ended the request.'])
  }))

test('nothing is read where no student is chosen', async () => {
  const upstream = http.createServer((request, response) => response.end(request.url)).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const core = openCore()
  const answering = createAnswering({ chosen: () => null, conversations: createConversations(core) } as unknown as Parameters<
    typeof createAnswering
  >[0])
  const passed: Passed[] = []
  const proxy = await openPassThrough({
    port: 0,
    token: 't',
    upstream: () => new URL(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`),
    answer: answering.answer,
    onPassed: (one) => void passed.push(one),
    onFault: (error) => void passed.push(error as Passed),
  })
  const response = await fetch(`http://127.0.0.1:${proxy.port}/t/v1/messages`, { method: 'POST', body: 'not JSON' })
  expect(await response.text()).toBe('/v1/messages')
  await expect.poll(() => passed.map((one) => answering.choiceOf(one))).toEqual([null])
  await proxy.close()
  upstream.close()
  await core.close()
})

test('a program with the chat completions API that goes away ends its request to Claude', async () => {
  const left = Promise.withResolvers<void>()
  const begun = `data: ${JSON.stringify({ type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 0 } } })}\n\n`
  const api = http.createServer((request, response) => {
    request.resume()
    response.once('close', () => left.resolve())
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(begun)
  })
  await once(api.listen(0, '127.0.0.1'), 'listening')
  const answering = createAnswering({ patienceMs: { alone: 1 } } as unknown as Parameters<typeof createAnswering>[0])
  const passed: Passed[] = []
  const proxy = await openPassThrough({
    port: 0,
    token: 't',
    upstream: () => new URL(`http://127.0.0.1:${(api.address() as AddressInfo).port}`),
    answer: answering.answer,
    onPassed: (one) => void passed.push(one),
    onFault: (error) => void passed.push(error as Passed),
  })
  const leave = new AbortController()
  const body = JSON.stringify({ model: 'claude-opus-5-5', stream: true, messages: [{ role: 'user', content: 'hi' }] })
  await fetch(`http://127.0.0.1:${proxy.port}/t/v1/chat/completions`, { method: 'POST', body, signal: leave.signal })
  leave.abort()
  await left.promise
  await expect.poll(() => passed).toMatchObject([{ status: 200, error: 'The client ended the request.' }])
  await proxy.close()
  api.close()
})
