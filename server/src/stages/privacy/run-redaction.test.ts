/** What a model's endpoint receives of a run whose secrets are replaced: through the proxy, in each of its formats. */
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { RedactionCounts } from '#contracts/entities/privacy.ts'
import { createLlmProxy, PROXY_PATHS, type ProxyDialect, type ProxyExchange, type ProxyPath } from '#server/adapters/llm-proxy/index.ts'
import { isSealed, SEAL_KEY } from '#server/adapters/llm/cleared.ts'
import { createLedger } from '#server/adapters/llm/index.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { newFolder } from '#server/testing/folders.ts'
import { createRunRedaction, type RunRedaction } from './run-redaction.ts'
import { testGateInput } from './testing-gate.ts'

const PEM = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const TOKEN = 'ghp_Zq8vN4tY2mK7wR5xL9cB3dF6hJ1sA0pQeUiO'
const OTHER = 'ghp_Hq2vN7tY4mK9wR1xL3cB5dF8hJ6sA0pQeUiZ'
const PASSWORD = 'Zx81-Qrst-9917'
const numbered = (sign: string) => PEM.split('\n').map((line, index) => `${String(index + 1).padStart(6)}${sign}${line}`).join('\n') // prettier-ignore
const PNG = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }

let core: TestCore
let file: string
let counts: RedactionCounts[]
let received: string[]
let exchanges: ProxyExchange[]
let url: string
const closing: (() => unknown)[] = []
beforeEach(async () => {
  core = openCore()
  file = path.join(newFolder(), 'placeholders.json')
  counts = []
  received = []
  exchanges = []
  const server = http.createServer(async (request, response) => {
    received.push(await text(request))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  closing.push(() => core.close(), () => server.close(), () => server.closeAllConnections()) // prettier-ignore
})
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const redaction = (): RunRedaction =>
  createRunRedaction(
    { workers: core.workers, gateInput: (off) => testGateInput({}, { sealKey: SEAL_KEY, ...(off !== undefined && { off }) }) },
    { file, onReplaced: (replaced) => void counts.push(replaced) },
  )
async function opened(dialect: ProxyDialect, clear: RunRedaction['clearTexts']) {
  const proxy = createLlmProxy()
  closing.push(() => proxy.close())
  const upstream = { dialect, baseUrl: url, key: async () => 'key' }
  const ledger = createLedger({ caps: {} })
  const { baseUrl, token } = await proxy.grant({ upstream, allowedPaths: PROXY_PATHS, ledger, model: 'm', price: () => null, clear, onExchange: (exchange) => void exchanges.push(exchange), signal: new AbortController().signal }) // prettier-ignore
  return async (to: ProxyPath, body: object): Promise<{ status: number; sent: string }> => {
    const headers = { 'x-api-key': token, 'content-type': 'application/json' }
    const { status } = await fetch(`${baseUrl}${to}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status, sent: received.at(-1) ?? '' }
  }
}

/** Each has a secret in its instructions, a prompt, the input of a call and a result; the last one is a key over several lines. */
const CONVERSATIONS: [ProxyDialect, ProxyPath, object, object[]][] = [
  [
    'anthropic',
    '/v1/messages',
    { system: [{ type: 'text', text: `The token is GITHUB_TOKEN=${TOKEN}` }] },
    [
      { role: 'user', content: `Use GITHUB_TOKEN=${TOKEN}` },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'Login', input: { user: 'x', password: PASSWORD } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: numbered('→') }] }] },
    ],
  ],
  [
    'openai',
    '/v1/chat/completions',
    {},
    [
      { role: 'system', content: `The token is GITHUB_TOKEN=${TOKEN}` },
      { role: 'user', content: [{ type: 'text', text: `Use GITHUB_TOKEN=${TOKEN}` }] },
      { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'login', arguments: JSON.stringify({ user: 'x', password: PASSWORD }) } }] }, // prettier-ignore
      { role: 'tool', tool_call_id: 'call_1', content: numbered('\t') },
    ],
  ],
  [
    'openai',
    '/v1/responses',
    { instructions: `The token is GITHUB_TOKEN=${TOKEN}` },
    [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: `Use GITHUB_TOKEN=${TOKEN}` }] },
      { type: 'function_call', call_id: 'call_1', name: 'login', arguments: JSON.stringify({ user: 'x', password: PASSWORD }) },
      { type: 'function_call_output', call_id: 'call_1', output: JSON.stringify({ output: PEM, exit_code: 0 }) },
    ],
  ],
]

it.each(CONVERSATIONS)('%s %s: an endpoint gets no secret, and the same placeholder in every turn', async (dialect, to, more, messages) => {
  const post = await opened(dialect, redaction().clearTexts)
  const field = to === '/v1/responses' ? 'input' : 'messages'
  const first = await post(to, { model: 'm', max_tokens: 10, ...more, [field]: messages })
  const repeated = { role: 'assistant', content: 'I saw [GITHUB] and [API_KEY_1] and [PRIVATE_KEY_1].' }
  const newer = { role: 'user', content: `And the other: GITHUB_TOKEN=${OTHER}, after GITHUB_TOKEN=${TOKEN}` }
  const second = await post(to, { model: 'm', max_tokens: 10, ...more, [field]: [...messages, repeated, newer] })
  expect([first.status, second.status]).toEqual([200, 200])
  for (const { sent } of [first, second]) {
    for (const secret of [TOKEN, OTHER, PASSWORD, ...PEM.split('\n').slice(1, -2)]) expect(sent).not.toContain(secret)
    expect(sent.match(/\[PRIVATE_KEY_\d+\]/g)).toContain('[PRIVATE_KEY_1]')
    expect(sent).toContain('GITHUB_TOKEN=[API_KEY_1]')
    expect(sent).toContain('[PASSWORD_1]')
    expect(sent).toMatch(/"(?:toolu|call)_1".*"(?:toolu|call)_1"/)
  }
  const head = JSON.stringify((JSON.parse(first.sent) as Record<string, unknown>)[field]).slice(0, -1)
  expect(second.sent, 'what was sent before is sent again alike').toContain(head)
  expect(second.sent).toContain('I saw [GITHUB] and [API_KEY_1] and [PRIVATE_KEY_1].')
  expect(second.sent).toContain('And the other: GITHUB_TOKEN=[API_KEY_2], after GITHUB_TOKEN=[API_KEY_1]')
  expect(counts.at(-1)).toEqual({ api_key: 2, password: 1, private_key: 1 })
})

it('keeps its placeholders for a run that continues, in a file without any value', async () => {
  const ask = (content: string) => ({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content }] })
  await (
    await opened('anthropic', redaction().clearTexts)
  )('/v1/messages', ask(`A=${OTHER} [API_KEY_7] and GITHUB_TOKEN=${TOKEN}`))
  const [before] = received
  expect(before).toMatch(/A=\[API_KEY_8\] \[API_KEY_7\] and GITHUB_TOKEN=\[API_KEY_9\]/)
  expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  for (const secret of [TOKEN, OTHER]) expect(fs.readFileSync(file, 'utf8')).not.toContain(secret)
  const { sent } = await (await opened('anthropic', redaction().clearTexts))('/v1/messages', ask(`GITHUB_TOKEN=${TOKEN}`))
  expect(sent).toContain('GITHUB_TOKEN=[API_KEY_9]')
})

it('leaves out what cannot be searched, and sends what the endpoint has signed', async () => {
  const post = await opened('anthropic', redaction().clearTexts)
  const signed = { type: 'thinking', thinking: 'password: hunter2-Xy81', signature: 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0NTY3ODkwYWJj' }
  const content = [{ type: 'image', source: PNG }, { type: 'document', source: { ...PNG, media_type: 'application/pdf' } }, { type: 'text', text: 'Look.' }] // prettier-ignore
  const { sent } = await post('/v1/messages', { model: 'm', max_tokens: 10, messages: [{ role: 'assistant', content: [signed] }, { role: 'user', content }] }) // prettier-ignore
  expect(sent).not.toContain(PNG.data)
  expect(sent).toContain('[image: removed by Bash Gym, because it cannot be searched for secrets]')
  expect(sent).toContain(JSON.stringify(signed))
  expect(exchanges[0]!.removed).toEqual(['image, which cannot be searched for secrets', 'document, which cannot be searched for secrets'])
})

it('replaces a secret also where nothing shows that it is one, once it was seen', async () => {
  const lines = PEM.split('\n')
  const shown = `DB_PASSWORD=${PASSWORD}\n${PEM}`
  const bare = `${PASSWORD}\n${lines[4]}\nSESSION_TOKEN=${PASSWORD}\n${lines.slice(4, 8).join('\n')}`
  const post = await opened('anthropic', redaction().clearTexts)
  const { sent } = await post('/v1/messages', { model: 'm', max_tokens: 10, messages: [shown, bare].map((content) => ({ role: 'user', content })) }) // prettier-ignore
  const after = '[PASSWORD_1]\n[PRIVATE_KEY_1]\nSESSION_TOKEN=[PASSWORD_1]\n[PRIVATE_KEY_1]'
  expect(JSON.parse(sent)).toMatchObject({ messages: [{}, { content: after }] })
  expect(counts.at(-1)).toEqual({ password: 1, private_key: 1 })
})

it('gives a part of a key that is read first the number of the key, and keys of OpenSSH their own', async () => {
  const part = PEM.split('\n').slice(4, 8).join('\n')
  const openSsh = (letter: string) =>
    `-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n${`QyNTUxOQAAACD${letter}7k`.repeat(4)}\n${`${letter}Zq8vN4tY2m`.repeat(5)}\n-----END OPENSSH PRIVATE KEY-----`
  const post = await opened('anthropic', redaction().clearTexts)
  const { sent } = await post('/v1/messages', { model: 'm', max_tokens: 10, messages: [part, PEM, openSsh('A'), openSsh('B')].map((content) => ({ role: 'user', content })) }) // prettier-ignore
  const { messages } = JSON.parse(sent) as { messages: { content: string }[] }
  expect(messages.map(({ content }) => content.trim())).toEqual([1, 1, 2, 3].map((number) => `[PRIVATE_KEY_${number}]`))
})

it('gives the model client requests that it may send, with the same placeholders in every turn', async () => {
  const run = redaction()
  const ask = (...texts: string[]) => ({
    model: 'm',
    maxTokens: 10,
    messages: texts.map((content) => ({ role: 'user' as const, content })),
  })
  const never = new AbortController().signal
  const first = await run.clearRequest(ask(`GITHUB_TOKEN=${TOKEN}`), never)
  const second = await run.clearRequest(ask(`GITHUB_TOKEN=${TOKEN}`, 'echo [API_KEY_1]', `${OTHER} ${TOKEN}`), never)
  expect([isSealed(first), isSealed(second)]).toEqual([true, true])
  expect(second.messages).toEqual([...first.messages, ...ask('echo [API_KEY_1]', '[API_KEY_2] [API_KEY_1]').messages])
})

it('sends nothing if the search fails', async () => {
  const post = await opened('anthropic', () => Promise.reject(new Error('the thread has ended')))
  const { status } = await post('/v1/messages', { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: TOKEN }] })
  expect(status).toBe(503)
  expect(received).toEqual([])
  expect(exchanges[0]).toMatchObject({
    end: 'failed',
    error: expect.stringContaining('could not be searched for secrets: the thread has ended'),
  })
})
