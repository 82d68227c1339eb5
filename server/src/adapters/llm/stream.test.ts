import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createLoopbackClient, ProviderError, withRetries, type ChatRequest } from './index.ts'
import type { StreamEvent } from './types.ts'

const KEY = 'sk-ant-api03-not-a-real-key-0123456789abcdef'
const REQUEST: ChatRequest = { model: 'm-1', messages: [{ role: 'user', content: 'List the files.' }], maxTokens: 64 }
/** Turns of the event loop, which client and server share. */
const TURNS = 6
const PARALLEL_REQUESTS = 10
const never = () => new AbortController().signal
type Dialect = 'anthropic' | 'openai'

const servers: http.Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** An endpoint that answers with `handle`. */
async function listen(
  dialect: Dialect,
  handle: (response: http.ServerResponse, index: number, body: string) => void,
  timeoutMs: number | null = 60_000,
) {
  let index = 0
  const server = http.createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request)
    handle(response, index++, Buffer.concat(chunks as Buffer[]).toString('utf8'))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const price = { inputPerMTok: 3, outputPerMTok: 15, cacheReadPerMTok: 0.3, cacheWritePerMTok: 3.75 }
  return createLoopbackClient({ dialect, baseUrl, key: KEY, timeoutMs, price })
}
type Client = Awaited<ReturnType<typeof listen>>

function send(response: http.ServerResponse, ...pieces: string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const piece of pieces) response.write(piece)
}
/** Sends the pieces with pauses, so that the client reads each piece separately. */
async function sendApart(response: http.ServerResponse, pieces: readonly Uint8Array[]): Promise<void> {
  send(response)
  for (const piece of pieces) {
    response.write(piece)
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}
const read = async (client: Client, signal = never()): Promise<StreamEvent[]> => Array.fromAsync(await client.stream(REQUEST, signal))
/** The last event, and all texts joined. */
async function readAnswer(client: Client) {
  const events = await read(client)
  const last = events.at(-1)!
  return {
    words: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
    completion: last.type === 'done' ? last.completion : null,
  }
}
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => error as ProviderError,
  )

