import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type ChatAddress, chatWith } from './chat.ts'

let stub: Server | null = null
afterEach(() => {
  stub?.closeAllConnections()
  stub?.close()
  stub = null
})

/** A model server that answers with `handle`. */
async function listen(handle: (request: IncomingMessage, body: string, response: ServerResponse) => void): Promise<ChatAddress> {
  stub = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => handle(request, body, response))
  })
  await new Promise<void>((resolve) => stub!.listen(0, '127.0.0.1', resolve))
  return { port: (stub.address() as AddressInfo).port, key: 'the-key', marks: ['<|call|>'] }
}

const chatRequest = { messages: [{ role: 'user', content: 'Hi' }], tools: [], temperature: 0, maxTokens: 8, seed: 42, grammar: true }
const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const timedDelta = (count: number, speed: number, value: object) =>
  data({ choices: [{ delta: value }], timings: { predicted_n: count, predicted_per_second: speed } })
const delta = (value: object) => data({ choices: [{ delta: value }] })

test('yields text as it arrives, calls when they are complete, and measurements at the end', async () => {
  const stream = [
    delta({ role: 'assistant', content: null }),
    timedDelta(1, 3e5, { content: 'Let me ' }),
    timedDelta(2, 40, { content: 'see.' }),
    timedDelta(9, 44, { tool_calls: [{ index: 0, id: 'x', function: { name: 'Bash', arguments: '{"comm' } }] }),
    delta({ tool_calls: [{ index: 0, function: { arguments: 'and":"ls"}' } }] }),
    delta({ tool_calls: [{ index: 1, function: { name: 'Read', arguments: '{torn' } }] }),
    data({ choices: [], usage: { completion_tokens: 12 }, timings: { predicted_per_second: 48 } }),
    'data: [DONE]\n\n',
  ].join('')
  const received: { key: string | undefined; body: string }[] = []
  const address = await listen((request, body, response) => {
    received.push({ key: request.headers.authorization, body })
    for (const part of [stream.slice(0, 50), stream.slice(50, 51), stream.slice(51)]) response.write(part)
    response.end()
  })
  const messages = [
    ...chatRequest.messages,
    { role: 'assistant', content: '', tool_calls: [{ function: { name: 'Bash', arguments: { command: 'ls' } } }] },
  ]
  const chunks = await Array.fromAsync(chatWith(address, { ...chatRequest, messages }, new AbortController().signal))
  expect(chunks).toMatchObject([
    { type: 'text', text: 'Let me ', tokens: 1, tokensPerSec: null },
    { type: 'text', text: 'see.', tokens: 2, tokensPerSec: 40 },
    { type: 'text', text: '', tokens: 9, tokensPerSec: 44 }, // a call is being written
    { type: 'text', text: '', tokens: 9, tokensPerSec: 44 },
    { type: 'text', text: '', tokens: 9, tokensPerSec: 44 },
    { type: 'tool_call', name: 'Bash', arguments: { command: 'ls' }, raw: '{"command":"ls"}' },
    { type: 'tool_call', name: 'Read', arguments: '{torn' },
    { type: 'done', tokens: 12, tokensPerSec: 48 },
  ])
  const done = chunks.at(-1) as { ms: number; firstTokenMs: number }
  expect(done.firstTokenMs).toBeGreaterThan(0)
  expect(done.ms).toBeGreaterThanOrEqual(done.firstTokenMs)
  expect(received[0]!.key).toBe('Bearer the-key')
  const sentBody = JSON.parse(received[0]!.body) as { messages: { tool_calls?: object[] }[]; tools?: unknown; timings_per_token?: boolean }
  expect(sentBody.messages[1]!.tool_calls).toEqual([
    { id: 'call_0', type: 'function', function: { name: 'Bash', arguments: '{"command":"ls"}' } },
  ])
  expect(sentBody.tools).toBeUndefined()
  expect(sentBody.timings_per_token).toBe(true)
})

test('without grammar it builds the prompt first, and yields all output as text, including special tokens', async () => {
  const received: Record<string, unknown>[] = []
  const address = await listen((request, body, response) => {
    received.push({ url: request.url, ...(JSON.parse(body) as object) })
    const piece = (text: string, finish: string | null) => data({ choices: [{ text, finish_reason: finish }], timings: { predicted_n: 2 } })
    if (request.url === '/apply-template') response.end(JSON.stringify({ prompt: '<user>Hi<model>' }))
    else response.end(`${piece('<|call|>{"name"', null)}${piece(': 1}', 'length')}data: [DONE]\n\n`)
  })
  const tools = [{ type: 'function', function: { name: 'Bash' } }]
  const chunks = await Array.fromAsync(chatWith(address, { ...chatRequest, tools, grammar: false }, new AbortController().signal))
  expect(chunks).toMatchObject([
    { type: 'text', text: '<|call|>{"name"' },
    { type: 'text', text: ': 1}' },
    { type: 'done', tokens: 2, cut: true },
  ])
  expect(received).toMatchObject([
    { url: '/apply-template', messages: [{ role: 'user', content: 'Hi' }], tools },
    { url: '/v1/completions', prompt: '<user>Hi<model>', max_tokens: 8, temperature: 0, seed: 42, stream: true, preserved_tokens: ['<|call|>'] }, // prettier-ignore
  ])
  expect(received[1]).not.toHaveProperty('tools')
})

test('a refusal and an incomplete answer are errors', async () => {
  const refusingServer = await listen((_, __, response) => response.writeHead(400).end('{"error":{"message":"the prompt is too long"}}'))
  expect(await Array.fromAsync(chatWith(refusingServer, chatRequest, new AbortController().signal))).toEqual([
    { type: 'error', code: 'chat_failed', message: 'the prompt is too long' },
  ])
  stub!.close()
  const refusals = [
    [
      { type: 'exceed_context_size_error', message: 'request (9 tokens) exceeds', n_prompt_tokens: 9, n_ctx: 8 },
      /has 9 tokens, but the model can read only 8/,
    ],
    [
      { message: 'Unable to generate: JSON schema error at #: unrecognized type x' },
      /cannot use these tools: JSON schema error at #: unrecognized type x\. Correct/,
    ],
  ] as const
  for (const [error, expected] of refusals) {
    const refusingServer = await listen((_, __, response) => response.writeHead(400).end(JSON.stringify({ error })))
    expect(await Array.fromAsync(chatWith(refusingServer, chatRequest, new AbortController().signal))).toMatchObject([
      { message: expect.stringMatching(expected) as string },
    ])
    stub!.close()
  }
  const breakingServer = await listen((_, __, response) => {
    response.write(delta({ content: 'so' }))
    setImmediate(() => response.destroy())
  })
  const chunks = await Array.fromAsync(chatWith(breakingServer, chatRequest, new AbortController().signal))
  expect(chunks.at(-1)).toMatchObject({ type: 'error', message: expect.stringMatching(/has ended/) as string })
})

test('ends the request without an error when the caller cancels', async () => {
  const closed = Promise.withResolvers<void>()
  const address = await listen((_, __, response) => {
    response.on('close', () => closed.resolve())
    response.write(delta({ content: 'one' }))
  })
  const cancellation = new AbortController()
  const chunks: unknown[] = []
  for await (const chunk of chatWith(address, chatRequest, cancellation.signal)) {
    chunks.push(chunk)
    cancellation.abort()
  }
  await closed.promise
  expect(chunks).toMatchObject([{ type: 'text', text: 'one' }])
})
