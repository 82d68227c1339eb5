import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import WebSocket from 'ws'
import type { ServerMessage } from '#contracts/messages.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
const sockets: WebSocket[] = []
afterEach(async () => {
  if (server.contractViolations.length) throw new Error(server.contractViolations.join('\n'))
  for (const socket of sockets.splice(0)) socket.terminate()
  await server.close()
})

/** A client that records messages; `until` resolves with the first matching one, including earlier messages. */
async function connect(subscribe?: object) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, { headers: { authorization: server.authorization } })
  sockets.push(socket)
  const messages: ServerMessage[] = []
  const waiting = new Set<() => void>()
  socket.on('message', (data: Buffer) => {
    messages.push(JSON.parse(data.toString()) as ServerMessage)
    for (const wake of waiting) wake()
  })
  const until = (fits: (message: ServerMessage) => boolean) =>
    new Promise<ServerMessage>((resolve) => {
      const look = () => {
        const found = messages.find(fits)
        if (!found) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  const closed = once(socket, 'close') as Promise<[number, Buffer]>
  await once(socket, 'open')
  const send = (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  if (subscribe) send({ type: 'subscribe', topics: ['*'], ...subscribe })
  return { socket, messages, until, send, closed }
}

const id = (n: number) =>
  String(n)
    .replaceAll(/[0189]/g, 'z')
    .padStart(26, 'a')
const add = (count: number) => {
  const { tx, events } = server.app.core
  for (let n = 0; n < count; n += 1) tx(() => events.append('trace:removed', { id: id(n) }))
}
const seqs = (messages: ServerMessage[]) => messages.flatMap(({ seq }) => (seq === null ? [] : [seq]))
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

test('sends hello with epoch and number, then live messages', async () => {
  server = await startTestServer()
  add(3)
  const { messages, until } = await connect({ afterSeq: null })
  const hello = await until(({ type }) => type === 'hello')
  expect(hello).toMatchObject({ seq: null, payload: { epoch: server.app.core.events.epoch, seq: 3 } })
  add(2)
  await until(({ seq }) => seq === 5)
  expect(seqs(messages)).toEqual([4, 5])
})

test('replays the messages after a number without gap or duplicate while others are committed', async () => {
  server = await startTestServer()
  add(1800)
  const { messages, until } = await connect({ afterSeq: 100 })
  await until(({ type }) => type === 'hello')
  add(300)
  await until(({ seq }) => seq === 2100)
  expect(seqs(messages)).toEqual(range(101, 2100))
})

test.each([
  ['an unknown epoch', { afterSeq: 1, epoch: 'other' }],
  ['a number above ours', { afterSeq: 999 }],
])('answers %s with reset, and accepts a new subscribe', async (_, subscribe) => {
  server = await startTestServer()
  add(2)
  const { until, send } = await connect(subscribe)
  const reset = await until(({ type }) => type === 'reset')
  expect(reset).toMatchObject({ seq: null, payload: { seq: 2, epoch: server.app.core.events.epoch } })
  send({ type: 'subscribe', topics: ['*'], afterSeq: null })
  await until(({ type }) => type === 'hello')
})

test('answers a number that is too old with reset', async () => {
  server = await startTestServer()
  add(5)
  server.app.core.db.exec('DELETE FROM events WHERE seq <= 3')
  const { until } = await connect({ afterSeq: 1 })
  expect((await until(({ type }) => type === 'reset')).payload).toMatchObject({
    reason: expect.stringContaining('no longer stored') as string,
  })
})

test('asks every client to reload when the epoch changes', async () => {
  server = await startTestServer()
  const { until } = await connect({ afterSeq: null })
  await until(({ type }) => type === 'hello')
  server.app.core.events.renewEpoch()
  expect((await until(({ type }) => type === 'reset')).payload).toMatchObject({ epoch: server.app.core.events.epoch })
})

test('sends only the subscribed topics', async () => {
  server = await startTestServer()
  const { messages, until } = await connect({ topics: ['settings:changed', 'job:*'] })
  await until(({ type }) => type === 'hello')
  add(3)
  await server.client.patchSettings({ body: { appearance: { theme: 'dark' } } })
  await until(({ type }) => type === 'settings:changed')
  expect(messages.map(({ type }) => type)).toEqual(['hello', 'settings:changed'])
})

test('sends only the newest transient message of each id, at most once per interval', async () => {
  server = await startTestServer({ socketLimits: { coalesceMs: 50 } })
  const { messages, until } = await connect({ topics: ['job:progress'] })
  await until(({ type }) => type === 'hello')
  for (let done = 1; done <= 200; done += 1)
    server.app.core.events.passing('job:progress', {
      id: 'j',
      kind: 'k',
      progress: {
        phase: 'p',
        done,
        total: 200,
        unit: 'u',
        bytesDone: null,
        bytesTotal: null,
        ratePerSec: null,
        etaSec: null,
        message: null,
      },
    })
  await until((message) => message.type === 'job:progress' && message.payload.progress.done === 200)
  expect(messages.length).toBeLessThanOrEqual(3)
})

test('drops a client that does not read; others get everything', async () => {
  server = await startTestServer({ socketLimits: { maxBuffered: 200_000 } })
  const slow = await connect({ afterSeq: null })
  const fast = await connect({ afterSeq: null })
  await slow.until(({ type }) => type === 'hello')
  await fast.until(({ type }) => type === 'hello')
  slow.socket.pause()
  const { tx, events } = server.app.core
  let sent = 0
  const deadline = performance.now() + 45_000
  while (clients() === 2 && performance.now() < deadline) {
    tx(() => events.append('trace:batch', { jobId: null, added: Array.from({ length: 2000 }, () => id(1)), updated: [] }))
    sent += 1
    await fast.until(({ seq }) => seq === sent)
  }
  expect(clients()).toBe(1)
  expect(seqs(fast.messages)).toEqual(range(1, sent))
})
const clients = () => server.sockets.clients

test.each([
  ['no JSON', 'hello'],
  ['another message', '{"type":"publish"}'],
])('closes on %s with 4400', async (_, text) => {
  server = await startTestServer()
  const { send, closed } = await connect()
  send(text)
  expect((await closed)[0]).toBe(4400)
})

test('closes a client that does not subscribe in time with 4409', async () => {
  server = await startTestServer({ socketLimits: { subscribeWithinMs: 50 } })
  const { closed } = await connect()
  expect((await closed)[0]).toBe(4409)
})

test('closes a client that sends more than 64 KB', async () => {
  server = await startTestServer()
  const { send, closed } = await connect()
  send(JSON.stringify({ type: 'subscribe', topics: ['x'.repeat(70_000)] }))
  expect((await closed)[0]).toBe(1009)
})

test('ends a connection that does not answer pings', async () => {
  server = await startTestServer({ socketLimits: { heartbeatMs: 50 } })
  const { socket, until, closed } = await connect({ afterSeq: null })
  await until(({ type }) => type === 'hello')
  socket.pong = () => {} // the client library answers pings through this
  const receiver = (socket as unknown as { _receiver: { removeAllListeners(name: string): void } })._receiver
  receiver.removeAllListeners('ping')
  expect((await closed)[0]).toBe(1006)
})

test('closes its clients with 1001 when it stops', async () => {
  server = await startTestServer()
  const { until, closed } = await connect({ afterSeq: null })
  await until(({ type }) => type === 'hello')
  const [[code]] = await Promise.all([closed, server.close()])
  expect(code).toBe(1001)
})