const named = (type: string, value: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`
const data = (value: object) => `data: ${JSON.stringify(value)}\r\n\r\n`
const delta = (value: object, more: object = {}) => data({ choices: [{ index: 0, delta: value, ...more }] })

/** Thinking, non-ASCII text, and two calls with interleaved pieces. */
const ANTHROPIC = [
  named('message_start', {
    message: {
      type: 'message',
      content: [],
      usage: { input_tokens: 10, cache_creation_input_tokens: 20, cache_read_input_tokens: 300, output_tokens: 1 },
    },
  }),
  named('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
  named('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'Überlegen …' } }),
  named('content_block_delta', { index: 0, delta: { type: 'signature_delta', signature: 'abc' } }),
  named('content_block_stop', { index: 0 }),
  ': a comment\n\n',
  named('ping', {}),
  named('content_block_start', { index: 1, content_block: { type: 'text', text: '' } }),
  named('content_block_delta', { index: 1, delta: { type: 'text_delta', text: 'Grüße 👩‍👧 ' } }),
  named('content_block_delta', { index: 1, delta: { type: 'text_delta', text: '日本\nтест' } }),
  named('content_block_start', { index: 2, content_block: { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} } }),
  named('content_block_start', { index: 3, content_block: { type: 'tool_use', id: 'toolu_2', name: 'Now', input: {} } }),
  named('content_block_delta', { index: 2, delta: { type: 'input_json_delta', partial_json: '{"command":"ech' } }),
  named('content_block_delta', { index: 3, delta: { type: 'input_json_delta', partial_json: '' } }),
  named('content_block_delta', { index: 2, delta: { type: 'input_json_delta', partial_json: 'o 🙂"}' } }),
  named('something_new', { of: 'a later version' }),
  named('message_delta', { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 40 } }),
  named('message_stop', {}),
].join('')
const OPENAI = [
  delta({ role: 'assistant', content: null }),
  delta({ reasoning_content: 'Überlegen …' }),
  delta({ content: 'Grüße 👩‍👧 ' }),
  delta({ content: '日本\nтест' }),
  delta({ tool_calls: [{ index: 0, id: 'toolu_1', type: 'function', function: { name: 'Bash', arguments: '{"command":"ech' } }] }),
  delta({ tool_calls: [{ index: 1, id: 'toolu_2', type: 'function', function: { name: 'Now', arguments: '{}' } }] }),
  delta({ tool_calls: [{ index: 0, function: { arguments: 'o 🙂"}' } }] }),
  delta({}, { finish_reason: 'tool_calls' }),
  data({ choices: [], usage: { prompt_tokens: 330, completion_tokens: 40, prompt_tokens_details: { cached_tokens: 300 } } }),
  'data: [DONE]\n\n',
].join('')
const ANSWER = {
  text: 'Grüße 👩‍👧 日本\nтест',
  thinking: 'Überlegen …',
  toolCalls: [
    { id: 'toolu_1', name: 'Bash', arguments: '{"command":"echo 🙂"}' },
    { id: 'toolu_2', name: 'Now', arguments: '{}' },
  ],
  stopped: 'tools',
}
const STREAMS = [
  ['anthropic', ANTHROPIC, { usage: { input: 330, output: 40, cacheRead: 300, cacheWrite: 20 }, costUsd: 0.000795 }],
  ['openai', OPENAI, { usage: { input: 330, output: 40, cacheRead: 300, cacheWrite: null }, costUsd: 0.00078 }],
] as const

describe('a stream', () => {
  it.for(STREAMS)(
    'of %s gives the same result, however it is split into chunks',
    { timeout: 120_000 },
    async ([dialect, stream, usageAndCost]) => {
      const bytes = Buffer.from(stream)
      const client = await listen(dialect, (response, cut) => {
        const isLast = cut === bytes.length
        void sendApart(response, isLast ? [...bytes].map((byte) => Uint8Array.of(byte)) : [bytes.subarray(0, cut), bytes.subarray(cut)])
      })
      for (let cut = 0; cut <= bytes.length; cut += PARALLEL_REQUESTS) {
        const answers = await Promise.all(
          Array.from({ length: Math.min(PARALLEL_REQUESTS, bytes.length + 1 - cut) }, () => readAnswer(client)),
        )
        for (const answer of answers)
          expect(answer, `split at ${cut} or up to 9 bytes later`).toEqual({
            words: ANSWER.text,
            completion: { ...ANSWER, ...usageAndCost },
          })
      }
    },
  )

  it('requests usage; numbers that are not reported stay unknown', async () => {
    const bodies: unknown[] = []
    const client = await listen('openai', (response, _, body) => {
      bodies.push(JSON.parse(body))
      send(response, delta({ content: 'a' }), delta({}, { finish_reason: 'stop' }))
      response.end()
    })
    expect((await readAnswer(client)).completion).toMatchObject({ text: 'a', stopped: 'end', usage: null, costUsd: null })
    expect(bodies).toEqual([
      { model: 'm-1', max_tokens: 64, messages: REQUEST.messages, stream: true, stream_options: { include_usage: true } },
    ])
  })

  it.for<[string, Dialect, string[], Partial<ProviderError>]>([
    ['broken JSON', 'anthropic', [ANTHROPIC.slice(0, 300), '\n\ndata: {"type":"content\n\n'], { kind: 'bad_answer' }],
    ['broken JSON', 'openai', [delta({ content: 'a' }), 'data: {"choices":[{"del\n\n'], { kind: 'bad_answer' }],
    ['another shape', 'openai', [data({ choices: 'none' })], { kind: 'bad_answer' }],
    [
      'a piece of a block without a start',
      'anthropic',
      [named('content_block_delta', { index: 7, delta: { type: 'text_delta' } })],
      { kind: 'bad_answer' },
    ],
    ['no events at all', 'openai', ['<html>Welcome</html>'], { kind: 'bad_answer' }],
    ['an event without end', 'openai', [`data: ${'x'.repeat(5_000_000)}`], { kind: 'bad_answer' }],
    [
      'an end before the answer is complete',
      'anthropic',
      [ANTHROPIC.slice(0, ANTHROPIC.indexOf('event: message_stop'))],
      { kind: 'unreachable' },
    ],
    ['an end before the answer is complete', 'openai', [delta({ content: 'a' })], { kind: 'unreachable' }],
    [
      'an overload during the answer',
      'anthropic',
      [
        ANTHROPIC.slice(0, ANTHROPIC.indexOf(': a comment')),
        named('error', { error: { type: 'overloaded_error', message: `Overloaded, ${KEY}` } }),
      ],
      { kind: 'overloaded', reason: 'Overloaded, [key]' },
    ],
    [
      'a rate limit during the answer',
      'anthropic',
      [named('error', { error: { type: 'rate_limit_error', message: 'Slow down' } })],
      { kind: 'rate_limited' },
    ],
    [
      'a failure during the answer',
      'openai',
      [delta({ content: 'a' }), data({ error: { code: 500, message: 'out of memory' } })],
      { kind: 'overloaded', reason: 'out of memory' },
    ],
  ])('with %s (%s) ends with an error, which may have cost something', async ([, dialect, pieces, expected]) => {
    const client = await listen(dialect, (response) => {
      send(response, ...pieces)
      response.end()
    })
    const error = await failure(read(client))
    expect(error).toBeInstanceOf(ProviderError)
    expect(error).toMatchObject({ ...expected, isTransient: true, mayCost: true, status: null })
    expect(JSON.stringify(error) + error.stack).not.toContain(KEY)
  })

  it('ends with an error when the server closes the connection early', async () => {
    const client = await listen('anthropic', (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(ANTHROPIC.slice(0, 600), () => response.destroy())
    })
    expect(await failure(read(client))).toMatchObject({
      kind: 'unreachable',
      mayCost: true,
      provider: expect.stringMatching(/^127/) as string,
    })
  })

  it('ends with an error when the server sends nothing more', async () => {
    const client = await listen('openai', (response) => send(response, delta({ content: 'a' })), 60)
    expect(await failure(read(client))).toMatchObject({ kind: 'timeout', mayCost: true })
  })

  it('has no time limit while it continues', async () => {
    const pieces = Array.from({ length: 20 }, (_, index) => delta({ content: `${index} ` }))
    const client = await listen(
      'openai',
      (response) => {
        send(response)
        const sendNext = () => {
          const piece = pieces.shift()
          response.write(piece ?? 'data: [DONE]\n\n')
          if (piece) setTimeout(sendNext, 60)
        }
        sendNext()
      },
      1000,
    )
    expect((await readAnswer(client)).words).toMatch(/^0 1 .* 19 $/)
  })

  it('ends at once when it is cancelled, and so does the request', async () => {
    const requestClosed = Promise.withResolvers<void>()
    const client = await listen('anthropic', (response) => {
      response.once('close', requestClosed.resolve)
      send(response, ANTHROPIC.slice(0, ANTHROPIC.indexOf('event: message_delta')))
    })
    const stop = new AbortController()
    const received: StreamEvent[] = []
    const events = await client.stream(REQUEST, stop.signal)
    let cancelledAt = 0
    const error = await failure(
      (async () => {
        for await (const event of events) {
          received.push(event)
          if (event.type !== 'call' || cancelledAt > 0) continue
          cancelledAt = performance.now()
          stop.abort(new Error('no more'))
        }
      })(),
    )
    expect(error.message).toBe('no more')
    await requestClosed.promise
    expect(performance.now() - cancelledAt).toBeLessThan(1000)
    expect(received.some(({ type }) => type === 'done')).toBe(false)
  })

  it('closes the connection when the reader stops', async () => {
    const requestClosed = Promise.withResolvers<void>()
    const client = await listen('openai', (response) => {
      response.once('close', requestClosed.resolve)
      send(response, delta({ content: 'a' }))
    })
    for await (const event of await client.stream(REQUEST, never())) if (event.type === 'text') break
    await expect(requestClosed.promise).resolves.toBeUndefined()
  })
})

describe('a refused stream', () => {
  it('can be retried, because nothing was received', async () => {
    const client = await listen('anthropic', (response, index) => {
      const status = [429, 529, 500][index]
      if (status !== undefined) return response.writeHead(status, status === 429 ? { 'retry-after': '0' } : {}).end('{}')
      send(response, ANTHROPIC)
      return response.end()
    })
    const events = await withRetries(() => client.stream(REQUEST, never()), { signal: never(), firstWaitMs: 1 })
    expect((await Array.fromAsync(events)).at(-1)).toMatchObject({ type: 'done', completion: { text: ANSWER.text } })
  })

  it.for<[string, number, string]>([
    ['that is not JSON', 502, '<html>Bad gateway</html>'],
    ['that is huge', 500, `{"error":{"message":"${'x'.repeat(8_000_000)}"}}`],
    ['that is empty', 503, ''],
  ])('with a text %s is classified by its status', async ([, status, text]) => {
    const client = await listen('openai', (response) => response.writeHead(status).end(text))
    const error = await failure(read(client))
    expect(error).toMatchObject({
      kind: 'overloaded',
      status,
      reason: null,
      mayCost: false,
      hint: expect.stringMatching(/again/) as string,
    })
    expect(error.message.length).toBeLessThan(400)
  })

  it('reports how much too long the request was, if the server does', async () => {
    const error = { code: 400, type: 'exceed_context_size_error', message: 'request exceeds', n_prompt_tokens: 9, n_ctx: 8 }
    const client = await listen('openai', (response) => response.writeHead(400).end(JSON.stringify({ error })))
    expect(await failure(read(client))).toMatchObject({ kind: 'refused', tooLong: { tokens: 9, limit: 8 } })
  })

  it('ends when it is cancelled before the first byte', async () => {
    const requested = Promise.withResolvers<void>()
    const client = await listen('openai', () => requested.resolve())
    const stop = new AbortController()
    const waiting = failure(client.stream(REQUEST, stop.signal))
    await requested.promise
    stop.abort(new Error('no more'))
    expect((await waiting).message).toBe('no more')
  })
})
