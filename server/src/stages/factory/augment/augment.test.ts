import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { generateSynthetic } from '#contracts/routes/augment.ts'
import { startStub, type Received, type Reply, type Stub } from '#server/adapters/llm/testing-stub.ts'
import { KEY, promptOf, startAugmentServer, wording, type AugmentServer } from './testing-server.ts'

let server: AugmentServer
let stub: Stub
let reply: (request: Received, index: number) => Reply | Promise<Reply>

beforeAll(async () => {
  stub = await startStub((request, index) => reply(request, index))
  server = await startAugmentServer(stub.url)
})
afterAll(async () => {
  await server.close()
  await stub.close()
})
beforeEach(() => {
  reply = wording
  stub.received.length = 0
})

/** Each test uses another model, so that it finds no stored answers of earlier tests. */
let tests = 0
beforeEach(() => (tests += 1))
const priced = () => `claude-haiku-4-5-202510${String(tests).padStart(2, '0')}`
const firstExamples = (count: number) => ({ ids: server.examples.slice(0, count) })
type Body = z.input<typeof generateSynthetic.body>
const DOLLAR: Pick<Body, 'budgetUsd' | 'budgetTokens'> = { budgetUsd: 1 }
const start = (body: Partial<Body> = {}, budget = DOLLAR) =>
  server.client.generateSynthetic({
    body: { make: 'variants', source: firstExamples(2), variants: 2, model: priced(), ...budget, ...body },
  })
const run = async (body: Partial<Body> = {}, budget = DOLLAR) => server.done((await start(body, budget)).id)
const newestRun = async () => (await server.client.listSyntheticRuns({ query: { limit: 1 } })).items[0]!

