import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cleared, SEAL_KEY, sealOf } from '#server/adapters/llm/cleared.ts'
import type { ChatRequest } from '#server/adapters/llm/index.ts'
import { checkRails } from '#server/adapters/nemo/index.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

/** Answers of nemoguardrails 0.24.1 to `POST /v1/checks`. */
const PASSED = { status: 'passed', content: 'How do I bake bread?' }
const BLOCKED = { status: 'blocked', content: "I'm sorry, I can't respond to that.", rail: 'regex check input' }
const NO_RAILS = { error: { message: "Requested rail type 'output' has no configured rails.", type: 'invalid_request_error', param: null, code: null } } // prettier-ignore

let server: TestServer
/** What the service does next: an answer with its status, or none. */
let next: { status: number; body: string } | 'hang'
let asked: { url: string | undefined; body: Record<string, unknown> }[] = []
async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const body = await textOf(request).catch(() => null)
  if (body === null) return // it went away before all of it came
  asked.push({ url: request.url, body: JSON.parse(body) as Record<string, unknown> })
  if (next !== 'hang') response.writeHead(next.status, { 'content-type': 'application/json', location: '/elsewhere' }).end(next.body)
}
const service = http.createServer((request, response) => void answer(request, response))
let url: string

beforeAll(async () => {
  await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  server = await startTestServer()
})
afterAll(async () => {
  service.closeAllConnections()
  await new Promise((resolve) => void service.close(resolve))
  await server.close()
})

const set = (guardrails: object) => server.client.patchSettings({ body: { guardrails } })
const check = (text: string, direction: 'input' | 'output' | 'tool_result' = 'input') =>
  server.client.checkGuardrails({ body: { text, direction } })
const answers = (body: unknown, status = 200) => {
  next = { status, body: typeof body === 'string' ? body : JSON.stringify(body) }
  asked = []
}

test('without a service, or with it switched off, nothing is asked and moderation is not checked', async () => {
  answers(PASSED)
  expect(await check('A text')).toMatchObject({
    verdict: 'allow',
    moderation: { verdict: 'not_checked', reason: expect.stringContaining('No NeMo Guardrails service') },
    unchecked: expect.arrayContaining(['moderation']),
  })
  await set({ service: { url }, contentModeration: false })
  expect((await check('A text')).moderation).toMatchObject({ verdict: 'not_checked', reason: expect.stringContaining('switched off') })
  expect(asked).toEqual([])
})

test('a service on another machine must be reached over https', async () => {
  for (const address of ['http://rails.example', 'http://127.0.0.1.rails.example', 'http://127.0.0.1@rails.example', 'ftp://127.0.0.1'])
    await expect(set({ service: { url: address } })).rejects.toMatchObject({ code: 'invalid_request' })
})

test('the service gets the cleared text for the right rails, and its verdict counts', async () => {
  await set({ service: { url: `${url}/v1/`, configId: 'words' }, contentModeration: true })
  answers(PASSED)
  const secret = `ghp_${'Ab3'.repeat(12)}`
  const passed = await check(`How do I bake bread? token ${secret}`, 'tool_result')
  expect(passed).toMatchObject({ passed: true, verdict: 'allow', rule: null, moderation: { verdict: 'allow' } })
  expect(passed.unchecked).not.toContain('moderation')
  expect(asked).toMatchObject([
    {
      url: '/v1/checks',
      body: { model: '', messages: [{ role: 'user' }], guardrails: { config_id: 'words', rail_types: ['input'] } },
    },
  ])
  expect(JSON.stringify(asked)).toContain('bake bread')
  expect(JSON.stringify(asked)).not.toContain(secret)

  answers(BLOCKED)
  expect(await check('I will hurt him', 'output')).toMatchObject({
    passed: false,
    verdict: 'block',
    type: 'moderation',
    rule: 'moderation-service',
    reason: 'The rail "regex check input" of the NeMo Guardrails service blocked this text.',
    moderation: { verdict: 'block' },
  })
  expect(asked[0]!.body).toMatchObject({ messages: [{ role: 'assistant' }], guardrails: { rail_types: ['output'] } })
  answers({ status: 'modified', content: 'x' })
  expect(await check('A text')).toMatchObject({ passed: true, verdict: 'warn', type: 'moderation' })
})

test('what the service does not answer as it should is not checked, and the other checks go on', async () => {
  await set({ service: { url }, contentModeration: true })
  const personal = 'Mail jane.roe@northwind-trading.com'
  for (const [body, status, reason] of [
    [NO_RAILS, 422, 'answered 422: Requested rail type'],
    ['{"status":"pas', 200, 'did not answer as NeMo Guardrails does'],
    [{ status: 'safe', content: 'x' }, 200, 'did not answer as'],
    [{ choices: [{ message: { content: 'passed' } }] }, 200, 'did not answer as'],
    [PASSED, 307, 'answered 307'],
    [PASSED, 500, 'answered 500'],
    [{ ...PASSED, content: 'x'.repeat(2_000_001) }, 200, 'longer than 2 MB'],
  ] as const) {
    answers(body, status)
    const found = await check(personal)
    expect(found).toMatchObject({ verdict: 'warn', type: 'pii', moderation: { verdict: 'not_checked' } })
    expect(found.moderation!.reason).toContain(reason)
    expect(found.unchecked).toContain('moderation')
    expect(asked).toHaveLength(1) // no redirect is followed
  }
  await set({ service: { url: 'http://127.0.0.1:9' } })
  expect(await check(personal)).toMatchObject({
    verdict: 'warn',
    type: 'pii',
    moderation: { verdict: 'not_checked', reason: expect.stringMatching(/^Couldn't reach 127\.0\.0\.1:9 \(/) },
  })
  await set({ piiFiltering: false })
  expect(await check(personal)).toMatchObject({ verdict: 'not_checked', reason: expect.stringContaining("Couldn't reach") })
})

test('a service that never answers is left after the limit, and gets nothing that the gate did not clear', async () => {
  next = 'hang'
  asked = []
  const request = { model: null, messages: [{ role: 'user', content: 'A text' }], maxTokens: 1 } as unknown as Cleared<ChatRequest>
  const question = { url, configId: '', rails: 'input' as const, signal: new AbortController().signal, limitMs: 100 }
  const sealed = { ...request, seal: sealOf(request, SEAL_KEY) } as Cleared<ChatRequest> & { seal: string }
  expect(await checkRails({ ...question, request: sealed })).toEqual({
    status: null,
    problem: `${new URL(url).host} gave no answer in 0.1 s.`,
  })
  const changed = { ...sealed, messages: [{ role: 'user' as const, content: 'Another text' }] }
  await expect(checkRails({ ...question, request: changed })).rejects.toThrow('privacy gate')
  expect(JSON.stringify(asked)).not.toContain('Another text')
})
