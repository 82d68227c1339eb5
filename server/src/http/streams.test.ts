import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import WebSocket from 'ws'
import { ACK_EVERY, readStreamFrame, STREAM_WINDOW, streamFrame, streamKinds, StreamReply, type StreamRequest } from '#contracts/streams.ts'
import type { StreamImplementation } from '#server/streams/source.ts'
import { createEcho, kindOf, startStreamServer, type StreamServer } from '#server/streams/testing-streams.ts'
import { rawRequest } from '#server/testing/raw.ts'
import { soaking } from '#server/testing/soak.ts'

let server: StreamServer
const sockets: WebSocket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await server.close()
})

type Frame = StreamReply | { type: 'bytes'; stream: number; offset: number; bytes: Buffer }

/** A client that records frames; `next` returns them one by one. */
async function connect(headers: Record<string, string> = { authorization: server.server.authorization }) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws/streams`, { headers })
  sockets.push(socket)
  const frames: Frame[] = []
  const wanted: ((frame: Frame) => void)[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    const frame: Frame = isBinary
      ? { type: 'bytes', ...(readStreamFrame(data) as { stream: number; offset: number; bytes: Buffer }) }
      : StreamReply.parse(JSON.parse(data.toString()))
    const want = wanted.shift()
    if (want) want(frame)
    else frames.push(frame)
  })
  const closed = once(socket, 'close') as Promise<[number, Buffer]>
  await once(socket, 'open')
  return {
    socket,
    closed,
    frames,
    send: (frame: StreamRequest | Uint8Array | string) =>
      socket.send(typeof frame === 'string' || frame instanceof Uint8Array ? frame : JSON.stringify(frame)),
    next: () => {
      const frame = frames.shift()
      return frame ? Promise.resolve(frame) : new Promise<Frame>((resolve) => wanted.push(resolve))
    },
  }
}
const open = (kind: string, from = 0): StreamRequest & { type: 'open' } => ({ type: 'open', stream: 1, kind, id: 'x', from })
const bytes = (text: string) => Buffer.from(text)

/** A client of the event socket. The returned function publishes an event and resolves when it arrives. */
async function connectEvents() {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, { headers: { authorization: server.server.authorization } })
  sockets.push(socket)
  await once(socket, 'open')
  const hello = once(socket, 'message')
  socket.send(JSON.stringify({ type: 'subscribe', topics: ['*'], afterSeq: null }))
  await hello
  const { tx, events } = server.server.app.core
  return async () => {
    const heard = once(socket, 'message')
    tx(() => events.append('trace:removed', { id: 'a'.repeat(26) }))
    await heard
  }
}

/** A source that produces bytes as fast as they are read, up to `size`. */
function flood(size: number) {
  const state = { read: 0 }
  const implementation: StreamImplementation = {
    kind: kindOf('flood'),
    open: (_id, from) => {
      state.read = from
      return {
        async read(most) {
          const length = Math.min(most, size - state.read)
          const chunk = { offset: state.read, bytes: Buffer.alloc(length, 97) }
          state.read += length
          return length === 0 ? null : chunk
        },
        close: () => undefined,
      }
    },
  }
  return { state, implementation }
}

test('passes bytes both ways and sizes, acknowledges writes, and closes the source with the stream', async () => {
  const echo = createEcho(1024)
  server = await startStreamServer([echo.implementation])
  const { send, next, socket } = await connect()
  send(open('echo'))
  expect(await next()).toEqual({ type: 'opened', stream: 1, isWritable: true })
  send(streamFrame(1, 0, bytes('héllo')))
  const both = [await next(), await next()]
  expect(both).toContainEqual({ type: 'ack', stream: 1, offset: 6 })
  expect(both).toContainEqual({ type: 'bytes', stream: 1, offset: 0, bytes: bytes('héllo') })
  send({ type: 'resize', stream: 1, columns: 120, rows: 40 })
  send(streamFrame(1, 6, bytes('!')))
  await next()
  expect(echo.sizes).toMatchObject([{ columns: 120, rows: 40 }])
  socket.close()
  await once(socket, 'close')
  await expect.poll(() => echo.readers).toBe(0)
})

test('resumes at a byte, reports a gap with its range, and ends with a reason', async () => {
  const echo = createEcho(10)
  server = await startStreamServer([echo.implementation])
  echo.ring.push(bytes('0123456789abcdef'))
  const first = await connect()
  first.send(open('echo', 12))
  await first.next()
  expect(await first.next()).toMatchObject({ offset: 12, bytes: bytes('cdef') })
  const second = await connect()
  second.send(open('echo', 2))
  await second.next()
  expect(await second.next()).toEqual({ type: 'gap', stream: 1, from: 2, to: 6 })
  expect(await second.next()).toMatchObject({ offset: 6, bytes: bytes('6789abcdef') })
  echo.ring.finish()
  expect(await second.next()).toEqual({ type: 'end', stream: 1, reason: 'finished', error: null })
  second.send({ ...open('echo', 17), stream: 2 })
  expect(await second.next()).toMatchObject({ type: 'end', stream: 2, reason: 'failed', error: { code: 'invalid_request' } })
  second.send({ ...open('other'), stream: 3 })
  expect(await second.next()).toMatchObject({ type: 'end', stream: 3, reason: 'failed', error: { code: 'not_found' } })
})

test('reads no more from a source than the client has acknowledged', async () => {
  const { state, implementation } = flood(10 * STREAM_WINDOW)
  const echo = createEcho(1024)
  server = await startStreamServer([implementation, echo.implementation])
  const { send, next } = await connect()
  send(open('flood'))
  await next()
  for (let got = 0; got < STREAM_WINDOW;) {
    const frame = await next()
    if (frame.type === 'bytes') got += frame.bytes.length
  }
  send({ ...open('echo'), stream: 2 })
  expect(await next()).toMatchObject({ type: 'opened', stream: 2 }) // and no frame of the first stream in between
  expect(state.read).toBe(STREAM_WINDOW)
  send({ type: 'ack', stream: 1, offset: 1000 })
  expect(await next()).toMatchObject({ stream: 1, offset: STREAM_WINDOW, bytes: expect.objectContaining({ length: 1000 }) as Buffer })
})

test('more than fits for a slow reader needs little memory and does not block the event socket', async () => {
  const size = soaking(256, 1024) * 1024 ** 2
  const { implementation } = flood(size)
  server = await startStreamServer([implementation])
  const hear = await connectEvents()
  const { send, next } = await connect()
  const before = process.memoryUsage().rss
  let most = 0
  let [taken, acked] = [0, 0]
  send(open('flood'))
  for (let frame = await next(); frame.type !== 'end'; frame = await next()) {
    if (frame.type !== 'bytes') continue
    expect(frame.offset).toBe(taken)
    taken += frame.bytes.length
    if (taken - acked < ACK_EVERY * 3) continue
    await hear()
    send({ type: 'ack', stream: 1, offset: (acked = taken) })
    most = Math.max(most, process.memoryUsage().rss)
  }
  expect(taken).toBe(size)
  expect(most - before).toBeLessThan(150 * 1024 ** 2) // client and server together: both are in this process
})

test('a producer without waiting readers keeps only its last bytes', async () => {
  const echo = createEcho(1024 * 1024)
  server = await startStreamServer([echo.implementation])
  const hear = await connectEvents()
  const { send, next, socket } = await connect()
  send(open('echo'))
  await next()
  socket.pause()
  const block = Buffer.alloc(1024 * 1024, 98)
  const before = process.memoryUsage().rss
  for (let n = 0; n < 1024; n += 1) {
    echo.ring.push(block)
    if (n % 64 === 0) await hear()
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 ** 2)
  echo.ring.finish()
  socket.resume()
  let taken = 0
  const lost: { from: number; to: number }[] = []
  for (let frame = await next(); frame.type !== 'end'; frame = await next()) {
    if (frame.type === 'gap') lost.push({ from: frame.from, to: frame.to })
    if (frame.type !== 'bytes') continue
    taken = frame.offset + frame.bytes.length
    send({ type: 'ack', stream: 1, offset: taken })
  }
  expect(taken).toBe(1024 ** 3)
  expect(lost.at(-1)?.to).toBe(1024 ** 3 - 1024 ** 2)
})

test.each<[string, (send: (frame: StreamRequest | Uint8Array | string) => void) => void]>([
  ['no JSON', (send) => send('x')],
  ['a number that is in use', (send) => send(open('echo'))],
  ['an ack beyond the sent bytes', (send) => send({ type: 'ack', stream: 1, offset: 99 })],
  ['input with a gap', (send) => send(streamFrame(1, 5, bytes('x')))],
  ['half a frame', (send) => send(Buffer.alloc(5))],
])('closes on %s with 4400, and its sources', async (_, act) => {
  const echo = createEcho(1024)
  server = await startStreamServer([echo.implementation])
  const { send, next, closed } = await connect()
  send(open('echo'))
  await next()
  act(send)
  expect((await closed)[0]).toBe(4400)
  expect(echo.readers).toBe(0)
})

test('accepts only authorized callers from our own pages', async () => {
  server = await startStreamServer([createEcho(10).implementation])
  const upgrade = (headers: Record<string, string>) =>
    rawRequest(server.port, '/ws/streams', {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      },
    })
  expect((await upgrade({ origin: 'http://evil.example', authorization: server.server.authorization })).status).toBe(403)
  expect((await upgrade({ host: 'evil.example', authorization: server.server.authorization })).status).toBe(403)
  expect((await upgrade({ authorization: `Bearer ${'A'.repeat(43)}` })).status).toBe(401)
  const { send, closed } = await connect({})
  send({ ...open('echo'), key: `bgk_${'A'.repeat(43)}` })
  expect((await closed)[0]).toBe(4401)
})

test('the stages serve exactly the declared kinds of streams', async () => {
  server = await startStreamServer([])
  expect(server.server.app.streams.map(({ kind }) => kind.name)).toEqual(streamKinds.map(({ name }) => name))
})