describe('a run', () => {
  it('is estimated without sending anything, and adds marked variants of its examples', async () => {
    const plan = { make: 'variants' as const, source: firstExamples(3), variants: 2, model: priced() }
    const estimate = await server.client.estimateSynthetic({ body: plan })
    expect(estimate).toMatchObject({ provider: 'anthropic', model: priced(), examples: 3, requests: 6, cached: 0, budget: 'usd' })
    expect(estimate.costUsd).toBeGreaterThan(0)
    expect(estimate.max.costUsd).toBeGreaterThan(estimate.costUsd!)
    expect(stub.received).toEqual([])

    const job = await start(plan)
    const result = await server.done(job.id)
    expect(result).toMatchObject({
      state: 'completed',
      total: 6,
      done: 6,
      kept: 6,
      cached: 0,
      rejected: [],
      failed: [],
      tokens: { input: 720, output: 180 },
    })
    expect(result.spentUsd).toBeCloseTo((720 * 1 + 180 * 5) / 1e6, 9)
    expect(stub.received.length).toBe(6)
    expect(stub.received.map(({ raw }) => raw)).toContain(estimate.samples[0]!.body)
    const finishedJob = await server.client.getFactoryJob({ params: { id: job.id } })
    expect(finishedJob).toMatchObject({
      state: 'completed',
      done: 6,
      total: 6,
      kept: 6,
      rejected: [],
      costUsd: result.spentUsd,
      output: { id: result.id },
    })

    const { items } = await server.client.listExamples({ query: { flag: 'generated', limit: 100 } })
    expect(items.length).toBe(6)
    for (const item of items) {
      expect(item).toMatchObject({ state: 'proposed', generatedBy: priced() })
      expect(server.examples).toContain(item.parentId)
    }
    const variant = await server.client.getExample({ params: { id: items[0]!.id } })
    const parent = await server.client.getExample({ params: { id: variant.parentId! } })
    const solution = (messages: typeof parent.messages) => messages.slice(messages.findIndex(({ role }) => role === 'assistant'))
    expect(solution(variant.messages)).toEqual(solution(parent.messages))
    expect(variant.messages.find(({ role }) => role === 'user')!.content).toMatch(/^Wording: /)
    expect((await server.client.estimateSynthetic({ body: plan })).cached).toBe(6)
    expect(server.contractViolations).toEqual([])
  })

  it('never pays twice for an answer, not even in another run', async () => {
    const first = await run()
    expect(first.kept).toBe(4)
    const secondRun = await run({ variants: 3 })
    expect(secondRun).toMatchObject({ state: 'completed', total: 6, kept: 6, cached: 4 })
    expect(stub.received.length).toBe(6)
    expect(secondRun.tokens).toEqual({ input: 240, output: 60 })
  })

  it('stops before it exceeds its budget, and can be resumed with another', async () => {
    const { max } = await server.client.estimateSynthetic({
      body: { make: 'variants', source: firstExamples(4), variants: 3, model: priced() },
    })
    reply = (request, index) => ({ ...(wording(request, index) as { text: string }), usage: { input: 400, output: 200 } })
    const usd = max.costUsd! / 4
    const result = await run({ source: firstExamples(4), variants: 3, budgetUsd: usd })
    expect(result.state).toBe('budget')
    expect(result.done).toBeLessThan(12)
    expect(result.done).toBeGreaterThan(0)
    expect(result.spentUsd).toBeLessThanOrEqual(usd)
    expect(stub.received.length).toBe(result.done)
    const resumedRun = await server.done((await server.client.resumeSynthetic({ params: { id: result.id }, body: { budgetUsd: 5 } })).id)
    expect(resumedRun).toMatchObject({ id: result.id, state: 'completed', done: 12, cached: result.done })
    expect(stub.received.length).toBe(12)
  })

  it('stops at once when a provider charges more than the request could cost', async () => {
    reply = (request, index) => ({ ...(wording(request, index) as { text: string }), usage: { input: 5_000_000, output: 0 } })
    const result = await run({ source: firstExamples(4), variants: 3 })
    expect(result.state).toBe('budget')
    expect(stub.received.length).toBeLessThanOrEqual(2)
    expect(result.spentUsd).toBeGreaterThanOrEqual(5)
  })

  it('requires a budget in tokens if the price is unknown', async () => {
    const plan = {
      make: 'variants' as const,
      provider: 'openai' as const,
      source: firstExamples(2),
      variants: 1,
      model: `unpriced-${tests}`,
    }
    expect(await server.client.estimateSynthetic({ body: plan })).toMatchObject({
      costUsd: null,
      max: { costUsd: null },
      budget: 'tokens',
    })
    await expect(start(plan)).rejects.toMatchObject({ code: 'budget_needed' })
    await expect(start(plan, {})).rejects.toMatchObject({ code: 'budget_needed' })
    expect(stub.received).toEqual([])
    expect(await run(plan, { budgetTokens: 100_000 })).toMatchObject({
      state: 'completed',
      kept: 2,
      spentUsd: null,
      tokens: { input: 240, output: 60 },
    })
    const tight = await run({ ...plan, variants: 2 }, { budgetTokens: 100 })
    expect(tight).toMatchObject({ state: 'budget', cached: 2, tokens: { input: 0, output: 0 } })
  })

  it('drops unusable answers and counts them by reason', async () => {
    const before = (await server.client.listExamples({ query: { flag: 'generated' } })).total
    const bad: ((request: Received) => Reply)[] = [
      () => ({ text: '   ' }),
      (request) => ({ text: ` ${promptOf(request)} ` }),
      () => ({ text: 'I’m sorry, but I can’t help with that request about the tests.' }),
      () => ({ text: 'Bitte nimm dir das vor und behebe den Fehler, der in den Tests ist, und sag mir, wenn es nicht geht.' }),
      (request) => ({ text: `Sure! Here is it: ${promptOf(request)} now` }),
      (request) => ({ text: `Look after this for me, would you: ${promptOf(request)}`, stop: 'max_tokens' }),
    ]
    reply = (request, index) => bad[index % bad.length]!(request)
    const result = await run({ source: firstExamples(2), variants: 3 })
    expect(result).toMatchObject({ state: 'completed', done: 6, kept: 0 })
    expect(result.rejected.reduce((sum, { count }) => sum + count, 0)).toBe(6)
    expect(result.rejected.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(['empty', 'same as the original', 'refusal', 'extra text around the request', 'cut off']),
    )
    expect((await server.client.listExamples({ query: { flag: 'generated' } })).total).toBe(before)
  })

  it('drops a variant that equals another one', async () => {
    reply = (request) => ({ text: `Do me a favour and see to this one: ${promptOf(request)} (${tests})` })
    expect(await run({ source: firstExamples(1), variants: 3 })).toMatchObject({
      kept: 1,
      rejected: [{ reason: 'same as another variant', count: 2 }],
    })
  })

  it('stores nothing for a failed request, and continues with the others', async () => {
    const count = () => server.app.core.db.prepare<[], { n: number }>('SELECT count(*) AS n FROM augment_answers').get()!.n
    const before = count()
    reply = (request, index) => (index === 1 ? { status: 400, json: { error: { message: 'no' } } } : wording(request, index))
    const result = await run()
    expect(result).toMatchObject({ state: 'completed', done: 4, kept: 3, failed: [{ count: 1 }] })
    expect(count()).toBe(before + 3)
    expect(result.tokens).toEqual({ input: 360, output: 90 })
  })

  it('retries after a rate limit, and stops after the first rejected key', async () => {
    reply = (request, index) => (index === 0 ? { status: 429, headers: { 'retry-after': '0' } } : wording(request, index))
    expect(await run({ source: firstExamples(1) })).toMatchObject({ state: 'completed', kept: 2 })
    expect(stub.received.length).toBe(3)
    stub.received.length = 0
    reply = () => ({ status: 401, json: { error: { message: `bad key ${KEY}` } } })
    await expect(run({ source: firstExamples(6), model: 'claude-haiku-4-5-20251199' })).rejects.toThrow('does not accept this key')
    expect(stub.received.length).toBeLessThanOrEqual(2)
    expect(await newestRun()).toMatchObject({ state: 'failed', kept: 0, tokens: { input: 0, output: 0 }, spentUsd: 0 })
  })

  it('stops within a second when cancelled, and can be resumed', async () => {
    reply = (request, index) => (index < 1 ? wording(request, index) : 'hang')
    const job = await start()
    // the third request is sent after the first answer was stored
    while (stub.received.length < 3) await new Promise((resolve) => setImmediate(resolve))
    const cancelledAt = performance.now()
    await server.client.cancelJob({ params: { id: job.id }, body: {} })
    expect((await server.app.core.jobs.wait(job.id)).state).toBe('cancelled')
    expect(performance.now() - cancelledAt).toBeLessThan(1000)
    const broken = await newestRun()
    expect(broken).toMatchObject({ state: 'cancelled', kept: 1, tokens: { input: 120, output: 30 } })
    expect(broken.unsettledTokens).toBeGreaterThan(0) // the two unanswered requests may be charged
    reply = wording
    const resumedRun = await server.done((await server.client.resumeSynthetic({ params: { id: broken.id }, body: {} })).id)
    expect(resumedRun).toMatchObject({ id: broken.id, state: 'completed', kept: 4, cached: 1, unsettledTokens: broken.unsettledTokens })
  })

  it('never exceeds the configured number of concurrent requests', async () => {
    stub.open.max = 0
    reply = async (request, index) => {
      while (stub.open.max < 2) await new Promise((resolve) => setImmediate(resolve))
      return wording(request, index)
    }
    await run({ source: firstExamples(4) })
    expect(stub.open.max).toBe(2)
  })
})

