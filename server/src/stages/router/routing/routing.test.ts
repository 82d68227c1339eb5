import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RoutingStrategy } from '#contracts/settings/router.ts'
import { startTestServer, testConfig } from '#server/testing/server.ts'
import { runAgainst, useServer } from '#server/testing/use.ts'
import { addModel, addVerdict } from '../../loop/testing-sessions.ts'
import { complexityOf } from './complexity.ts'
import { choose, rateAfter, shareOf } from './strategy.ts'

const words = (n: number) => Array.from({ length: n }, () => 'word').join(' ')

test.each([
  ['fix typo', 0],
  [words(50), 0],
  [words(60), 0.1],
  [words(101), 0.2],
  [words(201), 0.3],
  ['optimize the async deploy, then test it', 0.5],
  ['Refactoring, REFACTOR, refactored', 0.1],
  ['undeployed redatabase', 0],
  ['authenticate stepwise', 0],
  ['refactor optimize debug async scale security, first', 0.6],
  [`${words(201)} refactor optimize debug async scale then`, 0.9],
  ['', 0],
])('the complexity of %j is %f', (prompt, expected) => expect(complexityOf(prompt)).toBe(expected))

const facts = { complexity: 0.3, proof: 0.75, threshold: 0.7, rate: 0.1, draw: 0.5 }

test.each([
  ['teacher_only', {}, 'teacher', null],
  ['student_only', {}, 'student', 0.75],
  ['confidence_based', {}, 'student', 0.75],
  ['confidence_based', { proof: 0.7 }, 'student', 0.7],
  ['confidence_based', { proof: 0.69 }, 'teacher', 0.69],
  ['confidence_based', { proof: null }, 'teacher', null],
  ['task_complexity', { complexity: 0.5 }, 'student', 0.5],
  ['task_complexity', { complexity: 0.6 }, 'teacher', 0.6],
  ['progressive', { draw: 0.09 }, 'student', 0.75],
  ['progressive', { draw: 0.1 }, 'teacher', 0.75],
  ['random_sample', { draw: 0.49 }, 'student', 0.75],
  ['random_sample', { draw: 0.5 }, 'teacher', 0.75],
] as const)('%s with %j chooses the %s', (strategy, changes, model, confidence) => {
  expect(choose(strategy, { ...facts, ...changes })).toMatchObject({ model, confidence })
})

test('progressive follows its reports in steps, within its bounds', () => {
  const bounds = { studentSampleRate: 0.1, maxStudentRate: 0.9 }
  const after = (...rates: number[]) => rates.reduce((rate, success) => rateAfter(rate, success, bounds), 0.1)
  expect(after(0.81)).toBe(0.15)
  expect(after(0.8)).toBe(0.1)
  expect(after(0.9, 0.5, 0.9)).toBe(0.2)
  expect(after(0.9, 0.9, 0.49)).toBe(0.15)
  expect(after(0.1)).toBe(0.1)
  expect(after(...Array.from({ length: 40 }, () => 1))).toBe(0.9)
  expect(rateAfter(0.5, 0.7, { studentSampleRate: 0.9, maxStudentRate: 0.2 })).toBe(0.2)
})

test.each(RoutingStrategy.options)('over many conversations %s gives the student the share it states', (strategy) => {
  const n = 100_000
  const draws = Array.from({ length: n }, (_, at) => at / n)
  const students = draws.filter((draw) => choose(strategy, { ...facts, draw }).model === 'student').length
  expect(students / n).toBeCloseTo(shareOf(strategy, facts) ?? 1, 4) // the complexity of these facts is low
})

describe('without a proof', () => {
  const server = useServer()

  test('no strategy sends anything to the student', async () => {
    const client = server.client
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...RoutingStrategy.options), fc.string({ maxLength: 300 }), async (strategy, prompt) => {
        await client.patchSettings({ body: { router: { strategy } } })
        const decision = await client.routePrompt({ body: { prompt } })
        expect(decision).toMatchObject({ selectedModel: 'teacher', strategy, student: null, id: null, latencyMs: null })
        expect(await client.getRouting({})).toMatchObject({ share: 0, student: null })
      }),
      { numRuns: 30 },
    )
    await client.patchSettings({ body: { router: { strategy: 'confidence_based' } } })
    const { out } = await runAgainst(server, ['route', 'fix typo'])
    expect(out).toBe('teacher: No model is proven better yet.\nstrategy confidence_based, complexity 0, confidence not measured\n')
    const report = client.reportRouteOutcomes({ body: { successRate: 1, samples: 20 } })
    await expect(report).rejects.toMatchObject({ code: 'model_not_found' })
  })
})

