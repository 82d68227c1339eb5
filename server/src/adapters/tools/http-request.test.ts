import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLoopbackClient } from '../llm/index.ts'
import { httpRequest } from './http-request.ts'

let server: http.Server
let url: string
beforeEach(async () => {
  server = http.createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

type Dispatch = (options: object, handler: object) => boolean
const DISPATCHER = Symbol.for('undici.globalDispatcher.1')

/** Runs `work` while `fetch` waits this many milliseconds for headers, instead of 300 s. */
async function withShortFetch<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const place = globalThis as unknown as Record<symbol, { dispatch: Dispatch }>
  const dispatcher = place[DISPATCHER]!
  const dispatch = dispatcher.dispatch.bind(dispatcher)
  dispatcher.dispatch = (options, handler) => dispatch({ ...options, headersTimeout: ms }, handler)
  try {
    return await work()
  } finally {
    dispatcher.dispatch = dispatch
  }
}

const LATE = JSON.stringify({
  choices: [{ message: { content: 'late' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1 },
})

it('waits for a response longer than fetch would, and so does a call of a model', async () => {
  server.on('request', (request, response) => {
    if (request.url === '/release') for (const one of late) one.end(LATE)
    if (request.url?.startsWith('/late')) late.push(response)
    else response.end('now')
  })
  const late: http.ServerResponse[] = []
  let asked: Promise<unknown> | null = null
  await (await fetch(`${url}/now`)).text() // makes its dispatcher
  const arrived = once(server, 'request')
  const answer = httpRequest(`${url}/late`, { method: 'GET' })
  await arrived
  await withShortFetch(50, async () => {
    const model = createLoopbackClient({ dialect: 'openai', baseUrl: `${url}/late`, key: null, timeoutMs: null, price: null })
    asked = model.ask({ model: null, messages: [{ role: 'user', content: 'hi' }], maxTokens: 1 }, new AbortController().signal)
    await expect(fetch(`${url}/late`)).rejects.toMatchObject({ cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } })
  })
  await expect.poll(() => late.length).toBe(3)
  await httpRequest(`${url}/release`, { method: 'POST' })
  expect(await (await answer).text()).toBe(LATE)
  await expect(asked).resolves.toMatchObject({ text: 'late' })
})

it('sends method, headers and body, and returns status, headers and bytes', async () => {
  const seen: unknown[] = []
  server.on('request', async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    seen.push([request.method, request.url, request.headers['x-one'], request.headers['content-length'], body])
    if (request.url === '/none') response.writeHead(204).end()
    else response.writeHead(418, { 'content-type': 'text/plain' }).end(Buffer.from([0, 255, 10]))
  })
  const teapot = await httpRequest(`${url}/a?b=c`, { method: 'PUT', headers: { 'x-one': '1' }, body: 'é' })
  expect([teapot.status, teapot.headers.get('content-type'), await teapot.bytes()]).toEqual([418, 'text/plain', new Uint8Array([0, 255, 10])]) // prettier-ignore
  expect((await httpRequest(`${url}/none`, { method: 'POST' })).status).toBe(204)
  expect(seen).toEqual([
    ['PUT', '/a?b=c', '1', '2', 'é'],
    ['POST', '/none', undefined, expect.anything(), ''],
  ])
})

it('can be aborted before and during the response', async () => {
  const closed = Promise.withResolvers<void>()
  server.on('request', (request, response) => {
    if (request.url === '/half') response.write('half')
    else response.once('close', closed.resolve)
  })
  const stop = new AbortController()
  const arrived = once(server, 'request')
  const none = httpRequest(`${url}/none`, { method: 'GET', signal: stop.signal })
  const half = await httpRequest(`${url}/half`, { method: 'GET', signal: stop.signal })
  await arrived
  const text = half.text()
  stop.abort(new Error('enough'))
  await expect(none).rejects.toMatchObject({ code: 'ABORT_ERR' })
  await expect(text).rejects.toBeInstanceOf(Error)
  await closed.promise
})
