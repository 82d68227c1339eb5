import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AugmentRun } from '#contracts/entities/augment.ts'
import { startStub, type Received, type Reply, type Stub } from '#server/adapters/providers/testing-stub.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'

const SAMPLES = path.resolve(import.meta.dirname, '../../../../../samples/claude-code')
const KEY = 'sk-ant-api03-not-a-real-key-0123456789abcdef'

let server: TestServer
let stub: Stub
let reply: (request: Received, index: number) => Reply | Promise<Reply>

const wording = (request: Received, index: number): Reply => {
  const prompt = /<request>\n([\s\S]*)\n<\/request>/.exec(request.body.messages.at(-1)!.content)![1]!
  return { text: `Wording number ${index}: kindly take care of the following matter for me. ${prompt}` }
}

beforeEach(async () => {
  reply = wording
  stub = await startStub((request, index) => reply(request, index))
  server = await startTestServer({
    config: testConfig({ providers: { augmentation: null, nimEndpoint: null, keys: { anthropic: KEY, nim: null } } }),
  })
  await server.client.patchSettings({
    body: {
      providers: {
        anthropic: { baseUrl: stub.url, model: 'claude-haiku-4-5-20251001' },
        openai: { baseUrl: stub.url, model: 'local-model' },
        concurrency: 2,
        requestsPerMinute: 10_000,
      },
    },
  })
  await wait((await server.client.startImport({ body: { paths: [SAMPLES] } })).id)
}, 60_000)
afterEach(async () => {
  await server.close()
  await stub.close()
})

const wait = async (id: string) => {
  const job = await server.app.core.jobs.wait(id)
  if (job.error) throw new Error(job.error.message)
  return job
}
const ended = async (id: string) => (await wait(id)).result as AugmentRun
const accepted = async (count: number): Promise<string[]> => {
  await wait((await server.client.buildExamples({ body: { selection: { filter: {} }, minQuality: 0 } })).id)
  const { items } = await server.client.listExamples({ query: { limit: 100 } })
  const ids = items
    .filter(({ flags }) => !flags.includes('carried_prompt'))
    .map(({ id }) => id)
    .slice(0, count)
  await server.client.reviewExamples({ body: { ids, state: 'accepted' } })
  return ids
}
const FILTER = { filter: {} }

it('estimates without sending, asks within a budget, and puts marked variants into the review table', async () => {
  const ids = await accepted(3)
  const estimate = await server.client.estimateAugmentation({ body: { selection: FILTER, variants: 2 } })
  expect(estimate).toMatchObject({
    provider: 'anthropic',
    model: 'claude-haiku-4-5-20251001',
    examples: 3,
    requests: 6,
    cached: 0,
    budget: 'usd',
  })
  expect(estimate.costUsd).toBeGreaterThan(0)
  expect(estimate.max.costUsd).toBeGreaterThan(estimate.costUsd!)
  expect(stub.received).toEqual([])

  const job = await server.client.startAugmentation({ body: { selection: FILTER, variants: 2, budget: { usd: 1 } } })
  const run = await ended(job.id)
  expect(run).toMatchObject({
    state: 'completed',
    total: 6,
    done: 6,
    kept: 6,
    cached: 0,
    rejected: [],
    failed: [],
    tokens: { input: 720, output: 180 },
  })
  expect(run.spentUsd).toBeCloseTo((720 * 1 + 180 * 5) / 1e6, 9)
  expect(stub.received.length).toBe(6)
  expect(stub.received.map(({ raw }) => raw)).toContain(estimate.samples[0]!.body)
  expect(await server.client.getFactoryJob({ params: { id: job.id } })).toMatchObject({
    state: 'completed',
    done: 6,
    total: 6,
    kept: 6,
    rejected: [],
    costUsd: run.spentUsd,
  })

  const { items } = await server.client.listExamples({ query: { flag: 'generated', limit: 100 } })
  expect(items.length).toBe(6)
  for (const item of items) {
    expect(item).toMatchObject({ state: 'proposed', generatedBy: 'claude-haiku-4-5-20251001' })
    expect(ids).toContain(item.parentId)
  }
  const variant = await server.client.getExample({ params: { id: items[0]!.id } })
  const parent = await server.client.getExample({ params: { id: variant.parentId! } })
  const solution = (messages: typeof parent.messages) => messages.slice(messages.findIndex(({ role }) => role === 'assistant'))
  expect(solution(variant.messages)).toEqual(solution(parent.messages))
  expect(variant.messages.find(({ role }) => role === 'user')!.content).toMatch(/^Wording number/)
  expect(server.misfits).toEqual([])
})