test('a model that an exam proved takes conversations; one that it did not only with the user’s word', async () => {
  const server = await startTestServer({ config: testConfig({ routingStrategy: 'progressive' }) })
  try {
    const { client, app } = server
    const examined = (letter: string, verdict: string, right: number, at: number): string => {
      const id = letter.repeat(26)
      addModel(app.core.db, id, { datasetId: null }, at)
      const items = Array.from({ length: 20 }, (_, no) => ({ id: String(no), base: 0, candidate: no < right ? 1 : 0.4 }))
      addVerdict(app.core.db, id, verdict, at, { items, sessions: 20, forms: { metric: 'next_call.soft' } })
      return id
    }
    const model = examined('m', 'not_proven', 18, 1)
    await client.patchSettings({ body: { router: { studentModel: model, studentSampleRate: 1, maxStudentRate: 1 } } })
    const decide = () => client.routePrompt({ body: { prompt: 'fix typo' } })
    expect(await decide()).toMatchObject({ selectedModel: 'teacher', strategy: 'progressive', student: { isProven: false } })
    expect(await client.getRouting({})).toMatchObject({ share: 0, strategyVariable: 'ROUTING_STRATEGY' })

    await client.patchSettings({ body: { router: { override: true } } })
    expect(await decide()).toMatchObject({
      selectedModel: 'student',
      evidence: { passed: 18, items: 20, sessions: 20, kind: 'next_calls' },
    })
    expect(await client.getRouting({})).toMatchObject({ share: 1, isOverridden: true })

    await client.patchSettings({ body: { router: { override: false, studentModel: null } } })
    expect(await decide()).toMatchObject({ student: null, selectedModel: 'teacher' })
    const proven = examined('p', 'ship', 20, 2)
    expect(await decide()).toMatchObject({ student: { id: proven, isProven: true }, selectedModel: 'student' })
    await client.patchSettings({ body: { router: { studentSampleRate: 0.1, maxStudentRate: 0.9 } } })
    const reported = await client.reportRouteOutcomes({ body: { successRate: 0.95, samples: 40 } })
    expect(reported).toMatchObject({ rate: 0.15, share: 0.15, reports: [{ successRate: 0.95, samples: 40, rate: 0.15 }] })
    const few = client.reportRouteOutcomes({ body: { successRate: 0.95, samples: 19 } })
    await expect(few).rejects.toMatchObject({ code: 'invalid_request' })
  } finally {
    await server.close()
  }
})

test('the proxy refuses to send a key over an open network or to itself, and follows its settings', async () => {
  const config = testConfig()
  const server = await startTestServer({
    config: { ...config, providers: { ...config.providers, anthropicBaseUrl: 'http://api.example' } },
  })
  try {
    const { client } = server
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const proxyPort = (taken.address() as AddressInfo).port
    await client.patchSettings({ body: { router: { proxy: true, proxyPort } } })
    const proxy = async () => (await client.getRouting({})).proxy
    expect(await proxy()).toMatchObject({ address: null, problem: expect.stringContaining('in use by another program') as unknown })
    taken.close()
    await client.patchSettings({ body: { router: { proxy: false } } })
    await client.patchSettings({ body: { router: { proxy: true } } })
    const { address } = await proxy()
    const answer = await fetch(`${address}/v1/messages`, { method: 'POST', body: '{}' })
    expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining('is not encrypted, so your key is not sent there')])
    await expect.poll(async () => (await client.listRouteDecisions({ query: {} })).items[0]?.error).toContain('is not encrypted')
    expect(await client.getRouteStats({})).toMatchObject({ requests: 1, failed: 1, sessions: 0, tokens: null, firstTokenMs: null })
    await client.patchSettings({ body: { router: { proxy: false } } })
    expect(await proxy()).toMatchObject({ address: null, isOn: false })
    await expect(fetch(address!)).rejects.toThrow('fetch failed')
  } finally {
    await server.close()
  }
})
