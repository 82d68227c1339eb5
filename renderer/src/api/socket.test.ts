import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocketServer, type WebSocket as Peer } from 'ws'
import type { ServerMessage } from '#contracts/messages.ts'
import { openSocket, type ServerSocket, type SocketState } from './socket.ts'

const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A real server that gives the test each connection and its first message. */
async function startServer(port = 0) {
  const server = new WebSocketServer({ host: '127.0.0.1', port })
  await once(server, 'listening')
  const waiting: { peer: Peer; subscribe: unknown }[] = []
  const wanted: ((value: { peer: Peer; subscribe: unknown }) => void)[] = []
  server.on('connection', (peer) => {
    peer.once('message', (data: Buffer) => {
      const value = { peer, subscribe: JSON.parse(data.toString()) as unknown }
      const next = wanted.shift()
      if (next) next(value)
      else waiting.push(value)
    })
  })
  const close = async () => {
    for (const peer of server.clients) peer.terminate()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  closing.push(close)
  return {
    port: (server.address() as AddressInfo).port,
    close,
    nextConnection: () =>
      new Promise<{ peer: Peer; subscribe: unknown }>((resolve) => {
        const ready = waiting.shift()
        if (ready) resolve(ready)
        else wanted.push(resolve)
      }),
  }
}

function connect(port: number) {
  const messages: ServerMessage[] = []
  const states: SocketState[] = []
  const wanted: { test: (message: ServerMessage) => boolean; resolve: () => void }[] = []
  const stateWanted: { state: SocketState; resolve: () => void }[] = []
  const socket: ServerSocket = openSocket({
    url: `ws://127.0.0.1:${port}/ws`,
    backoff: { first: 5, longest: 20 },
    onMessage: (message) => {
      messages.push(message)
      for (const want of wanted) if (want.test(message)) want.resolve()
    },
    onState: (state) => {
      states.push(state)
      for (const want of stateWanted) if (want.state === state) want.resolve()
    },
  })
  closing.push(() => socket.close())
  const received = (test: (message: ServerMessage) => boolean) =>
    new Promise<void>((resolve) => {
      if (messages.some(test)) resolve()
      else wanted.push({ test, resolve })
    })
  const inState = (state: SocketState) =>
    new Promise<void>((resolve) => {
      if (states.at(-1) === state) resolve()
      else stateWanted.push({ state, resolve })
    })
  return { socket, messages, states, received, inState }
}

const at = '2026-11-21T10:00:00.000Z'
const send = (peer: Peer, message: unknown) => peer.send(JSON.stringify(message))
const hello = (peer: Peer, epoch: string, seq: number) => send(peer, { type: 'hello', seq: null, at, payload: { epoch, seq } })
const removed = (seq: number) => ({ type: 'trace:removed', seq, at, payload: { id: 'a'.repeat(26) } })
const seqs = (messages: ServerMessage[]) => messages.flatMap(({ seq }) => (seq === null ? [] : [seq]))

test('the first subscription requests no past messages and starts at the sequence number in hello', async () => {
  const server = await startServer()
  const client = connect(server.port)
  const { peer, subscribe } = await server.nextConnection()
  expect(subscribe).toEqual({ type: 'subscribe', topics: ['*'], afterSeq: null })
  hello(peer, 'e1', 41)
  send(peer, removed(42))
  await client.received(({ seq }) => seq === 42)
  expect(client.states).toEqual(['connecting', 'online'])
})

test('after a lost connection it resumes after the last message it received and delivers none twice', async () => {
  const server = await startServer()
  const client = connect(server.port)
  const first = await server.nextConnection()
  hello(first.peer, 'e1', 10)
  send(first.peer, removed(11))
  await client.received(({ seq }) => seq === 11)
  first.peer.terminate()

  const second = await server.nextConnection()
  expect(second.subscribe).toEqual({ type: 'subscribe', topics: ['*'], afterSeq: 11, epoch: 'e1' })
  hello(second.peer, 'e1', 13)
  for (const seq of [11, 12, 13]) send(second.peer, removed(seq))
  await client.received(({ seq }) => seq === 13)
  expect(seqs(client.messages)).toEqual([11, 12, 13])
})

test('a connection lost before the first message resumes at the sequence number in hello', async () => {
  const server = await startServer()
  const client = connect(server.port)
  const first = await server.nextConnection()
  hello(first.peer, 'e1', 10)
  await client.received(({ type }) => type === 'hello')
  first.peer.terminate()
  expect((await server.nextConnection()).subscribe).toMatchObject({ afterSeq: 10, epoch: 'e1' })
})

test('reset is passed on and the subscription restarts in the new epoch, even at a lower sequence number', async () => {
  const server = await startServer()
  const client = connect(server.port)
  const { peer } = await server.nextConnection()
  hello(peer, 'e1', 900)
  await client.received(({ type }) => type === 'hello')
  const again = once(peer, 'message') as Promise<[Buffer]>
  send(peer, { type: 'reset', seq: null, at, payload: { epoch: 'e2', seq: 3, reason: 'rebuilt' } })
  const [data] = await again
  expect(JSON.parse(data.toString())).toEqual({ type: 'subscribe', topics: ['*'], afterSeq: 3, epoch: 'e2' })
  hello(peer, 'e2', 3)
  send(peer, removed(4))
  await client.received(({ seq }) => seq === 4)
  expect(client.messages.map(({ type }) => type)).toEqual(['hello', 'reset', 'hello', 'trace:removed'])
})

test('it reconnects to a server that restarts on the same port', async () => {
  const server = await startServer()
  const client = connect(server.port)
  const { peer } = await server.nextConnection()
  hello(peer, 'e1', 1)
  await client.inState('online')
  await server.close()
  await client.inState('offline')
  const back = await startServer(server.port)
  client.socket.retry()
  const next = await back.nextConnection()
  hello(next.peer, 'e1', 1)
  await client.inState('online')
  expect(next.subscribe).toMatchObject({ afterSeq: 1 })
})

test('a connection closed because the token is missing is not retried', async () => {
  const server = await startServer()
  const client = connect(server.port)
  const { peer } = await server.nextConnection()
  peer.close(4401, 'no token')
  await client.inState('signed-out')
  expect(client.states).not.toContain('offline')
})

test('invalid messages are ignored', async () => {
  const server = await startServer()
  const client = connect(server.port)
  const { peer } = await server.nextConnection()
  hello(peer, 'e1', 1)
  for (const junk of ['', '{', 'null', '[]', '{"type":7}']) peer.send(junk)
  send(peer, removed(2))
  await client.received(({ seq }) => seq === 2)
  expect(client.messages).toHaveLength(2)
})