describe('variants', () => {
  it('are marked in data sets and in the split of their original, unless it was rejected', async () => {
    const { kept } = await run({ source: firstExamples(2), variants: 2 })
    expect(kept).toBe(4)
    const build = async () => {
      const job = await server.client.buildDataset({
        body: { kind: 'sft', name: `with variants ${tests}`, minQuality: 0, split: { by: 'session', val: 0.5 }, examples: {} },
      })
      const { id } = (await server.app.core.jobs.wait(job.id)).result as { id: string }
      const { items } = await server.client.listDatasetRows({ params: { id }, query: { limit: 100 } })
      return items.map(({ split, exampleId, row }) => ({ split, exampleId, ...(row['metadata'] as Record<string, unknown>) }) as Row)
    }
    const rows = await build()
    const generatedRows = rows.filter(({ generated, model }) => generated && model === priced())
    expect(generatedRows.length).toBe(4)
    const pairs = generatedRows.flatMap((row) => {
      const parent = rows.find(({ exampleId }) => exampleId === row.parentId) // deduplication may have dropped the original
      return parent ? [[row.split, parent.split]] : []
    })
    expect(pairs.length).toBeGreaterThan(0)
    for (const [split, ofParent] of pairs) expect(split).toBe(ofParent)
    const rejectedId = generatedRows[0]!.parentId!
    await server.client.reviewExamples({ body: { selection: { ids: [rejectedId] }, state: 'rejected' } })
    expect((await build()).filter(({ parentId, exampleId }) => parentId === rejectedId || exampleId === rejectedId)).toEqual([])
    await server.client.reviewExamples({ body: { selection: { ids: [rejectedId] }, state: 'accepted' } })
  })

  it('survive a rebuild, and are deleted with their session', async () => {
    const { kept } = await run({ source: firstExamples(1), variants: 2 })
    expect(kept).toBe(2)
    const rebuild = await server.client.startRebuild({ body: {} })
    await server.app.core.jobs.wait(rebuild.id)
    const of = async () =>
      (await server.client.listExamples({ query: { flag: 'generated', limit: 100 } })).items.filter(
        ({ generatedBy }) => generatedBy === priced(),
      )
    while ((await of()).length < 2) await new Promise((resolve) => setImmediate(resolve))
    const { traceId } = (await of())[0]!
    await server.client.forgetTrace({ params: { id: traceId } })
    expect(await of()).toEqual([])
    const { db } = server.app.core
    for (const table of ['example_variants', 'augment_answers'])
      expect(db.prepare(`SELECT count(*) AS n FROM ${table} WHERE trace_id = ?`).get(traceId)).toEqual({ n: 0 })
  })
})

