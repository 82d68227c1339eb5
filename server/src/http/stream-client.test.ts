import { afterEach, expect, test } from 'vitest'
import { STREAM_WINDOW, type StreamEnd } from '#contracts/streams.ts'
import { createEcho, startStreamServer } from '#server/streams/testing-streams.ts'
import { createStreams, type StreamOptions } from '#renderer/api/stream-client.ts'

const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const bytes = (from: string) => new TextEncoder().encode(from)

async function start(capacity: number, isSignedIn = true) {
  let wrote = () => {}
  const echo = createEcho(capacity, () => wrote())
  const server = await startStreamServer([echo.implementation])
  closing.push(() => server.close())
  const key = isSignedIn ? server.server.token : `bgk_${'A'.repeat(43)}`
  const streams = createStreams({ url: `ws://127.0.0.1:${server.port}/ws/streams`, key: () => key, backoff: { first: 5, longest: 20 } })
  /** Opens a stream; `flows` resolves when it is connected for the first time. */
  const open = async (options: Partial<StreamOptions> = {}) => {
    let got = ''
    const flows = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<StreamEnd>()
    const stream = streams.open({
      kind: echo.implementation.kind,
      id: 'x',
      onBytes: (more) => void (got += text(more)),
      ...options,
      onFlow(is) {
        options.onFlow?.(is)
        if (is) flows.resolve()
      },
      onEnd: (end) => ended.resolve(end),
    })
    closing.push(() => stream.close())
    return { stream, flows: flows.promise, ended: ended.promise, got: () => got }
  }
  return {
    echo,
    cut: () => server.disconnectAll(),
    open,
    onWrite: (listener: () => void) => {
      wrote = listener
    },
  }
}

test('writes and reads, sends the size, and ends', async () => {
  const { echo, open } = await start(1024)
  const { stream, flows, ended, got } = await open()
  await expect(stream.write(bytes('early'))).rejects.toThrow('not connected')
  stream.resize({ columns: 80, rows: 24 })
  await flows
  await stream.write(bytes('hello'))
  await expect.poll(got).toBe('hello')
  expect(echo.sizes).toMatchObject([{ columns: 80, rows: 24 }])
  echo.ring.finish()
  expect(await ended).toEqual({ reason: 'finished', error: null })
})

test('writes more than a window in pieces, each byte once and in order', async () => {
  const { open } = await start(8 * STREAM_WINDOW)
  const { stream, flows, got } = await open()
  await flows
  const long = Array.from({ length: 100_000 }, (_, n) => `${n},`).join('')
  await Promise.all([stream.write(bytes(long)), stream.write(bytes('end'))])
  await expect.poll(() => got().length).toBe(long.length + 3)
  expect(got() === `${long}end`).toBe(true)
})

test('resumes at the same byte after a disconnect, and reports lost bytes', async () => {
  const { echo, cut, open } = await start(10)
  const gaps: unknown[] = []
  let breaks = 0
  const reconnected = Promise.withResolvers<void>()
  const { flows, got } = await open({
    onGap: (lost) => gaps.push(lost),
    onFlow(is) {
      if (!is) {
        breaks += 1
        if (breaks === 1) echo.ring.push(bytes('3456')) // while nobody is connected
        if (breaks === 2) echo.ring.push(bytes('abcdefghijklmnop'))
      } else if (breaks === 2) reconnected.resolve()
    },
  })
  await flows
  echo.ring.push(bytes('012'))
  await expect.poll(got).toBe('012')
  cut()
  await expect.poll(got).toBe('0123456')
  expect(gaps).toEqual([])
  cut()
  await reconnected.promise
  await expect.poll(got).toBe('0123456ghijklmnop')
  expect(gaps).toEqual([{ from: 7, to: 13 }])
})

test('a write whose acknowledgement is lost fails and is not repeated', async () => {
  const { echo, cut, onWrite, open } = await start(1024)
  const { stream, flows, got } = await open()
  await flows
  onWrite(cut)
  const written = stream.write(bytes('once'))
  await expect(written).rejects.toThrow('may or may not have arrived')
  await expect.poll(() => echo.readers).toBe(1)
  echo.ring.push(bytes('!'))
  await expect.poll(got).toMatch(/!$/)
  expect(got()).toBe('once!')
})

test('a slow reader delays only its own stream', async () => {
  const { echo, open } = await start(4 * STREAM_WINDOW)
  const free = Promise.withResolvers<void>()
  let processed = 0
  const slow = await open({
    async onBytes(more) {
      await free.promise
      processed += more.length
    },
  })
  await slow.flows
  echo.ring.push(new Uint8Array(2 * STREAM_WINDOW))
  const other = await open({ from: 2 * STREAM_WINDOW })
  await other.flows
  await other.stream.write(bytes('through'))
  await expect.poll(other.got).toBe('through')
  free.resolve()
  await expect.poll(() => processed).toBe(2 * STREAM_WINDOW + 'through'.length)
})

test('ends when this browser is signed out', async () => {
  const { open } = await start(10, false)
  expect(await (await open()).ended).toMatchObject({ reason: 'failed', error: { code: 'unauthorized' } })
})
