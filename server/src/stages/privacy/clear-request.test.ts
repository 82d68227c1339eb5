import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLoopbackClient, createModelClient, type ClearedRequest } from '#server/adapters/llm/index.ts'
import { startStub, type Stub } from '#server/adapters/llm/testing-stub.ts'
import { openGate, type GateInput } from './gate.ts'
import { testGateInput } from './testing-gate.ts'

const SECRET = 'ghp_Zq8vN4tY2mK7wR5xL9cB3dF6hJ1sA0pQeUiO'
const REQUEST = {
  model: 'm-1',
  system: 'Be brief.',
  messages: [{ role: 'user' as const, content: `Push it with GITHUB_TOKEN=${SECRET} please.` }],
  maxTokens: 64,
}
const gate = (more: Partial<GateInput> = {}) => openGate(testGateInput({}, more))
const never = () => new AbortController().signal

let stub: Stub
beforeEach(async () => void (stub = await startStub(() => ({ text: 'Done.' }))))
afterEach(() => stub.close())
const endpoint = (baseUrl = stub.url) => ({ dialect: 'anthropic' as const, baseUrl, key: null, timeoutMs: 60_000, price: null })

describe('a model on another machine', () => {
  it('receives cleared requests, also from another thread', async () => {
    const client = createModelClient(endpoint())
    const cleared = gate().clearRequest(REQUEST)
    for (const request of [cleared, structuredClone(cleared)]) expect((await client.ask(request, never())).text).toBe('Done.')
    expect(stub.received.map(({ raw }) => raw)).toEqual([client.preview(cleared).body, client.preview(cleared).body])
    expect(stub.received[0]!.raw).toContain('Push it with GITHUB_TOKEN=')
    expect(stub.received[0]!.raw).not.toContain(SECRET)
    expect(stub.received[0]!.raw).not.toContain(cleared.seal)
  })

  it('receives nothing else', async () => {
    const client = createModelClient(endpoint())
    // @ts-expect-error: the compiler rejects requests that are not cleared
    const plain: ClearedRequest = { ...REQUEST, seal: '' }
    const cleared = gate().clearRequest(REQUEST)
    const changed = { ...cleared, messages: REQUEST.messages }
    const foreign = gate({ sealKey: Buffer.alloc(32, 3) }).clearRequest(REQUEST)
    const cast = REQUEST as unknown as ClearedRequest
    for (const request of [plain, changed, foreign, cast]) {
      await expect(client.ask(request, never())).rejects.toThrow('was not sent')
      await expect(client.stream(request, never())).rejects.toThrow('was not sent')
    }
    expect(stub.received).toEqual([])
  })
})

it('a model server on this machine accepts any text', async () => {
  await createLoopbackClient(endpoint()).ask(REQUEST, never())
  expect(stub.received[0]!.raw).toContain(SECRET)
  for (const address of ['https://api.anthropic.com', 'http://10.0.0.1:8080', 'http://127.0.0.1.example', 'http://models.localhost'])
    expect(() => createLoopbackClient(endpoint(address))).toThrow('is not this machine')
  for (const address of ['http://localhost:1', 'http://[::1]:1', 'http://127.8.9.10:1'])
    expect(() => createLoopbackClient(endpoint(address))).not.toThrow()
})