interface Row {
  split: string
  exampleId: string
  generated?: boolean
  model?: string
  parentId?: string
}

it('rejects unknown examples, runs and jobs', async () => {
  await expect(start({ source: { ids: ['a'.repeat(26)] } })).rejects.toMatchObject({ code: 'nothing_to_augment' })
  await expect(start({ source: { filter: { state: ['rejected'] } } })).rejects.toMatchObject({ code: 'nothing_to_augment' })
  await expect(server.client.resumeSynthetic({ params: { id: 'aug_none' }, body: {} })).rejects.toMatchObject({
    code: 'augment_run_not_found',
  })
  await expect(server.client.getFactoryJob({ params: { id: 'none' } })).rejects.toMatchObject({ code: 'job_not_found' })
})

it('never shows a key in settings, providers, runs, jobs or logs', async () => {
  reply = () => ({ status: 400, json: { error: { message: `I was given ${KEY} and do not like it` } } })
  await run({ source: { ids: server.examples.slice(-1) }, variants: 1 })
  const { client } = server
  const responses = await Promise.all([
    client.getSettings(),
    client.listProviders(),
    client.listSyntheticRuns({ query: {} }),
    client.listJobs({ query: {} }),
  ])
  expect(JSON.stringify(responses)).not.toContain(KEY)
  const logs = fs
    .globSync('**/*', { cwd: path.join(server.config.dataDir, 'logs') })
    .map((name) => fs.readFileSync(path.join(server.config.dataDir, 'logs', name), 'utf8'))
  expect(logs.join('')).not.toContain(KEY)
  expect(logs.join('').length).toBeGreaterThan(0)
})
